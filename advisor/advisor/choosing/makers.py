"""Makers' statements about a model with exactly a file's rotation, with their lengths."""

from dataclasses import replace

import torch

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.evidence import Evidence, evidence_for
from advisor.known_models import of_length, same_shape
from advisor.memory.cache import layer_kinds, window_of
from advisor.memory.sizes import Sizes
from advisor.released import released
from posenc.scaling.yarn import YaRN

SHORT = 4096
"""Tokens of a text as every model reads it."""


def makers_rows(config: Config, length: int | None = None) -> tuple[Evidence, ...]:
    """Makers' statements about the known model with this shape, base and rotation.

    Args:
        config: Any model's; a model that was fine-tuned from the known one has the same shape.
        length: Tokens, for scalings that depend on it.

    Returns:
        Texts of the training, and lengths that are documented for the released file.
    """
    same = same_shape(config)
    same = tuple(one for one in same if turns_alike(config, released(one.name), length))
    return tuple(
        row
        for known in of_length(config, same)
        for row in evidence_for(known.name)
        if row.kind in ("trained", "documented")
    )


def makers_word(config: Config, length: int) -> Evidence | None:
    """The makers' word that a model with this rotation reads `length` tokens; None without one.

    A declared length does not count: it is the field that is edited most. What was not read in
    its source, or in a quotation of it, does not count either.
    """
    rows = [*makers_rows(config, length), *yarn_rows(config)]
    reaching = [row for row in rows if row.is_read and (row.tokens or 0) >= length]
    return min(reaching, key=lambda row: (row.kind != "trained", row.tokens or 0), default=None)


def longest(rows: tuple[Evidence, ...]) -> Evidence | None:
    """The row with the longest texts; of two alike, that of the training."""
    return max(rows, key=lambda row: (row.tokens or 0, row.kind == "trained"), default=None)


def turns_alike(one: Config, other: Config, length: int | None = None) -> bool:
    """Whether two files of one shape turn, see and cache alike, whatever they declare."""
    if one.layers.keys() != other.layers.keys() or one.dual_chunk != other.dual_chunk:
        return False
    if one.rope_layers != other.rope_layers or _seen(one) != _seen(other):
        return False
    return all(_alike(layer, other.rotary.get(key), length) for key, layer in one.rotary.items())


def _seen(config: Config) -> list[tuple[str, int | None]] | None:
    """Which tokens each layer sees; None where the file does not say."""
    try:
        sizes = Sizes.of(config)
        return [(kind, window_of(sizes, kind)) for kind in layer_kinds(config, sizes)]
    except ValueError:
        return None


def _may_see_alike(one: Config, other: Config) -> bool:
    """Whether no layer is said to see other tokens than in the other file."""
    return _seen(one) in (None, _seen(other))


def _alike(one: RopeLayer, other: RopeLayer | None, length: int | None) -> bool:
    if other is None or (one.rotary_dim, one.layout) != (other.rotary_dim, other.layout):
        return False
    # Dynamic scaling and LongRoPE are alike where they are so for texts of both kinds.
    for asked in {length or SHORT, None}:
        ours, theirs = one.frequencies(asked), other.frequencies(asked)
        if not torch.allclose(ours[0], theirs[0], rtol=1e-6, atol=0):
            return False
        if abs(ours[1] - theirs[1]) > 1e-6:
            return False
    return True


def documented_yarn(config: Config) -> list[Evidence]:
    """Where the makers document YaRN for the model that this may be, whatever scaling it has."""
    return [
        row
        for known in same_shape(config)
        if _may_see_alike(config, released(known.name))
        for row in evidence_for(known.name)
        if row.kind == "yarn" and row.is_read
    ]


def yarn_rows(config: Config) -> list[Evidence]:
    """Where the makers document YaRN for the released file, and this is that with no more."""
    return [
        row
        for known in same_shape(config)
        for row in evidence_for(known.name)
        if row.kind == "yarn" and _is_that(config, released(known.name), row)
    ]


def _is_that(config: Config, their: Config, row: Evidence) -> bool:
    """Whether the file is the released one with YaRN as documented, with that factor or less."""
    if config.layers.keys() != their.layers.keys() or config.dual_chunk is not None:
        return False
    if not _may_see_alike(config, their):
        return False
    for key, layer in config.rotary.items():
        scaling = layer.scaling
        if not isinstance(scaling, YaRN) or scaling.original_length != row.original:
            return False
        usual = YaRN(scaling.factor, scaling.original_length)
        if scaling.factor > (row.factor or 1) + 1e-6 or layer.base != their.rotary[key].base:
            return False
        ours = layer.frequencies()
        theirs = replace(layer, scaling=usual).frequencies()
        if not torch.equal(ours[0], theirs[0]) or abs(ours[1] - theirs[1]) > 1e-6:
            return False
    return True

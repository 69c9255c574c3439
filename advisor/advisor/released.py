"""Settings that a file's model was released with, from known models of its shape and base."""

import json
import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, cast

import torch

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.fields import DECLARED
from advisor.known_models import (
    KnownModel,
    alike,
    known_models,
    model_named,
    other_bases,
    same_shape,
)
from advisor.reader.file import read_config
from posenc.rope.scaling import Scaling
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN

ROOM = 1.3
"""How much more than its training a file may declare for room to answer: Qwen3's 40,960 of 32,768
are read as they are, Nemo's 1,024,000 of 131,072 are not."""
LONGEST_FIELDS = 300
"""Characters of a scaling that a sentence can hold; LongRoPE's lists are longer."""


@dataclass(frozen=True)
class Released:
    """The scaling that makers released a file's model with, where the file has another or none.

    Attributes:
        models: The known models that it may be; those after the first have other numbers.
        change: "lost": the file has no scaling; "edited": it has another one; "declared": it has
            LongRoPE's lists beside another declared length, which the factor on cos and sin is
            taken from.
    """

    models: tuple[KnownModel, ...]
    change: Literal["lost", "edited", "declared"]

    @property
    def known(self) -> KnownModel | None:
        """The one model that it can be; None where there are several with different numbers."""
        return self.models[0] if len(self.models) == 1 else None

    @property
    def scaled(self) -> RopeLayer:
        """The scaled layers of the first model."""
        return next(one for one in released(self.models[0].name).rotary.values() if one.scaling)

    @property
    def fields(self) -> str:
        """The fields to write, as JSON; "" where they are too long or not certain."""
        if self.known is None:
            return ""
        for name in ("rope_scaling", "rope_parameters"):
            given = self.known.text.values.get(name)
            if given:
                told = f'"{name}": {json.dumps(given)}'
                return told if len(told) <= LONGEST_FIELDS else ""
        return ""


def raised_from(config: Config) -> KnownModel | None:
    """The known model of this shape that declares most, below this base and length."""
    others = other_bases(config)
    if not others or not config.family.names_base:
        return None
    known = max((one for one, _ in others), key=lambda one: one.declared or 0)
    own = max(layer.base for layer in config.rotary.values())
    is_larger = own > max(base for _, base in others)
    return known if is_larger and (config.reach or 0) > ROOM * (known.declared or 0) else None


@cache
def released(name: str) -> Config:
    """A known model's own file, read."""
    return read_config(model_named(name).config)


def is_unscaled(layer: RopeLayer) -> bool:
    """Whether the layer has no scaling that stretches."""
    scaling = layer.scaling
    return scaling is None or (isinstance(scaling, Proportional) and scaling.factor == 1)


def released_scalings(config: Config) -> list[tuple[KnownModel, Scaling]]:
    """The scalings that known models of the same shape and base are released with."""
    return [
        (known, layer.scaling)
        for known in same_shape(config)
        for layer in released(known.name).rotary.values()
        if known.name == known.model and layer.scaling is not None and not is_unscaled(layer)
    ]


def released_reach(config: Config, layer: RopeLayer) -> int | None:
    """Tokens that a known model of this shape declares with this very scaling; None for none."""
    theirs = released_scalings(config)
    same = [known.declared or 0 for known, one in theirs if is_same_scaling(layer.scaling, one)]
    return max(same, default=0) or None


def declared_with(scaling: Llama3) -> int | None:
    """The longest that a known model of any shape declares with this scaling; None for none."""
    theirs = [one for one in known_models().values() if one.scaling == ("llama3", scaling.factor)]
    return max(
        (
            known.declared or 0
            for known in theirs
            for layer in released(known.name).rotary.values()
            if layer.scaling == scaling
        ),
        default=None,
    )


def changed(config: Config) -> Released | None:
    """The scaling of the released file, where this one has lost or edited it; None if neither.

    The length that a scaling counts from is not compared: other findings are about that.
    """
    scaled = [layer for layer in config.rotary.values() if not is_unscaled(layer)]
    if not scaled:
        models = _without_scaling(config, config.reach or 0)
        return Released(models, "lost") if models else None
    theirs = released_scalings(config)
    if any(_turn_alike(layer, one) for layer in scaled for _, one in theirs):
        return None
    named = alike(config)[:1]
    models = tuple(known for known in named if known in [one for one, _ in theirs])
    if not models:
        # Made from the unscaled one, or from the one that declares as much, before it or after.
        declared = config.text.get(DECLARED) or 0
        lengths = {declared / getattr(one.scaling, "factor", 1.0) for one in scaled}
        lengths |= {declared, *(getattr(one.scaling, "original_length", 0) for one in scaled)}
        models = tuple(
            known
            for length in sorted(lengths)
            for known in _without_scaling(config, length)
            if length == known.declared
        )
    if not models:
        return None
    lists = [layer.scaling for layer in scaled if isinstance(layer.scaling, LongRoPE)]
    has_theirs = any(is_same_scaling(ours, one) for ours in lists for _, one in theirs)
    return Released(models, "declared" if has_theirs else "edited")


def _turn_alike(layer: RopeLayer, other: Scaling) -> bool:
    """Whether two scalings do the same to these layers, whatever they count from."""
    ours = layer.scaling
    if isinstance(ours, LongRoPE) and isinstance(other, LongRoPE):
        # The declared length is in the factor on cos and sin.
        return is_same_scaling(ours, other) and math.isclose(ours.factor, other.factor)
    if type(ours) is not type(other):
        return False
    if isinstance(ours, DynamicNTK | Llama3 | YaRN):
        ours = replace(ours, original_length=cast(YaRN, other).original_length)
    one, two = (replace(layer, scaling=each).frequencies() for each in (ours, other))
    return torch.allclose(one[0], two[0], rtol=1e-6, atol=0) and abs(one[1] - two[1]) < 1e-6


def _without_scaling(config: Config, declared: float) -> tuple[KnownModel, ...]:
    """The models that a file of this length may be whose scaling is gone; () for none.

    None where the file may never have had a scaling.
    """
    theirs = {known.name: known for known, _ in released_scalings(config) if not known.made_from}
    unscaled = [one for one in same_shape(config) if one.name not in theirs and not one.made_from]
    plain = [one.declared or 0 for one in unscaled]
    groups = (unscaled, list(theirs.values()))
    window = config.text.get("sliding_window")
    seen = [[one.text.get("sliding_window") for one in few] for few in groups]
    if window is not None and window in seen[0] and window not in seen[1]:
        return ()  # Phi-3-mini-4k's window, which none of the scaled ones has
    if not theirs or declared <= ROOM * max(plain, default=0):
        return ()
    if plain and declared > ROOM * max(one.declared or 0 for one in theirs.values()):
        return ()  # more than either of them: neither is more likely
    models = [one for one in theirs.values() if declared > _before(one)]
    return tuple(one for index, one in enumerate(models) if not _is_among(one, models[:index]))


def released_without_window(config: Config) -> str:
    """The known model of this shape whose released file has no window where this one has; ""."""
    windows = {one.model: one.text.get("sliding_window") for one in same_shape(config)}
    if config.text.get("sliding_window") in windows.values():
        return ""
    return next((model for model, window in windows.items() if window is None), "")


def _before(known: KnownModel) -> float:
    """Tokens of a model's training before its scaling; a file that declares no more needs none."""
    for layer in released(known.name).rotary.values():
        if layer.scaling is not None and not is_unscaled(layer):
            factor = getattr(layer.scaling, "factor", 1.0)
            return layer.trained_length or (layer.max_length or 0) / factor
    return 0


def _is_among(one: KnownModel, others: list[KnownModel]) -> bool:
    ours = released(one.name).layers
    return any(ours == released(other.name).layers for other in others)


def is_same_scaling(one: Scaling | None, other: Scaling) -> bool:
    """Whether two scalings are of one kind with the same numbers, whatever a file declares."""
    if isinstance(one, LongRoPE) and isinstance(other, LongRoPE):
        # The factor follows from the declared length.
        pairs = [
            *zip(one.short_factor, other.short_factor, strict=False),
            *zip(one.long_factor, other.long_factor, strict=False),
        ]
        is_near = all(math.isclose(ours, theirs, rel_tol=1e-5) for ours, theirs in pairs)
        return one.original_length == other.original_length and is_near
    if isinstance(one, YaRN) and isinstance(other, YaRN):
        return (one.factor, one.original_length) == (other.factor, other.original_length)
    return one == other

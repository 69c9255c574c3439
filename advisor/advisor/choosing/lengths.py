"""The two trained lengths: without scaling, and with the scaling that the file asks for."""

from dataclasses import dataclass, replace

from advisor.choosing.makers import longest, makers_rows, yarn_rows
from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.evidence import Evidence
from advisor.released import ROOM, changed, is_unscaled, released_reach
from advisor.training import YARN_ADDED, is_consistent, is_extended, training
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN


@dataclass(frozen=True)
class TrainedLengths:
    """How far a model was trained, and how far its file reaches.

    Attributes:
        before: Tokens of the training without scaling; None where neither file nor makers say.
        own: Tokens that the file's own scaling reaches; None without one, and for dynamic
            scaling, which follows the length of the text.
        declared: Tokens that the file declares.
        with_own: Whether the makers extended the model with that scaling; None where that is not
            known.
        told: The longest that the makers say of the model with this very rotation, if anything.
        model: The known model that tells `before`; "" where the file does.
        either: What `before` may be, where the file leaves that open.
        released_with: The known model of this shape that is released with another scaling; "".
        by_word: Whoever asks says that the weights were trained with the file as it is.
        has_chunks: The file asks for Dual Chunk Attention, which reaches further by itself.
    """

    before: int | None
    own: int | None
    declared: int | None
    with_own: bool | None = None
    told: Evidence | None = None
    model: str = ""
    either: tuple[int, ...] = ()
    has_chunks: bool = False
    released_with: str = ""
    by_word: bool = False

    @property
    def reach(self) -> int | None:
        """Tokens that the model reads as its file stands."""
        if self.own is not None:
            return self.own
        if self.before is None or self.declared is None:
            return self.before or self.declared
        known = max(self.before, (self.told and self.told.tokens) or 0)
        return known if self.is_never_trained else max(known, self.declared)

    @property
    def is_never_trained(self) -> bool:
        """Whether the file declares far more than its makers trained with, and has no scaling."""
        if self.own is not None or self.has_chunks or not self.model:
            return False
        return (self.declared or 0) > ROOM * (self.before or 0)

    @property
    def shown(self) -> int | None:
        """Tokens of the longest text of training, as far as that is known."""
        return self.own if self.with_own else self.before or self.reach


def trained_lengths(config: Config, layer_type: str) -> TrainedLengths:
    """The lengths that rotary layers were trained with.

    Source: Llama 3, section 3.4.2, arXiv:2407.21783; Phi-3, arXiv:2404.14219; Gemma 3, section
    5.3, arXiv:2503.19786; `training` and `makers_rows` for what was published.
    """
    layer = config.rotary[layer_type]
    known = training(config, layer_type)
    told = longest(makers_rows(config))
    theirs = changed(config)
    edited = theirs.models[0].model if theirs is not None and theirs.change == "edited" else ""
    with_own = own = None
    if not is_unscaled(layer) and not isinstance(layer.scaling, DynamicNTK):
        own = _own(config, layer, known.length, told)
        with_own = _with_own(config, layer, known.length)
    return TrainedLengths(
        before=known.length,
        own=own,
        declared=layer.max_length,
        with_own=with_own,
        told=told,
        model="" if known.known is None else known.known.model,
        either=known.either,
        has_chunks=config.dual_chunk is not None,
        released_with=edited,
    )


def lengths_by_word(config: Config, layer_type: str) -> TrainedLengths:
    """The lengths of rotary layers whose weights were trained with the file as it is.

    Whoever says so knows more than shape and base tell: the makers' word on another model counts
    no more, and the file's own scaling reaches as far as the file says of it.
    """
    layer = config.rotary[layer_type]
    lengths = replace(
        trained_lengths(config, layer_type),
        told=None,
        model="",
        either=(),
        released_with="",
        by_word=True,
    )
    scaling = layer.scaling
    if is_unscaled(layer):
        return replace(lengths, before=layer.max_length)
    before = getattr(scaling, "original_length", lengths.before)
    if isinstance(scaling, DynamicNTK):
        return replace(lengths, before=before)
    own = layer.max_length
    if isinstance(scaling, YaRN):
        own = int(scaling.factor * scaling.original_length + 1e-6)
    return replace(lengths, before=before, own=own, with_own=True)


def _own(config: Config, layer: RopeLayer, before: int | None, told: Evidence | None) -> int | None:
    """Tokens that the file's own scaling reaches."""
    declared = layer.max_length
    factor = getattr(layer.scaling, "factor", 1.0)
    if isinstance(layer.scaling, YaRN):
        counted = layer.scaling.original_length
        if before is not None and not is_consistent(layer):
            counted = before
        reach = int(factor * counted + 1e-6)
        return max(
            reach, *(row.tokens or 0 for row in yarn_rows(config) if row.factor == factor), 0
        )
    if isinstance(layer.scaling, Linear) and before and declared == int(factor * before):
        return declared
    if told is not None and told.tokens is not None and declared is not None:
        # The numbers of Llama-3, LongRoPE and linear scaling do not say how far they reach.
        return told.tokens if declared > ROOM * told.tokens else max(declared, told.tokens)
    released = released_reach(config, layer)
    if released is not None and declared is not None and declared > ROOM * released:
        return released
    if isinstance(layer.scaling, Linear | Proportional) and before and declared:
        return declared if declared > ROOM * before else int(factor * before + 1e-6)
    return declared


def _with_own(config: Config, layer: RopeLayer, before: int | None) -> bool | None:
    """Whether the makers extended the model with the scaling in the file."""
    rows = makers_rows(config)
    if is_extended(config, layer) or any((row.tokens or 0) > (before or 0) for row in rows):
        return True
    is_added = (config.model_type or "").startswith(YARN_ADDED)
    return False if isinstance(layer.scaling, YaRN) and is_added else None

"""A file whose layers rotate, put right, and the length that is asked of it."""

from dataclasses import dataclass

from advisor.choosing import clauses
from advisor.choosing.change import fresh
from advisor.choosing.choice import NAMES
from advisor.choosing.lengths import TrainedLengths, lengths_by_word, trained_lengths
from advisor.choosing.repair import Repair, seeing_all
from advisor.comparing.layer import RopeLayer
from advisor.facts import without_window
from advisor.memory.cache import widest_window
from advisor.rope import RopeConfig
from posenc.words import Sentence, say


@dataclass(frozen=True)
class Request:
    """A file and the length that is asked of it.

    Attributes:
        repair: What was put right in the file before.
        target: L, tokens.
        window: Tokens of the widest window; None where a layer sees everything.
        layer_types: Keys of the layers that a scaling is for; () where windows leave it no use.
        lengths: The trained lengths of the first of them.
    """

    repair: Repair
    target: int
    window: int | None
    layer_types: tuple[str, ...]
    lengths: TrainedLengths

    @classmethod
    def of(cls, repair: Repair, target: int, by_word: bool = False) -> "Request":
        """Find out which layers the request is about, and how they were trained.

        By word: they were trained with the file as it is.
        """
        lengths_of = lengths_by_word if by_word else trained_lengths
        config = repair.after
        window = widest_window(config)
        keys = seeing_all(config)
        lengths = lengths_of(config, next(iter(config.rotary)))
        # A window wider than the texts of the training leaves distances to a scaling.
        is_narrow = window is not None and window <= (lengths.before or lengths.reach or 0)
        if is_narrow or (window is None and not keys):
            return cls(repair, target, window, (), lengths)
        keys = keys or tuple(config.rotary)
        return cls(repair, target, window, keys, lengths_of(config, keys[0]))

    @property
    def config(self) -> RopeConfig:
        """The file put right."""
        return self.repair.after

    @property
    def layer(self) -> RopeLayer:
        """The first of these layers, or of all that rotate."""
        return self.config.rotary[next(iter(self.layer_types or self.config.rotary))]

    @property
    def kind(self) -> str | None:
        """Name of their scaling; None where they have none."""
        return NAMES.get(self.layer.rope_type)

    @property
    def factor(self) -> float:
        """Factor of their scaling; 1 where they have none."""
        return float(getattr(self.layer.scaling, "factor", 1.0))

    @property
    def is_beyond_file(self) -> bool:
        """Whether the file declares less than the target."""
        return self.target > (self.config.reach or 0)

    @property
    def is_restored(self) -> bool:
        """Whether the scaling is not the file's, but that of the released one."""
        return self.repair.kind == "restored"

    @property
    def has_wrong_window(self) -> bool:
        """Whether the released file of this model has no window."""
        found = {one.code for one in self.config.findings if one.severity == "error"}
        return "window_in_doubt" in found

    @property
    def without_window(self) -> str:
        """The engines that give the layers no window, where that makes a difference."""
        is_needed = self.target > (self.window or 0) and not self.has_wrong_window
        return without_window(self.config) if is_needed else ""

    def declared(self) -> RopeConfig:
        """The file, declaring no less than the target."""
        if self.is_beyond_file:
            return fresh(self.config.turning(max_length=self.target))
        return self.config

    def fill(self, clause: Sentence, factor: float | None) -> Sentence:
        """One of `clauses` with the values of this request, and the factor that is to be set."""
        lengths = self.lengths
        return clause.filled(
            target=self.target,
            kind=self.kind,
            own=self.factor,
            factor=factor,
            larger=_larger(self.factor, factor or self.factor, lengths.before),
            original=self.layer.original_length,
            before=lengths.before,
            trained=lengths.before or lengths.reach,
            published=(lengths.told and lengths.told.tokens) or lengths.before,
            model=lengths.model,
            declared=lengths.declared,
            scaled=int(self.factor * (lengths.declared or 0) + 1e-6),
            reach=lengths.own or self.config.reach,
            window=self.window,
            last=(self.window or 0) - 1,
            but=clauses.NOT_IN_EVERY.filled(engines=without_window(self.config, "name"))
            if self.without_window
            else "",
        )


def _larger(own: float, factor: float, before: int | None) -> Sentence:
    """The factor that takes the place of the file's own, and from which length it counts."""
    told = say("factor {factor:.6g} instead of {own:.6g}", factor=factor, own=own)
    return told if before is None else say("{told}, on {before:,}", told=told, before=before)

"""Files whose scaling is not the one that the makers released or document: put right."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, cast

from advisor.choosing.change import counted, restored, without_scaling
from advisor.choosing.choice import Reason
from advisor.choosing.lengths import trained_lengths
from advisor.choosing.makers import documented_yarn, yarn_rows
from advisor.choosing.reasons import mended
from advisor.memory.cache import KINDS
from advisor.released import Released, changed, is_unscaled
from advisor.rope import RopeConfig
from advisor.training import is_consistent
from posenc.scaling.longrope import LongRoPE


@dataclass(frozen=True)
class Repair:
    """The change that puts a file right before anything is asked of it.

    Attributes:
        kind: "none"; "restored": it gets the scaling back that its makers released it with;
            "unclear": that may be one of several; "replaced": its scaling goes, since its makers
            document another; "counted": its scaling counts from the training.
        before: The file.
        after: The file put right.
        released: The scaling that it was released with, where it has another or none.
    """

    kind: Literal["none", "restored", "unclear", "replaced", "counted"]
    before: RopeConfig
    after: RopeConfig
    released: Released | None = None

    def reasons(self, layer_types: tuple[str, ...]) -> Iterable[Reason]:
        """Why that is done to these layers."""
        if self.kind == "restored" and self.released is not None:
            return mended.restored(self.released, self.before)
        if self.kind == "replaced":
            return mended.replaced(self.before)
        if self.kind == "counted" and layer_types:
            return mended.counted(self.before, self.after, layer_types[0])
        return ()


def seeing_all(config: RopeConfig) -> tuple[str, ...]:
    """The layers that rotate and see everything."""
    return tuple(key for key in config.rotary if KINDS.get(key) not in ("window", "chunk"))


def repaired(config: RopeConfig, target: int) -> Repair:
    """The file as the makers would have it, as far as that is known and reaches the target."""
    keys = seeing_all(config) or tuple(config.rotary)
    layers = [config.rotary[key] for key in keys]
    if all(is_consistent(one) and target <= (one.max_length or 0) for one in layers):
        return Repair("none", config, config)  # what is complete is not overruled
    counting = counted(config, keys)
    released = changed(config)
    if released is not None:
        is_gone = released.change == "lost" or _is_other(counting, released)
        if released.known is None and is_gone:
            return Repair("unclear", config, config, released)
        if released.known is not None:
            right = restored(config, released.known)
            if is_gone or target <= _reach(right) or target > _reach(counting):
                return Repair("restored", config, right, released)
    elif not yarn_rows(counting) and any(not is_unscaled(config.rotary[key]) for key in keys):
        rows = documented_yarn(config)
        if target <= max((row.tokens or 0 for row in rows), default=0):
            plain = without_scaling(config, keys, cast(int, rows[0].original))
            return Repair("replaced", config, plain)
    return Repair("none" if counting is config else "counted", config, counting)


def _reach(config: RopeConfig) -> int:
    return max(trained_lengths(config, key).reach or 0 for key in config.rotary)


def _is_other(config: RopeConfig, released: Released) -> bool:
    """Whether the file has another kind of scaling, which counts on from what theirs reaches.

    Such a file was made by the recipe for an unscaled model: the released scaling is gone.
    """
    ours = next((one for one in config.rotary.values() if not is_unscaled(one)), None)
    theirs = released.scaled
    if ours is None or ours.rope_type == theirs.rope_type:
        return False
    before = getattr(ours.scaling, "original_length", 0)
    return isinstance(theirs.scaling, LongRoPE) or before >= (theirs.max_length or 0)

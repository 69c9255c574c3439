"""Files whose scaling is not the one that the makers released or document: put right, and told."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import cast

from posenc.config.choosing import reasons
from posenc.config.choosing.change import counted, restored, without_scaling
from posenc.config.choosing.choice import NAMES, Choice, Reason
from posenc.config.choosing.lengths import trained_lengths
from posenc.config.choosing.makers import documented_yarn, yarn_rows
from posenc.config.facts import refused_file
from posenc.config.fields import DECLARED, ORIGINAL
from posenc.config.known_models import KnownModel, base_field
from posenc.config.memory.cache import KINDS
from posenc.config.released import Released, changed, is_unscaled
from posenc.config.rope import RopeConfig
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import say

Tell = Callable[[Choice], Choice]
"""Says of a choice what was done to the file before it."""


def seeing_all(config: RopeConfig) -> tuple[str, ...]:
    """The layers that rotate and see everything."""
    return tuple(key for key in config.rotary if KINDS.get(key) not in ("window", "chunk"))


def repaired(config: RopeConfig, target: int) -> tuple[RopeConfig, Tell]:
    """The file as the makers would have it, as far as that is known and reaches the target.

    With their scaling, without one that they do not document, or with the length that its own
    counts from; the file itself where nothing is wrong.
    """
    keys = seeing_all(config) or tuple(config.rotary)
    counting = counted(config, keys)
    theirs = changed(config)
    is_other = theirs is not None and _is_other(counting, theirs)
    if theirs is not None and theirs.known is None and (theirs.change == "lost" or is_other):
        return config, partial(_unclear, theirs)
    if theirs is not None and theirs.known is not None:
        right = restored(config, theirs.known)
        own, released = (
            max(trained_lengths(one, key).reach or 0 for key in one.rotary)
            for one in (counting, right)
        )
        if theirs.change == "lost" or target <= released or target > own or is_other:
            return right, partial(_restored, config, right, theirs)
    rows = documented_yarn(config)
    if rows and not yarn_rows(counting) and not theirs:
        is_scaled = any(not is_unscaled(config.rotary[key]) for key in keys)
        if is_scaled and target <= max(row.tokens or 0 for row in rows):
            plain = without_scaling(config, keys, cast(int, rows[0].original))
            return plain, partial(_replaced, config)
    if counting is config:
        return config, lambda choice: choice
    return counting, partial(_counted, config, counting)


def _is_other(config: RopeConfig, theirs: Released) -> bool:
    """Whether the file has another kind of scaling, which counts on from what theirs reaches.

    Such a file was made by the recipe for an unscaled model: the released scaling is gone.
    """
    ours = next((one for one in config.rotary.values() if not is_unscaled(one)), None)
    if ours is None or ours.rope_type == theirs.scaled.rope_type:
        return False
    before = getattr(ours.scaling, "original_length", 0)
    return isinstance(theirs.scaled.scaling, LongRoPE) or before >= (theirs.scaled.max_length or 0)


def with_lost_base(choice: Choice, known: KnownModel, base: float) -> Choice:
    """A choice for a file that lost its base."""
    if choice.config is None:
        return choice
    field, value = base_field(known, base)
    clause = say(
        "First write {field} {value:,.0f}, the base of {model}, which this file lost. Then: "
        "{clause}",
        field=field,
        value=value,
        model=known.model,
        clause=choice.clause,
    )
    method = choice.method or "none"
    verdict = "extend" if choice.verdict == "reaches" else choice.verdict
    return replace(choice, verdict=verdict, method=method, clause=clause)


def as_argument(choice: Choice, config: RopeConfig) -> Choice:
    """A choice for a file that is right and that transformers does not load."""
    if choice.verdict != "reaches" or choice.config is None or refused_file(config) is None:
        return choice
    layer = next(iter(choice.config.rotary.values()))
    factor = getattr(layer.scaling, "factor", 1.0)
    clause = say(
        "Take the scaling out of the file, which transformers does not load with it, and give it "
        "to the engine: {kind}, factor {factor:.6g}",
        kind=NAMES[layer.rope_type],
        factor=factor,
    )
    if choice.lengths is not None and choice.lengths.own is not None:
        clause = say("{clause}, to {reach:,}", clause=clause, reach=choice.lengths.own)
    return replace(choice, verdict="extend", clause=clause, method=layer.rope_type, factor=factor)


def _counted(config: RopeConfig, counting: RopeConfig, choice: Choice) -> Choice:
    """A choice for a file whose scaling counted from another length than the training."""
    if not choice.layer_types:
        return choice
    key = choice.layer_types[0]
    layer = counting.rotary[key]
    before = config.rotary[key]
    own = cast(YaRN, layer.scaling).original_length
    told = tuple(reasons.counted(config, key, own, cast(YaRN, before.scaling).original_length))
    if choice.config != counting:
        return replace(choice, reasons=(*told, *choice.reasons))
    clause = say(
        "{kind}, factor {factor:.6g} on {before:,}: to {reach:,}, once {field} says {before:,}",
        kind=NAMES[layer.rope_type],
        factor=getattr(layer.scaling, "factor", 1.0),
        before=own,
        reach=(choice.lengths and choice.lengths.own) or counting.reach,
        field=ORIGINAL,
    )
    if isinstance(layer.scaling, DynamicNTK):
        clause = say(
            "The file's dynamic scaling, which follows the text beyond {before:,} tokens once "
            "{field} says {before:,}",
            before=own,
            field=DECLARED,
        )
    told = (*told, *choice.reasons)
    return replace(choice, verdict="extend", method=layer.rope_type, clause=clause, reasons=told)


def _restored(config: RopeConfig, right: RopeConfig, theirs: Released, choice: Choice) -> Choice:
    """A choice for a file that lost or edited the scaling of the released one."""
    choice = replace(choice, reasons=(*reasons.restored(theirs, config), *choice.reasons))
    if choice.config is None:
        return choice
    layer = theirs.scaled
    own = getattr(layer.scaling, "factor", 1.0)
    factor = choice.factor
    told = {
        "kind": NAMES[layer.rope_type],
        "own": own,
        "before": layer.original_length,
        "reach": (choice.lengths and choice.lengths.own) or right.reach,
        "factor": factor,
    }
    clause = say(
        "The released file's {kind} scaling, factor {own:.6g} on {before:,}: to {reach:,}",
        **told,
    )
    if isinstance(layer.scaling, Linear):
        clause = say("The released file's {kind} scaling, factor {own:.6g}: to {reach:,}", **told)
    elif isinstance(layer.scaling, LongRoPE):
        clause = say("The released file's {kind} scaling: to {reach:,}", **told)
    if theirs.change == "declared":
        clause = say(
            "The file's own {kind} scaling, once {field} says {reach:,} again: to {reach:,}",
            field=DECLARED,
            **told,
        )
    elif choice.verdict == "windows":
        clause = say(
            "The released file's {kind} scaling, factor {own:.6g} on {before:,}, and no more: "
            "every layer that rotates sees a window only",
            **told,
        )
    elif choice.verdict == "extend":
        clause = say(
            "The released file's {kind} scaling, {larger}: to {reach:,}; shorter prompts get "
            "slightly worse",
            larger=reasons.larger(
                own, factor or own, None if choice.lengths is None else choice.lengths.before
            ),
            **{**told, "reach": choice.config.reach},
        )
    choice = replace(choice, verdict="extend", clause=clause, sureness="guess")
    return replace(choice, method=layer.rope_type, factor=factor or own)


def _unclear(theirs: Released, choice: Choice) -> Choice:
    """No choice for a file that has none of several released scalings."""
    one, other = (known.model for known in theirs.models[:2])
    clause = say(
        "No advice: {one} and {other}, which have this shape and base, are each released with a "
        "scaling of its own, and this file has none",
        one=one,
        other=other,
    )
    if theirs.change == "edited":
        clause = say(
            "No advice: {one} and {other}, which have this shape and base, are each released with "
            "a scaling of its own, and this file has another",
            one=one,
            other=other,
        )
    told = say("Copy rope_scaling from the released file of your model.")
    return Choice("cannot", clause, "none", (Reason("restored", told),), lengths=choice.lengths)


def _replaced(config: RopeConfig, choice: Choice) -> Choice:
    """A choice without a scaling that the makers do not document, where they document YaRN."""
    choice = replace(choice, reasons=(*reasons.replaced(config), *choice.reasons))
    if choice.verdict != "reaches":
        return choice
    clause = say(
        "No scaling, without the one in the file: {target:,} tokens are within the {trained:,} "
        "that need none",
        target=choice.config and choice.config.reach,
        trained=choice.lengths and choice.lengths.before,
    )
    return replace(choice, verdict="remove", clause=clause, method="none", factor=1.0)

"""Choices for files whose own scaling, or none, reaches the target, and for those left open."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from posenc.config.choosing import reasons
from posenc.config.choosing.change import declaring_alone, fresh, without_scaling
from posenc.config.choosing.choice import NAMES, Choice, Reason, Sureness
from posenc.config.choosing.lengths import TrainedLengths
from posenc.config.extend import covering_factor
from posenc.config.facts import dated
from posenc.config.fields import ORIGINAL
from posenc.config.layers import RopeLayer
from posenc.config.released import ROOM
from posenc.config.rope import RopeConfig
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import say


def is_open(layer: RopeLayer, lengths: TrainedLengths, target: int) -> bool:
    """Whether the file leaves the trained length open, and what to do depends on it."""
    if lengths.before is not None:
        return False
    if isinstance(layer.scaling, YaRN | Llama3 | LongRoPE):
        return True  # the frequencies themselves depend on it
    return bool(lengths.either) and not lengths.with_own and target > (lengths.reach or 0)


def either(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    """Where the file can be read in two ways."""
    own = getattr(layer.scaling, "factor", 1.0)
    values: dict[str, object] = {
        "kind": NAMES[layer.rope_type],
        "declared": lengths.declared,
        "factor": own,
        "target": target,
    }
    is_linear = isinstance(layer.scaling, Linear | Proportional)
    if is_linear and target <= own * (lengths.declared or 0):
        # LlamaConfig of transformers 4.31 asked for this: "don't update max_position_embeddings".
        clause = say(
            "Nothing to set, if {declared:,} is the length before scaling: {kind}, factor "
            "{factor:.6g}, then reaches {reach:,}",
            reach=int(own * (lengths.declared or 0) + 1e-6),
            **values,
        )
        doubt = say(
            "The file does not say whether {declared:,} is the length before or after scaling. "
            "Files of 2023 declare the one or the other.",
            **values,
        )
        why = (Reason("either", doubt),)
        longer = fresh(config.turning(max_length=target))
        return Choice(
            "reaches",
            clause=clause,
            sureness="guess",
            reasons=why,
            method="declared",
            factor=own,
            config=longer,
            lengths=lengths,
        )
    clause = say(
        "No advice: the file asks for {kind} scaling, factor {factor:.6g}, and does not say "
        "whether its {declared:,} tokens are the length before or after scaling",
        **values,
    )
    told = [Reason("either", say("Write {field}: the length before scaling.", field=ORIGINAL))]
    for before in lengths.either:
        needed = covering_factor(target, before) if target > before else 1.0
        told.append(_if_before(values, before, needed))
    return Choice("cannot", clause, "none", tuple(told), lengths=lengths)


def _if_before(values: Mapping[str, object], before: int, needed: float) -> Reason:
    """The scaling needed if the trained length was `before`, as a reason."""
    if needed <= 1:
        told = say(
            "If it was {before:,}, {target:,} tokens need no scaling.", before=before, **values
        )
        return Reason("either", told)
    told = say(
        "If it was {before:,}, {target:,} tokens need {kind} with factor {needed:.6g} on "
        "{before:,}.",
        before=before,
        needed=needed,
        **values,
    )
    return Reason("either", told)


def reaches(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    """The target is within what the file reaches."""
    is_long = target > (config.reach or 0)
    longer = fresh(config.turning(max_length=target)) if is_long else config
    if lengths.own is None:
        # The length alone: all else in the file stays as it is.
        longer = declaring_alone(config, target) if is_long else config
        clause = say(
            "Nothing to set: {target:,} tokens are within the {length:,} of the file",
            target=target,
            length=lengths.declared,
        )
        values: dict[str, object] = {
            "target": target,
            "length": (lengths.told and lengths.told.tokens) or lengths.before,
            "declared": lengths.declared,
            "model": lengths.model,
        }
        if is_long and lengths.told is not None and lengths.told.kind == "trained":
            clause = say(
                "No scaling: {target:,} tokens are within the {length:,} of the training; the file "
                "declares {declared:,}",
                **values,
            )
        elif is_long and lengths.told is not None:
            clause = say(
                "No scaling: {target:,} tokens are within the {length:,} that the makers give; "
                "the file declares {declared:,}",
                **values,
            )
        elif is_long:
            clause = say(
                "No scaling: {target:,} tokens are within the {length:,} that {model} declares; "
                "this file declares {declared:,}",
                **values,
            )
        told = [*reasons.chunks(config, target), *reasons.base_raised(config, target)]
        sureness: Sureness = "guess" if told else "likely"
        return Choice("reaches", clause, sureness, tuple(told), config=longer, lengths=lengths)
    factor = getattr(layer.scaling, "factor", None)
    values = {
        "target": target,
        "before": lengths.before,
        "own": lengths.own,
        "kind": NAMES[layer.rope_type],
        "factor": factor,
    }
    clause = say("Nothing to set: the file's own {kind} scaling reaches {own:,} tokens", **values)
    if lengths.with_own is False:
        clause = say(
            "Nothing to set: the file's own {kind}, factor {factor:.6g} on {before:,}, reaches "
            "{own:,}; prompts under {before:,} get slightly worse",
            **values,
        )
    elif lengths.before is not None and target <= lengths.before:
        clause = say(
            "Nothing to set: {target:,} tokens are within the {before:,} of the pretraining, "
            "and the file's own {kind} scaling stays on",
            **values,
        )
    elif longer is not config:
        clause = say(
            "No more scaling: the file's own {kind}, factor {factor:.6g} on {before:,}, reaches "
            "{own:,}",
            **values,
        )
    told = [reasons.own(lengths)]
    sureness = "likely"
    if lengths.with_own is False:
        told += reasons.makers(config, factor or 1.0)
        sureness = "likely" if told[1:] else "guess"
    elif lengths.released_with or _is_beyond_their_word(lengths, target):
        sureness = "guess"
    elif lengths.with_own is None and not isinstance(layer.scaling, LongRoPE):
        sureness = "guess"
        if isinstance(layer.scaling, YaRN):
            is_far = layer.scaling.factor > reasons.UNDOCUMENTED
            told += [reasons.undocumented(layer.scaling.factor)] if is_far else []
            sureness = "guess" if is_far else "likely"
    choice = Choice(
        "reaches",
        clause=clause,
        sureness=sureness,
        reasons=tuple(told),
        method="declared",
        factor=factor,
        config=longer,
    )
    return replace(choice, lengths=lengths)


def _is_beyond_their_word(lengths: TrainedLengths, target: int) -> bool:
    """Whether the makers give far less than their file declares: 32,768 for DeepSeek-V2-Lite."""
    told = None if lengths.told is None else lengths.told.tokens
    return told is not None and target > ROOM * told


def remove(
    config: RopeConfig, keys: tuple[str, ...], lengths: TrainedLengths, target: int
) -> Choice:
    """A scaling that was added for texts longer than this one."""
    clause = say(
        "No scaling, without the one in the file: {target:,} tokens are within the {trained:,} "
        "that need none",
        target=target,
        trained=lengths.before,
    )
    shorter = without_scaling(config, keys, cast(int, lengths.before))
    told = (reasons.own(lengths),)
    return Choice(
        "remove",
        clause=clause,
        sureness="likely",
        reasons=told,
        method="none",
        factor=1.0,
        config=shorter,
        lengths=lengths,
    )


def dynamic(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    """The file's own dynamic scaling, which has no end."""
    clause = say(
        "Nothing to set: the file's dynamic scaling follows the text beyond {trained:,} tokens, "
        "to {target:,}",
        trained=lengths.before,
        target=target,
    )
    told = say(
        "transformers and mlx-lm follow the text, and keys in the cache keep the base of the "
        "length at which they were made. SGLang fixes the base of {most:,} tokens, factor times "
        "the declared length, when it loads the model, and refuses longer texts; vLLM has scaled "
        "nothing by it since {since}; most other engines do not have it.",
        since=dated("dynamic", "vllm"),
        most=int((lengths.before or 0) * cast(DynamicNTK, layer.scaling).factor),
    )
    why = (Reason("dynamic", told), reasons.angles(layer, layer, lengths, target))
    factor = cast(DynamicNTK, layer.scaling).factor
    return Choice(
        "reaches",
        clause=clause,
        sureness="guess",
        reasons=why,
        method="declared",
        factor=factor,
        config=config,
        lengths=lengths,
    )


def lists(lengths: TrainedLengths) -> Choice:
    """Beyond LongRoPE, whose lists nobody can stretch."""
    clause = say(
        "No method is known beyond {own:,} tokens: the factors of the file's LongRoPE scaling "
        "were searched for that length",
        own=lengths.own,
    )
    told = say("Longer texts need new lists and continued training.")
    return Choice("cannot", clause, "none", (Reason("lists", told),), lengths=lengths)

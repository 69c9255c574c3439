"""Choices for files whose own scaling, or none, reaches the target, and for those left open."""

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
        longer = fresh(config.turning(max_length=target))
        told = (Reason("either", doubt),)
        return Choice("reaches", clause, "guess", told, "declared", own, longer, lengths=lengths)
    clause = say(
        "No advice: the file asks for {kind} scaling, factor {factor:.6g}, and does not say "
        "whether its {declared:,} tokens are the length before or after scaling",
        **values,
    )
    sentences = [say("Write {field}: the length before scaling.", field=ORIGINAL)]
    for before in lengths.either:
        values["before"] = before
        if target <= before:
            sentences.append(
                say("If it was {before:,}, {target:,} tokens need no scaling.", **values)
            )
            continue
        values["needed"] = covering_factor(target, before)
        sentences.append(
            say(
                "If it was {before:,}, {target:,} tokens need {kind} with factor {needed:.6g} on "
                "{before:,}.",
                **values,
            )
        )
    why = tuple(Reason("either", one) for one in sentences)
    return Choice("cannot", clause, "none", why, lengths=lengths)


def reaches(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    """The target is within what the file reaches."""
    is_long = target > (config.reach or 0)
    if lengths.own is None:
        return _within(config, lengths, target, is_long)
    factor = getattr(layer.scaling, "factor", None)
    values = {
        "target": target,
        "before": lengths.before,
        "own": lengths.own,
        "kind": NAMES[layer.rope_type],
        "factor": factor,
    }
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
    elif is_long:
        clause = say(
            "No more scaling: the file's own {kind}, factor {factor:.6g} on {before:,}, reaches "
            "{own:,}",
            **values,
        )
    else:
        clause = say(
            "Nothing to set: the file's own {kind} scaling reaches {own:,} tokens", **values
        )
    told = [reasons.own(lengths)]
    sureness: Sureness = "likely"
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
    longer = fresh(config.turning(max_length=target)) if is_long else config
    why = tuple(told)
    return Choice("reaches", clause, sureness, why, "declared", factor, longer, lengths=lengths)


def _within(config: RopeConfig, lengths: TrainedLengths, target: int, is_long: bool) -> Choice:
    """The target is within a length that needs no scaling, and may be above the declared one."""
    told = lengths.told
    values = {
        "target": target,
        "length": (told and told.tokens) or lengths.before,
        "declared": lengths.declared,
        "model": lengths.model,
    }
    if not is_long:
        clause = say(
            "Nothing to set: {target:,} tokens are within the {declared:,} of the file", **values
        )
    elif told is not None and told.kind == "trained":
        clause = say(
            "No scaling: {target:,} tokens are within the {length:,} of the training; the file "
            "declares {declared:,}",
            **values,
        )
    elif told is not None:
        clause = say(
            "No scaling: {target:,} tokens are within the {length:,} that the makers give; "
            "the file declares {declared:,}",
            **values,
        )
    else:
        clause = say(
            "No scaling: {target:,} tokens are within the {length:,} that {model} declares; "
            "this file declares {declared:,}",
            **values,
        )
    why = (*reasons.chunks(config, target), *reasons.base_raised(config, target))
    # The length alone: all else in the file stays as it is.
    longer = declaring_alone(config, target) if is_long else config
    sureness: Sureness = "guess" if why else "likely"
    return Choice("reaches", clause, sureness, why, config=longer, lengths=lengths)


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
    why = (reasons.own(lengths),)
    return Choice("remove", clause, "likely", why, "none", 1.0, shorter, lengths=lengths)


def dynamic(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    """The file's own dynamic scaling, which has no end."""
    clause = say(
        "Nothing to set: the file's dynamic scaling follows the text beyond {trained:,} tokens, "
        "to {target:,}",
        trained=lengths.before,
        target=target,
    )
    factor = cast(DynamicNTK, layer.scaling).factor
    told = say(
        "transformers and mlx-lm follow the text, and keys in the cache keep the base of the "
        "length at which they were made. SGLang fixes the base of {most:,} tokens, factor times "
        "the declared length, when it loads the model, and refuses longer texts; vLLM has scaled "
        "nothing by it since {since}; most other engines do not have it.",
        since=dated("dynamic", "vllm"),
        most=int((lengths.before or 0) * factor),
    )
    why = (Reason("dynamic", told), reasons.angles(layer, layer, lengths, target))
    return Choice("reaches", clause, "guess", why, "declared", factor, config, lengths=lengths)


def lists(lengths: TrainedLengths) -> Choice:
    """Beyond LongRoPE, whose lists nobody can stretch."""
    clause = say(
        "No method is known beyond {own:,} tokens: the factors of the file's LongRoPE scaling "
        "were searched for that length",
        own=lengths.own,
    )
    told = say("Longer texts need new lists and continued training.")
    return Choice("cannot", clause, "none", (Reason("lists", told),), lengths=lengths)

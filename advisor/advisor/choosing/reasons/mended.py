"""A file that was put right, or has a scaling of its own, and when it is right as it is."""

from collections.abc import Iterator
from typing import cast

from advisor.choosing.choice import Reason, reason
from advisor.choosing.lengths import TrainedLengths
from advisor.choosing.makers import documented_yarn
from advisor.comparing.layer import RopeLayer
from advisor.known_models import same_shape
from advisor.released import Released
from advisor.rope import RopeConfig
from advisor.training import QWEN3_DECLARED, is_consistent, own_word, training
from posenc.words import Sentence, say, say_count

NOT_LOADED = ("phi3_knows_longrope_alone", "gemma4_refuses_longrope")
"""Findings about files that transformers does not load, nor vLLM and SGLang, which read with it."""


def counted(config: RopeConfig, after: RopeConfig, key: str) -> Iterator[Reason]:
    """That the file's scaling counts from another length than the training."""
    before = getattr(config.rotary[key].scaling, "original_length", 0)
    length = getattr(after.rotary[key].scaling, "original_length", 0)
    known = training(config, key).known
    if known is None:
        yield reason(
            "counted",
            "Engines count the file's scaling from {before:,} tokens; the file means {length:,}.",
            before=before,
            length=length,
        )
        return
    yield reason(
        "counted",
        "The file's scaling counts from {before:,} tokens; for {model}, which has this shape and "
        "base, it must count from {length:,}.",
        before=before,
        model=known.model,
        length=length,
    )
    word = own_word(config, key)
    declared = config.rotary[key].max_length or 0
    if word is None or word == QWEN3_DECLARED or word > declared:
        return
    told = say("Right as it is if this model was trained further, to {before:,}.", before=before)
    if before < length:
        told = say("Right as it is for another model, trained with {before:,}.", before=before)
    yield Reason("contradicted", told)


def restored(theirs: Released, config: RopeConfig) -> Iterator[Reason]:
    """That the released file has another scaling than this one, or this one has none."""
    model = theirs.models[0].model
    if theirs.change == "declared":
        yield reason(
            "restored",
            "{model}, which has these lists, declares {length:,} tokens, and LongRoPE's factor on "
            "cos and sin is taken from that length: a file that declares another is read otherwise "
            "than it was trained.",
            model=model,
            length=theirs.scaled.max_length,
        )
    elif theirs.change == "edited":
        yield reason(
            "restored",
            "{model}, which has this shape and base, is released with a different scaling from "
            "that in this file.",
            model=model,
        )
        yield _as_it_is(config)
    else:
        yield reason(
            "restored",
            "{model}, which has this shape and base, is released with a scaling that this file "
            "lacks.",
            model=model,
        )
        yield reason(
            "contradicted", "Right without it if this model was trained further without scaling."
        )


def replaced(config: RopeConfig) -> Iterator[Reason]:
    """That the makers document YaRN for this model, and the file has something else."""
    row = max(documented_yarn(config), key=lambda one: one.tokens or 0)
    yield reason(
        "replaced",
        "For {model}, which has this shape and base, the makers document YaRN with factor "
        "{factor:g} at most, and not the scaling in this file.",
        model=same_shape(config)[0].model,
        factor=row.factor,
    )
    yield _as_it_is(config)


def _as_it_is(config: RopeConfig) -> Reason:
    """Condition under which a file is right although its scaling is not the makers'."""
    refused = [one.message for one in config.findings if one.code in NOT_LOADED]
    if refused:
        return Reason("contradicted", cast(Sentence, refused[0]))
    return reason(
        "contradicted", "Right as it is only if this model was trained further with its scaling."
    )


def own(lengths: TrainedLengths, is_restored: bool = False) -> Reason:
    """Whether the model was extended with the scaling in its file, or with the released one."""
    if lengths.by_word:
        return by_word()
    if lengths.with_own and is_restored:
        return reason("own", "The makers extended the model with the scaling that they released.")
    if lengths.with_own:
        return reason("own", "The makers extended the model with the scaling in its file.")
    if lengths.with_own is False:
        return reason(
            "not_with_own",
            "The makers did not train with the scaling in this file: they give it as an addition "
            "for long texts, and short ones may get worse.",
        )
    if lengths.released_with:
        return reason(
            "own_edited",
            "{model}, which has this shape and base, is released with a different scaling from "
            "that in this file: right only if this model was trained further with it.",
            model=lengths.released_with,
        )
    return reason(
        "own_unknown",
        "The scaling reaches that far if the makers extended the model with it, which the file "
        "does not say; if somebody added it, short texts may get worse.",
    )


def by_word() -> Reason:
    """That somebody knows how the weights were trained."""
    return reason(
        "by_word",
        "That rests on your word that the weights were trained with the file as it is, to the "
        "length that it reaches.",
    )


def unlike_documented(config: RopeConfig, layer: RopeLayer) -> list[Reason]:
    """That a scaling of which the makers document another factor may be that of a training."""
    factor = getattr(layer.scaling, "factor", 1.0)
    if any(row.factor == factor for row in documented_yarn(config)):
        return []
    return [
        reason(
            "contradicted",
            "If the weights were trained further with the scaling in the file, keep it at every "
            "length, short texts too.",
        )
    ]


def more_than_needed(own: float, enough: float) -> list[Reason]:
    """That the makers' addition in the file is larger than the target needs.

    A file does not say whether its weights were trained further with it.
    """
    if enough >= own:
        return []
    told = say(
        "If the weights were trained further with the scaling in the file, keep it at every "
        "length; if not, factor {enough:.6g} is enough here.",
        enough=enough,
    )
    if enough <= 1:
        told = say(
            "If the weights were trained further with the scaling in the file, keep it at every "
            "length; if not, none is needed here."
        )
    return [Reason("contradicted", told)]


def trained_with(layer: RopeLayer, lengths: TrainedLengths) -> Iterator[Reason]:
    """That the file's own complete scaling may be the one that its weights were trained with.

    Where the makers extended the model with it, `own` has said so.
    """
    if is_consistent(layer) and not lengths.with_own:
        yield reason(
            "contradicted",
            "If the weights were trained further with the scaling in the file, they read "
            "{length:,} tokens with it, and were never trained with a larger factor.",
            length=layer.max_length,
        )


def counted_otherwise(layer: RopeLayer, lengths: TrainedLengths) -> Reason | None:
    """That the file's own complete scaling counts from another length than the makers' training."""
    before = lengths.before
    if before is None or not lengths.model or not is_consistent(layer):
        return None
    if layer.original_length == before:
        return None
    return reason(
        "contradicted",
        "The scaling counts from {own:,} tokens, and {model}, which has this shape and base, was "
        "trained with {before:,}: right only if this model was trained further so.",
        own=layer.original_length,
        model=lengths.model,
        before=before,
    )


def errors(config: RopeConfig, after: RopeConfig) -> Iterator[Reason]:
    """The findings that are errors, and whether what is advised puts them right."""
    wrong, left = (
        {one.code for one in of.findings if one.severity == "error"} for of in (config, after)
    )
    if wrong & left:
        told = say_count(
            "The file has {count} error among its findings: fix it first.",
            "The file has {count} errors among its findings: fix them first.",
            len(wrong),
        )
        yield Reason("errors", told)
    elif wrong:
        told = say_count(
            "The file has {count} error among its findings, which this setting puts right.",
            "The file has {count} errors among its findings, which this setting puts right.",
            len(wrong),
        )
        yield Reason("no_more_errors", told)

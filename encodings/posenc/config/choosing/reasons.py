"""Reasons for and against a choice, one function for each."""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from posenc.config.choosing.choice import Reason, reason
from posenc.config.choosing.lengths import TrainedLengths
from posenc.config.choosing.makers import documented_yarn
from posenc.config.engines.vllm import IN_TRANSFORMERS
from posenc.config.evidence import Evidence, evidence_for
from posenc.config.facts import TRIED, gap, since
from posenc.config.fields import LENGTH_TAKEN
from posenc.config.known_models import (
    alike,
    base_of,
    is_wrapped_alike,
    of_family,
    same_shape,
)
from posenc.config.layers import RopeLayer
from posenc.config.memory.cache import KINDS
from posenc.config.released import ROOM, Released, raised_from
from posenc.config.rope import RopeConfig
from posenc.config.training import QWEN3_DECLARED, own_word, training
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.proportional import Proportional
from posenc.words import Sentence, say, say_count

NOT_LOADED = ("phi3_knows_longrope_alone", "gemma4_refuses_longrope")
"""Findings about files that transformers does not load, nor vLLM and SGLang, which read with it."""
DOCUMENTED = 4.0
"""Factor up to which makers document YaRN on a model that was not extended with it."""
UNDOCUMENTED = 2.0
"""Factor above which nobody but a model's makers says that YaRN works without training: Peng et al.
2023, section 1, arXiv:2309.00071, say "more than 2x", and of dynamic YaRN alone."""
SHOWN = 32.0
"""Largest factor of a scaling shown to work: YaRN's authors, Llama 2 from 4,096 to 131,072 tokens
and with training, section 4, arXiv:2309.00071. LongRoPE went further with lists of its own."""


def makers_said(config: RopeConfig, known: Evidence | None, target: int) -> Iterator[Reason]:
    """Whether the makers say that the model reads so far, and else how far."""
    rows = [row for row in evidence_for(config) if row.is_makers]
    if known is None and not rows:
        yield reason("unknown", "No maker's word on how far this model reads is known here.")
        return
    names = [model.model for model in alike(config)]
    wrapped = [model.model for model in alike(config) if not is_wrapped_alike(config, model)]
    if wrapped:
        yield reason(
            "wrapped",
            "Its text model has the shape and base of {model}, and may have been made from it: the "
            "makers' words are about that one, not about the model around it.",
            model=wrapped[0],
        )
    elif names:
        yield reason(
            "alike", "By its shape and base this is {model}, or made from it.", model=names[0]
        )
    if known is not None:
        yield Reason("known", known.says)
        # A length that is documented says nothing of the texts of the training.
        rows = [row for row in rows if row.kind == "trained" and known.kind == "documented"]
        rows = [row for row in rows if (row.tokens or 0) < target]
    yield from (Reason("said", row.says) for row in rows)
    yield from _room(config)


def _room(config: RopeConfig) -> Iterator[Reason]:
    """That the file declares somewhat more than its makers say."""
    said = max((row.tokens or 0 for row in evidence_for(config) if row.is_makers), default=0)
    declared = config.reach or 0
    counts = any(training(config, key).length == declared for key in config.rotary)
    if counts and said < declared <= ROOM * said:
        yield reason(
            "room",
            "The file declares {declared:,} tokens, {more:,} more than its makers say.",
            declared=declared,
            more=declared - said,
        )


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
    if before < length:
        yield reason(
            "contradicted",
            "Right as it is for another model, trained with {before:,}.",
            before=before,
        )
    else:
        yield reason(
            "contradicted",
            "Right as it is if this model was trained further, to {before:,}.",
            before=before,
        )


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
    if lengths.with_own and is_restored:
        return reason("own", "The makers extended the model with the scaling that they released.")
    if lengths.with_own:
        return reason("own", "The makers extended the model with the scaling in its file.")
    if lengths.with_own is False:
        return reason(
            "not_with_own",
            "The makers did not train with the scaling in this file: they give it as an addition "
            "for long texts, and short ones get slightly worse.",
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
        "does not say; if somebody added it, short texts get slightly worse.",
    )


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


def larger(own: float, factor: float, before: int | None) -> Sentence:
    """The factor that takes the place of the file's own, and from which length it counts."""
    told = say("factor {factor:.6g} instead of {own:.6g}", factor=factor, own=own)
    return told if before is None else say("{told}, on {before:,}", told=told, before=before)


def published(config: RopeConfig) -> list[Reason]:
    """Published measurements of the model by others than its makers, as reasons."""
    rows = [one for one in evidence_for(config) if not one.is_makers]
    return [Reason("published", one.says) for one in rows]


def makers(config: RopeConfig, factor: float) -> list[Reason]:
    """That the makers document YaRN for other models of the family with this base.

    Another base may be that of somebody else, who made the model longer.
    """
    base = base_of(config.text)
    family = [known for known in of_family(config) if base_of(known.text) == base]
    rows = [row for known in family for row in evidence_for(known.name)]
    most = max((row.factor or 1.0 for row in rows if row.kind == "yarn"), default=1.0)
    if factor > most:
        return []
    told = say(
        "The makers document YaRN up to factor {most:g} for models of this family with this base.",
        most=most,
    )
    return [Reason("makers", told)]


def declared(config: RopeConfig, lengths: TrainedLengths) -> Iterator[Reason]:
    """That the file declares more than its makers trained with."""
    if not lengths.is_never_trained:
        return
    told = say("The file declares {declared:,}", declared=lengths.declared)
    if config.text.get(LENGTH_TAKEN):
        told = say(
            "For this params.json, which names no length, {declared:,} are taken",
            declared=lengths.declared,
        )
    yield reason(
        "declared",
        "{told}, which is no sign of training: {model}, of this shape and base, has {before:,}.",
        told=told,
        model=lengths.model,
        before=lengths.before,
    )


def angles(before: RopeLayer, after: RopeLayer, lengths: TrainedLengths, target: int) -> Reason:
    """How many pairs meet angles that training did not show."""
    keeps = lengths.with_own or isinstance(before.scaling, Proportional)
    shown = before if keeps else replace(before, scaling=None)
    length = max(lengths.shown or 2, 2)
    seen, _ = shown.frequencies(length)
    meets, _ = after.frequencies(target)
    new = int(angle_coverage(seen, length, max(target, 2), meets).is_new.sum())
    if not new:
        return reason(
            "angles",
            "No pair of channels meets an angle that a training of {length:,} tokens did not show.",
            length=length,
        )
    told = say_count(
        "{count} pair of channels meets angles that a training of {length:,} tokens did not show.",
        "{count} pairs of channels meet angles that a training of {length:,} tokens did not show.",
        new,
        length=length,
    )
    return Reason("new_angles", told)


def far(stretch: float) -> Reason:
    """That the stretch is larger than what makers document."""
    return reason(
        "far",
        "{times:.4g} times as far as the training: more than the {most:g} times that makers "
        "document without continued training.",
        times=stretch,
        most=DOCUMENTED,
    )


def not_shown(stretch: float) -> Reason:
    """That nobody has shown a scaling to work so far."""
    return reason(
        "not_shown",
        "{times:.4g} times as far as the training. The furthest that YaRN was shown to work is "
        "{most:g} times, with further training (arXiv:2309.00071, section 4); without, makers "
        "document {documented:g} times. Only LongRoPE went further, with lists that were "
        "searched for and trained (arXiv:2402.13753).",
        times=stretch,
        most=SHOWN,
        documented=DOCUMENTED,
    )


def undocumented(stretch: float) -> Reason:
    """That nobody who made the model says that YaRN stretches it so far."""
    return reason(
        "undocumented",
        "{times:.4g} times the length, and no maker's word on it. Without training, YaRN's "
        "authors speak of more than {most:g} times, and of dynamic YaRN, whose factor follows "
        "the text (arXiv:2309.00071, section 1); the settings here have one fixed factor.",
        times=stretch,
        most=UNDOCUMENTED,
    )


def base_raised(config: RopeConfig, target: int) -> Iterator[Reason]:
    """That base and length were raised together, and the target is far beyond the known length."""
    known = raised_from(config)
    if known is not None and target > UNDOCUMENTED * (known.declared or 0):
        yield reason(
            "base_raised",
            "The file's base and length are both larger than those of {model}, which has this "
            "shape and declares {declared:,}. Makers who train a model further raise both; so does "
            "whoever stretches it without training, and the file does not say which.",
            model=known.model,
            declared=known.declared,
        )


def beyond_known(
    config: RopeConfig, lengths: TrainedLengths, window: int | None, target: int
) -> list[Reason]:
    """That nobody says that a model with windows reads so long a text."""
    told = max((row.tokens or 0 for row in evidence_for(config) if row.is_makers), default=0)
    known = told or lengths.shown or 0
    if window is None or target <= known:
        return []
    says = say(
        "Its makers speak of texts of up to {known:,} tokens. Beyond, nothing is known of the "
        "answers: a token sees {last:,} tokens back in each layer that rotates.",
        known=known,
        last=window - 1,
    )
    if not told:
        says = say(
            "Nobody speaks of texts of more than {known:,} tokens. Beyond, nothing is known of the "
            "answers: a token sees {last:,} tokens back in each layer that rotates.",
            known=known,
            last=window - 1,
        )
    return [Reason("beyond_known", says)]


def windows_too(config: RopeConfig) -> Iterator[Reason]:
    """That layers with a window share the frequencies of those that see everything."""
    if len(config.rotary) == 1 and "window" in {KINDS.get(word) for word in config.layer_types}:
        yield reason(
            "window_too",
            "The layers with a window share the scaling and have nothing to gain from it.",
        )


def dynamic(config: RopeConfig, most: int) -> Iterator[Reason]:
    """Treatment of dynamic scaling by engines, for this family; SGLang takes the base of `most`."""
    found = {
        engine: gap(engine, config, config)
        for engine in ("transformers_5", "mlx", "vllm", "sglang")
    }
    follow = [TRIED[one].name for one in ("transformers_5", "mlx") if found[one] is None]
    follow += ["vLLM"] if config.model_type in IN_TRANSFORMERS else []
    if follow:
        yield reason(
            "dynamic",
            "The base follows the text in {engines}, and keys in the cache keep the base of the "
            "length at which they were made.",
            engines=", ".join(follow),
        )
    if config.model_type in TRIED["lmdeploy"].read:
        yield reason(
            "dynamic",
            "LMDeploy's TurboMind gives each request the base of its prompt's length and keeps it.",
        )
    if found["sglang"] is None:
        yield reason(
            "dynamic",
            "SGLang fixes the base of {most:,} tokens, factor times the declared length, when it "
            "loads the model, and refuses longer texts.",
            most=most,
        )
    without = [one for one, about in found.items() if about is not None and about.does == "ignores"]
    if without:
        yield reason(
            "dynamic",
            "Dynamic scaling does nothing for {model} in {engines}.",
            model=config.model_type,
            engines=", ".join(TRIED[one].release for one in without),
        )


def chunks(config: RopeConfig, target: int) -> Iterator[Reason]:
    """Note that the target exceeds the chunks and relies on Dual Chunk Attention, if it does."""
    dual = config.dual_chunk
    if dual is not None and target > dual.chunk_length + dual.local_window:
        yield reason(
            "chunks",
            "Beyond {length:,} tokens this rests on Dual Chunk Attention, which SGLang has, and "
            "vLLM before {gone}; no other engine here.",
            length=dual.chunk_length + dual.local_window,
            gone=since("dual_chunk_attention_config", "vllm"),
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

"""What speaks for and against a choice, one function for each."""

from dataclasses import replace

from posenc.config.choosing.choice import Reason
from posenc.config.choosing.lengths import YARN_ADDED, TrainedLengths
from posenc.config.evidence import evidence_for
from posenc.config.layers import RopeLayer
from posenc.config.memory.cache import KINDS
from posenc.config.rope import RopeConfig
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.proportional import Proportional
from posenc.words import say, say_count

DOCUMENTED = 4.0
"""Factor up to which makers document YaRN on a model that was not trained with it."""


def own(lengths: TrainedLengths) -> Reason:
    """Whether the model was trained with the scaling in its file."""
    if lengths.with_own:
        return Reason("own", say("The makers trained the model with the scaling in its file."))
    if lengths.with_own is False:
        return Reason(
            "not_with_own",
            say(
                "The makers did not train with the scaling in this file: they give it as an "
                "addition for long texts, and short ones lose a little."
            ),
        )
    return Reason(
        "own_unknown",
        say(
            "The file does not say whether the model was trained with its scaling; if somebody "
            "added it, short texts lose a little."
        ),
    )


def published(config: RopeConfig) -> list[Reason]:
    """What makers and benchmarks say about long texts, besides the trained length."""
    return [Reason("published", one.says) for one in evidence_for(config) if one.kind != "trained"]


def is_documented(config: RopeConfig, target: int) -> bool:
    """Whether the makers document YaRN for this very model and length."""
    return any(one.kind == "yarn" and (one.tokens or 0) >= target for one in evidence_for(config))


def makers(config: RopeConfig, factor: float) -> list[Reason]:
    """That the makers document YaRN for other models of the family."""
    is_family = (config.model_type or "").startswith(YARN_ADDED)
    if not is_family or factor > DOCUMENTED:
        return []
    told = say(
        "The makers document YaRN up to factor {most:g} for models of this family.",
        most=DOCUMENTED,
    )
    return [Reason("makers", told)]


def declared(lengths: TrainedLengths) -> list[Reason]:
    """That the file declares more than its makers trained with."""
    if not lengths.is_never_trained or lengths.told is None:
        return []
    told = say(
        "{says} The file declares {declared:,}.",
        says=lengths.told.says,
        declared=lengths.declared,
    )
    return [Reason("declared", told)]


def beyond_training(lengths: TrainedLengths, target: int) -> list[Reason]:
    """That the makers published shorter texts of training than the target."""
    if lengths.told is None or lengths.told.tokens is None or target <= lengths.told.tokens:
        return []
    return [Reason("published", lengths.told.says)]


def angles(before: RopeLayer, after: RopeLayer, lengths: TrainedLengths, target: int) -> Reason:
    """How many pairs meet angles that training did not show."""
    keeps = lengths.with_own or isinstance(before.scaling, Proportional)
    shown = before if keeps else replace(before, scaling=None)
    length = max(lengths.shown or 2, 2)
    seen, _ = shown.frequencies(length)
    meets, _ = after.frequencies(target)
    new = int(angle_coverage(seen, length, max(target, 2), meets).is_new.sum())
    if not new:
        return Reason(
            "angles",
            say(
                "No pair of channels meets an angle that a training of {length:,} tokens did not "
                "show.",
                length=length,
            ),
        )
    return Reason(
        "new_angles",
        say_count(
            "{count} pair of channels meets angles that a training of {length:,} tokens did not "
            "show.",
            "{count} pairs of channels meet angles that a training of {length:,} tokens did not "
            "show.",
            new,
            length=length,
        ),
    )


def far(stretch: float) -> Reason:
    """That the stretch is larger than what makers document."""
    return Reason(
        "far",
        say(
            "{times:.6g} times as far as the training: more than the {most:g} times that makers "
            "document without further training.",
            times=stretch,
            most=DOCUMENTED,
        ),
    )


def stretched_on() -> Reason:
    """That a scaling is used with another factor than in training."""
    return Reason(
        "stretched_on", say("No source is known here for this scaling with a larger factor.")
    )


def windows_too(config: RopeConfig) -> list[Reason]:
    """That layers with a window share the frequencies of those that see everything."""
    if len(config.rotary) > 1 or "window" not in {KINDS.get(word) for word in config.layer_types}:
        return []
    told = say("The layers with a window share the scaling and have nothing to gain from it.")
    return [Reason("window_too", told)]


def chunks(config: RopeConfig, target: int) -> list[Reason]:
    """What a file with Dual Chunk Attention rests on beyond its chunks."""
    dual = config.dual_chunk
    if dual is None or target <= dual.chunk_length + dual.local_window:
        return []
    told = say(
        "Beyond {length:,} tokens this rests on Dual Chunk Attention, which few engines have.",
        length=dual.chunk_length + dual.local_window,
    )
    return [Reason("chunks", told)]


def errors(config: RopeConfig) -> list[Reason]:
    """The findings that are errors."""
    count = sum(finding.severity == "error" for finding in config.findings)
    if not count:
        return []
    told = say_count(
        "The file has {count} error among its findings: mend it first.",
        "The file has {count} errors among its findings: mend them first.",
        count,
    )
    return [Reason("errors", told)]

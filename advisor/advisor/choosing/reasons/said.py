"""Words of makers and others about a model, and signs that a length is nobody's word."""

from collections.abc import Iterator

from advisor.choosing.choice import Reason, reason
from advisor.choosing.lengths import TrainedLengths
from advisor.choosing.reasons import stretch
from advisor.evidence import Evidence, evidence_for
from advisor.fields import LENGTH_TAKEN
from advisor.known_models import alike, is_wrapped_alike, of_family, of_shape
from advisor.released import ROOM, raised_from
from advisor.rope import RopeConfig
from advisor.training import training
from posenc.words import say


def of_makers(config: RopeConfig, known: Evidence | None, target: int) -> Iterator[Reason]:
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
            "alike",
            "It has the shape and base of {model}, and is taken for that model or one made from "
            "it.",
            model=names[0],
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


def in_family(config: RopeConfig, factor: float) -> list[Reason]:
    """That the makers document YaRN for other models of the family with this base.

    Another base may be that of somebody else, who made the model longer.
    """
    family = [known for known in of_family(config) if known.base == config.base]
    rows = [row for known in family for row in evidence_for(known.name)]
    most = max((row.factor or 1.0 for row in rows if row.kind == "yarn"), default=1.0)
    if factor > most:
        return []
    told = say(
        "The makers document YaRN up to factor {most:g} for models of this family with this base.",
        most=most,
    )
    return [Reason("makers", told)]


def published(config: RopeConfig) -> list[Reason]:
    """Published measurements of the model by others than its makers, as reasons."""
    rows = [one for one in evidence_for(config) if not one.is_makers]
    return [Reason("published", one.says) for one in rows]


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


def longer_release(config: RopeConfig, target: int) -> Iterator[Reason]:
    """That a model of this shape was released which declares the target."""
    longer = [one for one in of_shape(config) if (one.declared or 0) >= target]
    longer = [one for one in longer if not one.made_from and is_wrapped_alike(config, one)]
    if longer:
        known = min(longer, key=lambda one: one.declared or 0)
        yield reason(
            "longer_release",
            "{model}, a release of this very shape, declares {declared:,} tokens: look at its "
            "weights before you stretch these.",
            model=known.model,
            declared=known.declared,
        )


def base_raised(config: RopeConfig, target: int) -> Iterator[Reason]:
    """That base and length were raised together, and the target is far beyond the known length."""
    known = raised_from(config)
    if known is not None and target > stretch.UNDOCUMENTED * (known.declared or 0):
        yield reason(
            "base_raised",
            "The file's base and length are both larger than those of {model}, which has this "
            "shape and declares {declared:,}. Makers who train a model further often raise both; "
            "so may whoever stretches it without training, and the file does not say which.",
            model=known.model,
            declared=known.declared,
        )

"""How far a text is beyond the training, and how far anybody has shown that to work."""

from dataclasses import replace

from advisor.choosing.choice import Reason, reason
from advisor.choosing.lengths import TrainedLengths
from advisor.comparing.layer import RopeLayer
from advisor.evidence import evidence_for
from advisor.rope import RopeConfig
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.proportional import Proportional
from posenc.words import say_count

DOCUMENTED = 4.0
"""Factor up to which makers document YaRN on a model that was not extended with it."""
UNDOCUMENTED = 2.0
"""Factor above which nobody but a model's makers says that YaRN works without training: Peng et al.
2023, section 1, arXiv:2309.00071, say "more than 2x", and of dynamic YaRN alone."""
SHOWN = 32.0
"""Largest factor of a scaling shown to work: YaRN's authors, Llama 2 from 4,096 to 131,072 tokens
and with training, section 4, arXiv:2309.00071. LongRoPE went further with lists of its own."""


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
            "All angles that the pairs of channels meet lie within those of a training of "
            "{length:,} tokens.",
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
        "{times:.4g} times as far as the training. YaRN's authors showed it to work to {most:g} "
        "times, with further training (arXiv:2309.00071, section 4); without, makers document "
        "{documented:g} times. Those known here who went further trained the model too: LongRoPE "
        "with lists that were searched for (arXiv:2402.13753), PoSE with positions that skip "
        "(arXiv:2309.10400).",
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


def beyond_known(
    config: RopeConfig, lengths: TrainedLengths, window: int | None, target: int
) -> list[Reason]:
    """That nobody says that a model with windows reads so long a text."""
    told = (row.tokens or 0 for row in evidence_for(config) if row.is_makers)
    known = max(told, default=0) or lengths.shown or 0
    if window is None or target <= known:
        return []
    beyond = reason(
        "beyond_known",
        "Nobody known here speaks of texts of more than {known:,} tokens. How good answers are "
        "beyond is not known: a token sees {last:,} tokens back in each layer that rotates.",
        known=known,
        last=window - 1,
    )
    return [beyond]


def beyond_declared(config: RopeConfig, target: int) -> tuple[Reason, ...]:
    """That nobody says that a model without rotation reads more than its file declares."""
    told = (row.tokens or 0 for row in evidence_for(config) if row.is_makers)
    known = max(max(told, default=0), config.reach or 0)
    if target <= known:
        return ()
    return (
        reason(
            "beyond_known",
            "Nobody known here speaks of texts of more than {known:,} tokens. Nothing in these "
            "layers ends there, but what the model makes of a longer text was not shown.",
            known=known,
        ),
    )

"""The numbers of a training followed: the loss and the accuracy of one update."""

import math
from dataclasses import replace

from lab.spec import RunSpec
from lab.training.loop import batch_at
from posenc.quantity.step import Step, number, words

MOST_SCORES = 1 << 24
"""Tokens of an update times their training length, up to which a batch is drawn again."""


def asked_in_update(spec: RunSpec, update: int) -> int | None:
    """Tokens whose answer counts in the batch of the update that was made as number `update`.

    Args:
        spec: The run.
        update: From 1, as a job reports it.

    Returns:
        How many; None where drawing the batch again would take long.
    """
    if spec.task != "recall":  # every token is asked
        return spec.tokens_per_update // spec.train_length * spec.train_length
    if spec.tokens_per_update * spec.train_length > MOST_SCORES:
        return None
    return int((batch_at(spec, update - 1).weights > 0).sum())


def loss_steps(loss: float, asked: int | None) -> tuple[Step, ...]:
    """The mean of -ln p in one batch (nats), and which probability that is."""
    return (
        _asked(asked),
        Step(
            r"\bar p",
            r"\Big(\prod_t p_t\Big)^{1/N} = e^{-\ell}",
            f"e^{{-{number(loss)}}}",
            math.exp(-loss),
        ),
        Step(
            r"\ell",
            r"\frac{1}{N}\sum_t -\ln p_t = -\ln \bar p",
            rf"-\ln {number(math.exp(-loss))}",
            loss,
        ),
    )


def accuracy_steps(accuracy: float, asked: int | None) -> tuple[Step, ...]:
    """Right answers in one batch, in per cent.

    Args:
        accuracy: Share of right answers, as the job reported it (rounded to float32).
        asked: Of `asked_in_update`.
    """
    value = 100.0 * accuracy
    right = round(accuracy * (asked or 0))
    # float32 keeps seven digits of the share.
    if not asked or abs(accuracy * asked - right) > 1e-6 * asked:
        return (Step("y", words("right answers of those asked, in per cent"), "", value),)
    return (
        _asked(asked),
        Step("r", words("right answers"), "", right),
        replace(per_cent("r", right, "N", asked), value=value),
    )


def per_cent(above: str, part: int, below: str, whole: int) -> Step:
    """A part of a whole in per cent; `above` and `below` are their symbols."""
    return Step(
        "y",
        rf"100 \cdot {above}/{below}",
        rf"100 \cdot {number(part)}/{number(whole)}",
        100 * part / whole,
    )


def _asked(count: int | None) -> Step:
    return Step("N", words("tokens that are asked in the batch"), "", count or math.nan)

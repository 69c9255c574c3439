"""Methods as two screens show them: their names, their curves, what is said of their angles."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from advisor.comparing.outcome import Outcome
from plots.figure import Figure
from plots.lines import Series
from plots.looks import look
from plots.style import NEUTRAL, shade_outside_training
from posenc.scaling.methods import METHODS
from posenc.words import say
from ui.screen.figures.points import LinesFigure
from ui.words import _, plural, rounded, translate


@dataclass(frozen=True)
class AtFactor:
    """A method at one of two factors that are compared."""

    method: str
    factor: float
    is_second: bool


Name = str | AtFactor
"""The id of a method, a method at one of two factors, or what another curve is called."""
Curves = Mapping[str, Tensor] | Mapping[Name, Tensor]


def title(name: Name) -> str:
    """A method's title by its id; other names are words already."""
    if isinstance(name, AtFactor):
        return _("{method} ×{factor:g}", method=title(name.method), factor=name.factor)
    return translate(METHODS[name].title if name in METHODS else name)


def names(outcomes: Sequence[Outcome]) -> list[Name]:
    """Names of the methods, with their factors where there are two; plain RoPE has none."""
    first = outcomes[0].task.factor
    if all(one.task.factor == first for one in outcomes):
        return [one.method.id for one in outcomes]
    return [
        "none"
        if one.method.id == "none"
        else AtFactor(one.method.id, one.task.factor, one.task.factor != first)
        for one in outcomes
    ]


RULES = {
    "ntk_base": say("NTK base: base · k"),
    "ntk_fixed": say("NTK fixed: base · k, and every frequency ÷ k^(2/d)"),
    "ntk_mixed": say("NTK mixed: every pair ÷ a power of k of its own"),
    "ntk_alpha": say("NTK alpha: base · (α·k − α + 1)^(d/(d − 2))"),
    "dynamic_ntk": say("dynamic NTK: NTK alpha with the k of each text"),
    "ntk_by_parts": say("NTK-by-parts: slow pairs ÷ k, fast ones as they were"),
}
"""Rules of methods whose names are alike, for lists, by id."""


def listed(name: str) -> str:
    """A method's entry in a list, which says what it does where names are alike."""
    return translate(RULES[name]) if name in RULES else title(name)


LARGEST = 1e38  # float32, and so a picture, ends a little above


MOST_DOUBLINGS = 6  # ticks below a factor
NEAR = 1.15  # ticks whose ratio is less run into each other


def finite(values: Tensor) -> Tensor:
    """Values as a curve has them: a pair at rest has no wavelength, and leaves a gap."""
    return torch.where(values.abs() < LARGEST, values, torch.nan)


def curve(name: Name, y: Tensor, marker: str | None = None) -> Series:
    """A method's curve: its look stays when others are chosen. Other names are grey.

    Args:
        name: As in `Curves`.
        y: (points,).
        marker: "" for none; the method's own when None.
    """
    if isinstance(name, AtFactor):
        plain = curve(name.method, y, marker)
        return replace(plain, name=title(name), light=name.is_second)
    if name not in METHODS:
        return Series(title(name), y.numpy(), color=NEUTRAL, dash="dot", marker="")
    its = vars(look(name)) if marker is None else vars(look(name)) | {"marker": marker}
    return Series(title(name), y.numpy(), **its)


def over_pairs(curves: Curves, **more: Any) -> LinesFigure:
    """Curves over the pairs; `more` are further fields of the figure."""
    return LinesFigure(
        x=range(len(next(iter(curves.values())))),
        series=[curve(name, y) for name, y in curves.items()],
        x_title=_("pair i"),
        x_name=_("pair"),
        **{"log_y": True} | more,
    )


def with_factors(figure: Figure, factors: Sequence[float]) -> Figure:
    """The figure with ticks at the factors that pairs are slowed by, and at doublings up to them.

    Args:
        figure: Of `over_pairs`, with a logarithmic axis.
        factors: k, in rising order.
    """
    largest = factors[-1]
    if largest <= 1:
        return figure
    doublings = math.log2(largest)
    step = 2.0 ** math.ceil(doublings / MOST_DOUBLINGS)
    steps = [step**n for n in range(MOST_DOUBLINGS) if step**n < largest / NEAR]
    places = [one for one in steps if all(max(one / k, k / one) > NEAR for k in factors)]
    places = sorted({*places, *factors})
    ticks = {"tickmode": "array", "tickvals": places, "ticktext": [f"{k:,.4g}" for k in places]}
    return figure.relayout(yaxis=ticks)


def over_distance(distances: Tensor, curves: Curves, **more: Any) -> LinesFigure:
    """Curves over a logarithmic axis of distances; `more` are further fields of the figure."""
    usual: dict[str, Any] = {
        "series": [curve(name, y, marker="") for name, y in curves.items()],
        "x_title": _("distance m − n (tokens)"),
        "x_name": _("distance"),
        "log_x": True,
    }
    return LinesFigure(x=distances.numpy(), **usual | more)


def shade_beyond(
    figure: Figure, trained: int, target: int, waves: Curves, label: str | None = None
) -> Figure:
    """Shade the wavelengths beyond training; its label keeps away from that of the target."""
    top = 2 * max(target, *(float(one.nan_to_num().max()) for one in waves.values()))
    low = target > math.sqrt(trained * top)  # the middle of the shade, on a logarithmic axis
    return shade_outside_training(figure, trained, top, axis="y", label=label, low=low)


def new_angles(one: Outcome) -> str:
    """The pairs that meet angles, within the target length, that training never showed."""
    is_new = one.coverage.is_new
    target = one.task.target
    count = int(is_new.sum())
    if count == 0:
        return _(
            "Within {target:,} tokens no pair meets an angle that training never showed.",
            target=target,
        )
    past = float(one.coverage.excess[is_new].max())
    if past > 1:
        return plural(
            "Within {target:,} tokens {count} pair meets angles that training never showed, "
            "up to {times} times as far as in training.",
            "Within {target:,} tokens {count} pairs meet angles that training never showed, "
            "up to {times} times as far as in training.",
            count,
            target=target,
            times=rounded(past, 3),
        )
    return plural(
        "Within {target:,} tokens {count} pair meets angles that training never showed.",
        "Within {target:,} tokens {count} pairs meet angles that training never showed.",
        count,
        target=target,
    )


def divisor(slowed: float) -> str:
    """By how much a pair is slowed, in words."""
    return rounded(slowed) if math.isfinite(slowed) else _("at rest")

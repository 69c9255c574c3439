"""The studio's pictures over the pairs: three methods, wavelengths, angles never shown before."""

from collections.abc import Sequence

import numpy as np

from advisor.comparing.outcome import Outcome, compare
from advisor.comparing.steps import coverage_steps
from advisor.comparing.task import Task
from models.results.losses import bits
from models.results.tables import PLAIN, Way, load
from pages.config.comparison import Studio, program
from pages.config.summary import summary
from pages.config.verdict import price
from plots.lines import Band, Series, lines
from plots.looks import look
from plots.names import name_curves
from posenc.quantity.step import Step
from posenc.words import say
from ui import screen
from ui.charts.methods import finite, over_pairs, title, with_factors
from ui.charts.pairs import Pairs
from ui.charts.points import CurvePoint
from ui.words import _

THREE = ("linear", "ntk", "yarn")
"""The methods that people choose between."""
CURVES = 140.0
"""Pixels of the curves below a title of two lines and above a legend."""
MEASURED = {2.0: 16_384, 4.0: 32_768}
"""Tokens of the texts on which the factors were measured, twice and four times the trained."""


def three_methods(name: str, task: Task) -> list[screen.ScreenFigure]:
    """The three beside each other: on this model, as measured on a small one, and their prices."""
    outcomes, _refused = compare(THREE, task)
    return [
        screen.RowFigure(figures=[slowed_by(name, task, outcomes), measured(task.factor)]),
        screen.WordsFigure("\n".join(f"- {price(one)}" for one in outcomes)),
    ]


def slowed_by(name: str, task: Task, outcomes: Sequence[Outcome]) -> screen.LinesFigure:
    """How much each of them slows each pair."""
    return over_pairs(
        {one.method.id: finite(one.slowed) for one in outcomes},
        key="three",
        title=_(
            "{model} at {target:,} tokens, k = {factor:g}: how much each pair is slowed (analytic)",
            model=name,
            target=task.target,
            factor=task.factor,
        ),
        y_title=_("unscaled θᵢ / scaled θᵢ"),
        alt=_("Curves over the pairs for linear, NTK-aware and YaRN: how much each is slowed"),
        finish=lambda drawn: with_factors(name_curves(drawn, CURVES), [task.factor]),
        height=340,
    )


def measured(factor: float) -> screen.ChartFigure:
    """Bits per token beyond the trained length, on the model that was measured."""
    data = load()
    trained = data.about.trained
    found = {}
    texts = []
    for times, length in MEASURED.items():
        ways = {method: Way(method, times) for method in THREE} | {"none": PLAIN}
        its = bits(data, length, list(ways.values()), cut=True)
        texts.append(len(its.texts))
        found[times] = {
            method: float(its.between(way, trained, length).mean()) for method, way in ways.items()
        }
    places = np.array([*found])
    end = max(places[-1], factor)
    unknown = [Band(places[-1] * 1.1, end * 1.1, _("not measured"))] if end > places[-1] else []
    figure = lines(
        places,
        [
            Series(
                _("as trained") if method == "none" else title(method),
                [its[method] for its in found.values()],
                color=look(method).color,
                marker=look(method).marker,
                joined=False,
            )
            for method in ("none", *THREE)
        ],
        title=_("{model}, bits per token beyond training (measured)", model=data.about.title),
        x_title=_("text length / trained length k"),
        y_title=_("bits per token"),
        log_x=True,
        bands=unknown,
    )
    ticks = [*places.tolist(), *([factor] if factor not in places else [])]
    axis = {"tickvals": ticks, "ticktext": [f"×{times:g}" for times in ticks]}
    return screen.ChartFigure(
        key="three_measured",
        figure=figure.relayout(xaxis=axis | {"range": np.log10([1.7, end * 1.2]).tolist()}),
        alt=_("Dots for each method at twice and four times the trained length, lower is better"),
        height=340,
        caption=_(
            "Lower is better. Measured on {model} alone, beyond its {trained:,} tokens: {twice} "
            "texts at ×2, {four} at ×4; [the curves](measured) have more.",
            model=data.about.title,
            trained=trained,
            twice=texts[0],
            four=texts[1],
        ),
    )


def of(s: Studio) -> Pairs:
    """The methods over the pairs."""
    return Pairs(s.outcomes, s.task.shown, {"settings": None})


def wavelengths(s: Studio) -> screen.Picture:
    """Wavelength, frequency and divisor of each pair."""
    pairs = of(s)
    label = _("beyond the trained length {length:,}", length=s.task.shown)
    body = (
        "values = torch.stack([rope_wavelengths(reading.inv_freq) for reading in readings])\n"
        "values[values.isinf()] = torch.nan  # pairs that never turn\n"
    )
    return summary(
        s,
        program(s, body),
        pairs.wavelengths(label, shared=["divisors", "frequencies"]),
        lambda point: screen.RowFigure(
            figures=[
                pairs.slowed("divisors", say("divisors"), point, height=360),
                pairs.frequencies(point),
            ]
        ),
    )


def angles(s: Studio) -> screen.Picture:
    """Angles that the target length reaches and training never showed; turns of each pair."""
    pairs = of(s)
    body = (
        f"lengths = {s.task.shown}, {s.task.target}\n"
        "unseen = [r.coverage(trained.inv_freq, *lengths).unseen for r in readings]\n"
        "values = 100 * (torch.stack(unseen) / (2 * torch.pi))\n"
    )
    return summary(
        s,
        program(s, body, with_trained=True),
        pairs.unseen(["turns", "past"]),
        lambda point: screen.RowFigure(figures=[pairs.turns(point, "turns"), past(s, point)]),
    )


def past(s: Studio, point: CurvePoint) -> screen.LinesFigure:
    """How far past training each pair is."""
    covered = {one.method.id: one.coverage for one in s.outcomes}

    def steps(method: int, pair: int) -> tuple[Step, ...]:
        return () if method > s.last else coverage_steps(s.outcomes[method], pair).past()[-1:]

    return over_pairs(
        {name: finite(one.excess.where(one.is_new, 1.0)) for name, one in covered.items()},
        title=_("How far past training, where a pair meets unseen angles (analytic)"),
        y_title=_("times the furthest trained angle"),
        key="past",
        alt=_("Curves over the pairs, one for each method: how far past the trained angle"),
        steps=steps,
        point=point,
        table=say("past"),
        height=360,
    )

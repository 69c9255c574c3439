"""The studio's pictures over the pairs: wavelengths, and angles that training never showed."""

from pages.config.comparison import Studio, program
from pages.config.summary import summary
from posenc.quantity.step import Step
from posenc.reading.outcome_steps import coverage_steps
from posenc.words import say
from ui import screen
from ui.charts.methods import finite, over_pairs
from ui.charts.pairs import Pairs
from ui.charts.points import CurvePoint
from ui.words import _


def of(s: Studio) -> Pairs:
    """The methods over the pairs."""
    return Pairs(s.outcomes, s.task.shown, s.task.target, {"settings": None})


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
        pairs.wavelengths(["divisors", "frequencies"], label),
        lambda point: screen.RowFigure(
            figures=[pairs.slowed(point, "divisors", say("divisors")), pairs.frequencies(point)]
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

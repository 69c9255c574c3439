"""Loss by position of the real model, and what short texts pay."""

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter

import numpy as np
import pandas as pd

from models.results.losses import Bits, bits
from models.results.tables import (
    PLAIN,
    SLIDE,
    Way,
    factors,
    has_factor,
    lengths,
    load,
    steadiest,
    ways,
)
from pages.measured.real import code, words
from pages.measured.real.settings import ORDER, LossSettings, ShortSettings
from plots.lines import Mark, Series, lines
from plots.looks import look
from posenc.quantity.step import Step
from posenc.words import say
from ui import screen
from ui.charts.follow import Followed
from ui.jobs.looks import title
from ui.jobs.losses import loss_figure, way_title
from ui.words import _, number, signed


def by_position(s: LossSettings) -> screen.Picture:
    """Bits per token by position: a curve for each way to read."""
    if not s.chosen:
        raise ValueError(say("Choose at least one curve."))
    drawn = [way for way in s.chosen if way != s.less]
    if not drawn:
        raise ValueError(say("Choose a curve besides the one that is subtracted."))
    measured = load()
    partner = s.less or steadiest(s.there)
    read = [*dict.fromkeys((PLAIN, partner, *s.chosen))]
    found = bits(measured, s.length, read, words.kind_of(s), cut=True)
    trained = measured.about.trained
    curves = loss_figure(
        found,
        drawn,
        measured.about.title,
        trained,
        s.less,
        key="loss",
        caption=words.band(found, way_title(partner)),
    )
    summaries = screen.WordTableFigure(
        name=say("up to L and beyond"), frame=summary(found, drawn, trained)
    )
    return screen.Picture(
        figures=[
            curves,
            summaries,
            screen.WordsFigure(words.stretches(found, trained), small=True),
            *words.behind(found, s.length, s.chosen),
            words.About("loss"),
        ],
        code=code.loss(s.length, found.texts, drawn, s.less),
    )


def summary(found: Bits, drawn: Sequence[Way], trained: int) -> pd.DataFrame:
    """Loss of each way: up to the trained length, beyond it, and what it gains there."""
    end = int(found.first[-1]) + 1
    inside, behind = (0, trained), (trained, end)
    columns: dict[str, Callable[[Way], str]] = {
        _("up to L"): lambda way: number(found.between(way, *inside).mean(), ".2f"),
        _("up to L, less as trained"): lambda way: _less(found, way, PLAIN, inside),
    }
    if end > trained:
        columns |= {
            _("beyond L"): lambda way: number(found.between(way, *behind).mean(), ".2f"),
            _("beyond L, less as trained"): lambda way: _less(found, way, PLAIN, behind),
            _("beyond L, less sliding window"): lambda way: _less(found, way, SLIDE, behind),
        }
    cells = {name: [cell(way) for way in drawn] for name, cell in columns.items()}
    names = pd.Index([way_title(way) for way in drawn], name=_("bits per token"))
    table = pd.DataFrame(cells, index=names)
    return table.loc[:, (table != "").any()]


def _less(found: Bits, way: Way, other: Way, stretch: tuple[int, int]) -> str:
    if way == other or other not in found.of:
        return ""
    return signed(found.gain(way, other, *stretch).words).replace(" to ", " to\u00a0")


def short(s: ShortSettings) -> screen.Picture:
    """Cost of each static factor where nothing needs stretching."""
    losses = load().losses
    length = lengths(losses)[0]
    set_factors = factors(losses, length)
    if length >= load().about.trained or not set_factors:
        raise ValueError(say("Short texts were not measured yet; choose another picture."))
    there = ways(losses, length, set_factors[0])
    methods = [m for m in ORDER if has_factor(m) and m in {way.method for way in there}]
    every = [Way(method, factor) for method in methods for factor in set_factors]
    found = bits(load(), length, [PLAIN, *every], words.kind_of(s))
    gains = {way: found.gain(way, PLAIN, 0, length) for way in every}

    def of_factors(part: str) -> dict[str, np.ndarray]:
        return {
            method: np.array([float(attrgetter(part)(gains[Way(method, f)])) for f in set_factors])
            for method in methods
        }

    means, lows, highs = map(of_factors, ("mean", "low", "high"))
    bands = len(found.texts) > 1
    series = [
        Series(
            title(one),
            means[one],
            low=lows[one] if bands else None,
            high=highs[one] if bands else None,
            **vars(look(one)),
        )
        for one in methods
    ]
    x_title = _("factor that is set for all texts")
    figure = lines(
        set_factors,
        series,
        title=_(
            "What a static factor costs in texts of {length:,} tokens (measured)", length=length
        ),
        x_title=x_title,
        y_title=_("bits per token over as trained"),
        log_x=True,
        marks=[Mark("y", 0.0, title("none"), left=True)],
    )
    ticks = {"tickvals": set_factors, "ticktext": [f"{f:g}" for f in set_factors]}
    columns = {title(one): ys for one, ys in means.items()}
    for one in methods:
        columns[_("{name}, smallest difference", name=title(one))] = lows[one]
        columns[_("{name}, largest difference", name=title(one))] = highs[one]
    frame = pd.DataFrame(columns, index=pd.Index(set_factors, name=_("factor")))
    curves = screen.MeasuredFigure(
        key="short",
        figure=figure.relayout(xaxis=ticks),
        alt=_("Bits per token that methods cost in short texts, against their factor"),
        curves=[
            Followed(title(method), set_factors, partial(_price, found, method))
            for method in methods
        ],
        x_name=x_title,
        unit=_("bits per token"),
        table=say("short texts"),
        frame=frame,
    )
    cells = {
        _("factor {factor:g}", factor=f): [signed(gains[Way(m, f)].words) for m in methods]
        for f in set_factors
    }
    names = pd.Index([title(m) for m in methods], name=_("bits per token over as trained"))
    as_trained = _(
        "As trained, these texts cost {bits:.2f} bits per token. {band}",
        bits=float(found.between(PLAIN, 0, length).mean()),
        band=words.band(found, title("none")),
    )
    return screen.Picture(
        figures=[
            curves,
            screen.WordTableFigure(name=say("prices"), frame=pd.DataFrame(cells, index=names)),
            screen.WordsFigure(as_trained, small=True),
            *words.behind(found, length, [PLAIN, *every]),
            words.About("short"),
        ],
        code=code.short(length, found.texts, methods, set_factors),
    )


def _price(found: Bits, method: str, factor: float) -> tuple[Step, ...]:
    return found.gain(Way(method, factor), PLAIN, 0, int(found.first[-1]) + 1).steps(found.texts)

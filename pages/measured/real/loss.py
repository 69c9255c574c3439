"""Loss by position of the real model, and what short texts pay."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

import numpy as np
import pandas as pd
import streamlit as st

from models.results.losses import Bits, Difference, bits
from models.results.tables import (
    PLAIN,
    SLIDE,
    Measured,
    Way,
    factors,
    has_alpha,
    has_factor,
    lengths,
    steadiest,
    ways,
)
from pages.measured.real import code, words
from plots.lines import Mark, Series, lines
from plots.looks import look
from plots.style import shade_outside_training
from posenc.quantity.step import Step
from posenc.scaling.methods import METHODS
from posenc.words import say
from ui import screen
from ui.charts.measured import Followed, measured_chart
from ui.jobs.looks import title
from ui.words import _, minus, number, translate

ORDER = tuple(dict.fromkeys(("none", "slide", *METHODS)))
"""Of curves: as trained and the window, then as everywhere."""


@dataclass(frozen=True)
class RealSettings:
    """What the controls of the real model say."""

    measured: Measured
    length: int
    """Tokens of the passes that are drawn by position."""
    methods: Sequence[str]
    factor: float
    kind: str
    """Of the texts: "" for all."""
    less: Way | None
    """What is subtracted; None draws the bits themselves."""

    @property
    def short(self) -> int:
        """Tokens of the shortest passes."""
        return lengths(self.measured.losses)[0]

    def chosen(self) -> list[Way]:
        """How the chosen methods read the long texts."""
        there = {one.method: one for one in ways(self.measured.losses, self.length, self.factor)}
        return [there[method] for method in ORDER if method in there and method in self.methods]


def methods_of(measured: Measured) -> dict[str, str]:
    """Every method that was measured by id, with its title."""
    there = {str(row["method"]) for row in (*measured.losses, *measured.passkeys)}
    return {method: title(method) for method in ORDER if method in there}


def way_title(way: Way) -> str:
    """A method with its factor, or with its α."""
    if has_alpha(way.method):
        return _("{method}, α = {factor:g}", method=title(way.method), factor=way.factor)
    if has_factor(way.method):
        return _("{method} ×{factor:g}", method=title(way.method), factor=way.factor)
    return title(way.method)


def loss_view(s: RealSettings) -> screen.ScreenView:
    """Bits per token by position: a curve for each way to read."""
    if not s.chosen():
        raise ValueError(say("Choose at least one curve."))
    drawn = [way for way in s.chosen() if way != s.less]
    if not drawn:
        raise ValueError(say("Choose a curve besides the one that is subtracted."))
    there = ways(s.measured.losses, s.length, s.factor)
    partner = s.less or steadiest(there)
    read = [*dict.fromkeys((PLAIN, partner, *s.chosen()))]
    found = bits(s.measured, s.length, read, s.kind, cut=True)
    trained = s.measured.about.trained
    is_less = s.less is not None
    series = [_series(found, way, partner, minus=is_less) for way in drawn]
    y_title = {
        None: _("bits per token"),
        PLAIN: _("bits per token over as trained"),
        SLIDE: _("bits per token over the window"),
    }[s.less]
    figure = lines(
        found.middle,
        series,
        title=_("What a token costs, by its position: {model}", model=s.measured.about.title),
        x_title=_("position in the text (tokens)"),
        y_title=y_title,
        marks=[] if s.less is None else [Mark("y", 0.0, way_title(s.less), left=True)],
    )
    ticks = found.first[::2]
    texts = [number(int(tick)) for tick in ticks]
    figure = figure.relayout(xaxis={"tickvals": ticks, "ticktext": texts})
    figure = shade_outside_training(figure, trained, float(found.middle[-1]))
    followed = [
        Followed(
            way_title(way),
            found.middle.tolist(),
            partial(found.steps, way, partner, minus=is_less),
        )
        for way in drawn
    ]
    measured_chart(
        figure,
        followed,
        key="loss",
        alt=_(
            "Bits per token against position, a curve for each of {names}",
            names=", ".join(way_title(way) for way in drawn),
        ),
        x_name=_("position in the text (tokens)"),
        unit=_("bits per token"),
        height=420,
    )
    st.caption(words.band(found, way_title(partner)))
    table = summary(found, drawn, trained)
    with st.container(key="real_summary"):
        st.table(table)
    st.caption(words.stretches(found, trained))
    words.tell(s.measured, found, s.length, s.chosen())
    frame = _frame(found, drawn, partner, minus=is_less)
    snippet = code.loss(s.length, found.texts, drawn, s.less)
    return screen.ScreenView(
        lambda: {_("loss by position"): frame, _("up to L and beyond"): table}, snippet
    )


def _series(found: Bits, way: Way, partner: Way, *, minus: bool) -> Series:
    """A curve; its band is the range over texts of the difference to its partner."""
    paired = found.less(way, partner)
    its = look(way.method)
    y = paired.mean if minus else found.of[way].mean(0)
    has_range = way != partner and len(found.texts) > 1
    beside = y - paired.mean
    low, high = (beside + paired.low, beside + paired.high) if has_range else (None, None)
    return Series(way_title(way), y, None, its.color, its.dash, its.marker, low, high)


def _frame(found: Bits, drawn: Sequence[Way], partner: Way, *, minus: bool) -> pd.DataFrame:
    columns = {}
    for way in drawn:
        paired = found.less(way, partner)
        columns[way_title(way)] = paired.mean if minus else found.of[way].mean(0)
    for way in drawn:
        if way != partner:
            paired = found.less(way, partner)
            columns[_("{name}, smallest difference", name=way_title(way))] = paired.low
            columns[_("{name}, largest difference", name=way_title(way))] = paired.high
    return pd.DataFrame(columns, index=pd.Index(found.middle, name=_("position")))


def summary(found: Bits, drawn: Sequence[Way], trained: int) -> pd.DataFrame:
    """Of each way: up to the trained length, beyond it, and what it gains there."""
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
    return gain_words(found.gain(way, other, *stretch))


def gain_words(difference: Difference) -> str:
    """A mean with the range over texts."""
    return minus(translate(difference.words))


def short_view(s: RealSettings) -> screen.ScreenView:
    """What each static factor costs where nothing needs stretching."""
    length = s.short
    trained = s.measured.about.trained
    told_factors = factors(s.measured.losses, length)
    if length >= trained or not told_factors:
        raise ValueError(say("Short texts were not measured yet; choose another picture."))
    there = ways(s.measured.losses, length, told_factors[0])
    methods = [m for m in ORDER if has_factor(m) and m in {way.method for way in there}]
    every = [Way(method, factor) for method in methods for factor in told_factors]
    found = bits(s.measured, length, [PLAIN, *every], s.kind)
    gains = {way: found.gain(way, PLAIN, 0, length) for way in every}
    series, followed = [], []
    for method in methods:
        its = look(method)
        mean = np.array([float(gains[Way(method, f)].mean) for f in told_factors])
        low, high = (
            np.array([float(end(gains[Way(method, f)])) for f in told_factors])
            for end in (attrgetter("low"), attrgetter("high"))
        )
        band = (low, high) if len(found.texts) > 1 else ()
        series.append(Series(title(method), mean, None, its.color, its.dash, its.marker, *band))
        followed.append(Followed(title(method), told_factors, partial(_price, found, method)))
    x_title = _("factor that is set for all texts")
    figure = lines(
        told_factors,
        series,
        title=_("What a static factor costs in texts of {length:,} tokens", length=length),
        x_title=x_title,
        y_title=_("bits per token over as trained"),
        log_x=True,
        marks=[Mark("y", 0.0, title("none"), left=True)],
    )
    ticks = {"tickvals": told_factors, "ticktext": [f"{f:g}" for f in told_factors]}
    figure = figure.relayout(xaxis=ticks)
    measured_chart(
        figure,
        followed,
        key="short",
        alt=_("Bits per token that methods cost in short texts, against their factor"),
        x_name=x_title,
        unit=_("bits per token"),
        height=380,
    )
    cells = {
        _("factor {factor:g}", factor=f): [gain_words(gains[Way(m, f)]) for m in methods]
        for f in told_factors
    }
    names = pd.Index([title(m) for m in methods], name=_("bits per token over as trained"))
    with st.container(key="short_summary"):
        st.table(pd.DataFrame(cells, index=names))
    st.caption(
        _(
            "As trained, these texts cost {bits:.2f} bits per token. {band}",
            bits=float(found.between(PLAIN, 0, length).mean()),
            band=words.band(found, title("none")),
        )
    )
    frame = pd.DataFrame(
        {title(m): [float(gains[Way(m, f)].mean) for f in told_factors] for m in methods}
        | {
            _("{name}, smallest difference", name=title(m)): [
                float(gains[Way(m, f)].low) for f in told_factors
            ]
            for m in methods
        }
        | {
            _("{name}, largest difference", name=title(m)): [
                float(gains[Way(m, f)].high) for f in told_factors
            ]
            for m in methods
        },
        index=pd.Index(told_factors, name=_("factor")),
    )
    words.tell(s.measured, found, length, [PLAIN, *every])
    snippet = code.short(length, found.texts, methods, told_factors)
    return screen.ScreenView(lambda: {_("short texts"): frame}, snippet)


def _price(found: Bits, method: str, factor: float) -> tuple[Step, ...]:
    return found.gain(Way(method, factor), PLAIN, 0, int(found.first[-1]) + 1).steps(found.texts)

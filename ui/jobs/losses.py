"""Loss by position of a model that was measured: a curve for each way to read."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd

from models.results.losses import Bits
from models.results.tables import PLAIN, SLIDE, Way, has_alpha, has_factor, steadiest
from plots.lines import Mark, Series, lines
from plots.looks import look
from plots.names import name_curves
from plots.style import shade_outside_training
from posenc.words import say
from ui import screen
from ui.charts.follow import Followed
from ui.jobs.looks import title
from ui.words import _


def way_title(way: Way) -> str:
    """A method with its factor, or with its α."""
    if has_alpha(way.method):
        return _("{method}, α = {factor:g}", method=title(way.method), factor=way.factor)
    if has_factor(way.method) and way.factor > 1:
        return _("{method} ×{factor:g}", method=title(way.method), factor=way.factor)
    return title(way.method)


def loss_figure(
    found: Bits,
    drawn: Sequence[Way],
    model: str,
    trained: int,
    less: Way | None = None,
    **more: Any,
) -> screen.MeasuredFigure:
    """Curves of a model; bands are the range, over texts, of the difference to a partner.

    The partner is the way that is subtracted; where none is, the steadiest.
    """
    unit, x_title = _("bits per token"), _("position in the text (tokens)")
    partner = less or steadiest(found.of)
    series, followed, columns, ranges = [], [], {}, {}
    for way in drawn:
        name = way_title(way)
        paired = found.less(way, partner)
        y = columns[name] = paired.mean if less else found.of[way].mean(0)
        low = high = None
        if way != partner:
            ranges[_("{name}, smallest difference", name=name)] = paired.low
            ranges[_("{name}, largest difference", name=name)] = paired.high
            if len(found.texts) > 1:
                beside = y - paired.mean
                low, high = beside + paired.low, beside + paired.high
        series.append(Series(name, y, low=low, high=high, **vars(look(way.method))))
        steps = partial(found.steps, way, partner, minus=less is not None)
        followed.append(Followed(name, found.middle.tolist(), steps))
    figure = lines(
        found.middle,
        series,
        title=_("What a token costs, by its position: measured on {model}", model=model),
        x_title=x_title,
        y_title={
            None: unit,
            PLAIN: _("bits per token over as trained"),
            SLIDE: _("bits per token over the window"),
        }[less],
        marks=[Mark("y", 0.0, way_title(less), left=True)] if less else [],
    )
    figure = figure.relayout(xaxis={"exponentformat": "none"})
    index = pd.Index(found.middle, name=_("position"))
    return screen.MeasuredFigure(
        figure=name_curves(shade_outside_training(figure, trained, float(found.middle[-1]))),
        curves=followed,
        alt=_(
            "Bits per token against position, a curve for each of {names}", names=", ".join(columns)
        ),
        x_name=x_title,
        unit=unit,
        height=420,
        table=say("loss by position"),
        frame=pd.DataFrame(columns | ranges, index=index),
        **more,
    )

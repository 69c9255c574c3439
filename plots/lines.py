"""Curves and bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plots.cells import label_ticks
from plots.figure import Figure, Part
from plots.style import (
    DASHES,
    LEGEND,
    MARK,
    MARKERS,
    MAX_POINTS,
    NEUTRAL,
    OKABE_ITO,
    axis,
    base_layout,
)

SHOWN_MARKERS = 10  # per curve: enough to tell curves apart without colour
MAX_LABELS = 256


@dataclass(frozen=True)
class Series:
    """One curve.

    Attributes:
        name: Legend entry.
        y: (points,) values; NaN leaves a gap.
        x: (points,) own places on the x axis; the figure's `x` when None.
        color: CSS colour; the next of the Okabe-Ito set when None.
        dash: "solid", "dash", "dot", "dashdot", ...; the next one when None.
        marker: plotly marker symbol, "" for none; the next one when None.
        low: (points,) lower end of the uncertainty band; needs `high`.
        high: (points,) upper end of the uncertainty band.
        joined: Whether a line joins the points; not where nothing lies between them, as heads.
        light: Whether it is thin: the same thing as a bolder curve of its colour, at another size.
    """

    name: str
    y: ArrayLike
    x: ArrayLike | None = None
    color: str | None = None
    dash: str | None = None
    marker: str | None = None
    low: ArrayLike | None = None
    high: ArrayLike | None = None
    joined: bool = True
    light: bool = False


@dataclass(frozen=True)
class Mark:
    """A thin reference line across the figure, at one value of "x" or "y"."""

    axis: str
    value: float
    label: str = ""
    color: str = NEUTRAL
    dash: str = "dash"
    left: bool = False
    """The label of a "y" stands at the left end: where curves rise to the right it is free."""
    after: bool = False
    """The label of an "x" stands right of its line: it names what begins there."""


@dataclass(frozen=True)
class Band:
    """A shaded stretch of the x axis, from `start` to `stop`."""

    start: float
    stop: float
    label: str = ""
    color: str = "rgba(128, 128, 128, 0.16)"


def lines(
    x: ArrayLike,
    series: Sequence[Series],
    *,
    title: str,
    x_title: str,
    y_title: str,
    log_x: bool = False,
    log_y: bool = False,
    y_range: tuple[float, float] | None = None,
    bands: Sequence[Band] = (),
    marks: Sequence[Mark] = (),
) -> Figure:
    """Curves over a common x axis, told apart by colour, dash and marker.

    Args:
        x: (points,) places on the x axis, kept as float64 (positions above 2^24 stay exact).
        series: The curves, each of at most 4096 points, kept as float32.
        title: What is seen.
        x_title: Name of the x axis, with its unit.
        y_title: Name of the y axis, with its unit.
        log_x: Logarithmic x axis (values must be above zero).
        log_y: Logarithmic y axis; values that are not above zero leave a gap.
        y_range: (lowest, highest) value shown; fitted to the curves when None.
        bands: Shaded stretches of the x axis, drawn under the curves.
        marks: Reference lines with their labels.

    Returns:
        A figure whose traces are the curves in the order given (uncertainty bands come after
        all curves), so that a clicked point's `curve` is the index into `series`.

    Raises:
        ValueError: If a curve has more than 4096 points or its length differs from x.
    """
    curves = [_curve(x, one, index, x_title, y_title) for index, one in enumerate(series)]
    if log_y:  # such an axis has no 0
        for curve in curves:
            curve["y"] = np.where(curve["y"] > 0, curve["y"], np.float32(np.nan))
    clouds = [
        _uncertainty(curve, one.low, one.high)
        for curve, one in zip(curves, series, strict=True)
        if one.low is not None and one.high is not None
    ]
    y_axis = _y_axis(y_title, [curve["y"] for curve in curves], log_y, y_range)
    x_axis = axis(x_title, type="log" if log_x else "linear", exponentformat="power")
    if log_x:
        places = [np.asarray(x if one.x is None else one.x, np.float64) for one in series]
        x_axis |= _log_ticks(np.concatenate(places))
    elif _few_integers(x):
        # Never a tick between two of them, and no more where the axis is made longer than they are.
        ends = np.asarray(x, dtype=np.float64)
        x_axis["tickvals"] = np.arange(ends.min(), ends.max() + 1)
    layout = base_layout(title) | {
        "xaxis": x_axis,
        "yaxis": y_axis,
        "showlegend": len(series) > 1,
        "legend": LEGEND,
    }
    return Figure([*curves, *clouds], layout).add(shapes=[*map(_band, bands), *map(_mark, marks)])


def one_label(figure: Figure) -> Figure:
    """One hover label with all curves at a place, in place of one for each curve.

    Returns:
        The figure with other hover texts.
    """
    for index, curve in enumerate(figure.data):
        if "hovertemplate" in curve:
            text = f"{curve['name']}: %{{y:.6~g}}<extra></extra>"
            figure = figure.restyle(index, hovertemplate=text)
    title = f"{figure.layout['xaxis']['title']['text']} %{{x:.8~g}}"
    spike = {"spikethickness": 1, "spikedash": "solid", "spikecolor": NEUTRAL}
    x_axis = {"unifiedhovertitle": {"text": title}, **spike}
    return figure.relayout(hovermode="x unified", xaxis=x_axis)


def with_means(figure: Figure, reach: float) -> Figure:
    """Curves that swing, drawn faintly, and over each in bold the mean of what is near.

    Args:
        figure: Of `lines`, with a logarithmic x axis and without gaps.
        reach: Near a place is what lies between a `reach`-th of it and `reach` times it.

    Returns:
        The figure with the means above its curves, which stay as they are numbered.
    """
    means = []
    for curve in figure.data:
        x, y = np.asarray(curve["x"]), np.asarray(curve["y"], np.float64)
        first, end = np.searchsorted(x, x / reach), np.searchsorted(x, x * reach, "right")
        total = np.concatenate([[0.0], np.cumsum(y)])
        mean = ((total[end] - total[first]) / (end - first)).astype(np.float32)
        means.append(curve | {"y": mean, "hoverinfo": "skip", "legendgroup": curve["name"]})
        means[-1]["line"] = curve["line"] | {"width": 3}
        del means[-1]["hovertemplate"]
    faint = {"opacity": 0.3, "showlegend": False, "line": {"width": 1, "dash": "solid"}}
    for index, curve in enumerate(figure.data):
        figure = figure.restyle(index, legendgroup=curve["name"], **faint)
    return figure.add(*means)


def bars(
    values: ArrayLike,
    *,
    title: str,
    x_title: str,
    y_title: str,
    labels: Sequence[str] | None = None,
    color: str | Sequence[str] = OKABE_ITO[0],
    log_y: bool = False,
    y_range: tuple[float, float] | None = None,
    marks: Sequence[Mark] = (),
) -> Figure:
    """One bar per value: an attention row, the slopes of the heads.

    Args:
        values: (bars,) heights, kept as float32.
        title: What is seen.
        x_title: Name of what the bars stand for.
        y_title: Name and unit of the heights.
        labels: (bars,) names under the bars, which may repeat (tokens); numbers when None.
        color: One colour, or one per bar.
        log_y: Logarithmic y axis.
        y_range: (lowest, highest) value shown; fitted when None.
        marks: Reference lines with their labels.

    Returns:
        A figure with one bar trace.

    Raises:
        ValueError: If lengths disagree or there are more than 4096 bars.
    """
    y = _points("values", values)
    places = np.arange(float(y.size))
    names = [f"{place:g}" for place in places] if labels is None else list(labels)
    bar = {
        "type": "bar",
        "x": places,
        "y": y,
        "customdata": names,
        "marker": {"color": color},
        "hovertemplate": f"{x_title} %{{customdata}}<br>{y_title} %{{y:.6~g}}<extra></extra>",
    }
    x_axis = axis(x_title, showgrid=False)
    if labels is not None:
        x_axis |= label_ticks(names, places, MAX_LABELS)
    y_axis = _y_axis(y_title, [y], log_y, y_range)
    layout = base_layout(title) | {"xaxis": x_axis, "yaxis": y_axis, "bargap": 0.2}
    layout["showlegend"] = False  # also where a mark joins the bars
    layout["hovermode"] = "x"  # a bar that is hardly there is pointed at above it
    layout["barmode"] = "overlay"  # the frame of a bar that is marked has its width
    return Figure([bar], layout).add(shapes=[_mark(mark) for mark in marks])


def mark_bar(figure: Figure, value: float, place: int, text: str) -> Figure:
    """Mark the bar that the page explains, with a frame and its number, which show on any colour.

    Args:
        figure: Of `bars`.
        value: Height of the bar.
        place: Which bar.
        text: Its number, written at its end: towards the middle, where there is room.

    Returns:
        The figure with the mark.
    """
    bar = {"type": "bar", "meta": MARK, "x": [place], "y": [value], "hoverinfo": "skip"}
    frames = [
        bar | {"marker": {"color": "rgba(0,0,0,0)", "line": line}, "showlegend": False}
        for line in ({"color": "#ffffff", "width": 3}, {"color": "#000000", "width": 1.5})
    ]
    figure = figure.add(*frames)
    is_log = figure.layout["yaxis"]["type"] == "log"
    if is_log and value <= 0:  # which has no place there
        return figure
    number = {
        "name": MARK,
        "text": text,
        "x": place,
        "y": float(np.log10(value)) if is_log else value,
        "xanchor": ("left", "center", "right")[3 * place // len(figure.data[0]["x"])],
        "yanchor": "bottom",
        "yshift": 3,
        "showarrow": False,
        "font": {"size": 12, "color": "#ffffff"},
        "bgcolor": "#000000",
        "bordercolor": "#ffffff",
    }
    return figure.add(annotations=[number])


def _y_axis(
    title: str,
    values: Sequence[NDArray[np.float32]],
    log: bool,
    limits: tuple[float, float] | None,
) -> dict[str, Any]:
    y_axis = axis(title, type="log" if log else "linear", exponentformat="power")
    if limits is not None:
        y_axis["range"] = [float(np.log10(v)) if log else float(v) for v in limits]
    if log:
        y_axis |= _log_ticks(np.concatenate([limits] if limits is not None else list(values)))
    return y_axis


def _log_ticks(values: NDArray[Any]) -> dict[str, Any]:
    """Ticks of a logarithmic axis that can be read: plotly writes 2 and 5 for 200 and 500."""
    shown = values[np.isfinite(values) & (values > 0)]
    ends = np.log10([shown.min(), shown.max()], dtype=np.float64) if shown.size else np.zeros(2)
    decades = float(ends[1] - ends[0])  # their ratio may be too large for float32
    if decades >= 3:  # powers of ten alone
        return {"nticks": min(int(decades), 9)}
    form = ",~r" if ends[0] >= -4 and ends[1] <= 7 else "~e"
    # With at most so many ticks they are 1, 2 and 5, and not every digit, 9 upon 10.
    return {"tickformat": form} | ({"nticks": int(decades / 0.3)} if decades >= 0.9 else {})


def _few_integers(x: ArrayLike) -> bool:
    places = np.asarray(x, dtype=np.float64)
    return bool(places.size and np.ptp(places) < 10 and np.all(places == np.round(places)))


def _points(name: str, values: ArrayLike) -> NDArray[np.float32]:
    array = np.asarray(values, dtype=np.float32)
    if array.ndim != 1 or not 1 <= array.size <= MAX_POINTS:
        raise ValueError(f"{name} must be 1 to {MAX_POINTS} numbers, got shape {array.shape}")
    return array


def _same_length(name: str, values: ArrayLike, size: int) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (size,):
        raise ValueError(f"{name} must be {size} numbers, got shape {array.shape}")
    return array


def _curve(x: ArrayLike, one: Series, index: int, x_title: str, y_title: str) -> dict[str, Any]:
    y = _points(f"series {one.name!r}", one.y)
    color = one.color or OKABE_ITO[index % len(OKABE_ITO)]
    marker = MARKERS[index % len(MARKERS)] if one.marker is None else one.marker
    mode = "lines+markers" if marker else "lines"
    points = {"size": 4 if one.light else 7, "maxdisplayed": SHOWN_MARKERS}
    # Dots that lie upon each other are all seen.
    dots = {"size": max(15 - 4 * index, 6), "color": color}
    return {
        "type": "scatter",
        "name": one.name,
        "x": _same_length("x", x if one.x is None else one.x, y.size),
        "y": y,
        "mode": mode if one.joined else "markers",
        "line": {
            "color": color,
            "width": 1.2 if one.light else 2,
            "dash": one.dash or DASHES[index % len(DASHES)],
        },
        "marker": {"symbol": marker or "circle"} | (points if one.joined else dots),
        "hovertemplate": (
            f"{one.name}<br>{x_title} %{{x:.8~g}}<br>{y_title} %{{y:.6~g}}<extra></extra>"
        ),
    }


def _uncertainty(curve: dict[str, Any], low: ArrayLike, high: ArrayLike) -> dict[str, Any]:
    x = curve["x"]
    down = _points("low", low)
    up = _points("high", high)
    # A polygon has no gaps: where nothing is known it goes straight on.
    known = np.isfinite(down) & np.isfinite(up)
    x, down, up = x[known], down[known], up[known]
    return {
        "type": "scatter",
        "x": np.concatenate([x, x[::-1]]),
        "y": np.concatenate([up, down[::-1]]),
        "fill": "toself",
        "fillcolor": curve["line"]["color"],
        "opacity": 0.18,
        "line": {"width": 0},
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _band(band: Band) -> Part:
    label = {"text": band.label, "font": {"size": 11}, "textposition": "top left", "padding": 4}
    return {
        "type": "rect",
        "x0": band.start,
        "x1": band.stop,
        "y0": 0,
        "y1": 1,
        "yref": "y domain",
        "layer": "below",
        "fillcolor": band.color,
        "line": {"width": 0},
        "label": label,
    }


def _mark(mark: Mark) -> Part:
    along, across = ("x", "y") if mark.axis == "x" else ("y", "x")
    return {
        "type": "line",
        "line": {"color": mark.color, "width": 1.5, "dash": mark.dash},
        "label": {
            "text": mark.label,
            "font": {"size": 11},
            "textangle": 0,
            "yanchor": "bottom",
            "textposition": "start" if mark.left else "end",
            "xanchor": "left" if mark.left or mark.after else "right",
        },
        f"{along}0": mark.value,
        f"{along}1": mark.value,
        f"{across}0": 0,
        f"{across}1": 1,
        f"{across}ref": f"{across} domain",
    }

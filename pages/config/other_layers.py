"""The pictures of layers without rotation."""

from typing import Any

import numpy as np

from pages.config.comparison import Chart, Points
from plots.figure import Figure
from plots.lines import Mark, Series, bars, lines
from plots.looks import look
from plots.style import OKABE_ITO, shade_outside_training
from posenc import alibi_slopes, t5_bucket
from posenc.alibi.steps import alibi_slope_steps
from posenc.config.axial import AxialLayer
from posenc.config.layers import OtherLayer
from posenc.quantity.sampling import log_positions
from posenc.quantity.step import Step
from posenc.rope.steps import wavelength_steps
from posenc.t5.picture import T5Buckets
from posenc.temperature.formula import llama4_temperature
from posenc.temperature.steps import llama4_temperature_steps
from posenc.words import say
from ui.screen.bones import Frames, curve_frame
from ui.words import _, translate

POINTS = 1024
# A figure that can be followed, its table, and the lines of Python that make its numbers.
Picture = tuple[Chart, Points, Frames, str]


def other_picture(layer: OtherLayer, target: int) -> Picture | None:
    """The picture of a layer without rotation; None where there is nothing to draw.

    Raises:
        ValueError: If the file does not give a number that the picture needs.
    """
    if layer.encoding == "alibi":
        return _slopes(layer)
    if layer.encoding == "t5" and {"num_buckets", "max_distance"} <= layer.parameters.keys():
        return _buckets(layer)
    if layer.encoding == "learned":
        return _rows(layer, target)
    if isinstance(layer, AxialLayer):
        return _axes(layer)
    return _temperature(layer, target) if "floor_scale" in layer.parameters else None


def _slopes(layer: OtherLayer) -> Picture:
    if layer.num_heads is None:
        raise ValueError(say("num_attention_heads must be given, got nothing."))
    bias_max = layer.parameters["alibi_bias_max"]
    slopes = alibi_slopes(layer.num_heads, bias_max).numpy()
    figure = bars(
        slopes,
        title=_("ALiBi: slope of each of the {count} heads", count=layer.num_heads),
        x_title=_("head h"),
        y_title=_("slope (per token)"),
        color=look("alibi").color,
        log_y=True,
    )
    code = f"values = alibi_slopes({layer.num_heads}, {bias_max})\n"
    frame = curve_frame(_("head"), range(layer.num_heads), {_("slope"): slopes})
    heads = layer.num_heads
    chart = Chart(
        "other",
        figure,
        _("Bars of the slope of each head"),
        lambda _curve, head: alibi_slope_steps(heads, head, bias_max),
    )
    points = Points([_("slope")], (0, heads - 1), _("head"), (0, heads - 1))
    return chart, points, {_("slopes"): frame}, code


def _buckets(layer: OtherLayer) -> Picture:
    numbers = {name: int(value) for name, value in layer.parameters.items()}
    distances = log_positions(2 * numbers["max_distance"] + 2, POINTS)
    buckets = t5_bucket(-distances, False, **numbers)
    figure = _curve(
        distances.numpy(),
        buckets.numpy(),
        "t5",
        title=_(
            "T5: bucket of each distance, {count} buckets (decoder)", count=numbers["num_buckets"]
        ),
        x_title=_("distance i − j (tokens)"),
        y_title=_("bucket"),
        marks=[Mark("x", numbers["max_distance"], "max_distance")],
    )
    code = (
        f"distances = log_positions({2 * numbers['max_distance'] + 2}, {POINTS})\n"
        f"values = t5_bucket(-distances, False, **{numbers})\n"
    )
    frame = curve_frame(_("distance"), distances.tolist(), {_("bucket"): buckets.numpy()})
    last = int(distances[-1])
    staircase = T5Buckets(last + 1, False, numbers["num_buckets"], numbers["max_distance"])
    alt = _("Staircase of the bucket over the distance")
    chart = Chart("other", figure, alt, lambda _curve, distance: staircase.steps(distance, 0))
    middle = int(distances[len(distances) // 2])
    points = Points([_("bucket")], (1, last), _("distance"), (0, middle))
    return chart, points, {_("buckets"): frame}, code


def _rows(layer: OtherLayer, target: int) -> Picture:
    length = layer.max_length or target
    positions = log_positions(length, POINTS)
    figure = _curve(
        positions.numpy(),
        positions.numpy(),
        "learned",
        title=_("Learned table: row that each position reads, {count:,} rows", count=length),
        x_title=_("position p"),
        y_title=_("row of the table"),
    )
    figure = shade_outside_training(figure, length, max(target, 2 * length), label=_("no row"))
    code = f"values = log_positions({length}, {POINTS})\n"
    frame = curve_frame(_("position"), positions.tolist(), {_("row"): positions.numpy()})
    alt = _("Row of the table over the position, up to its last row")
    chart = Chart("other", figure, alt, lambda _curve, p: (Step("r", "p", "", p),))
    points = Points([_("row")], (1, length - 1), _("position"), (0, length - 1))
    return chart, points, {_("rows"): frame}, code


DASHES = ("solid", "dash", "dot")
AXES = {"row": say("rows"), "column": say("columns"), "time": say("time")}


def axes_in_words(layer: AxialLayer) -> list[str]:
    """How many channels turn, which pairs with which axis, and what a position is."""
    names = [translate(AXES[name]) for name in layer.axes.names]
    joined = ", ".join(names)
    words = [
        _(
            "Of {width} channels {rotated} turn, with base {base:,.10g}.",
            width=layer.head_dim,
            rotated=layer.rotary_dim,
            base=layer.base,
        )
    ]
    if layer.axes.take_turns:
        words.append(_("The pairs take turns: {axes}, and so on.", axes=joined))
    else:
        words.append(_("The pairs follow one another by axis: {axes}.", axes=joined))
    if layer.layout == "interleaved":
        words.append(_("A pair is two neighbouring channels."))
    elif layer.axes.own_halves:
        words.append(
            _("A pair is a channel of the first half of its axis's and one of the second.")
        )
    else:
        words.append(_("A pair is a channel of the first half of the head and one of the second."))
    if layer.axes.relative:
        words.append(
            _("A position is 2π times the place in the image, from −1 to 1 whatever its size.")
        )
    return words


def _axes(layer: AxialLayer) -> Picture:
    inv_freq, axis = layer.frequencies()
    turning = {
        translate(AXES[name]): inv_freq[axis == place]
        for place, name in enumerate(layer.axes.names)
    }
    waves = {name: (2 * np.pi / theta).numpy() for name, theta in turning.items()}
    pairs = len(next(iter(waves.values())))
    series = [
        Series(name, values, color=OKABE_ITO[place], dash=DASHES[place], marker="")
        for place, (name, values) in enumerate(waves.items())
    ]
    figure = lines(
        np.arange(pairs),
        series,
        title=_("Wavelength of each pair, by the axis that it turns with"),
        x_title=_("pair i of its axis"),
        y_title=_("patches for a full turn"),
        log_y=True,
    )
    code = (
        "inv_freq, axis = layer.frequencies()\n"
        "by_axis = [inv_freq[axis == a] for a in axis.unique()]\n"
        "values = 2 * torch.pi / torch.stack(by_axis)\n"
    )
    frame = curve_frame(_("pair"), range(pairs), waves)
    alt = _("Wavelengths of the pairs of each axis, in patches")
    every = list(turning.values())
    chart = Chart("other", figure, alt, lambda curve, pair: wavelength_steps(pair, every[curve]))
    points = Points(list(waves), (0, pairs - 1), _("pair"), (0, 0))
    return chart, points, {_("wavelengths"): frame}, code


def _temperature(layer: OtherLayer, target: int) -> Picture:
    floor = int(layer.parameters["floor_scale"])
    scale = layer.parameters["attn_scale"]
    positions = log_positions(target, POINTS)
    factors = llama4_temperature(positions, floor, scale).numpy()
    figure = _curve(
        positions.numpy(),
        factors,
        "nope",
        title=_("No position here: the queries are scaled by their own position"),
        x_title=_("position of the query p"),
        y_title=_("factor on the query"),
        marks=[Mark("x", floor, "floor_scale")],
    )
    code = (
        f"positions = log_positions({target}, {POINTS})\n"
        f"values = llama4_temperature(positions, {floor}, {scale})\n"
    )
    frame = curve_frame(_("position"), positions.tolist(), {_("factor"): factors})
    alt = _("Factor on the query over its position")
    chart = Chart("other", figure, alt, lambda _curve, p: llama4_temperature_steps(p, floor, scale))
    points = Points([_("factor")], (1, target - 1), _("position"), (0, target - 1))
    return chart, points, {_("temperature"): frame}, code


def _curve(x: np.ndarray, y: np.ndarray, encoding: str, **options: Any) -> Figure:
    one = Series(encoding, y, color=look(encoding).color, dash="solid", marker="")
    return lines(x, [one], log_x=True, **options)

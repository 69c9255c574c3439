"""The pictures of layers without rotation."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from pages.config.comparison import Chart, Points
from plots.lines import Mark, Series, bars, lines
from plots.looks import look
from plots.style import shade_outside_training
from posenc import alibi_slopes, t5_bucket
from posenc.alibi.steps import alibi_slope_steps
from posenc.config.layers import OtherLayer
from posenc.quantity.sampling import log_positions
from posenc.quantity.step import Step
from posenc.t5.picture import T5Buckets
from posenc.temperature.formula import llama4_temperature
from posenc.temperature.steps import llama4_temperature_steps
from ui.screen.bones import Frames, curve_frame

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
    if layer.encoding == "t5":
        return _buckets(layer)
    if layer.encoding == "learned":
        return _rows(layer, target)
    return _temperature(layer, target) if layer.parameters else None


def _slopes(layer: OtherLayer) -> Picture:
    if layer.num_heads is None:
        raise ValueError("num_attention_heads must be given, got nothing.")
    bias_max = layer.parameters["alibi_bias_max"]
    slopes = alibi_slopes(layer.num_heads, bias_max).numpy()
    figure = bars(
        slopes,
        title=f"ALiBi: slope of each of the {layer.num_heads} heads",
        x_title="head h",
        y_title="slope (per token)",
        color=look("alibi").color,
        log_y=True,
    )
    code = f"values = alibi_slopes({layer.num_heads}, {bias_max})\n"
    frame = curve_frame("head", range(layer.num_heads), {"slope": slopes})
    heads = layer.num_heads
    chart = Chart(
        "other",
        figure,
        "Bars of the slope of each head",
        lambda _, head: alibi_slope_steps(heads, head, bias_max),
    )
    points = Points(["slope"], (0, heads - 1), "head", (0, heads - 1))
    return chart, points, {"slopes": frame}, code


def _buckets(layer: OtherLayer) -> Picture:
    numbers = {name: int(value) for name, value in layer.parameters.items()}
    distances = log_positions(2 * numbers["max_distance"] + 2, POINTS)
    buckets = t5_bucket(-distances, False, **numbers)
    figure = _curve(
        distances.numpy(),
        buckets.numpy(),
        "t5",
        title=f"T5: bucket of each distance, {numbers['num_buckets']} buckets (decoder)",
        x_title="distance i − j (tokens)",
        y_title="bucket",
        marks=[Mark("x", numbers["max_distance"], "max_distance")],
    )
    code = (
        f"distances = log_positions({2 * numbers['max_distance'] + 2}, {POINTS})\n"
        f"values = t5_bucket(-distances, False, **{numbers})\n"
    )
    frame = curve_frame("distance", distances.tolist(), {"bucket": buckets.numpy()})
    last = int(distances[-1])
    staircase = T5Buckets(last + 1, False, numbers["num_buckets"], numbers["max_distance"])
    alt = "Staircase of the bucket over the distance"
    chart = Chart("other", figure, alt, lambda _, distance: staircase.steps(distance, 0))
    middle = int(distances[len(distances) // 2])
    points = Points(["bucket"], (1, last), "distance", (0, middle))
    return chart, points, {"buckets": frame}, code


def _rows(layer: OtherLayer, target: int) -> Picture:
    length = layer.max_length or target
    positions = log_positions(length, POINTS)
    figure = _curve(
        positions.numpy(),
        positions.numpy(),
        "learned",
        title=f"Learned table: row that each position reads, {length:,} rows",
        x_title="position p",
        y_title="row of the table",
    )
    shade_outside_training(figure, length, max(target, 2 * length), label="no row")
    code = f"values = log_positions({length}, {POINTS})\n"
    frame = curve_frame("position", positions.tolist(), {"row": positions.numpy()})
    alt = "Row of the table over the position, up to its last row"
    chart = Chart("other", figure, alt, lambda _, p: (Step("r", "p", "", p),))
    points = Points(["row"], (1, length - 1), "position", (0, length - 1))
    return chart, points, {"rows": frame}, code


def _temperature(layer: OtherLayer, target: int) -> Picture:
    floor, scale = int(layer.parameters["floor_scale"]), layer.parameters["attn_scale"]
    positions = log_positions(target, POINTS)
    factors = llama4_temperature(positions, floor, scale).numpy()
    figure = _curve(
        positions.numpy(),
        factors,
        "nope",
        title="No position here: the queries are scaled by their own position",
        x_title="position of the query p",
        y_title="factor on the query",
        marks=[Mark("x", floor, "floor_scale")],
    )
    code = (
        f"positions = log_positions({target}, {POINTS})\n"
        f"values = llama4_temperature(positions, {floor}, {scale})\n"
    )
    frame = curve_frame("position", positions.tolist(), {"factor": factors})
    alt = "Factor on the query over its position"
    chart = Chart("other", figure, alt, lambda _, p: llama4_temperature_steps(p, floor, scale))
    points = Points(["factor"], (1, target - 1), "position", (0, target - 1))
    return chart, points, {"temperature": frame}, code


def _curve(x: np.ndarray, y: np.ndarray, encoding: str, **options: Any) -> go.Figure:
    one = Series(encoding, y, color=look(encoding).color, dash="solid", marker="")
    return lines(x, [one], log_x=True, **options)

"""Layers without rotation in the studio: words and pictures."""

from typing import Any

import numpy as np
import streamlit as st

from advisor.families.without_rotation import WITHOUT_ROTATION
from advisor.layers import AxialLayer, OtherLayer
from plots.lines import Mark, Series
from plots.looks import look
from plots.style import OKABE_ITO, shade_outside_training
from posenc import alibi_slopes, t5_bucket
from posenc.alibi.steps import alibi_slope_steps
from posenc.quantity.sampling import log_positions
from posenc.quantity.step import Step
from posenc.rope.steps import wavelength_steps
from posenc.t5.picture import T5Buckets
from posenc.temperature.formula import llama4_temperature
from posenc.temperature.steps import llama4_temperature_steps
from posenc.words import say
from ui import screen
from ui.controls.model_config import Model
from ui.words import _, translate

POINTS = 1024
Drawn = tuple[screen.ScreenFigure, str]
"""A figure, and the lines of Python that make its numbers, from `layer`."""


def show_other(model: Model, layer: OtherLayer, layer_type: str, target: int) -> screen.ScreenView:
    """Draw how layers without rotation use positions, in words and in a picture if there is one."""
    words = WITHOUT_ROTATION[layer.encoding]
    st.markdown(f"{translate(words.name)}. {translate(words.further)}")
    if isinstance(layer, AxialLayer):
        st.markdown(" ".join(axes_in_words(layer)))
    drawn = other_picture(layer, target)
    if drawn is None:
        return screen.ScreenView(dict, f"{model.code}values = config.layers[{layer_type!r}]\n")
    figure, body = drawn
    if isinstance(layer, AxialLayer):
        body = f"layer = config.layers[{layer_type!r}]\n{body}"
    return screen.draw(screen.Picture(figures=[figure], code=model.code + body))


def other_picture(layer: OtherLayer, target: int) -> Drawn | None:
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


def _slopes(layer: OtherLayer) -> Drawn:
    heads = layer.num_heads
    if heads is None:
        raise ValueError(say("num_attention_heads must be given, got nothing."))
    bias_max = layer.parameters["alibi_bias_max"]
    figure = screen.BarsFigure(
        values=alibi_slopes(heads, bias_max).numpy(),
        name=_("slope"),
        title=_("ALiBi: slope of each of the {count} heads (analytic)", count=heads),
        x_title=_("head h"),
        y_title=_("slope (per token)"),
        color=look("alibi").color,
        log_y=True,
        key="other",
        alt=_("Bars of the slope of each head"),
        steps=lambda _curve, head: alibi_slope_steps(heads, head, bias_max),
        x_name=_("head"),
        point=(0, heads - 1),
        table=say("slopes"),
    )
    return figure, f"values = alibi_slopes({heads}, {bias_max})\n"


def _buckets(layer: OtherLayer) -> Drawn:
    numbers = {name: int(value) for name, value in layer.parameters.items()}
    distances = log_positions(2 * numbers["max_distance"] + 2, POINTS)
    last = int(distances[-1])
    staircase = T5Buckets(last + 1, False, numbers["num_buckets"], numbers["max_distance"])
    figure = _curve(
        "t5",
        _("bucket"),
        distances.numpy(),
        t5_bucket(-distances, False, **numbers).numpy(),
        title=_(
            "T5: bucket of each distance, {count} buckets (decoder, analytic)",
            count=numbers["num_buckets"],
        ),
        x_title=_("distance i − j (tokens)"),
        y_title=_("bucket"),
        marks=[Mark("x", numbers["max_distance"], "max_distance")],
        alt=_("Staircase of the bucket over the distance"),
        steps=lambda _curve, distance: staircase.steps(distance, 0),
        x_name=_("distance"),
        point=(0, int(distances[len(distances) // 2])),
        table=say("buckets"),
    )
    return figure, (
        f"distances = log_positions({2 * numbers['max_distance'] + 2}, {POINTS})\n"
        f"values = t5_bucket(-distances, False, **{numbers})\n"
    )


def _rows(layer: OtherLayer, target: int) -> Drawn:
    length = layer.max_length or target
    positions = log_positions(length, POINTS).numpy()
    end = max(target, 2 * length)
    figure = _curve(
        "learned",
        _("row"),
        positions,
        positions,
        title=_("Learned table: row that each position reads, {count:,} rows", count=length),
        x_title=_("position p"),
        y_title=_("row of the table"),
        finish=lambda drawn: shade_outside_training(drawn, length, end, label=_("no row")),
        alt=_("Row of the table over the position, up to its last row"),
        steps=lambda _curve, p: (Step("r", "p", "", p),),
        x_name=_("position"),
        point=(0, length - 1),
        table=say("rows"),
    )
    return figure, f"values = log_positions({length}, {POINTS})\n"


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


def _axes(layer: AxialLayer) -> Drawn:
    inv_freq, axis = layer.frequencies()
    turning = {
        translate(AXES[name]): inv_freq[axis == place]
        for place, name in enumerate(layer.axes.names)
    }
    every = list(turning.values())
    series = [
        Series(name, 2 * np.pi / theta, color=OKABE_ITO[place], dash=DASHES[place], marker="")
        for place, (name, theta) in enumerate(turning.items())
    ]
    figure = screen.LinesFigure(
        x=range(len(every[0])),
        series=series,
        title=_("Wavelength of each pair, by the axis that it turns with"),
        x_title=_("pair i of its axis"),
        y_title=_("patches for a full turn"),
        log_y=True,
        key="other",
        alt=_("Wavelengths of the pairs of each axis, in patches"),
        steps=lambda curve, pair: wavelength_steps(pair, every[curve]),
        x_name=_("pair"),
        table=say("wavelengths"),
    )
    return figure, (
        "inv_freq, axis = layer.frequencies()\n"
        "by_axis = [inv_freq[axis == a] for a in axis.unique()]\n"
        "values = 2 * torch.pi / torch.stack(by_axis)\n"
    )


def _temperature(layer: OtherLayer, target: int) -> Drawn:
    floor = int(layer.parameters["floor_scale"])
    scale = layer.parameters["attn_scale"]
    positions = log_positions(target, POINTS)
    figure = _curve(
        "nope",
        _("factor"),
        positions.numpy(),
        llama4_temperature(positions, floor, scale).numpy(),
        title=_("No position here: the queries are scaled by their own position"),
        x_title=_("position of the query p"),
        y_title=_("factor on the query"),
        marks=[Mark("x", floor, "floor_scale")],
        alt=_("Factor on the query over its position"),
        steps=lambda _curve, p: llama4_temperature_steps(p, floor, scale),
        x_name=_("position"),
        point=(0, target - 1),
        table=say("temperature"),
    )
    return figure, (
        f"positions = log_positions({target}, {POINTS})\n"
        f"values = llama4_temperature(positions, {floor}, {scale})\n"
    )


def _curve(
    encoding: str, name: str, x: np.ndarray, y: np.ndarray, **options: Any
) -> screen.LinesFigure:
    """One curve over a logarithmic axis."""
    return screen.LinesFigure(
        x=x,
        series=[Series(name, y, color=look(encoding).color, dash="solid", marker="")],
        log_x=True,
        key="other",
        **options,
    )

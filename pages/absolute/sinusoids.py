"""How alike the rows of a sinusoidal table are, and the one map that moves all of them."""

from functools import partial
from typing import Any

import streamlit as st
import torch

from pages.absolute.waves import settings, sinusoid
from plots.lines import Series, lines
from posenc import Axis, Computed, rope_rotation_matrix, sinusoidal_shift, sinusoidal_table
from posenc.rope.pairs import Layout
from posenc.sinusoidal.formula import sinusoidal_at, sinusoidal_inv_freq
from posenc.sinusoidal.picture import SinusoidalSimilarity
from posenc.sinusoidal.shift import sinusoidal_similarity
from posenc.sinusoidal.steps import sinusoidal_shift_steps
from posenc.words import say
from ui import notebooks, screen
from ui.charts.curve import curve_chart
from ui.charts.matrix import matrix
from ui.screen.budget import room
from ui.words import _, number

CHECKED = 256
"""Positions on which the shift is checked."""

SIMILARITY_CODE = """\
quantity = SinusoidalSimilarity({length}, {d_model}, {base}, "{layout}")
"""
SHIFT_CODE = """\
shift = sinusoidal_shift({offset}, {d_model}, {base}, "{layout}")
before = sinusoidal_at(torch.arange(10), {d_model}, {base}, "{layout}")
after = sinusoidal_at(torch.arange(10) + {offset}, {d_model}, {base}, "{layout}")
print((before @ shift.T - after).abs().max())
quantity = Computed(shift, "M", Axis("p + k", {d_model}), Axis("p", {d_model}), signed=True)
"""


def show_similarity(chosen: dict[str, Any]) -> screen.ScreenView:
    """Draw the dot products of all pairs of rows, and the one curve behind them.

    Args:
        chosen: The controls: length, d_model, base, layout.

    Returns:
        The tables and the snippet.
    """
    length = chosen["length"]
    similarity = SinusoidalSimilarity(length, *sinusoid(chosen))
    notebooks.computed("similarity", **settings(chosen))
    shown = matrix(
        similarity,
        key="similarity",
        title=_("Similarity PE(m)·PE(n) of {length:,} positions", length=length),
        alt=_("Heatmap of dot products: largest on the diagonal, the same along each diagonal"),
        default_cell=(min(40, length - 1), min(10, length - 1)),
    )
    at = torch.tensor([0, 1, 10, 100])
    some = sinusoidal_similarity(at, *sinusoid(chosen)).tolist()
    screen.readouts(
        {
            _("at distance {distance}", distance=distance): number(value, ".4f")
            for distance, value in zip(at.tolist(), some, strict=True)
        }
    )
    distances = torch.arange(min(length, 1024))
    values = sinusoidal_similarity(distances, *sinusoid(chosen)).numpy()
    figure = lines(
        distances.numpy(),
        [Series(_("similarity"), values, marker="")],
        title=_("Similarity against distance: it falls and swings"),
        x_title=_("distance |m − n|"),
        y_title="PE(m)·PE(n)",
    )
    notebooks.computed("curve", **settings(chosen), count=len(distances))
    curve_chart(
        figure,
        lambda _, distance: similarity.steps(distance, 0),
        key="curve",
        alt=_("Curve of similarity against distance"),
        names=[_("similarity")],
        places=(0, len(distances) - 1),
        x_name=_("distance"),
        default=(0, min(10, len(distances) - 1)),
        height=340,
    )
    curve = screen.curve_frame(_("distance"), distances.tolist(), {_("similarity"): values})
    return screen.ScreenView(
        lambda: {say("similarity"): screen.view_frame(shown.view), say("curve"): curve},
        SIMILARITY_CODE.format(**chosen) + shown.code(),
    )


def show_shift(chosen: dict[str, Any]) -> screen.ScreenView:
    """Draw the map from PE(p) to PE(p + k), check it, and compare it with RoPE's rotation.

    Args:
        chosen: The controls: offset, d_model, base, layout.

    Returns:
        The table and the snippet.

    Raises:
        ValueError: If the map would need too much memory, or d_model is odd.
    """
    d_model = sinusoid(chosen)[0]
    with room(
        6 * d_model**2 * 8,
        say("A map of {width:,} × {width:,} numbers", width=d_model),
        say("Take a smaller width."),
    ):
        return _draw_shift(chosen)


def _draw_shift(chosen: dict[str, Any]) -> screen.ScreenView:
    (d_model, base, layout), k = sinusoid(chosen), chosen["offset"]
    shift = sinusoidal_shift(k, d_model, base, layout)
    axes = Axis(say("dimension of PE(p + k)"), d_model), Axis(say("dimension of PE(p)"), d_model)
    explain = partial(sinusoidal_shift_steps, offset=k, d_model=d_model, base=base, layout=layout)
    notebooks.computed("shift", **settings(chosen), offset=k)
    shown = matrix(
        Computed(shift, "Mₖ", *axes, signed=True, explain=explain),
        key="shift",
        title=_("The map from PE(p) to PE(p + {offset})", offset=k),
        alt=_("Heatmap of the map: two by two blocks of cosines and sines, zero elsewhere"),
    )
    before = sinusoidal_table(CHECKED, d_model, base, layout)
    after = sinusoidal_at(torch.arange(CHECKED) + k, d_model, base, layout)
    order: Layout = "interleaved" if layout == "interleaved" else "half"
    rotation = rope_rotation_matrix(-k, sinusoidal_inv_freq(d_model, base, layout), order)
    largest = {
        _("largest |Mₖ PE(p) − PE(p + k)|"): before @ shift.T - after,
        _("largest |Mₖ Mₖᵀ − I|"): shift @ shift.T - torch.eye(d_model),
        _("largest |Mₖ − R₋ₖ| of RoPE"): shift - rotation,
    }
    screen.readouts({name: number(d.abs().max().item(), ".2g") for name, d in largest.items()})
    last = CHECKED - 1
    st.caption(
        _(
            "Checked at p = 0 … {last}. R is RoPE's rotation matrix with the same frequencies, in "
            "the interleaved layout.",
            last=last,
        )
        if order == "interleaved"
        else _(
            "Checked at p = 0 … {last}. R is RoPE's rotation matrix with the same frequencies, in "
            "the half layout.",
            last=last,
        )
    )
    return screen.ScreenView(
        lambda: {say("shift"): screen.view_frame(shown.view)},
        SHIFT_CODE.format(**chosen) + shown.code(),
    )

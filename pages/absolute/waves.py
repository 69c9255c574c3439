"""The sinusoidal table: all of it, a few of its columns as waves, and their wavelengths."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from plots.lines import Mark, Series, lines
from posenc import rope_wavelengths
from posenc.rope.steps import wavelength_steps
from posenc.sinusoidal.formula import SinusoidalLayout, sinusoidal_inv_freq
from posenc.sinusoidal.picture import SinusoidalTable
from posenc.words import say
from ui import notebooks, screen
from ui.charts.curve import curve_chart
from ui.charts.matrix import Shown, matrix
from ui.words import _, number

CODE = """\
quantity = SinusoidalTable({length}, {d_model}, {base}, "{layout}")
"""
WAVES = 512
"""Positions on one picture of waves."""


def sinusoid(chosen: dict[str, Any]) -> tuple[int, float, SinusoidalLayout]:
    """The arguments that all sinusoidal functions share."""
    return chosen["d_model"], chosen["base"], chosen["layout"]


def settings(chosen: dict[str, Any]) -> dict[str, Any]:
    """The same by name, for a notebook."""
    return {name: chosen[name] for name in ("d_model", "base", "layout")}


def show(chosen: dict[str, Any]) -> screen.ScreenView:
    """Draw the table, the waves of some dimensions, and how long the waves are.

    Args:
        chosen: The controls: length, d_model, base, layout.

    Returns:
        The tables and the snippet.
    """
    length, d_model = chosen["length"], chosen["d_model"]
    table = SinusoidalTable(length, *sinusoid(chosen))
    notebooks.computed("table", **settings(chosen))
    shown = matrix(
        table,
        key="table",
        title=_(
            "Sinusoidal table, {length:,} positions × {width:,} dimensions",
            length=length,
            width=d_model,
        ),
        alt=_("Heatmap of the sinusoidal table: fast waves in some columns, slow waves in others"),
        default_cell=(min(7, length - 1), min(8, d_model - 1)),
    )
    theta = sinusoidal_inv_freq(*sinusoid(chosen))
    wavelengths = rope_wavelengths(theta)
    code = CODE.format(**chosen) + shown.code()
    tables: dict[str, pd.DataFrame] = {say("table"): screen.view_frame(shown.view)}
    if len(wavelengths) == 0:
        st.caption(_("At this width the layout has no sine: the column is zero."))
        return screen.ScreenView(lambda: tables, code)
    slow = int((wavelengths > length).sum())
    screen.readouts(
        {
            _("shortest wave"): _("{wave:.4g} positions", wave=wavelengths[0].item()),
            _("longest wave"): _("{wave:,.0f} positions", wave=wavelengths[-1].item()),
            _("waves longer than the text"): _(
                "{slow} of {waves}", slow=slow, waves=len(wavelengths)
            ),
            _("computed in"): _("{time:.1f} ms", time=shown.milliseconds),
        }
    )
    waves, lengths = st.columns(2, gap="large")
    with waves:
        tables[say("waves")] = show_waves(table, shown)
    with lengths:
        notebooks.computed("wavelengths", **settings(chosen))
        tables[say("wavelengths")] = show_wavelengths(theta, length)
    return screen.ScreenView(lambda: tables, code)


def show_waves(table: SinusoidalTable, shown: Shown) -> pd.DataFrame:
    """A few columns of the table as curves, the chosen cell's among them."""
    spread = {part * table.d_model // 4 for part in range(4)}
    dimensions = sorted(spread | {shown.cell[1]})
    start = shown.rows[0]
    stop = min(shown.rows[1], shown.rows[0] + WAVES)
    columns = table.at(torch.arange(start, stop), torch.tensor(dimensions)).numpy()
    curves = {_("dimension {number}", number=d): columns[:, n] for n, d in enumerate(dimensions)}
    positions = list(range(start, stop))
    figure = lines(
        positions,
        [Series(name, y, dash="solid", marker="") for name, y in curves.items()],
        title=_("Waves, that of dimension {number} among them", number=shown.cell[1]),
        x_title=_("position p"),
        y_title="PE",
        y_range=(-1.05, 1.05),
    )
    own = dimensions.index(shown.cell[1])
    notebooks.computed(
        "waves",
        d_model=table.d_model,
        base=table.base,
        layout=table.layout,
        positions=(start, stop),
        dimensions=dimensions,
    )
    curve_chart(
        figure,
        lambda wave, position: table.steps(position, dimensions[wave]),
        key="waves",
        alt=_("Curves of columns of the table against position"),
        names=list(curves),
        places=(start, stop - 1),
        x_name=_("position"),
        default=(own, min(max(shown.cell[0], start), stop - 1)),
        height=360,
    )
    return screen.curve_frame(_("position"), positions, curves)


def show_wavelengths(theta: Tensor, length: int) -> pd.DataFrame:
    """How many positions each frequency takes for one turn."""
    pairs = np.arange(len(theta))
    wavelengths = rope_wavelengths(theta)
    figure = lines(
        pairs,
        [Series(_("wavelength"), wavelengths.numpy())],
        title=_("Wavelength of each pair"),
        x_title=_("pair i"),
        y_title=_("wavelength λᵢ (positions)"),
        log_y=True,
        marks=[Mark("y", length, "L = " + number(length))],
    )
    curve_chart(
        figure,
        lambda _, pair: wavelength_steps(pair, theta),
        key="wavelengths",
        alt=_("Wavelength of each pair, a straight line"),
        names=[_("wavelength")],
        places=(0, len(theta) - 1),
        x_name=_("pair"),
        default=(0, len(theta) // 8),
        height=360,
    )
    return screen.curve_frame(_("pair"), pairs.tolist(), {_("wavelength"): wavelengths.numpy()})

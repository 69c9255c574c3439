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
from ui import screen
from ui.charts.curve import curve_chart
from ui.charts.matrix import Shown, matrix

WAVES = 512
"""Positions on one picture of waves."""
TABLE = 'quantity = SinusoidalTable({length}, {d_model}, {base}, "{layout}")\n'


def sinusoid(chosen: dict[str, Any]) -> tuple[int, float, SinusoidalLayout]:
    """The arguments that all sinusoidal functions share."""
    return chosen["d_model"], chosen["base"], chosen["layout"]


def show_table(chosen: dict[str, Any]) -> screen.ScreenView:
    """Draw the table, the waves of some dimensions, and how long the waves are.

    Args:
        chosen: The controls: length, d_model, base, layout.
    """
    length, d_model = chosen["length"], chosen["d_model"]
    table = SinusoidalTable(length, *sinusoid(chosen))
    shown = matrix(
        table,
        key="table",
        title=f"Sinusoidal table, {length:,} positions × {d_model:,} dimensions",
        alt="Heatmap of the sinusoidal table: fast waves in some columns, slow ones in others",
        default_cell=(min(7, length - 1), min(8, d_model - 1)),
    )
    theta = sinusoidal_inv_freq(*sinusoid(chosen))
    wavelengths = rope_wavelengths(theta)
    tables = {"table": screen.view_frame(shown.view)}
    view = screen.ScreenView(lambda: tables, TABLE.format(**chosen) + shown.code())
    if len(wavelengths) == 0:
        st.caption("At this width the layout has no sine: the column is zero.")
        return view
    slow = int((wavelengths > length).sum())
    screen.readouts(
        {
            "shortest wave": f"{wavelengths[0]:.4g} positions",
            "longest wave": f"{wavelengths[-1]:,.0f} positions",
            "waves longer than the text": f"{slow} of {len(wavelengths)}",
            "computed in": f"{shown.milliseconds:.1f} ms",
        }
    )
    waves, lengths = st.columns(2, gap="large")
    with waves:
        tables["waves"] = show_waves(table, shown)
    with lengths:
        tables["wavelengths"] = show_wavelengths(theta, length)
    return view


def show_waves(table: SinusoidalTable, shown: Shown) -> pd.DataFrame:
    """A few columns of the table as curves, the chosen cell's among them."""
    spread = {part * table.d_model // 4 for part in range(4)}
    dimensions = sorted(spread | {shown.cell[1]})
    start, stop = shown.rows[0], min(shown.rows[1], shown.rows[0] + WAVES)
    columns = table.at(torch.arange(start, stop), torch.tensor(dimensions)).numpy()
    curves = {f"dimension {d}": columns[:, n] for n, d in enumerate(dimensions)}
    positions = list(range(start, stop))
    figure = lines(
        positions,
        [Series(name, y, dash="solid", marker="") for name, y in curves.items()],
        title=f"Waves, that of dimension {shown.cell[1]} among them",
        x_title="position p",
        y_title="PE",
        y_range=(-1.05, 1.05),
    )
    own = dimensions.index(shown.cell[1])
    curve_chart(
        figure,
        lambda wave, position: table.steps(position, dimensions[wave]),
        key="waves",
        alt="Curves of columns of the table against position",
        names=list(curves),
        places=(start, stop - 1),
        x_name="position",
        default=(own, min(max(shown.cell[0], start), stop - 1)),
        height=360,
    )
    return screen.curve_frame("position", positions, curves)


def show_wavelengths(theta: Tensor, length: int) -> pd.DataFrame:
    """How many positions each frequency takes for one turn."""
    pairs, wavelengths = np.arange(len(theta)), rope_wavelengths(theta)
    figure = lines(
        pairs,
        [Series("wavelength", wavelengths.numpy())],
        title="Wavelength of each pair",
        x_title="pair i",
        y_title="wavelength λᵢ (positions)",
        log_y=True,
        marks=[Mark("y", length, f"L = {length:,}")],
    )
    curve_chart(
        figure,
        lambda _, pair: wavelength_steps(pair, theta),
        key="wavelengths",
        alt="Wavelength of each pair, a straight line",
        names=["wavelength"],
        places=(0, len(theta) - 1),
        x_name="pair",
        default=(0, len(theta) // 8),
        height=360,
    )
    return screen.curve_frame("pair", pairs.tolist(), {"wavelength": wavelengths.numpy()})

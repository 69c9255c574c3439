"""The sinusoidal table: all of it, a few of its columns as waves, and their wavelengths."""

from functools import partial

import torch
from torch import Tensor

from pages.absolute.settings import BYTES_A_DIMENSION, START, Settings
from plots.lines import Mark, Series
from posenc.rope.steps import wavelength_steps
from posenc.sinusoidal.formula import sinusoidal_inv_freq
from posenc.sinusoidal.picture import SinusoidalTable
from posenc.study import rope_wavelengths
from posenc.words import say
from ui import screen
from ui.charts.matrix import Shown
from ui.words import _, number

WAVES = 512
"""Positions on one picture of waves."""


def picture(s: Settings) -> screen.Picture:
    """The table, the waves of some dimensions, and how long the waves are."""
    table = SinusoidalTable(s.length, *s.sinusoid)
    theta = sinusoidal_inv_freq(*s.sinusoid)
    if len(theta) == 0:
        none = _("At this width the layout has no sine: the column is zero.")
        return screen.Picture(figures=[matrix(s, table, none)])
    wavelengths = rope_wavelengths(theta)
    slow = int((wavelengths > s.length).sum())
    return screen.Picture(
        figures=[matrix(s, table), partial(beside, s, table, theta)],
        readouts={
            _("shortest wave"): _("{wave:.4g} positions", wave=wavelengths[0].item()),
            _("longest wave"): _("{wave:,.0f} positions", wave=wavelengths[-1].item()),
            _("waves longer than the text"): _(
                "{slow} of {waves}", slow=slow, waves=len(wavelengths)
            ),
        },
        memory=BYTES_A_DIMENSION * s.d_model,
    )


def _title(s: Settings) -> str:
    """Title that says the base where it is not the usual one."""
    size = {"length": s.length, "width": s.d_model}
    if s.base == START["base"]:
        return _("Sinusoidal table, {length:,} positions × {width:,} dimensions", **size)
    return _(
        "Sinusoidal table, {length:,} positions × {width:,} dimensions, base {base:,.15g}",
        **size,
        base=s.base,
    )


def matrix(s: Settings, table: SinusoidalTable, caption: str = "") -> screen.MatrixFigure:
    return screen.MatrixFigure(
        key="table",
        quantity=table,
        title=_title(s),
        alt=_("Heatmap of the sinusoidal table: fast waves in some columns, slow waves in others"),
        cell=(min(7, s.length - 1), min(8, s.d_model - 1)),
        table=say("table"),
        settings=s.program,
        caption=caption,
    )


def beside(s: Settings, table: SinusoidalTable, theta: Tensor, shown: Shown) -> screen.RowFigure:
    """Waves of the rows that are shown, and all wavelengths."""
    return screen.RowFigure(figures=[waves(s, table, shown), wavelengths_of(s, theta)])


def waves(s: Settings, table: SinusoidalTable, shown: Shown) -> screen.LinesFigure:
    """A few columns of the table as curves, the chosen cell's among them."""
    spread = {part * s.d_model // 4 for part in range(4)}
    dimensions = sorted(spread | {shown.cell[1]})
    start = shown.rows[0]
    stop = min(shown.rows[1], start + WAVES)
    columns = table.at(torch.arange(start, stop), torch.tensor(dimensions)).T
    return screen.LinesFigure(
        key="waves",
        alt=_("Curves of columns of the table against position"),
        x=range(start, stop),
        series=[
            Series(_("dimension {number}", number=d), y, dash="solid", marker="")
            for d, y in zip(dimensions, columns, strict=True)
        ],
        title=_("Waves, that of dimension {number} among them", number=shown.cell[1]),
        x_title=_("position p"),
        y_title="PE",
        y_range=(-1.05, 1.05),
        steps=lambda wave, position: table.steps(position, dimensions[wave]),
        x_name=_("position"),
        point=(dimensions.index(shown.cell[1]), min(max(shown.cell[0], start), stop - 1)),
        table=say("waves"),
        settings=s.program | {"positions": (start, stop), "dimensions": dimensions},
        height=360,
    )


def wavelengths_of(s: Settings, theta: Tensor) -> screen.LinesFigure:
    """How many positions each frequency takes for one turn."""
    return screen.LinesFigure(
        key="wavelengths",
        alt=_("Wavelength of each pair, a straight line"),
        x=range(len(theta)),
        series=[Series(_("wavelength"), rope_wavelengths(theta))],
        title=_("Wavelength of each pair"),
        x_title=_("pair i"),
        y_title=_("wavelength λᵢ (positions)"),
        log_y=True,
        marks=[Mark("y", s.length, "L = " + number(s.length))],
        steps=lambda _curve, pair: wavelength_steps(pair, theta),
        x_name=_("pair"),
        point=(0, len(theta) // 8),
        table=say("wavelengths"),
        settings=s.program,
        height=360,
    )

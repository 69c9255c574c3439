"""A position of every patch of an image: the time, the row or the column."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import torch
from torch import Tensor

from pages.mrope.settings import AXES, Film, has_frames
from pages.mrope.steps import position_steps
from posenc.quantity.matrix import Axis, Computed
from posenc.quantity.step import Step
from posenc.quantity.step import number as written
from posenc.words import say
from ui import screen
from ui.charts.matrix import Shown
from ui.controls import choice, entry, number
from ui.words import _, translate
from ui.words import number as told

TITLES = {
    "time": say("Time position of every patch"),
    "row": say("Row position of every patch"),
    "column": say("Column position of every patch"),
}


@dataclass(frozen=True, kw_only=True)
class Settings(Film):
    frame: int = entry(
        number,
        say("Frame shown"),
        0,
        0,
        lambda s: s.frames - 1,
        help=say("Counted from 0."),
        when=has_frames,
    )
    axis: Literal["time", "row", "column"] = entry(
        choice,
        say("Shown"),
        AXES,
        "row",
        help=say("One of the three positions that every patch has."),
        above=True,
    )

    @property
    def start(self) -> int:
        """The first token of the frame."""
        between = (self.frame + 1) * self.stamp if self.is_apart else 0
        return self.before + self.frame * self.rows * self.columns + between

    @property
    def patches(self) -> Tensor:
        """Positions of the frame, float64 (3, rows, columns)."""
        shown = self.positions[:, self.start : self.start + self.rows * self.columns]
        return shown.reshape(3, self.rows, self.columns).to(torch.float64)


def picture(s: Settings) -> screen.Picture:
    """The chosen position of all patches, and all three of the one that is followed."""
    patches = s.patches
    axis = [*AXES].index(s.axis)
    figure = screen.MatrixFigure(
        key="patches",
        quantity=Computed(
            patches[axis],
            say("position"),
            Axis(say("row of patches"), s.rows),
            Axis(say("column of patches"), s.columns),
            explain=partial(steps, s, axis),
        ),
        title=translate(TITLES[s.axis]),
        alt=_(
            "Heatmap of the patches. The time is the same everywhere, the row grows downwards, the "
            "column to the right"
        ),
        cell=(min(2, s.rows - 1), min(3, s.columns - 1)),
        table=say("positions"),
        settings={**s.program, "frame": s.frame, "axis": axis},
    )
    return screen.Picture(figures=[figure], readouts=partial(readouts, s, patches))


def readouts(s: Settings, patches: Tensor, shown: Shown) -> dict[str, str]:
    """The number of the token that is followed, and its three positions."""
    row, column = shown.cell
    three = patches[:, row, column].tolist()
    values = zip(AXES.values(), three, strict=True)
    return {
        _("token n"): told(s.start + row * s.columns + column),
        **{translate(name): told(int(value)) for name, value in values},
    }


def steps(s: Settings, axis: int, row: int, column: int) -> tuple[Step, ...]:
    """The number of the token, and its position."""
    numbers = rf"{written(s.start)} + {row} \cdot {s.columns} + {column}"
    token = s.start + row * s.columns + column
    return Step("n", r"n_f + y\,C + x", numbers, float(token)), *position_steps(s, axis, token)

"""The score of one patch with all patches by position alone, in blocks beside interleaved."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import torch
from torch import Tensor

from pages.mrope.settings import SIDE, dials, sides
from posenc import mrope_axis_of_pair, rope_inv_freq
from posenc.quantity.matrix import Axis, Computed
from posenc.quantity.step import Step, factor, number, number_sum
from posenc.waves import wave_sum, wave_terms
from posenc.words import say
from ui import screen
from ui.charts.panels import Panel
from ui.controls import entry
from ui.controls import number as number_control
from ui.words import _

MODELS = {
    "Qwen2.5-VL-7B": say("Qwen2.5-VL: in blocks"),
    "Qwen3-VL-4B": say("Qwen3-VL: interleaved"),
}
MOST_PAIRS = 20
"""Pairs of the rows in the model that has the fewest."""


def away(label: str, default: int, help: str) -> Any:
    return entry(number_control, label, default, -SIDE, SIDE, help=help)


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("up", "left")

    rows: int = sides(say("Rows"), 4)
    columns: int = sides(say("Columns"), 6)
    up: int = away(say("Rows up"), 1, say("To the patch that the head looks for."))
    left: int = away(say("Columns left"), 0, say("To the patch that the head looks for."))
    used: int = entry(
        number_control,
        say("Pairs used"),
        4,
        1,
        MOST_PAIRS,
        help=say("Of the rows, and of the columns: the fastest ones. Query and keys lie on these."),
    )

    @property
    def wanted(self) -> tuple[int, int]:
        """Row and column that the middle patch looks for."""
        return self.rows // 2 - self.up, self.columns // 2 - self.left


def fastest(name: str, used: int) -> tuple[Tensor, Tensor]:
    """θ of the fastest pairs of a model's rows, and of its columns, (used,) each."""
    its = dials(name)
    sections = [int(one) for one in its["sections"].split(", ")]
    axes = mrope_axis_of_pair(sections, interleaved=its["order"] == "interleaved")
    inv_freq = rope_inv_freq(its["rotary_dim"], its["base"])[0]
    return inv_freq[axes == 1][:used], inv_freq[axes == 2][:used]


def scores(s: Settings, pairs: tuple[Tensor, Tensor], rows: Tensor, columns: Tensor) -> Tensor:
    """Mean over the pairs of the cosine from the patch that is looked for, (rows, columns)."""
    down, across = wave_sum(s.wanted[0] - rows, pairs[0]), wave_sum(s.wanted[1] - columns, pairs[1])
    return (down[:, None] + across) / (2 * s.used)


def picture(s: Settings) -> screen.Picture:
    """Both matrices on one scale."""
    axes = Axis(say("row of patches"), s.rows), Axis(say("column of patches"), s.columns)
    places = torch.arange(s.rows), torch.arange(s.columns)
    panels = []
    for tag, (name, label) in zip(("blocks", "interleaved"), MODELS.items(), strict=True):
        pairs = fastest(name, s.used)
        quantity = Computed(
            scores(s, pairs, *places), say("score"), *axes, explain=partial(steps, s, pairs)
        )
        panels.append(Panel(tag, label, quantity))
    figure = screen.PanelsFigure(
        key="scores",
        title=_(
            "Score of the middle patch, which looks for row {row}, column {column}, by position "
            "alone",
            row=s.wanted[0],
            column=s.wanted[1],
        ),
        alt=_(
            "Two heatmaps of patches: a patch beside the one that is looked for scores little less "
            "in blocks, and clearly less interleaved"
        ),
        panels=panels,
        columns=2,
        height=380,
        cell=(min(1, s.rows - 1), min(3, s.columns - 1)),
        tag="interleaved",
        settings=screen.only(s, "rows", "columns", "up", "left", "used"),
        caption=_(
            "The middle patch is in row {row} and column {column}. Its query is turned by the way "
            "to the patch that it looks for; all keys have the same content. 1 is the most that a "
            "patch can get.",
            row=s.rows // 2,
            column=s.columns // 2,
        ),
    )
    return screen.Picture(figures=[figure])


def steps(s: Settings, pairs: tuple[Tensor, Tensor], row: int, column: int) -> tuple[Step, ...]:
    """How far the patch is from the one that is looked for, and the mean of the cosines."""
    down, across = s.wanted[0] - row, s.wanted[1] - column
    terms = [
        *wave_terms(torch.tensor([down]), pairs[0])[0].tolist(),
        *wave_terms(torch.tensor([across]), pairs[1])[0].tolist(),
    ]
    value = scores(s, pairs, torch.tensor([row]), torch.tensor([column])).item()
    return (
        Step(
            r"\delta_r",
            "r_q - v - y",
            rf"{s.rows // 2} - {factor(s.up)} - {row}",
            float(down),
        ),
        Step(
            r"\delta_c",
            "c_q - w - x",
            rf"{s.columns // 2} - {factor(s.left)} - {column}",
            float(across),
        ),
        Step(
            "s",
            rf"\tfrac1{{{len(terms)}}} \textstyle\sum_i \cos(\delta_{{a_i}} \theta_i)",
            rf"({number_sum(terms)})/{number(len(terms))}",
            value,
        ),
    )

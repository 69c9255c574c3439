"""A learned table of positions: its rows, its end, and how interpolation makes it longer."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from lab.training.checkpoints import DATA, load_checkpoint
from pages.absolute import settings
from plots.lines import Series
from posenc import Learned, sinusoidal_table
from posenc.learned.formula import INIT_STD
from posenc.learned.longer import interpolate_table
from posenc.learned.steps import interpolation_steps, row_similarity, row_similarity_steps
from posenc.quantity.matrix import Axis, Computed
from posenc.random_model import randomise
from posenc.words import say
from ui import controls, screen
from ui.charts.matrix import Shown
from ui.charts.panels import Panel
from ui.notebooks import Code
from ui.screen.budget import room
from ui.text import controls as text_controls
from ui.words import _, translate

SOURCES = {"trained": say("trained on code"), "random": say("random")}
"""Where the table comes from."""
COMPARED = 128  # rows of the similarity matrices
CURVE = 48
"""New rows on the curves of one dimension."""


def is_random(s: Any) -> bool:
    """Whether size and seed are chosen: a trained table has its own."""
    return bool(s.source == "random")


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("source",)

    source: str = controls.entry(
        controls.choice,
        say("Values"),
        SOURCES,
        help=say(
            "The table of the model of code that ships with the app, or a table of any size before "
            "any training."
        ),
    )
    d_model: int = settings.d_model(when=is_random)
    length: int = settings.length(when=is_random)
    seed: int = text_controls.seed(say("The numbers of the table."), "", when=is_random)
    new_length: int = controls.entry(
        controls.number,
        say("New length L′"),
        192,
        1,
        1_000_000,
        help=say("Rows after interpolation."),
    )
    align_corners: bool = controls.entry(
        controls.toggle,
        say("Keep both ends"),
        help=say("align_corners: row 0 and the last row stay."),
    )

    def learned(self) -> Learned:
        if self.source == "trained":
            return trained_table()
        return randomise(Learned(self.length, self.d_model), self.seed, std=INIT_STD)

    def program(self, table: Tensor) -> dict[str, Any]:
        """The table for a program: an expression that draws it, or a trained one's numbers."""
        if self.source == "trained":
            return {"table": table.half().numpy()}  # all its digits: so its numbers are kept
        shape = self.length, self.d_model
        made = f"random.default_rng({self.seed}).standard_normal({shape}) * {INIT_STD}"
        return {"table": Code(made)}


@st.cache_resource(show_spinner=False)
def trained_table() -> Learned:
    """The table of the language model that ships, trained in the lab."""
    learned = load_checkpoint(DATA / "text-learned-s0.safetensors").model.encoding
    if not isinstance(learned, Learned):
        raise TypeError("text-learned-s0.safetensors holds no table of positions")
    return learned


def picture(s: Settings) -> screen.Picture:
    """A trained or a random table, how alike its rows are, its end, and its interpolation.

    Raises:
        ValueError: If the tables would need too much memory.
    """
    with room(
        3 * (s.length + s.new_length) * s.d_model * 8,
        say(
            "A table of {length:,} rows and its interpolation to {new_length:,} rows, {width:,} "
            "wide,",
            length=s.length,
            new_length=s.new_length,
            width=s.d_model,
        ),
        say("Take shorter tables or a smaller width."),
    ):
        learned = s.learned()
        table = learned.table.detach()
        longer = interpolate_table(table, s.new_length, align_corners=s.align_corners)
        return screen.Picture(
            figures=[
                rows(s, table),
                alike(s, table),
                *refusal(learned),
                partial(stretched, s, table, longer),
                partial(rules, s, table),
            ]
        )


def rows(s: Settings, table: Tensor) -> screen.MatrixFigure:
    length, d_model = table.shape
    is_trained = s.source == "trained"
    return screen.MatrixFigure(
        key="learned",
        quantity=Computed(
            table, "E", Axis(say("position"), length), Axis(say("dimension"), d_model), signed=True
        ),
        title=_("The {length} rows that a language model has learned", length=length)
        if is_trained
        else _("{length:,} rows of random numbers, not trained", length=length),
        alt=_("Heatmap of a table of positions, {source}", source=translate(SOURCES[s.source])),
        cell=(min(7, length - 1), min(2, d_model - 1)),
        table=say("table"),
        settings=s.program(table),
        height=380,
        caption=_(
            "Learned in the lab by a model of 2 layers that reads Python's standard library in "
            "windows of 128 bytes (seed 0; see *Extrapolation, measured*). The table began as "
            "random numbers."
        )
        if is_trained
        else _(
            "Not trained: normal random numbers of standard deviation {std}, near where BERT "
            "starts. A trained table has the same shape and the same end.",
            std=INIT_STD,
        ),
    )


def alike(s: Settings, table: Tensor) -> screen.PanelsFigure:
    """How alike the rows are, beside those of a sinusoidal table of the same size."""
    few = min(len(table), COMPARED)
    axes = Axis(say("position m"), few), Axis(say("position n"), few)
    panels = [
        Panel(
            tag,
            name,
            Computed(
                row_similarity(its),
                say("cosine of two rows"),
                *axes,
                signed=True,
                explain=partial(row_similarity_steps, its),
            ),
        )
        for tag, name, its in (
            ("learned", say("this table"), table[:COMPARED]),
            ("sinusoidal", say("sinusoidal, base 10000"), sinusoidal_table(few, table.shape[1])),
        )
    ]
    return screen.PanelsFigure(
        key="alike",
        title=_("How alike all rows are: the cosine of each two")
        if few == len(table)
        else _("How alike the first {rows} rows are: the cosine of each two", rows=few),
        alt=_("Two heatmaps: similarity of the rows of this table and of a sinusoidal table"),
        panels=panels,
        height=380,
        cell=(min(40, few - 1), min(30, few - 1)),
        settings=s.program(table) | {"compared": COMPARED},
    )


def refusal(learned: Learned) -> list[screen.WordsFigure]:
    """The position after the last row, and the table's answer."""
    asked = _(
        "Asked for position {position:,}, the row after the last, the table answers:",
        position=learned.length,
    )
    try:
        learned.embed(torch.zeros(1, 1, learned.d_model), torch.tensor([learned.length]))
    except ValueError as error:
        return [screen.WordsFigure(asked), screen.WordsFigure(f"> `{error}`")]
    raise AssertionError("a table without an end")


def stretched(s: Settings, table: Tensor, longer: Tensor, shown: Shown) -> screen.MatrixFigure:
    """The interpolated table."""
    explain = partial(interpolation_steps, table, s.new_length, align_corners=s.align_corners)
    return screen.MatrixFigure(
        key="stretched",
        quantity=Computed(
            longer,
            "E′",
            Axis(say("new position"), s.new_length),
            Axis(say("dimension"), table.shape[1]),
            signed=True,
            explain=explain,
        ),
        title=_("The same table interpolated to {rows:,} rows", rows=s.new_length),
        alt=_("Heatmap of the interpolated table: each row mixed from neighbours in the old one"),
        cell=(min(7, s.new_length - 1), shown.cell[1]),
        table=say("interpolated"),
        settings=s.program(table) | screen.only(s, "new_length", "align_corners"),
        height=380,
    )


def rules(s: Settings, table: Tensor, shown: Shown) -> screen.LinesFigure:
    """The followed column of the interpolated table, under both rules."""
    column = shown.cell[1]
    first = np.arange(min(s.new_length, CURVE))
    return screen.LinesFigure(
        key="rules",
        alt=_("Curves of one dimension under both rules"),
        x=first,
        series=[
            Series(
                name,
                interpolate_table(table[:, [column]], s.new_length, align_corners=ends)[first, 0],
            )
            for name, ends in ((_("half-pixel centres"), False), (_("both ends kept"), True))
        ],
        title=_("Dimension {column} of the first {rows} new rows", column=column, rows=len(first)),
        x_title=_("new position"),
        y_title="E′",
        steps=lambda rule, row: interpolation_steps(
            table, s.new_length, row, column, align_corners=bool(rule)
        ),
        x_name=_("new position"),
        point=(int(s.align_corners), min(7, len(first) - 1)),
        table=say("rules"),
        height=320,
    )

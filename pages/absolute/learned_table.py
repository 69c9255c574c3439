"""A learned table of positions: its rows, its end, and how interpolation makes it longer."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from lab.training.checkpoints import DATA, load_checkpoint
from plots.lines import Series, lines
from posenc import Axis, Computed, Learned, sinusoidal_table
from posenc.learned.formula import INIT_STD
from posenc.learned.longer import interpolate_table
from posenc.learned.picture import row_similarity
from posenc.learned.steps import interpolation_steps, row_similarity_steps
from posenc.random_model import randomise
from posenc.words import say
from ui import notebooks, screen
from ui.charts.curve import curve_chart
from ui.charts.matrix import matrix
from ui.charts.panels import Panel, PanelFigure, follow_panels
from ui.notebooks import Code
from ui.screen.budget import room
from ui.words import _, translate

SOURCES = {"trained": say("trained on code"), "random": say("random")}
"""Where the table comes from."""
COMPARED = 128  # rows of the similarity matrices

CODE = {
    "trained": """\
from pathlib import Path
from lab.training.checkpoints import load_checkpoint  # from the project's folder

learned = load_checkpoint(Path("data/lab/text-learned-s0.safetensors")).model.encoding
""",
    "random": """\
learned = randomise(Learned({length}, {d_model}), seed={seed}, std=0.02)
""",
}
CODE_END = """\
table = learned.table.detach()
print(interpolate_table(table, {new_length}, align_corners={align_corners}))
quantity = Computed(table, "E", Axis("position", {length}), Axis("dimension", {d_model}))
"""


@st.cache_resource(show_spinner=False)
def trained_size() -> tuple[int, int]:
    """Rows and columns of the table that ships."""
    rows, columns = trained_table().table.shape
    return rows, columns


@st.cache_resource(show_spinner=False)
def trained_table() -> Learned:
    """The table of the language model that ships, trained in the lab."""
    learned = load_checkpoint(DATA / "text-learned-s0.safetensors").model.encoding
    if not isinstance(learned, Learned):
        raise TypeError("text-learned-s0.safetensors holds no table of positions")
    return learned


def show(chosen: dict[str, Any]) -> screen.ScreenView:
    """Draw a trained or a random table, how alike its rows are, its end, and its interpolation.

    Args:
        chosen: The controls: source, length, d_model, new_length, align_corners, seed.

    Returns:
        The tables and the snippet.

    Raises:
        ValueError: If the tables would need too much memory.
    """
    length, d_model, new_length = chosen["length"], chosen["d_model"], chosen["new_length"]
    with room(
        3 * (length + new_length) * d_model * 8,
        say(
            "A table of {length:,} rows and its interpolation to {new_length:,} rows, {width:,} "
            "wide,",
            length=length,
            new_length=new_length,
            width=d_model,
        ),
        say("Take shorter tables or a smaller width."),
    ):
        return _draw(chosen)


def _draw(chosen: dict[str, Any]) -> screen.ScreenView:
    length, d_model, new_length = chosen["length"], chosen["d_model"], chosen["new_length"]
    is_trained = chosen["source"] == "trained"
    learned = trained_table() if is_trained else Learned(length, d_model)
    if not is_trained:
        randomise(learned, chosen["seed"], std=INIT_STD)
    table = learned.table.detach()
    offer_notebooks(chosen, table)
    shown = matrix(
        Computed(
            table,
            "E",
            Axis(say("position"), length),
            Axis(say("dimension"), d_model),
            signed=True,
        ),
        key="learned",
        title=_("The {length} rows that a language model has learned", length=length)
        if is_trained
        else _("{length:,} rows of random numbers, not trained", length=length),
        alt=_(
            "Heatmap of a table of positions, {source}",
            source=translate(SOURCES[chosen["source"]]),
        ),
        default_cell=(min(7, length - 1), min(2, d_model - 1)),
        height=380,
    )
    st.caption(
        _(
            "Learned in the lab by a model of 2 layers that reads Python's standard library in "
            "windows of 128 bytes (seed 0; see *Measured curves*). The table began as random "
            "numbers."
        )
        if is_trained
        else _(
            "Not trained: normal random numbers of standard deviation {std}, near where BERT "
            "starts. A trained table has the same shape and the same end.",
            std=INIT_STD,
        )
    )
    tables: dict[str, pd.DataFrame] = {say("table"): screen.view_frame(shown.view)}
    tables |= show_row_similarity(table)
    st.markdown(
        _(
            "Asked for position {position:,}, the row after the last, the table answers:",
            position=length,
        )
    )
    st.markdown(f"> `{refusal(learned)}`")
    tables[say("interpolated")] = show_interpolated(table, new_length, chosen, shown.cell[1])
    code = (CODE[chosen["source"]] + CODE_END).format(**chosen)
    return screen.ScreenView(lambda: tables, code + shown.code())


def offer_notebooks(chosen: dict[str, Any], table: Tensor) -> None:
    """What makes a table, compares its rows, and makes it longer; a trained one is brought."""
    shape = chosen["length"], chosen["d_model"]
    made: Any = Code(f"random.default_rng({chosen['seed']}).standard_normal({shape}) * {INIT_STD}")
    if chosen["source"] == "trained":
        made = table.half().numpy()  # all its digits: that is how its numbers are kept
    longer = {name: chosen[name] for name in ("new_length", "align_corners")}
    notebooks.computed("learned", table=made)
    notebooks.computed("stretched", table=made, **longer)
    notebooks.computed("alike", table=made, compared=COMPARED)


def show_row_similarity(table: Tensor) -> dict[str, pd.DataFrame]:
    """How alike the rows are, beside those of a sinusoidal table of the same size."""
    rows = table[:COMPARED]
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
            ("learned", say("this table"), rows),
            ("sinusoidal", say("sinusoidal, base 10000"), sinusoidal_table(few, table.shape[1])),
        )
    ]
    title = (
        _("How alike all rows are: the cosine of each two")
        if few == len(table)
        else _("How alike the first {rows} rows are: the cosine of each two", rows=few)
    )
    alt = _("Two heatmaps: similarity of the rows of this table and of a sinusoidal table")
    views, _place = follow_panels(
        [PanelFigure("alike", title, alt, panels, 380)],
        key="alike",
        default=(min(40, few - 1), min(30, few - 1)),
    )
    return {
        say("similarity, {table}", table=name): screen.view_frame(its)
        for name, its in views.items()
    }


def refusal(learned: Learned) -> ValueError:
    """What the table raises for the position after its last row."""
    try:
        learned.embed(torch.zeros(1, 1, learned.d_model), torch.tensor([learned.length]))
    except ValueError as error:
        return error
    raise AssertionError("a table without an end")


def show_interpolated(
    table: Tensor, new_length: int, chosen: dict[str, Any], column: int
) -> pd.DataFrame:
    """The stretched table, and one of its columns under both rules."""
    d_model = table.shape[1]
    stretched = interpolate_table(table, new_length, align_corners=chosen["align_corners"])
    new = matrix(
        Computed(
            stretched,
            "E′",
            Axis(say("new position"), new_length),
            Axis(say("dimension"), d_model),
            signed=True,
            explain=partial(
                interpolation_steps, table, new_length, align_corners=chosen["align_corners"]
            ),
        ),
        key="stretched",
        title=_("The same table interpolated to {rows:,} rows", rows=new_length),
        alt=_("Heatmap of the interpolated table: the old rows and mixtures of neighbours"),
        default_cell=(min(7, new_length - 1), column),
        height=380,
    )
    first = np.arange(min(new_length, 48))
    curves = {
        name: interpolate_table(table[:, [column]], new_length, align_corners=ends)[first, 0]
        for name, ends in ((_("half-pixel centres"), False), (_("both ends kept"), True))
    }
    figure = lines(
        first,
        [Series(name, y.numpy()) for name, y in curves.items()],
        title=_("Dimension {column} of the first {rows} new rows", column=column, rows=len(first)),
        x_title=_("new position"),
        y_title="E′",
    )
    curve_chart(
        figure,
        lambda rule, row: interpolation_steps(
            table, new_length, row, column, align_corners=bool(rule)
        ),
        key="rules",
        alt=_("Curves of one dimension under both rules"),
        names=list(curves),
        places=(0, len(first) - 1),
        x_name=_("new position"),
        default=(int(chosen["align_corners"]), min(7, len(first) - 1)),
        height=320,
    )
    return screen.view_frame(new.view)

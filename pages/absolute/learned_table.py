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
from ui import screen
from ui.charts.curve import curve_chart
from ui.charts.matrix import matrix
from ui.charts.panels import Panel, PanelFigure, follow_panels
from ui.screen.budget import check_memory

TRAINED, RANDOM = "trained on code", "random"
CODE = {
    RANDOM: "learned = randomise(Learned({length}, {d_model}), seed={seed}, std=0.02)\n",
    TRAINED: """\
from pathlib import Path
from lab.training.checkpoints import load_checkpoint  # from the project's folder

learned = load_checkpoint(Path("data/lab/text-learned-s0.safetensors")).model.encoding
""",
}
LEARNED = """\
table = learned.table.detach()
print(interpolate_table(table, {new_length}, align_corners={align_corners}))
quantity = Computed(table, "E", Axis("position", {length}), Axis("dimension", {d_model}))
"""
COMPARED = 128  # rows of the similarity matrices
TITLES = {
    TRAINED: "The {length} rows that a language model has learned",
    RANDOM: "{length:,} rows of random numbers, not trained",
}
ABOUT = {
    TRAINED: "Learned in the lab by a model of 2 layers that reads Python's standard library in "
    "windows of 128 bytes (seed 0; see *Measured curves*). It began as random numbers.",
    RANDOM: f"Not trained: normal random numbers of standard deviation {INIT_STD}, near where BERT "
    "starts. A trained table has the same shape and the same end.",
}


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


def show_learned(chosen: dict[str, Any]) -> screen.ScreenView:
    """Draw a trained or a random table, how alike its rows are, its end, and its interpolation.

    Args:
        chosen: The controls: source, length, d_model, new_length, align_corners, seed.

    Raises:
        ValueError: If the tables would need too much memory.
    """
    length, d_model, new_length = chosen["length"], chosen["d_model"], chosen["new_length"]
    check_memory(
        3 * (length + new_length) * d_model * 8,
        f"A table of {length:,} rows, its interpolation to {new_length:,}, {d_model:,} wide,",
        "Take shorter tables or a smaller width.",
    )
    learned = trained_table() if chosen["source"] == TRAINED else Learned(length, d_model)
    if chosen["source"] == RANDOM:
        randomise(learned, chosen["seed"], std=INIT_STD)
    table = learned.table.detach()
    shown = matrix(
        Computed(table, "E", Axis("position", length), Axis("dimension", d_model), signed=True),
        key="learned",
        title=TITLES[chosen["source"]].format(length=length),
        alt=f"Heatmap of a table of positions, {chosen['source']}",
        default_cell=(min(7, length - 1), min(2, d_model - 1)),
        height=380,
    )
    st.caption(ABOUT[chosen["source"]])
    tables = {"table": screen.view_frame(shown.view), **show_row_similarity(table)}
    st.markdown(f"Asked for position {length:,}, the row after the last, the table answers:")
    st.markdown(f"> {refusal(learned)}")
    tables["interpolated"] = show_interpolated(table, new_length, chosen, shown.cell[1])
    code = (CODE[chosen["source"]] + LEARNED).format(**chosen)
    return screen.ScreenView(lambda: tables, code + shown.code())


def show_row_similarity(table: Tensor) -> dict[str, pd.DataFrame]:
    """How alike the rows are, beside those of a sinusoidal table of the same size."""
    rows, few = table[:COMPARED], min(len(table), COMPARED)
    axes = Axis("position m", few), Axis("position n", few)
    panels = [
        Panel(
            tag,
            name,
            Computed(
                row_similarity(its),
                "cosine of two rows",
                *axes,
                signed=True,
                explain=partial(row_similarity_steps, its),
            ),
        )
        for tag, name, its in (
            ("learned", "this table", rows),
            ("sinusoidal", "sinusoidal, base 10000", sinusoidal_table(few, table.shape[1])),
        )
    ]
    whose = "all rows" if few == len(table) else f"the first {few} rows"
    views, _ = follow_panels(
        [
            PanelFigure(
                "alike",
                f"How alike {whose} are: cosine of each two",
                "Two heatmaps: similarity of the rows of this table and of a sinusoidal one",
                panels,
                380,
            )
        ],
        key="alike",
        default=(min(40, few - 1), min(30, few - 1)),
    )
    return {f"similarity, {name}": screen.view_frame(its) for name, its in views.items()}


def refusal(learned: Learned) -> str:
    """The sentence for a position past the last row."""
    try:
        learned.embed(torch.zeros(1, 1, learned.d_model), torch.tensor([learned.length]))
    except ValueError as error:
        return str(error)
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
            Axis("new position", new_length),
            Axis("dimension", d_model),
            signed=True,
            explain=partial(
                interpolation_steps, table, new_length, align_corners=chosen["align_corners"]
            ),
        ),
        key="stretched",
        title=f"The same table interpolated to {new_length:,} rows",
        alt="Heatmap of the interpolated table: the old rows and mixtures of neighbours",
        default_cell=(min(7, new_length - 1), column),
        height=380,
    )
    first = np.arange(min(new_length, 48))
    curves = {
        name: interpolate_table(table[:, [column]], new_length, align_corners=ends)[first, 0]
        for name, ends in (("half-pixel centres", False), ("both ends kept", True))
    }
    figure = lines(
        first,
        [Series(name, y.numpy()) for name, y in curves.items()],
        title=f"Dimension {column} of the first {len(first)} new rows",
        x_title="new position",
        y_title="E′",
    )
    curve_chart(
        figure,
        lambda rule, row: interpolation_steps(
            table, new_length, row, column, align_corners=bool(rule)
        ),
        key="rules",
        alt="Curves of one dimension under both rules",
        names=list(curves),
        places=(0, len(first) - 1),
        x_name="new position",
        default=(int(chosen["align_corners"]), min(7, len(first) - 1)),
        height=320,
    )
    return screen.view_frame(new.view)

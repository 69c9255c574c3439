"""What stands under CoPE's large picture: gates, plain positions, and one row followed.

A click in a small picture, or on the c of a key, follows that cell in the large picture.
"""

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from pages.cope import counting
from pages.cope.counting import Counted
from plots.heatmap import heatmap, mark_cell
from plots.lines import Mark, Series, lines
from plots.looks import look
from plots.style import NEUTRAL, OKABE_ITO
from posenc import Step, cope_gates, cope_logits, view
from posenc.cope.steps import cope_gate_steps, cope_whole_steps, counted_steps
from ui import screen
from ui.charts.component import Cell, chart
from ui.charts.curve import Explain, curve_chart
from ui.charts.follow import follow
from ui.charts.points import Point, cell_there
from ui.text import live

SMALL = ("gate g", "i − j + 1")
CELLS = (128, 128)


def key_of_row(clicked: Cell, now: Point) -> Point | None:
    """The cell of a key of the row whose c was clicked."""
    return (now[0], clicked.col) if clicked.curve == 1 else None


CLICKS = {**dict.fromkeys(SMALL, cell_there), "interpolation": key_of_row}
"""What a click in the other pictures follows in the large one."""


def show_gates(
    settings: live.AttentionSettings, counted: Counted, cell: tuple[int, int]
) -> dict[str, pd.DataFrame]:
    """The gates, and the positions of a model that counts every token, each with its steps."""

    def gate(row: int, col: int) -> tuple[Step, ...]:
        return cope_gate_steps(counted.gate_logits[row], row, col)

    pictures = (
        (cope_gates(counted.gate_logits), gate, "Gates: what key j counts"),
        (counting.plain_positions(counted), counted_steps, "Every token counts: i − j + 1"),
    )
    columns = st.columns(2, gap="large")
    frames = {}
    for column, name, (values, explain, title) in zip(columns, SMALL, pictures, strict=True):
        with column:
            frames[name] = small_picture(settings, counted, values, explain, name, title, cell)
    return frames


def small_picture(
    settings: live.AttentionSettings,
    counted: Counted,
    values: Tensor,
    explain: Explain,
    name: str,
    title: str,
    cell: tuple[int, int],
) -> pd.DataFrame:
    """A matrix of queries and keys in half the width, and the steps to its followed cell."""
    seen = values.masked_fill(counted.future, torch.nan)
    quantity = live.quantity(seen, settings.tokens, name, signed=False, explain=explain)
    shown = view(quantity, cells=CELLS)
    figure = heatmap(
        shown.values.numpy(),
        shown.row_edges.numpy(),
        shown.col_edges.numpy(),
        title=title,
        x_title="key j",
        y_title="query i",
        signed=False,
        value_name=name,
    )
    mark_cell(figure, *cell)
    chart(figure, key=name, alt=f"Heatmap of {name} for every query and key", height=340)
    follow(quantity.steps(*cell), key=name, place=f"query {cell[0]:,}, key {cell[1]:,}")
    return screen.view_frame(shown)


def show_row(
    settings: live.AttentionSettings, counted: Counted, cell: tuple[int, int]
) -> dict[str, pd.DataFrame]:
    """One query followed: gates, their sum, the interpolation, the score."""
    query, key = cell
    label = live.token_labels(settings.tokens)[query]
    st.header("One row followed", anchor=False)
    st.caption(f"Query {query}, the row of the chosen cell. Read the sum from right to left.")
    table = counting.row_table(settings.tokens, counted, query)
    sum_column, curve_column = st.columns(2, gap="large")
    with sum_column:
        show_sum(counted, table, cell, f"Gates of query {query}, {label}, summed from the right")
    with curve_column:
        curve = show_interpolation(counted, table, query)
    if key <= query:
        st.markdown(f"From the position of query {query} and key {key} to their score:")
        steps, place = counted.score_steps(query, key), f"query {query}, key {key}"
        follow(steps, key="score", place=place)
    st.dataframe(table, height=min(38 + 35 * len(table), 380))
    return {"row": table, "z": curve}


def show_sum(counted: Counted, table: pd.DataFrame, cell: tuple[int, int], title: str) -> None:
    """From gates to positions: the sum from the query back to each key."""
    query, last = cell[0], len(table) - 1
    curves: tuple[Explain, ...] = (
        counted.position_steps,
        counted_steps,
        lambda row, col: cope_gate_steps(counted.gate_logits[row], row, col),
    )
    cap = counted.cope.max_positions - 1
    figure = lines(
        table.index.to_numpy(),
        [
            Series("p", table["p"], color=look("cope").color, dash="solid"),
            Series("i − j + 1", table["i − j + 1"], color=NEUTRAL, dash="dash", marker=""),
            Series("gate g", table["gate g"], color=OKABE_ITO[1], dash="dot", marker="square"),
        ],
        title=title,
        x_title="key j",
        y_title="position (tokens counted)",
        marks=[Mark("y", cap, "cap")] if cap <= len(table) else [],
    )
    curve_chart(
        figure,
        lambda curve, key: curves[curve](query, key),
        key="sum",
        alt="Curves over the keys: each gate, the sum of gates from the query back to the key, "
        "and the plain distance",
        names=["p", "i − j + 1", "gate g"],
        places=(0, last),
        x_name="key",
        default=(0, min(cell[1], last)),
        height=360,
    )


def show_interpolation(counted: Counted, table: pd.DataFrame, query: int) -> pd.DataFrame:
    """From positions to logits: a straight line between the whole positions."""
    cope, q = counted.cope, counted.query[query : query + 1]
    last = min(cope.max_positions - 1, int(np.ceil(table["p"].max())) + 3)
    whole = torch.arange(last + 1, device=q.device)
    z = cope_logits(q, whole[None].to(q), cope.embedding)[0].cpu().numpy()
    figure = lines(
        whole.cpu().numpy(),
        [
            Series("z[n] = q·e[n]", z, color=NEUTRAL, dash="solid", marker="circle"),
            Series(
                "c of each key", table["c"], x=table["p"],
                color=look("cope").color, marker="diamond",
            ),
        ],
        title="Position logit: between two embeddings",
        x_title="position",
        y_title="q·e",
    )  # fmt: skip
    figure.update_traces(mode="markers", marker_maxdisplayed=0, selector={"name": "c of each key"})
    curve_chart(
        figure,
        lambda _, place: cope_whole_steps(cope, q[0], place, z[place].item()),
        key="interpolation",
        alt="A broken line through q·e[n] at whole positions, and the keys of the row on it",
        names=["z"],
        places=(0, last),
        x_name="position",
        height=360,
    )
    st.caption("A click on the c of a key follows that key, here and in the pictures above.")
    return screen.curve_frame("n", whole.tolist(), {"z": z})

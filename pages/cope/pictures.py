"""The pictures under the large one of CoPE: gates, plain positions, and one row followed.

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
from posenc.words import say
from ui import notebooks, screen
from ui.charts.component import Cell, chart
from ui.charts.curve import Explain, curve_chart
from ui.charts.follow import follow
from ui.charts.points import Point, cell_there
from ui.text import live
from ui.words import _, translate

SMALL = {"gate": say("gate g"), "plain": "i − j + 1"}
"""The two small pictures, and what a cell of each is."""
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

    notebooks.computed("gate", **counted.notebook(settings))
    notebooks.computed("plain", length=settings.length)
    left, right = st.columns(2, gap="large")
    with left:
        title = _("Gates: what key j counts")
        values = cope_gates(counted.gate_logits)
        gates = small_picture(settings, counted, values, gate, "gate", title, cell)
    with right:
        title = _("Every token counts: i − j + 1")
        values = counting.plain_positions(counted)
        plain = small_picture(settings, counted, values, counted_steps, "plain", title, cell)
    return {SMALL["gate"]: gates, SMALL["plain"]: plain}


def small_picture(
    settings: live.AttentionSettings,
    counted: Counted,
    values: Tensor,
    explain: Explain,
    key: str,
    title: str,
    cell: tuple[int, int],
) -> pd.DataFrame:
    """A matrix of queries and keys in half the width, and the steps to its followed cell."""
    name = SMALL[key]
    seen = values.masked_fill(counted.future, torch.nan)
    quantity = live.quantity(seen, settings.tokens, name, signed=False, explain=explain)
    shown = view(quantity, cells=CELLS)
    figure = heatmap(
        shown.values.numpy(),
        shown.row_edges.numpy(),
        shown.col_edges.numpy(),
        title=title,
        x_title=translate(quantity.cols.name),
        y_title=translate(quantity.rows.name),
        signed=False,
        value_name=translate(name),
    )
    figure = mark_cell(figure, *cell)
    alt = _("Heatmap of {name} for every query and key", name=name)
    chart(figure, key=key, alt=alt, height=340)
    follow(quantity.steps(*cell), key=key, place=pair_words(*cell))
    return screen.view_frame(shown)


def pair_words(query: int, key: int) -> str:
    """A query and a key, in words."""
    return _("query {query:,}, key {key:,}", query=query, key=key)


def show_row(
    settings: live.AttentionSettings, counted: Counted, cell: tuple[int, int]
) -> dict[str, pd.DataFrame]:
    """One query followed: gates, their sum, the interpolation, the score."""
    query, key = cell
    pair = {"query": query, "key": key}
    label = live.token_labels(settings.tokens)[query]
    st.header(_("One row followed"), anchor=False)
    st.caption(
        _(
            "This is query {query}, the row of the chosen cell. Read the sum from right to left.",
            query=query,
        )
    )
    table = counting.row_table(settings.tokens, counted, query)
    row = {"max_positions": counted.cope.max_positions, "query": query}
    for picture in ("sum", "interpolation"):
        notebooks.computed(picture, **counted.notebook(settings), **row)
    sum_column, curve_column = st.columns(2, gap="large")
    with sum_column:
        title = _(
            "Gates of query {query}, {token}, summed from the right", query=query, token=label
        )
        show_sum(counted, table, cell, title)
    with curve_column:
        curve = show_interpolation(counted, table, query)
    if key <= query:
        st.markdown(_("From the position of query {query} and key {key} to their score:", **pair))
        follow(counted.score_steps(query, key), key="score", place=pair_words(*cell))
    told = counting.told_row(table)
    st.dataframe(told, height=min(38 + 35 * len(told), 380))
    return {say("row"): told, "z": curve}


def show_sum(counted: Counted, table: pd.DataFrame, cell: tuple[int, int], title: str) -> None:
    """From gates to positions: the sum from the query back to each key."""
    query = cell[0]
    last = len(table) - 1
    curves: tuple[Explain, ...] = (
        counted.position_steps,
        counted_steps,
        lambda row, col: cope_gate_steps(counted.gate_logits[row], row, col),
    )
    cap = counted.cope.max_positions - 1
    names = [translate(counting.ROW[name]) for name in ("position", "plain", "gate")]
    figure = lines(
        table.index.to_numpy(),
        [
            Series(names[0], table["position"], color=look("cope").color, dash="solid"),
            Series(names[1], table["plain"], color=NEUTRAL, dash="dash", marker=""),
            Series(names[2], table["gate"], color=OKABE_ITO[1], dash="dot", marker="square"),
        ],
        title=title,
        x_title=_("key j"),
        y_title=_("position (tokens counted)"),
        marks=[Mark("y", cap, _("cap"))] if cap <= len(table) else [],
    )
    curve_chart(
        figure,
        lambda curve, key: curves[curve](query, key),
        key="sum",
        alt=_(
            "Curves over the keys: each gate, the sum of gates from the query back to the key, and "
            "the plain distance"
        ),
        names=names,
        places=(0, last),
        x_name=_("key"),
        default=(0, min(cell[1], last)),
        height=360,
    )


def show_interpolation(counted: Counted, table: pd.DataFrame, query: int) -> pd.DataFrame:
    """From positions to logits: a straight line between the whole positions."""
    cope = counted.cope
    q = counted.query[query : query + 1]
    last = min(cope.max_positions - 1, int(np.ceil(table["position"].max())) + 3)
    whole = torch.arange(last + 1, device=q.device)
    z = cope_logits(q, whole[None].to(q), cope.embedding)[0].cpu().numpy()
    figure = lines(
        whole.cpu().numpy(),
        [
            Series("z[n] = q·e[n]", z, color=NEUTRAL, dash="solid", marker="circle"),
            Series(
                _("c of each key"),
                table["logit"],
                x=table["position"],
                color=look("cope").color,
                marker="diamond",
            ),
        ],
        title=_("Position logit: between two embeddings"),
        x_title=_("position"),
        y_title="q·e",
    )
    figure = figure.restyle(1, mode="markers", marker={"maxdisplayed": 0})
    curve_chart(
        figure,
        lambda _, place: cope_whole_steps(cope, q[0], place, z[place].item()),
        key="interpolation",
        alt=_("A broken line through q·e[n] at whole positions, and the keys of the row on it"),
        names=["z"],
        places=(0, last),
        x_name=_("position"),
        height=360,
    )
    st.caption(_("A click on the c of a key follows that key, here and in the pictures above."))
    return screen.curve_frame("n", whole.tolist(), {"z": z})

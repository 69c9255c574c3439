"""One row of CoPE: from the gates of a query to positions, logits and scores."""

from typing import Any

import numpy as np
import pandas as pd
import torch

from pages.cope.counting import row_table
from pages.cope.settings import Settings
from plots.lines import Mark, Series, lines
from plots.looks import look
from plots.style import NEUTRAL, OKABE_ITO
from posenc import cope_logits
from posenc.cope.steps import cope_whole_steps, counted_steps
from posenc.words import say
from ui import screen
from ui.charts.matrix import Shown
from ui.text import live
from ui.words import _, translate

NAMES = {
    "token": say("token"),
    "content": "q·k / √d",
    "gate": say("gate g"),
    "plain": "i − j + 1",
    "sum": say("sum of gates"),
    "position": "p",
    "low": "⌊p⌋",
    "high": "⌈p⌉",
    "weight": "p − ⌊p⌋",
    "z_low": "z[⌊p⌋]",
    "z_high": "z[⌈p⌉]",
    "logit": "c",
    "score": say("score"),
}
"""Headings of the table's columns, by their ids."""


def followed(s: Settings, shown: Shown) -> screen.ColumnFigure:
    """The sum and the interpolation, the steps to one score, and all of them as a table."""
    query, key = shown.cell
    table = row_table(s.attention.tokens, s.counted, query)
    words = _(
        "This is query {query}, the row of the chosen cell. Read the sum from right to left.",
        query=query,
    )
    titled = table.rename(columns={name: translate(label) for name, label in NAMES.items()})
    score = screen.WordsFigure(
        _(
            "From the position of query {query} and key {key} to their score:",
            query=query,
            key=key,
        ),
        steps=s.counted.score_steps(query, key) if key <= query else (),
        place=_("query {query:,}, key {key:,}", query=query, key=key),
    )
    return screen.ColumnFigure(
        figures=[
            screen.WordsFigure(words, title=_("One row followed")),
            screen.RowFigure(figures=[sums(s, table, shown.cell), interpolation(s, table, query)]),
            *([score] if key <= query else []),
            screen.TableFigure(name=say("row"), frame=titled.rename_axis(_("key j"))),
        ]
    )


def sums(s: Settings, table: pd.DataFrame, cell: tuple[int, int]) -> screen.LinesFigure:
    """From gates to positions: the sum from the query back to each key."""
    query = cell[0]
    cap = s.max_positions - 1
    ids = ("position", "plain", "gate")
    named = {translate(NAMES[one]): table[one] for one in ids}
    steps = (s.counted.position_steps, counted_steps, s.counted.gate_steps)
    styles: tuple[dict[str, Any], ...] = (
        {"color": look("cope").color, "dash": "solid"},
        {"color": NEUTRAL, "dash": "dash", "marker": ""},
        {"color": OKABE_ITO[1], "dash": "dot", "marker": "square"},
    )
    return screen.LinesFigure(
        key="sum",
        alt=_(
            "Curves over the keys: each gate, the sum of gates from the query back to the key, and "
            "the plain distance"
        ),
        x=table.index.to_numpy(),
        series=[
            Series(name, y, **style) for (name, y), style in zip(named.items(), styles, strict=True)
        ],
        title=_(
            "Gates of query {query}, {token}, summed from the right",
            query=query,
            token=live.token_labels(s.attention.tokens)[query],
        ),
        x_title=_("key j"),
        y_title=_("position (tokens counted)"),
        marks=[Mark("y", cap, _("cap"))] if cap <= len(table) else [],
        steps=lambda curve, key: steps[curve](query, key),
        x_name=_("key"),
        point=(0, min(cell[1], len(table) - 1)),
        settings={**s.program, "max_positions": s.max_positions, "query": query},
        height=360,
    )


def interpolation(s: Settings, table: pd.DataFrame, query: int) -> screen.CurvesFigure:
    """From positions to logits: a straight line between the whole positions."""
    cope = s.counted.cope
    q = s.counted.query[query : query + 1]
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
    return screen.CurvesFigure(
        key="interpolation",
        figure=figure.restyle(1, mode="markers", marker={"maxdisplayed": 0}),
        alt=_("A broken line through q·e[n] at whole positions, and the keys of the row on it"),
        steps=lambda _curve, place: cope_whole_steps(cope, q[0], place, z[place].item()),
        x=whole.cpu().numpy(),
        curves={"z": z},
        x_name=_("position"),
        point=(0, 0),
        table="z",
        settings={**s.program, "max_positions": s.max_positions, "query": query},
        height=360,
        caption=_("A click on the c of a key follows that key, here and in the pictures above."),
    )

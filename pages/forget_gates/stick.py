"""Stick-breaking: each key, from the nearest back, takes its share of what is left."""

from functools import partial

import torch
from torch import Tensor

from exhibits.forgetting import equal_logits, weight_steps
from pages.forget_gates.settings import Sticks
from plots.style import OKABE_ITO
from posenc import stick_breaking_weights
from posenc.words import say
from ui import screen
from ui.charts.matrix import Shown
from ui.text import live
from ui.words import _
from ui.words import number as written


def picture(s: Sticks) -> screen.Picture:
    """The weights of every pair, and the row of one query."""
    logits = logits_of(s)
    weights = stick_breaking_weights(logits)
    return screen.Picture(
        figures=[matrix(s, logits, weights), partial(row, s, logits, weights)],
        readouts=lambda shown: {
            _("left over"): written(1 - weights[shown.cell[0]].sum().item(), ".3%")
        },
    )


def logits_of(s: Sticks) -> Tensor:
    """Scores of every pair, -inf where a query must not look: from its own token on."""
    live.check_length(s.attention)
    length = len(s.cut.ids)
    if s.shares == "random":
        scores = live.run(s.attention).trace.scaled[0, 0].double()
    else:
        scores = equal_logits(s.share, length)
    return scores.masked_fill(torch.ones(length, length, dtype=torch.bool).triu(), -torch.inf)


def matrix(s: Sticks, logits: Tensor, weights: Tensor) -> screen.MatrixFigure:
    """The large picture."""
    hidden = logits == -torch.inf
    return screen.MatrixFigure(
        key="stick",
        quantity=live.quantity(
            weights.masked_fill(hidden, torch.nan),
            s.cut,
            say("weight A"),
            signed=False,
            explain=partial(weight_steps, logits),
        ),
        title=_("Weight of key j for query i, by stick-breaking"),
        alt=_("Heatmap of the weights: each query shares out one stick among the keys before it"),
        cell=live.default_cell(len(s.cut.ids)),
        table=say("weights"),
        settings={
            "ids": s.cut.ids,
            "num_heads": 1,
            "head_dim": s.head_dim,
            "seed": s.seed,
            "share": s.share if s.shares == "equal" else None,
        },
        caption=_("No place has a number, and no softmax divides: near keys are asked first."),
    )


def row(s: Sticks, logits: Tensor, weights: Tensor, shown: Shown) -> screen.BarsFigure:
    """Weights of the query that is followed."""
    query, key = shown.cell
    labels = live.token_labels(s.cut)[: max(query, 1)]
    return screen.BarsFigure(
        key="stick_row",
        alt=_("Bars of the weight of each key for one query"),
        values=weights[query, : len(labels)],
        name=_("weight"),
        title=_("The stick of query {query}", query=query),
        x_title=_("key j"),
        y_title=_("weight"),
        labels=labels,
        color=OKABE_ITO[2],
        steps=lambda _curve, at: weight_steps(logits, query, at),
        x_name=_("key"),
        point=(0, min(key, len(labels) - 1)),
        table=say("stick"),
        height=300,
    )

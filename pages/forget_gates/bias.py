"""FoX: the gate of each token, the bias of each pair, and what arrives."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from exhibits.forgetting import arrivals, bias_steps, gate_steps, gates_from_logs
from pages.forget_gates.settings import HEADS, Gates
from plots.cells import label_ticks
from plots.figure import Figure
from plots.lines import Mark, Series
from plots.style import OKABE_ITO
from posenc import fox_bias
from posenc.quantity.matrix import Axis, Computed
from posenc.quantity.step import Step
from posenc.words import say
from ui import screen
from ui.charts.matrix import Shown
from ui.text import live
from ui.words import _
from ui.words import number as written

TRAINED = 128
"""Bytes of the texts that the model was trained on."""


def picture_of_gates(s: Gates) -> screen.Picture:
    """The gates, what arrives at one query, and the gates of the trained model's other heads."""
    others = [all_heads(s)] if s.gates == "learned" else []
    return screen.Picture(figures=[gates(s), lambda at: arrives(s, at.place), *others])


def picture(s: Gates) -> screen.Picture:
    """The bias of every pair, and what arrives at one query."""
    live.check_length(s.attention)
    return screen.Picture(
        figures=[bias(s), lambda shown: arrives(s, *shown.cell)],
        readouts=partial(readouts, s),
        help={_("tokens until half is left"): _("Of gates that are all like this.")},
    )


def bias(s: Gates) -> screen.MatrixFigure:
    """The large picture."""
    values = fox_bias(s.log_gates)
    return screen.MatrixFigure(
        key="forgetting",
        quantity=live.quantity(
            values.masked_fill(torch.ones_like(values, dtype=torch.bool).triu(1), torch.nan),
            s.cut,
            say("forgetting bias D"),
            signed=False,
            explain=partial(bias_steps, s.log_gates),
        ),
        title=_(
            "Bias D: logarithms of the gates after key j, up to query i, added ({set_by})",
            set_by=s.set_by,
        ),
        alt=_(
            "Heatmap of the forgetting bias: 0 on the diagonal, and a step down to the left of "
            "every gate that is nearly shut"
        ),
        cell=live.default_cell(len(s.cut.ids)),
        table=say("forgetting bias"),
        settings=program(s),
    )


def program(s: Gates) -> dict[str, Any]:
    """Settings of the gates for a program."""
    return {"gates": s.gate_values.tolist()}


def readouts(s: Gates, shown: Shown) -> dict[str, str]:
    """The share of the followed key that arrives; for equal gates, the ALiBi that they are."""
    query, key = shown.cell
    arrived = "–" if key > query else written(arrivals(s.log_gates, query)[key].item(), ".3%")
    told = {_("arrives there"): arrived}
    if s.gates == "constant":
        slope = -math.log(s.gate)
        told[_("slope of the same ALiBi")] = written(slope, ".4g")
        told[_("tokens until half is left")] = written(math.log(2) / slope, ".3g")
    return told


def gates(s: Gates) -> screen.BarsFigure:
    """A bar for the gate of each token."""
    labels = live.token_labels(s.cut)
    return screen.BarsFigure(
        key="forget_gate",
        alt=_("Bars of the gate of each token"),
        values=s.gate_values,
        name=_("gate"),
        title=_("Gate f of each letter ({set_by})", set_by=s.set_by)
        if s.gates == "learned"
        else _("Gate f of each token ({set_by})", set_by=s.set_by),
        x_title=_("letter") if s.gates == "learned" else _("token"),
        y_title=_("lets through of what came before"),
        y_range=(0, 1.15),
        ticks=labels if len(labels) <= live.LABELLED_TOKENS else (),
        labels=labels,
        finish=lambda figure: figure.relayout(xaxis={"range": [-0.6, len(labels) - 0.4]}),
        color=OKABE_ITO[1],
        steps=lambda _curve, token: gate_steps(s.log_gates, token, s.reads(token)),
        x_name=_("letter") if s.gates == "learned" else _("token"),
        point=(0, last_open(s)),
        table=say("gates"),
        settings=program(s),
        caption=about_the_model(len(labels)) if s.gates == "learned" else "",
    )


def last_open(s: Gates) -> int:
    """The last token whose gate lets half through, so that something arrives; else the last one."""
    is_open = (s.gate_values >= 0.5).nonzero()
    return int(is_open[-1]) if len(is_open) else len(s.cut.ids) - 1


def about_the_model(count: int) -> str:
    """Sentences on the trained model, and on a text of so many bytes where that is a long one."""
    told = _(
        "A small model without positions that was trained here on Python programs, in pieces of "
        "{trained} bytes. It reads every byte of your text as a token (␣ a space, ¶ a line’s end, "
        "· a further byte of a letter).",
        trained=TRAINED,
    )
    if count <= TRAINED:
        return told
    return (
        told + " " + _("Your text has {count:,} bytes: none in training was so long.", count=count)
    )


def all_heads(s: Gates) -> screen.MatrixFigure:
    """A row for each head of the trained model."""
    log_gates = torch.cat([layer.log_gates(x)[0] for layer, x in s.learned])

    def explain(head: int, token: int) -> tuple[Step, ...]:
        weight, x, bias = s.read_by(head)
        return gate_steps(log_gates[head], token, (weight, x[token], bias.item()))

    heads = Axis(say("head"), len(HEADS), tuple(HEADS))
    tokens = Axis(say("token"), len(s.cut.ids), live.token_labels(s.cut))
    return screen.MatrixFigure(
        key="learned_gates",
        quantity=Computed(
            gates_from_logs(log_gates), say("gate f"), heads, tokens, explain=explain
        ),
        title=_("Gates of all heads (layer.head)"),
        alt=_("Heatmap of the gates of all heads: a row for each head, a column for each token"),
        cell=(list(HEADS).index(s.head), 0),
        table=say("gates of all heads"),
        z_range=(0, 1),
        height=320,
    )


def with_tokens(figure: Figure, labels: Sequence[str]) -> Figure:
    """Curves over keys, with the tokens on their axis as long as they can be read."""
    figure = figure.restyle(0, marker={"size": 5, "maxdisplayed": 0})
    if len(labels) > live.LABELLED_TOKENS:
        return figure
    return figure.relayout(xaxis=label_ticks(labels, np.arange(float(len(labels))), len(labels)))


def furthest(arrived: Tensor) -> int:
    """The key furthest back of which half arrives, or else the one before the query."""
    return min(int((arrived >= 0.5).nonzero()[0]), max(len(arrived) - 2, 0))


def arrives(s: Gates, query: int, key: int | None = None) -> screen.LinesFigure:
    """Products of the gates between each key and the query; one of which half arrives is followed.

    Args:
        s: The gates.
        query: Its place.
        key: Another one to follow.
    """
    arrived = arrivals(s.log_gates, query)
    labels = live.token_labels(s.cut)[: query + 1]
    return screen.LinesFigure(
        key="arrives",
        alt=_("Curve over the keys: the product of the gates between each key and the query"),
        x=np.arange(query + 1),
        series=[Series(_("arrives"), arrived, color=OKABE_ITO[2], marker="circle")],
        title=_(
            "What arrives at query {query}, “{token}”",
            query=query,
            token=labels[query],
        ),
        x_title=_("key j"),
        y_title=_("product of gates"),
        y_range=(0, 1.05),
        marks=[Mark("y", 0.5, _("half"))],
        labels=labels,
        finish=partial(with_tokens, labels=labels),
        steps=lambda _curve, at: bias_steps(s.log_gates, query, at)[:1],
        x_name=_("key"),
        point=(0, furthest(arrived) if key is None else min(key, query)),
        table=say("what arrives"),
        settings={**program(s), "query": query},
        height=340,
    )

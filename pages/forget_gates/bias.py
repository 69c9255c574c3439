"""FoX: the gates on the way from each key to each query, and what arrives."""

import math
from functools import partial
from typing import Any

import numpy as np
import torch

from pages.forget_gates.settings import Gates
from plots.lines import Mark, Series
from plots.style import OKABE_ITO
from posenc import fox_bias
from posenc.quantity.lines import dot_step, masked
from posenc.quantity.step import SHOWN_TERMS, Step, factor, number, total
from posenc.words import say
from ui import screen
from ui.charts.matrix import Shown
from ui.text import live
from ui.words import _
from ui.words import number as written

NAMED = 48
"""Tokens that stand under their bars."""


def picture(s: Gates) -> screen.Picture:
    """The bias of every pair, the gates, and what arrives at one query."""
    live.check_length(s.attention)
    return screen.Picture(
        figures=[bias(s), partial(row, s)],
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
            explain=partial(bias_steps, s),
        ),
        title=_("Bias D: logarithms of the gates between key j and query i, added"),
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
    return {"gates": s.log_gates.exp().tolist()}


def readouts(s: Gates, shown: Shown) -> dict[str, str]:
    """What of the followed key arrives; for equal gates, the ALiBi that they are."""
    arrives = "–" if math.isnan(shown.value) else written(math.exp(shown.value), ".3%")
    told = {_("arrives there"): arrives}
    if s.gates == "constant":
        slope = -math.log(s.gate)
        told[_("slope of the same ALiBi")] = written(slope, ".4g")
        told[_("tokens until half is left")] = written(math.log(2) / slope, ".3g")
    return told


def gate_steps(s: Gates, token: int) -> tuple[Step, ...]:
    """The gate of one token: given, or from its embedding."""
    symbol = f"f_{{{token}}}"
    value = s.log_gates[token].exp().item()
    if s.gates != "random":
        return (Step(symbol, "", "", value),)
    product = dot_step(rf"w \cdot x_{{{token}}}", s.weight[0], s.embedded[token], "w", "x")
    numbers = rf"\sigma({number(product.value)} + {factor(s.bias.item())})"
    return product, Step(symbol, rf"\sigma(w \cdot x_{{{token}}} + b)", numbers, value)


def bias_steps(s: Gates, query: int, key: int) -> tuple[Step, ...]:
    """From the gates on the way to their product and the sum of their logarithms."""
    pair = f"{{{query},{key}}}"
    if key > query:
        return (masked(f"D_{pair}"),)
    logs = s.log_gates[key + 1 : query + 1]
    if not len(logs):
        return (Step(f"D_{pair}", r"\text{no gate lies between}", "", 0.0),)
    terms = [number(gate) for gate in logs[:SHOWN_TERMS].exp().tolist()]
    product = r" \cdot ".join(terms) + (r" \cdots" if len(logs) > SHOWN_TERMS else "")
    added = total([rf"\ln {term}" for term in terms], len(logs))
    return (
        Step(r"\text{arrives}", r"f_{j+1} \cdots f_i", product, logs.sum().exp().item()),
        Step(f"D_{pair}", r"\ln f_{j+1} + \dots + \ln f_i", added, logs.sum().item()),
    )


def row(s: Gates, shown: Shown) -> screen.RowFigure:
    """The gates, and what arrives at the query that is followed."""
    return screen.RowFigure(figures=[gates(s, shown.cell), arrives(s, shown.cell)])


def gates(s: Gates, cell: tuple[int, int]) -> screen.BarsFigure:
    """A bar for the gate of each token."""
    labels = live.token_labels(s.cut)
    return screen.BarsFigure(
        key="forget_gate",
        alt=_("Bars of the gate of each token"),
        values=s.log_gates.exp(),
        name=_("gate"),
        title=_("Gate f of each token"),
        x_title=_("token"),
        y_title=_("lets through"),
        y_range=(0, 1.05),
        ticks=labels if len(labels) <= NAMED else (),
        labels=labels,
        color=OKABE_ITO[1],
        steps=lambda _curve, token: gate_steps(s, token),
        x_name=_("token"),
        point=(0, cell[0]),
        table=say("gates"),
        settings=program(s),
        height=340,
    )


def arrives(s: Gates, cell: tuple[int, int]) -> screen.LinesFigure:
    """Products of the gates between each key and the query."""
    query, key = cell
    left = fox_bias(s.log_gates[: query + 1], 1)[0].exp()

    def steps(_curve: int, at: int) -> tuple[Step, ...]:
        first, *_rest = bias_steps(s, query, at)
        return (first,) if at < query else (Step(r"\text{arrives}", "", "", 1.0),)

    return screen.LinesFigure(
        key="arrives",
        alt=_("Curve over the keys: the product of the gates between each key and the query"),
        x=np.arange(query + 1),
        series=[Series(_("arrives"), left, color=OKABE_ITO[2], marker="circle")],
        title=_(
            "What arrives at query {query}, {token}",
            query=query,
            token=live.token_labels(s.cut)[query],
        ),
        x_title=_("key j"),
        y_title=_("product of gates"),
        y_range=(0, 1.05),
        marks=[Mark("y", 0.5, _("half"))],
        steps=steps,
        x_name=_("key"),
        point=(0, min(key, query)),
        table=say("what arrives"),
        settings={**program(s), "query": query},
        height=340,
    )

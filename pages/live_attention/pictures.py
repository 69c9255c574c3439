"""What stands under the large picture of the live attention: one row, all heads, two measures.

A click in any of them leads to a number: the bar of a key and a cell of a small picture open that
cell in the large picture, and the bar of a head is followed under it.
"""

from dataclasses import dataclass

import plotly.graph_objects as go
import streamlit as st
import torch
from torch import Tensor

from plots.heatmap import mark_cell, small_multiples
from plots.lines import Mark, bars
from plots.looks import look
from posenc import Step
from posenc.attention.picture import attention_weight_steps
from posenc.attention.rows import AttentionRows
from posenc.attention.steps.measures import attended_distance_steps, entropy_steps, mean_steps
from ui.charts.component import chart
from ui.charts.curve import curve_chart, followed_chart
from ui.charts.follow import follow
from ui.charts.points import FromClick, cell_there, on_click
from ui.text import live
from ui.text.models import TRAINED, Asked, Surveyed, even_spread, layers_of


@dataclass(frozen=True)
class Seen:
    """What is on the screen."""

    asked: Asked
    found: Surveyed
    stage: str
    layer: int
    head: int
    cell: tuple[int, int]
    """Query and key that are followed."""

    @property
    def heads(self) -> int:
        """Heads of one layer."""
        return len(self.found.layers[0].views)


CLICKS: dict[str, FromClick] = {
    "heads": cell_there,
    "row": lambda clicked, now: (now[0], round(clicked.x)),
}
"""What a click in the other pictures follows in the large one."""


def open_clicked() -> None:
    """Before the controls are drawn: open the head that was clicked."""
    heads = st.session_state.get("_live_heads", 1)  # of a layer, as drawn
    names = "layer", "head"
    on_click("heads", lambda panel: dict(zip(names, divmod(panel.curve, heads), strict=True)))


def of_layer(asked: Asked, layer: int) -> str:
    """Which layer, where there are several."""
    return f", layer {layer}" if asked.model == TRAINED else ""


def show_row(seen: Seen, attention: AttentionRows) -> Tensor:
    """The attention of the followed cell's query over all keys, the key's bar marked."""
    asked, head, (query, key) = seen.asked, seen.head, seen.cell
    st.session_state["_live_heads"] = seen.heads
    labels = live.token_labels(asked.tokens)
    weights = attention.trace(torch.tensor([query])).weights[0, head, 0].cpu()
    figure = bars(
        weights.numpy(),
        title=f"Attention of query {query}, {labels[query]}, head {head}"
        f"{of_layer(asked, seen.layer)}",
        x_title="key j",
        y_title="attention",
        labels=labels if asked.length <= live.LABELLED_TOKENS else None,
        color=look(asked.encoding).color,
    )
    mark_cell(figure, weights[key].item(), key)
    alt = f"Bars of the attention that query {query} pays to each key"
    chart(figure, key="row", alt=alt, height=300)
    if seen.stage == "weights":
        st.caption("The steps to the marked bar stand under the large picture. Click another key.")
    else:
        steps = attention_weight_steps(attention, head, query, key)
        follow(steps, key="row", place=f"query {query:,}, key {key:,}")
    return weights


def show_heads(seen: Seen) -> None:
    """The same stage of every head of every layer, on one scale."""
    layers, what = seen.found.layers, live.STAGES[seen.stage]
    edges = layers[0].edges.numpy()
    panels = [
        (f"layer {layer}, head {head}" if len(layers) > 1 else f"head {head}", values)
        for layer, one in enumerate(layers)
        for head, values in enumerate(one.views.float().numpy())
    ]
    figure = small_multiples(
        panels,
        edges,
        edges,
        title=f"{what.capitalize()} of every head, on one scale",
        x_title="key j",
        y_title="query i",
        signed=seen.stage != "weights",
        unit=live.UNITS.get(seen.stage, ""),
        value_name=what,
        columns=4,
    )
    chart(
        mark_cell(figure, *seen.cell),
        key="heads",
        alt=f"Small heatmaps of the {what} of each head on one colour scale",
        height=260 if len(panels) <= 4 else 460,
    )
    blocks = seen.asked.length > len(edges) - 1
    st.caption(
        "Click a head to open it in the large picture and follow the cell there."
        + blocks * " Each cell here: the mean over the pairs that the mask allows."
    )


def show_measures(seen: Seen) -> None:
    """How spread the attention of each head is, and how far it reaches."""
    heads = [divmod(bar, seen.heads) for bar in range(len(seen.found.layers) * seen.heads)]
    left, right = st.columns(2, gap="large")
    with left:
        point = curve_chart(
            measure_bars(seen, "entropy", "nats", "Entropy of a row, mean over queries", heads),
            lambda _, bar: measure_steps(seen, "entropy", *heads[bar]),
            key="entropy",
            alt="Bars of the mean entropy of each head's attention, in nats",
            names=["entropy"],
            places=(0, len(heads) - 1),
            x_name="bar",
            default=(0, seen.layer * seen.heads + seen.head),
            height=300,
            shared=("distance",),
            labels=[f"layer {layer}, head {head}" for layer, head in heads],
        )
    with right:
        followed_chart(
            measure_bars(
                seen, "distance", "tokens", "Distance attended to, mean over queries", heads
            ),
            measure_steps(seen, "distance", *heads[point.place]),
            point,
            key="distance",
            alt="Bars of the mean distance of each head's attention, in tokens",
            height=300,
        )


def measure_bars(
    seen: Seen, name: str, unit: str, title: str, heads: list[tuple[int, int]]
) -> go.Figure:
    """A bar for each head of each layer, and what attention that is spread evenly has."""
    several, even = len(seen.found.layers) > 1, even_spread(seen.asked)[name]
    means = torch.cat([getattr(one, name).mean(-1) for one in seen.found.layers])
    return bars(
        means.numpy(),
        title=title,
        x_title="layer.head" if several else "head h",
        y_title=f"{name} ({unit})",
        labels=[f"{layer}.{head}" if several else str(head) for layer, head in heads],
        color=look(seen.asked.encoding).color,
        y_range=(0, 1.2 * max(even, means.max().item()) or 1),
        marks=[Mark("y", even, "attention spread evenly")],
    )


def measure_steps(seen: Seen, name: str, layer: int, head: int) -> tuple[Step, ...]:
    """The measure of the followed cell's query in a head, then its mean over all queries."""
    query = seen.cell[0]
    rows = getattr(seen.found.layers[layer], name)
    trace = layers_of(seen.asked)[layer].trace(torch.tensor([query]))
    steps, symbol = (entropy_steps, "H") if name == "entropy" else (attended_distance_steps, "d")
    of_query = steps(trace.weights[0, head, 0].cpu(), query, rows[head, query].item())
    whose = f"{layer}.{head}" if len(seen.found.layers) > 1 else f"{head}"
    return (*of_query, *mean_steps(rows[head], symbol, rows.mean(-1)[head].item(), whose))

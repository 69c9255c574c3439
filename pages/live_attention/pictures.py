"""What stands under the large picture of the live attention: one row, all heads, two measures.

A click in any of them leads to a number: the bar of a key and a cell of a small picture open that
cell in the large picture, and the bar of a head is followed under it.
"""

from dataclasses import dataclass

import streamlit as st
import torch
from torch import Tensor

from plots.figure import Figure
from plots.heatmap import mark_cell, small_multiples
from plots.lines import Mark, bars
from plots.looks import look
from posenc import Step
from posenc.attention.picture import attention_weight_steps
from posenc.attention.rows import AttentionRows
from posenc.attention.steps.measures import attended_distance_steps, entropy_steps, mean_steps
from posenc.words import say
from ui.charts.component import chart
from ui.charts.curve import curve_chart, followed_chart
from ui.charts.follow import follow
from ui.charts.points import FromClick, cell_there, on_click
from ui.text import live
from ui.text.models import TRAINED, Surveyed, ToySettings, even_spread, layers_of
from ui.words import _, translate


@dataclass(frozen=True)
class Seen:
    """What is on the screen."""

    settings: ToySettings
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


MEASURES = {"entropy": say("entropy"), "distance": say("distance")}
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


def head_in_words(settings: ToySettings, layer: int, head: int) -> str:
    """Which head, of which layer where there are several."""
    if settings.model == TRAINED:
        return _("head {head}, layer {layer}", head=head, layer=layer)
    return _("head {head}", head=head)


def show_row(seen: Seen, attention: AttentionRows) -> Tensor:
    """The attention of the followed cell's query over all keys, the key's bar marked."""
    settings, head, (query, key) = seen.settings, seen.head, seen.cell
    st.session_state["_live_heads"] = seen.heads
    labels = live.token_labels(settings.tokens)
    weights = attention.trace(torch.tensor([query])).weights[0, head, 0].cpu()
    figure = bars(
        weights.numpy(),
        title=_(
            "Attention of query {query}, {token}, {head}",
            query=query,
            token=labels[query],
            head=head_in_words(settings, seen.layer, head),
        ),
        x_title=_("key j"),
        y_title=_("attention"),
        labels=labels if settings.length <= live.LABELLED_TOKENS else None,
        color=look(settings.encoding).color,
    )
    figure = mark_cell(figure, weights[key].item(), key)
    alt = _("Bars of the attention that query {query} pays to each key", query=query)
    chart(figure, key="row", alt=alt, height=300)
    if seen.stage == "weights":
        st.caption(
            _(
                "The steps to the marked bar stand under the large picture. Click the bar of "
                "another key to follow this key."
            )
        )
    else:
        steps = attention_weight_steps(attention, head, query, key)
        place = _("query {query:,}, key {key:,}", query=query, key=key)
        follow(steps, key="row", place=place)
    return weights


def show_heads(seen: Seen) -> None:
    """The same stage of every head of every layer, on one scale."""
    layers = seen.found.layers
    what = live.STAGES[seen.stage]
    edges = layers[0].edges.numpy()
    panels = [
        (panel_name(layer, head, several=len(layers) > 1), values)
        for layer, one in enumerate(layers)
        for head, values in enumerate(one.views.float().numpy())
    ]
    figure = small_multiples(
        panels,
        edges,
        edges,
        title=_("{stage} of every head, on one scale", stage=live.headline(seen.stage)),
        x_title=_("key j"),
        y_title=_("query i"),
        signed=seen.stage != "weights",
        unit=translate(live.UNITS.get(seen.stage, "")),
        value_name=translate(what),
        columns=4,
    )
    chart(
        mark_cell(figure, *seen.cell),
        key="heads",
        alt=_("Small heatmaps of one stage ({stage}) of each head on one scale", stage=what),
        height=260 if len(panels) <= 4 else 460,
    )
    if seen.settings.length > len(edges) - 1:
        st.caption(
            _(
                "Click a head to open this head in the large picture and follow the cell there. "
                "Each cell here is the mean over the pairs that the mask allows."
            )
        )
    else:
        st.caption(
            _("Click a head to open this head in the large picture and follow the cell there.")
        )


def panel_name(layer: int, head: int, *, several: bool) -> str:
    """What stands above the small picture of a head, of one layer or of several."""
    if several:
        return _("layer {layer}, head {head}", layer=layer, head=head)
    return _("head {head}", head=head)


def show_measures(seen: Seen) -> None:
    """How spread the attention of each head is, and how far it reaches."""
    heads = [divmod(bar, seen.heads) for bar in range(len(seen.found.layers) * seen.heads)]
    left, right = st.columns(2, gap="large")
    with left:
        point = curve_chart(
            measure_bars(
                seen,
                "entropy",
                _("Entropy of a row, mean over queries"),
                _("entropy (nats)"),
                heads,
            ),
            lambda _curve, bar: measure_steps(seen, "entropy", *heads[bar]),
            key="entropy",
            alt=_("Bars of the mean entropy of each head's attention, in nats"),
            names=[translate(MEASURES["entropy"])],
            places=(0, len(heads) - 1),
            x_name=_("bar"),
            default=(0, seen.layer * seen.heads + seen.head),
            height=300,
            shared=("distance",),
            labels=[panel_name(layer, head, several=True) for layer, head in heads],
        )
    with right:
        followed_chart(
            measure_bars(
                seen,
                "distance",
                _("Distance attended to, mean over queries"),
                _("distance (tokens)"),
                heads,
            ),
            measure_steps(seen, "distance", *heads[point.place]),
            point,
            key="distance",
            alt=_("Bars of the mean distance of each head's attention, in tokens"),
            height=300,
        )


def measure_bars(
    seen: Seen, name: str, title: str, y_title: str, heads: list[tuple[int, int]]
) -> Figure:
    """A bar for each head of each layer, and what attention that is spread evenly has."""
    several = len(seen.found.layers) > 1
    even = even_spread(seen.settings)[name]
    means = torch.cat([getattr(one, name).mean(-1) for one in seen.found.layers])
    return bars(
        means.numpy(),
        title=title,
        x_title=_("layer.head") if several else _("head h"),
        y_title=y_title,
        labels=[f"{layer}.{head}" if several else str(head) for layer, head in heads],
        color=look(seen.settings.encoding).color,
        y_range=(0, 1.2 * max(even, means.max().item()) or 1),
        marks=[Mark("y", even, _("attention spread evenly"))],
    )


def measure_steps(seen: Seen, name: str, layer: int, head: int) -> tuple[Step, ...]:
    """The measure of the followed cell's query in a head, then its mean over all queries."""
    query = seen.cell[0]
    rows = getattr(seen.found.layers[layer], name)
    trace = layers_of(seen.settings)[layer].trace(torch.tensor([query]))
    steps, symbol = (entropy_steps, "H") if name == "entropy" else (attended_distance_steps, "d")
    of_query = steps(trace.weights[0, head, 0].cpu(), query, rows[head, query].item())
    whose = f"{layer}.{head}" if len(seen.found.layers) > 1 else f"{head}"
    return (*of_query, *mean_steps(rows[head], symbol, rows.mean(-1)[head].item(), whose))

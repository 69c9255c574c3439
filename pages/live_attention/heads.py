"""Pictures under the large one of the small models: one row, all heads, two measures.

A click in any of them leads to a number: the bar of a key and a cell of a small picture open that
cell in the large picture, and the bar of a head is followed under it.
"""

from dataclasses import dataclass
from functools import partial

import torch

from plots.heatmap import small_multiples
from plots.lines import Mark, mark_bar
from plots.looks import look
from posenc.attention.picture import attention_weight_steps
from posenc.attention.rows import AttentionRows
from posenc.attention.steps.measures import attended_distance_steps, entropy_steps, mean_steps
from posenc.quantity.step import Step
from posenc.words import say
from ui import screen
from ui.charts.matrix import Shown
from ui.charts.panels import Place
from ui.charts.points import CurvePoint
from ui.text import live
from ui.text.models import TRAINED, Surveyed, ToySettings, even_spread, layers_of
from ui.words import _, rounded, translate

MEASURES = {"entropy": say("entropy"), "distance": say("distance")}


@dataclass(frozen=True)
class Heads:
    """All heads of all layers, and which of them is large."""

    settings: ToySettings
    found: Surveyed
    stage: str
    layer: int
    head: int

    @property
    def per_layer(self) -> int:
        """Heads of one layer."""
        return len(self.found.layers[0].views)

    @property
    def places(self) -> list[tuple[int, int]]:
        """Layer and head of each."""
        count = len(self.found.layers) * self.per_layer
        return [divmod(n, self.per_layer) for n in range(count)]


def head_in_words(model: str, layer: int, head: int) -> str:
    """Which head, of which layer where there are several."""
    if model == TRAINED:
        return _("head {head}, layer {layer}", head=head, layer=layer)
    return _("head {head}", head=head)


def row(its: Heads, attention: AttentionRows, shown: Shown | Place) -> screen.BarsFigure:
    """The attention of the followed cell's query over all keys, the key's bar marked."""
    query, key = shown.cell
    tokens = its.settings.tokens
    labels = live.token_labels(tokens)
    weights = attention.trace(torch.tensor([query])).weights[0, its.head, 0].cpu()
    followed = weights[key].item()
    is_drawn_above = its.stage == "weights"  # with its steps

    def steps(_curve: int, key: int) -> tuple[Step, ...]:
        return attention_weight_steps(attention, its.head, query, key)

    return screen.BarsFigure(
        key="row",
        alt=_("Bars of the attention that query {query} pays to each key", query=query),
        values=weights,
        name=_("attention"),
        title=_(
            "Attention of query {query}, {token}, {head}",
            query=query,
            token=labels[query],
            head=head_in_words(its.settings.model, its.layer, its.head),
        ),
        x_title=_("key j"),
        y_title=_("attention"),
        ticks=labels if its.settings.length <= live.LABELLED_TOKENS else (),
        labels=tokens.texts,
        color=look(its.settings.encoding).color,
        finish=lambda drawn: (
            mark_bar(drawn, followed, key, rounded(followed, 3)) if is_drawn_above else drawn
        ),
        steps=None if is_drawn_above else steps,
        x_name=_("token"),
        point=CurvePoint(0, key, _("query {query:,}, key {key:,}", query=query, key=key)),
        table=say("row"),
        height=300,
        caption=(
            _(
                "The steps to the marked bar stand under the large picture. Choose the bar of "
                "another key to follow this key."
            )
            if is_drawn_above
            else ""
        ),
    )


def small(its: Heads) -> screen.ChartFigure:
    """The same stage of every head of every layer, on one scale."""
    layers = its.found.layers
    what = live.STAGES[its.stage]
    edges = layers[0].edges.numpy()
    figure = small_multiples(
        [
            (
                panel_name(layer, head, several=len(layers) > 1),
                layers[layer].views[head].float().numpy(),
            )
            for layer, head in its.places
        ],
        edges,
        edges,
        title=_("{stage} of every head, on one scale", stage=live.headline(its.stage)),
        x_title=_("key j"),
        y_title=_("query i"),
        signed=its.stage != "weights",
        unit=translate(live.UNITS.get(its.stage, "")),
        value_name=translate(what),
        columns=4,
    )
    caption = _("Choose a head to open this head in the large picture and follow the cell there.")
    if its.settings.length > len(edges) - 1:
        caption = _(
            "Choose a head to open this head in the large picture and follow the cell there. "
            "Each cell here is the mean over the pairs that the mask allows."
        )
    return screen.ChartFigure(
        key="heads",
        figure=figure,
        alt=_("Small heatmaps of one stage ({stage}) of each head on one scale", stage=what),
        height=260 if len(its.places) <= 4 else 460,
        caption=caption,
    )


def panel_name(layer: int, head: int, *, several: bool) -> str:
    """Title of a head's small picture, among those of one layer or of several."""
    if several:
        return _("layer {layer}, head {head}", layer=layer, head=head)
    return _("head {head}", head=head)


def measures(its: Heads, shown: Shown | Place) -> screen.RowFigure:
    """How spread the attention of each head is, and how far it reaches."""
    query = shown.cell[0]
    first = (0, its.places.index((its.layer, its.head)))
    return screen.RowFigure(
        figures=[
            measure(its, "entropy", query, first),
            partial(measure, its, "distance", query),
        ]
    )


def measure(
    its: Heads, name: str, query: int, point: tuple[int, int] | CurvePoint
) -> screen.BarsFigure:
    """A bar for each head of each layer, and what attention that is spread evenly has."""
    several = len(its.found.layers) > 1
    even = even_spread(its.settings)[name]
    means = torch.cat([getattr(one, name).mean(-1) for one in its.found.layers])
    is_entropy = name == "entropy"
    return screen.BarsFigure(
        key=name,
        alt=(
            _("Bars of the mean entropy of each head's attention, in nats")
            if is_entropy
            else _("Bars of the mean distance of each head's attention, in tokens")
        ),
        values=means,
        name=translate(MEASURES[name]),
        title=(
            _("Entropy of a row, mean over queries")
            if is_entropy
            else _("Distance attended to, mean over queries")
        ),
        x_title=_("layer.head") if several else _("head h"),
        y_title=_("entropy (nats)") if is_entropy else _("distance (tokens)"),
        ticks=[f"{layer}.{head}" if several else str(head) for layer, head in its.places],
        labels=[panel_name(layer, head, several=True) for layer, head in its.places],
        color=look(its.settings.encoding).color,
        y_range=(0, 1.2 * max(even, means.max().item()) or 1),
        marks=[Mark("y", even, _("attention spread evenly"))],
        steps=lambda _curve, bar: measure_steps(its, name, query, *its.places[bar]),
        x_name=_("bar"),
        point=point,
        shared=("distance",),
        table=MEASURES[name],
        height=300,
    )


def measure_steps(its: Heads, name: str, query: int, layer: int, head: int) -> tuple[Step, ...]:
    """The measure of the followed cell's query in a head, then its mean over all queries."""
    rows = getattr(its.found.layers[layer], name)
    trace = layers_of(its.settings)[layer].trace(torch.tensor([query]))
    steps, symbol = (entropy_steps, "H") if name == "entropy" else (attended_distance_steps, "d")
    of_query = steps(trace.weights[0, head, 0].cpu(), query, rows[head, query].item())
    whose = f"{layer}.{head}" if len(its.found.layers) > 1 else f"{head}"
    return (*of_query, *mean_steps(rows[head], symbol, rows.mean(-1)[head].item(), whose))

"""A sentence and its words shuffled: both outputs, every step to them, and every encoding."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from pages.why_position import origin, slide
from pages.why_position.settings import Settings
from plots.heatmap import heatmap, outline
from plots.looks import look
from posenc.attention.picture import AttentionStage
from posenc.attention.steps.measures import difference_steps
from posenc.attention.steps.pairs import output_steps
from posenc.attention.steps.projections import largest_difference_steps, projection_steps
from posenc.catalogue import CATALOGUE
from posenc.quantity.matrix import Axis, Computed
from posenc.quantity.step import Step
from posenc.words import say
from ui import notebooks, screen
from ui.charts.component import chart
from ui.charts.follow import Explain, follow
from ui.charts.panels import Panel, panel_field
from ui.text import live
from ui.words import _, number, translate

DIMENSION = say("dimension")
WEIGHTS = say("softmax of each row: the attention")
SAME = 1e-9
"""float: the part of the largest output below which a difference is rounding, drawn as 0."""

CODE = """\
ids = {ids}
order = {order}  # the shuffled sentence: which word stands where
place = dict(device="{device}", dtype={dtype})
model = RandomProjections({seed}, d_model={head_dim}, num_heads=1, head_dim={head_dim})
shape = ModelShape(model.d_model, model.num_heads, model.head_dim, length=len(ids))
encoding = randomise(CATALOGUE["{encoding}"].build(shape), seed={seed}).to(**place)
positions = torch.arange(len(ids), device="{device}")


@torch.no_grad()
def output(ids):
    q, k, v = model.project(encoding.embed(model.embed(ids).to(**place), positions))
    return attend(q, k, v, encoding, mask={mask}, trace=True).output[0, 0]


values = output(ids)
shuffled = torch.empty_like(values)
shuffled[order] = output([ids[word] for word in order])
print(values, "largest difference", (shuffled - values).abs().max().item())
"""


def picture(s: Settings) -> screen.Picture:
    """Both orders, every step to their outputs, and the same under every encoding."""
    return screen.Picture(
        figures=[
            slide.figure(s),
            WordMatrices(s, "output", outputs(s), (0, 0), reach=reach(s), words=both_orders(s)),
            readouts(s),
            screen.WordsFigure(
                _(
                    "The row of a word in Q, K and V is a random projection of its embedding; no "
                    "model is trained. The output above is the attention times V."
                ),
                title=_("softmax(QKᵀ / √dₖ) V, step by step"),
            ),
            origin.figure(s),
            WordMatrices(s, "inputs", inputs(s), (0, 0)),
            WordMatrices(s, "scores", scores(s), (len(s.words) - 1, 0), tag="weights"),
            every_encoding(s),
        ],
        code=CODE.format(**live.code_fields(s.attention), mask=s.attention.mask, order=s.places),
    )


def both_orders(s: Settings) -> str:
    """The sentence as typed and shuffled."""
    return _(
        "typed: {typed}\nshuffled: {shuffled}",
        typed=" ".join(s.words),
        shuffled=" ".join(s.shuffled_words),
    )


def reach(s: Settings) -> float:
    """The largest number in both outputs."""
    return max(one.abs().max().item() for one in s.outputs[s.encoding])


def readouts(s: Settings) -> screen.ReadoutsFigure:
    """How far the outputs differ."""
    put_back, output = s.outputs[s.encoding]
    largest = _("largest difference")
    return screen.ReadoutsFigure(
        readouts={
            largest: number((put_back - output).abs().max().item(), ".2g"),
            _("largest output"): number(reach(s), ".3g"),
            _("words"): number(len(s.words)),
            _("computed in"): _(
                "{time:.1f} ms on {device}", time=s.typed.milliseconds, device=s.device.type
            ),
        },
        help={largest: _("About 1e-16 is the rounding of float64: the same number.")},
    )


def outputs(s: Settings) -> list[Panel]:
    """The output of both orders, and their difference."""
    put_back, output = s.outputs[s.encoding]
    change = put_back - output
    change[change.abs() < SAME * reach(s)] = 0

    def as_typed(row: int, col: int) -> tuple[Step, ...]:
        return output_steps(s.typed.trace, s.typed.rows.v, row, col)

    def of_shuffled(row: int, col: int) -> tuple[Step, ...]:
        return output_steps(s.shuffled.trace, s.shuffled.rows.v, s.places.index(row), col)

    def gap(row: int, col: int) -> tuple[Step, ...]:
        both = (of_shuffled(row, col), as_typed(row, col))
        return difference_steps(*both, ("shuffled", "typed"), change[row, col].item())

    return [
        panel("typed", say("Output, in the order typed"), output, as_typed),
        panel("shuffled", say("Output, shuffled and put back"), put_back, of_shuffled),
        panel("difference", say("Difference"), change, gap),
    ]


def inputs(s: Settings) -> list[Panel]:
    """Queries, keys and values."""
    trace = s.typed.trace
    return [
        panel(name, name, values[0, 0], projected(s, at, values))
        for at, (name, values) in enumerate(
            {"Q": trace.q, "K": trace.k, "V": s.typed.rows.v}.items()
        )
    ]


def scores(s: Settings) -> list[Panel]:
    """From products of queries and keys to the attention."""
    trace = s.typed.trace
    return [
        panel(
            tag,
            name,
            values[0, 0],
            AttentionStage(s.typed.rows, stage, 0, name).steps,
            say("key j"),
        )
        for tag, name, stage, values in (
            ("QK", "QKᵀ", "dot", trace.dot),
            ("logits", say("QKᵀ / √dₖ + mask + bias"), "logits", trace.logits),
            ("weights", WEIGHTS, "weights", trace.weights),
        )
    ]


def projected(s: Settings, number: int, values: Tensor) -> Explain:
    """The steps to an entry of Q, K or V (number 0, 1 or 2)."""

    def explain(row: int, col: int) -> tuple[Step, ...]:
        model = live.projections(s.attention)
        tokens = model.embed(s.attention.tokens.ids).to(values)
        with torch.no_grad():
            x = s.typed.rows.encoding.embed(
                tokens, torch.arange(len(s.words), device=values.device)
            )
        identity = torch.eye(model.d_model).to(x)[None]
        weight = model.project(identity)[number][0, 0]
        before = model.project(x)[number]
        turned = not torch.equal(before, values)
        value = values[0, 0, row, col].item()
        letter = "qkv"[number]
        return projection_steps(x[0, row], weight, letter, row, col, value, rotated=turned)

    return explain


def panel(tag: str, name: str, values: Tensor, explain: Explain, columns: str = DIMENSION) -> Panel:
    """A matrix with a row for each word; what the mask has set to -inf is drawn as masked."""
    axes = Axis(say("word"), values.shape[0]), Axis(columns, values.shape[1])
    shown = values.masked_fill(values == -torch.inf, torch.nan)
    return Panel(tag, name, Computed(shown, name, *axes, explain=explain))


@dataclass(frozen=True)
class WordMatrices:
    """Small heatmaps with a row for each word, and the steps to one cell of one of them."""

    settings: Settings
    key: str
    panels: Sequence[Panel]
    cell: tuple[int, int]
    tag: str = ""
    """Tag of the panel that is followed before anything is clicked; the first when empty."""
    reach: float | None = None
    """On both sides of zero, of the colours of all; each has its own when None."""
    words: str = ""
    """Stand above them."""

    def draw(self) -> screen.Drawn:
        """The heatmaps, their field and the steps."""
        if self.words:
            st.text(self.words)
        drawn = st.container()
        place = panel_field(
            self.panels,
            key=self.key,
            default=(self.tag or self.panels[0].tag, *self.cell),
            charts={f"picture_{one.tag}": [one] for one in self.panels},
        )
        follow(place.panel.quantity.steps(place.row, place.col), key=self.key, place=place.words)
        with drawn:
            for column, one in zip(st.columns(len(self.panels)), self.panels, strict=True):
                with column:
                    self._draw(one, (place.row, place.col))
        return screen.Drawn(self._tables)

    def _draw(self, panel: Panel, cell: tuple[int, int]) -> None:
        s = self.settings
        key = f"picture_{panel.tag}"
        program = s.order_program(panel.tag)
        if program is not None and panel.tag != "difference":  # which is rounding, never the same
            notebooks.computed(key, (), "attention", **program)
        name = panel.name
        values = panel_values(panel)
        x_title = panel.quantity.cols.name
        words = live.token_labels(s.attention.tokens)
        signed = name != WEIGHTS
        z_range = None if self.reach is None else (-self.reach, self.reach)
        figure = heatmap(
            values.numpy(),
            title=translate(name),
            x_title=translate(x_title),
            y_title=_("word"),
            signed=signed,
            z_range=z_range if signed else (0, 1),
            row_labels=words,
            col_labels=words if x_title == "key j" else [str(d) for d in range(values.shape[1])],
        )
        figure = figure.restyle(showscale=False)
        figure = outline(figure, (cell[0], cell[0] + 1), (cell[1], cell[1] + 1))
        chart(figure, key=key, alt=_("Heatmap of {name}", name=name), height=300)

    def _tables(self) -> screen.Frames:
        index = pd.Index([f"{place} {word}" for place, word in enumerate(self.settings.words)])
        return {one.name: pd.DataFrame(panel_values(one).numpy(), index) for one in self.panels}


def panel_values(panel: Panel) -> Tensor:
    rows, cols = (torch.arange(axis.length) for axis in (panel.quantity.rows, panel.quantity.cols))
    return panel.quantity.at(rows, cols)


def every_encoding(s: Settings) -> screen.BarsFigure:
    """Change of the outputs by the same shuffle, under every encoding."""
    titles = [translate(entry.title) for entry in CATALOGUE.values()]
    differences = [
        (put_back - output).abs().max().item() for put_back, output in s.outputs.values()
    ]
    pairs = list(s.outputs.values())
    return screen.BarsFigure(
        key="every_encoding",
        alt=_(
            "Bars on a logarithmic axis: how much shuffling the words changes the output of each "
            "word, for every encoding"
        ),
        values=differences,
        name=_("largest difference"),
        title=_("Largest difference that this shuffle makes, with a causal mask")
        if s.causal
        else _("Largest difference that this shuffle makes, without a mask"),
        x_title=_("encoding"),
        y_title=_("largest difference of the output"),
        color=[look(name).color for name in CATALOGUE],
        log_y=True,
        y_range=(1e-17, 10),
        ticks=titles,
        steps=lambda _curve, encoding: largest_difference_steps(*pairs[encoding]),
        x_name=_("encoding"),
        point=(0, list(CATALOGUE).index(s.encoding)),
        labels=titles,
        table=say("every encoding"),
        height=340,
    )

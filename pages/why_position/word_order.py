"""A sentence and its words shuffled: both outputs, every step to them, and every encoding."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from pages.why_position import origin, slide
from plots.heatmap import heatmap, outline
from plots.lines import bars
from plots.looks import look
from posenc import CATALOGUE, Axis, Computed, Step
from posenc.attention.picture import AttentionStage
from posenc.attention.steps.measures import difference_steps
from posenc.attention.steps.pairs import output_steps
from posenc.attention.steps.projections import largest_difference_steps, projection_steps
from posenc.words import say
from ui import notebooks, screen
from ui.charts.component import chart
from ui.charts.curve import Explain, curve_chart
from ui.charts.follow import follow
from ui.charts.panels import Panel, panel_field
from ui.text import live
from ui.text.tokens import Tokens
from ui.words import _, number, translate

DIMENSION = say("dimension")
NO_TOKENS: Any = ()
WEIGHTS = say("softmax of each row: the attention")

Tables = dict[str, Callable[[], pd.DataFrame]]
"""What pictures show, by name, made when it is asked for."""


def show(settings: live.AttentionSettings, order: list[int]) -> Tables:
    """Run the attention on both orders and place the pictures.

    Args:
        settings: Of the attention.
        order: Which word stands at each place of the shuffled sentence.

    Returns:
        What the pictures show, by name.
    """
    typed = live.run(settings)
    outputs = every_output(settings, order)
    if settings.encoding == "nope":
        offer_notebooks(settings, order)
    slide.show(settings, outputs, order)
    return (
        show_outputs(settings, typed, order)
        | show_steps(settings, typed)
        | show_every_encoding(settings, outputs)
    )


def offer_notebooks(settings: live.AttentionSettings, order: list[int]) -> None:
    """What computes the pictures; the small one of a difference is rounding, never the same."""
    alone = ("typed", "shuffled", "Q", "K", "V", "QK", "logits", "weights")
    pictures = {f"picture_{shown}": [shown] for shown in alone}
    for key, shown in (pictures | {slide.KEY: slide.STILL}).items():
        notebooks.computed(
            key,
            (),
            "attention",
            ids=settings.tokens.ids,
            num_heads=settings.num_heads,
            head_dim=settings.head_dim,
            seed=settings.seed,
            causal=settings.causal,
            order=order,
            shown=shown,
        )


def every_output(
    settings: live.AttentionSettings, order: list[int]
) -> dict[str, tuple[Tensor, Tensor]]:
    """Under every encoding: the output of the shuffled words, put back, and of those typed."""
    outputs = {}
    for name in CATALOGUE:
        other = replace(settings, encoding=name)
        put_back = rows_put_back(run_shuffled(other, order), order)
        outputs[name] = put_back, typed_output(*_key(other))
    return outputs


@lru_cache(maxsize=32)
def typed_output(ids: tuple[int, ...], settings: live.AttentionSettings) -> Tensor:
    """The output of the words as typed, kept: another shuffle does not change it."""
    return live.run(replace(settings, tokens=Tokens([], list(ids)))).trace.output[0, 0]


def _key(settings: live.AttentionSettings) -> tuple[tuple[int, ...], live.AttentionSettings]:
    """The settings as what a cache can look up: lists have no hash."""
    return tuple(settings.tokens.ids), replace(settings, tokens=NO_TOKENS)


def shuffled_order(length: int, seed: int) -> list[int]:
    """Which word stands at each place of the shuffled sentence."""
    return torch.randperm(length, generator=torch.Generator().manual_seed(seed)).tolist()


def run_shuffled(settings: live.AttentionSettings, order: list[int]) -> live.Result:
    """The attention of the shuffled sentence."""
    texts, ids = settings.tokens
    tokens = Tokens([texts[word] for word in order], [ids[word] for word in order])
    return live.run(replace(settings, tokens=tokens))


def rows_put_back(shuffled: live.Result, order: list[int]) -> Tensor:
    """Output of the shuffled sentence, its rows put back into the order typed."""
    output = shuffled.trace.output[0, 0]
    put_back = torch.empty_like(output)
    put_back[order] = output
    return put_back


def show_outputs(settings: live.AttentionSettings, typed: live.Result, order: list[int]) -> Tables:
    """The output of both orders side by side, and their largest difference."""
    texts = settings.tokens.texts
    shuffled = run_shuffled(settings, order)
    output = typed.trace.output[0, 0]
    put_back = rows_put_back(shuffled, order)
    difference = (put_back - output).abs().max().item()
    st.text(
        _(
            "typed: {typed}\nshuffled: {shuffled}",
            typed=" ".join(texts),
            shuffled=" ".join(texts[word] for word in order),
        )
    )
    reach = max(output.abs().max().item(), put_back.abs().max().item())

    def as_typed(row: int, col: int) -> tuple[Step, ...]:
        return output_steps(typed.trace, typed.rows.v, row, col)

    def of_shuffled(row: int, col: int) -> tuple[Step, ...]:
        return output_steps(shuffled.trace, shuffled.rows.v, order.index(row), col)

    def gap(row: int, col: int) -> tuple[Step, ...]:
        both = (of_shuffled(row, col), as_typed(row, col))
        value = put_back - output
        return difference_steps(*both, ("shuffled", "typed"), value[row, col].item())

    panels = [
        panel("typed", say("Output, in the order typed"), output, as_typed),
        panel("shuffled", say("Output of the shuffled words, put back"), put_back, of_shuffled),
        panel("difference", say("Difference"), put_back - output, gap),
    ]
    frames = followed(panels, settings, "output", (0, 0), z_range=(-reach, reach))
    screen.readouts(
        {
            _("largest difference"): number(difference, ".2g"),
            _("largest output"): number(reach, ".3g"),
            _("words"): number(len(texts)),
            _("computed in"): _(
                "{time:.1f} ms on {device}", time=typed.milliseconds, device=settings.device.type
            ),
        },
        help={
            _("largest difference"): _("About 1e-16 is the rounding of float64: the same number.")
        },
    )
    return frames


def show_steps(settings: live.AttentionSettings, typed: live.Result) -> Tables:
    """softmax(QKᵀ/√d_k)V on the numbers of this sentence."""
    trace = typed.trace
    st.header(_("softmax(QKᵀ / √dₖ) V, step by step"), anchor=False)
    st.caption(
        _(
            "The row of a word in Q, K and V is a random projection of its embedding; no model is "
            "trained. The output above is the attention times V."
        )
    )
    origin.show(settings, typed)
    inputs = [
        panel(name, name, values[0, 0], projected(settings, typed, number, values))
        for number, (name, values) in enumerate(
            {"Q": trace.q, "K": trace.k, "V": typed.rows.v}.items()
        )
    ]
    scores = [
        panel(
            tag, name, values[0, 0], AttentionStage(typed.rows, stage, 0, name).steps, say("key j")
        )
        for tag, name, stage, values in (
            ("QK", "QKᵀ", "dot", trace.dot),
            ("logits", say("QKᵀ / √dₖ + mask + bias"), "logits", trace.logits),
            ("weights", WEIGHTS, "weights", trace.weights),
        )
    ]
    frames = followed(inputs, settings, "inputs", (0, 0))
    last = settings.length - 1
    return frames | followed(scores, settings, "scores", (last, 0), tag="weights")


def projected(
    settings: live.AttentionSettings, typed: live.Result, number: int, values: Tensor
) -> Explain:
    """The steps to an entry of Q, K or V (number 0, 1 or 2)."""

    def explain(row: int, col: int) -> tuple[Step, ...]:
        model = live.projections(settings)
        tokens = model.embed(settings.tokens.ids).to(values)
        encoding = typed.rows.encoding
        with torch.no_grad():
            x = encoding.embed(tokens, torch.arange(settings.length, device=values.device))
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


def followed(
    panels: Sequence[Panel],
    settings: live.AttentionSettings,
    key: str,
    default: tuple[int, int],
    *,
    tag: str = "",
    z_range: tuple[float, float] | None = None,
) -> Tables:
    """A row of small heatmaps, and under it the steps to one cell of one of them."""
    drawn, below = st.container(), st.container()
    with below:
        place = panel_field(
            panels,
            key=key,
            default=(tag or panels[0].tag, *default),
            charts={f"picture_{one.tag}": [one] for one in panels},
        )
        follow(place.panel.quantity.steps(place.row, place.col), key=key, place=place.words)
    with drawn:
        return pictures(panels, settings, (place.row, place.col), z_range=z_range)


def show_every_encoding(
    settings: live.AttentionSettings, outputs: Mapping[str, tuple[Tensor, Tensor]]
) -> Tables:
    """What the same shuffle changes under every encoding."""
    differences = {
        translate(CATALOGUE[name].title): (put_back - output).abs().max().item()
        for name, (put_back, output) in outputs.items()
    }
    pairs = list(outputs.values())
    title = (
        say("Largest difference that this shuffle makes, with a causal mask")
        if settings.causal
        else say("Largest difference that this shuffle makes, without a mask")
    )
    figure = bars(
        list(differences.values()),
        title=translate(title),
        x_title=_("encoding"),
        y_title=_("largest difference of the output"),
        labels=list(differences),
        color=[look(name).color for name in CATALOGUE],
        log_y=True,
        y_range=(1e-17, 10),
    )
    curve_chart(
        figure,
        lambda _, encoding: largest_difference_steps(*pairs[encoding]),
        key="every_encoding",
        alt=_(
            "Bars on a logarithmic axis: how much shuffling the words changes the output of each "
            "word, for every encoding"
        ),
        names=[_("largest difference")],
        places=(0, len(pairs) - 1),
        x_name=_("encoding"),
        default=(0, list(CATALOGUE).index(settings.encoding)),
        height=340,
        labels=[translate(entry.title) for entry in CATALOGUE.values()],
    )
    column = {_("largest difference"): differences}
    return {say("every encoding"): partial(pd.DataFrame, column)}


def pictures(
    panels: Sequence[Panel],
    settings: live.AttentionSettings,
    cell: tuple[int, int],
    *,
    z_range: tuple[float, float] | None = None,
) -> Tables:
    """A row of small heatmaps, a row for each word, with the numbers in the cells."""
    words = live.token_labels(settings.tokens)
    frames: Tables = {}
    for column, panel in zip(st.columns(len(panels)), panels, strict=True):
        name, quantity = panel.name, panel.quantity
        rows, cols = (torch.arange(axis.length) for axis in (quantity.rows, quantity.cols))
        values = quantity.at(rows, cols)
        x_title = quantity.cols.name
        signed = name != WEIGHTS
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
        with column:
            chart(
                figure,
                key=f"picture_{panel.tag}",
                alt=_("Heatmap of {name}", name=name),
                height=300,
            )
        frames[name] = partial(frame, values, settings.tokens.texts)
    return frames


def frame(values: Tensor, words: Sequence[str]) -> pd.DataFrame:
    """A matrix as a table, a row for each word."""
    index = pd.Index([f"{place} {word}" for place, word in enumerate(words)])
    return pd.DataFrame(values.numpy(), index)

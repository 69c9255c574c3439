"""Side by side: two to four encodings on the same text, queries and keys."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st
import torch

from plots.heatmap import small_multiples
from plots.lines import Mark, Series, lines
from plots.style import NEUTRAL
from posenc import CATALOGUE, Computed, attention_entropy, causal_mask, view
from ui import (
    controls,
    device,
    live,
    live_controls,
    live_models,
    screen,
    side_by_side,
    side_by_side_code,
    side_by_side_cost,
)
from ui.chart import chart
from ui.side_by_side import LETTERS, TITLES, TRAINED, Compared, Contender, Settings
from ui.tokens import byte_tokens

SENTENCE = "The animal did not cross the street because the animal was too tired."
TEXT = f"{SENTENCE} The street was wide, the animal was old, and nobody else was on the street."
SAME_WORD = " ".join(["again"] * 64)
NONE = "–"
PROGRAM = "def add(self, other):\n    return self.value + other.value\n\ndef sub(self, other):\n"
START = {
    "model": live_models.RANDOM,
    "text": TEXT,
    "a": "RoPE",
    "b": "ALiBi",
    "c": "Sinusoidal",
    "d": NONE,
}
PRESETS = {
    "Three places": START,
    "One word": START | {"text": SAME_WORD},
    "Four biases": START | {"a": "ALiBi", "b": "T5 bias", "c": "Kerple", "d": "FIRE"},
    "RoPE and its scalings": START | {
        "text": SAME_WORD, "a": "RoPE", "b": "RoPE, linear", "c": "RoPE, NTK-aware",
        "d": "RoPE, YaRN",
    },
    "Trained RoPE past 128 bytes": {
        "view": "Curves", "model": live_models.TRAINED, "layer": 1, "text": PROGRAM * 5,
        "a": "RoPE", "b": "RoPE, linear", "c": "RoPE, NTK-aware", "d": "RoPE, YaRN",
    },
    "The same twice": START | {"a": "RoPE", "b": "RoPE", "c": NONE, "d": NONE},
}  # fmt: skip
STAGES = ("logits", "position", "weights", "surplus")
MODELS = (live_models.RANDOM, live_models.TRAINED)
VIEWS = ("Matrices", "Curves", "Cost")
MAX_CHARS = 20_000
PANEL_CELLS = (128, 128)
Drawn = tuple[screen.Frames, str]


def main() -> None:
    lesson = screen.header("side_by_side")
    left, right = screen.columns()
    with left:
        controls.presets(PRESETS)
        settings, contenders, stage, head = read_controls()
    drawn = None
    with right:
        chosen = controls.choice(
            "view", "Picture", VIEWS, help="What to compare: one stage, curves, or the cost."
        )
        with screen.guard():
            draw: Callable[[], Drawn] = {
                "Matrices": lambda: matrices_view(settings, contenders, stage, head),
                "Curves": lambda: curves_view(settings, contenders, head),
                "Cost": lambda: side_by_side_cost.show(settings, contenders),
            }[chosen]
            drawn = draw()
    screen.notice(lesson)
    if drawn is not None:
        screen.tabs(lesson, numbers=lambda: drawn[0], code=drawn[1])


def read_controls() -> tuple[Settings, list[Contender], str, int]:
    text = controls.text(
        "text",
        "Text",
        TEXT,
        max_chars=MAX_CHARS,
        help="What all of them read: the same embeddings.",
    )
    chosen = read_titles()
    stage = controls.choice(
        "stage",
        "Stage",
        STAGES,
        help="What the matrices show: the input of the softmax, what position adds to it, "
        "attention, or its logarithm against an even share.",
    )
    with st.expander("More"):
        trained, layer = read_model()
        cut = live_controls.tokenizer()
        causal = controls.toggle(
            "causal", "Causal mask", True, help="A query sees no later key, as in language models."
        )
        num_heads = controls.number(
            "num_heads", "Heads", 4, 1, 16, help="num_heads; slopes and rates differ by head."
        )
        head = controls.number("head", "Head h", 0, 0, 15, help="The head that is shown, from 0.")
        head_dim, seed = live_controls.head_dim(), live_controls.seed()
        factor = controls.number(
            "factor", "Factor", 4.0, 1.0, 64.0, step=1.0, help="k of RoPE's scalings."
        )
        original = controls.number(
            "trained", "Trained length", 16, 2, 4096,
            help="L₀ of YaRN; it bounds the ramp. Trained models have their own.",
        )  # fmt: skip
        place = device.picker()
    if trained:
        cut, num_heads, head_dim = byte_tokens, TRAINED.heads, TRAINED.head_dim
        original = TRAINED.train_length
    if head >= num_heads:
        st.warning(f"Head h = {head} is not one of {num_heads} heads; showing head 0.")
        head = 0
    settings = Settings(
        cut(text), "", causal, num_heads, head_dim, seed, place, layer if trained else None
    )
    contenders = [side_by_side.contender(title, factor, original) for title in chosen]
    return settings, contenders, stage, head


def read_model() -> tuple[bool, int]:
    """Whether the trained models are compared, and which of their layers."""
    model = controls.choice(
        "model", "Model", MODELS, live_models.RANDOM,
        help="Random projections: the same queries and keys for all. Trained: a model for each "
        "encoding, with its own; the text is read in bytes.",
    )  # fmt: skip
    layer = controls.number(
        "layer", "Layer", 0, 0, TRAINED.layers - 1, help="Of the trained models, from 0."
    )
    return model == live_models.TRAINED, layer


def read_titles() -> list[str]:
    """Two to four encodings; the same one twice is allowed."""
    help = "An encoding, or RoPE with a scaling (factor and trained length under More)."
    chosen, places = [], (*st.columns(2, gap="small"), *st.columns(2, gap="small"))
    for place, letter, options in zip(
        places, LETTERS, (TITLES, TITLES, (NONE, *TITLES), (NONE, *TITLES)), strict=True
    ):
        with place:
            key = letter.lower()
            chosen.append(controls.choice(key, letter, options, START[key], help=help))
    return [title for title in chosen if title != NONE]


def matrices_view(settings: Settings, contenders: list[Contender], stage: str, head: int) -> Drawn:
    """One stage of each, and the differences to the first."""
    compared = side_by_side.compare(settings, contenders, stage, head)
    name = live.STAGES[stage]
    frames = show_panels(
        settings,
        {one.name: one.stage for one in compared},
        f"{name.capitalize()} of head {head}, on one scale",
        name,
        signed=stage != "weights",
    )
    first = compared[0]
    differences = {f"{one.name[0]} − A": one.stage - first.stage for one in compared[1:]}
    frames |= show_panels(
        settings, differences, f"Difference to A {first.contender.title}", "difference", signed=True
    )
    screen.readouts(
        {
            f"largest |{difference}|": f"{values.nan_to_num().abs().max().item():.4g}"
            for difference, values in differences.items()
        }
    )
    model_caption(settings)
    return frames, side_by_side_code.matrices(settings, contenders, stage, head, PANEL_CELLS)


def show_panels(
    settings: Settings,
    panels: dict[str, torch.Tensor],
    title: str,
    name: str,
    *,
    signed: bool,
) -> dict[str, pd.DataFrame]:
    """Matrices of queries and keys on one scale."""
    axis = live.quantity(next(iter(panels.values())), settings.tokens, name, signed=signed)
    views = {
        panel: view(Computed(values, name, axis.rows, axis.cols), cells=PANEL_CELLS)
        for panel, values in panels.items()
    }
    one = next(iter(views.values()))
    chart(
        small_multiples(
            [(panel, shown.values.numpy()) for panel, shown in views.items()],
            one.row_edges.numpy(),
            one.col_edges.numpy(),
            title=title,
            x_title="key j",
            y_title="query i",
            signed=signed,
            value_name=name,
            columns=max(len(views), 2),
        ),
        key="differences" if name == "difference" else "stages",
        alt=f"{title}: a heatmap for each of {', '.join(panels)}",
        height=300,
    )
    return {panel: screen.view_frame(shown) for panel, shown in views.items()}


def curves_view(settings: Settings, contenders: list[Contender], head: int) -> Drawn:
    """Scores and attention against distance, entropy of each row."""
    compared = side_by_side.compare(settings, contenders, "weights", head)
    scores = {one.name: one.scores.numpy() for one in compared}
    attention = {one.name: one.attention.numpy() for one in compared}
    entropy = {one.name: one.entropy.numpy() for one in compared}
    places = np.arange(settings.length).tolist()
    past = settings.layer is not None and settings.length > TRAINED.train_length
    marks = [Mark("x", TRAINED.train_length, "trained length")] if past else []
    scores_column, attention_column = st.columns(2, gap="large")
    with scores_column:
        show_curves(compared, scores, "score", f"Score of head {head} against distance", marks)
    with attention_column:
        show_curves(compared, attention, "attention", "Attention against distance", marks)
    even = even_entropy(settings)
    show_curves(compared, entropy, "entropy", "Entropy of each row of attention", marks, even)
    if marks:
        names = [f"{one.name}, past {TRAINED.train_length}" for one in compared]
        screen.readouts(
            {name: f"{100 * one.far:.1f} %" for name, one in zip(names, compared, strict=True)},
            help={
                names[0]: "Share of the attention on keys farther back than any in training, mean "
                "over the queries that have such keys."
            },
        )
    st.caption("Against distance: the mean over all queries that have a key that far back.")
    model_caption(settings)
    frames = {
        "score": screen.curve_frame("distance", places, scores),
        "attention": screen.curve_frame("distance", places, attention),
        "entropy": screen.curve_frame("query", places, entropy | {"spread evenly": even}),
    }
    return frames, side_by_side_code.curves(settings, contenders, head)


def even_entropy(settings: Settings) -> np.ndarray:
    """Entropy of a row that gives each key it may see the same share."""
    n = settings.length
    allowed = causal_mask(n, n) if settings.causal else torch.ones(n, n, dtype=torch.bool)
    return attention_entropy(allowed.double() / allowed.sum(dim=-1, keepdim=True)).numpy()


def show_curves(
    compared: Sequence[Compared],
    curves: Mapping[str, np.ndarray],
    name: str,
    title: str,
    marks: Sequence[Mark],
    even: np.ndarray | None = None,
) -> None:
    """One curve for each encoding, over distances or queries."""
    series = [
        Series(
            one.name,
            curves[one.name],
            color=CATALOGUE[one.contender.entry].color,
            dash=one.contender.dash,
            marker=one.contender.marker,
        )
        for one in compared
    ]
    if even is not None:
        series.append(Series("spread evenly", even, color=NEUTRAL, dash="dash", marker=""))
    chart(
        lines(
            np.arange(len(compared[0].scores)),
            series,
            title=title,
            x_title="query i" if name == "entropy" else "distance i − j",
            y_title="entropy (nats)" if name == "entropy" else name,
            marks=marks,
        ),
        key=name,
        alt=f"Curves: {title}, one for each encoding",
        height=360,
    )


def model_caption(settings: Settings) -> None:
    """What was random or trained here."""
    if settings.layer is not None:
        st.caption(
            f"{settings.length:,} bytes, layer {settings.layer}. Trained on Python code at "
            f"{TRAINED.train_length} bytes: a model for each encoding, each with its own queries "
            "and keys, so what differs is what training made of the encoding, too. RoPE with and "
            "without a scaling has the same weights."
        )
        return
    st.caption(
        f"{settings.length:,} tokens. No model is trained here: embeddings, projections and "
        "learned tables are random numbers from one seed, the same for all."
    )


main()

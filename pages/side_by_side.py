"""Side by side: two to four encodings on the same text, queries and keys."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
import torch

from plots.heatmap import small_multiples
from plots.lines import Series, bars, lines
from plots.style import NEUTRAL
from posenc import CATALOGUE, Computed, attention_entropy, causal_mask, view
from ui import controls, cost, device, live, live_controls, screen, side_by_side
from ui.chart import chart
from ui.side_by_side import LETTERS, TITLES, Compared, Contender

SENTENCE = "The animal did not cross the street because the animal was too tired."
TEXT = f"{SENTENCE} The street was wide, the animal was old, and nobody else was on the street."
SAME_WORD = " ".join(["again"] * 64)
NONE = "–"
START = {"text": TEXT, "a": "RoPE", "b": "ALiBi", "c": "Sinusoidal", "d": NONE}
PRESETS = {
    "Three places": START,
    "One word": START | {"text": SAME_WORD},
    "Four biases": {"text": TEXT, "a": "ALiBi", "b": "T5 bias", "c": "Kerple", "d": "FIRE"},
    "RoPE and its scalings": {
        "text": SAME_WORD, "a": "RoPE", "b": "RoPE, linear", "c": "RoPE, NTK-aware",
        "d": "RoPE, YaRN",
    },
    "The same twice": {"text": TEXT, "a": "RoPE", "b": "RoPE", "c": NONE, "d": NONE},
}  # fmt: skip
STAGES = ("logits", "position", "weights", "surplus")
VIEWS = ("Matrices", "Curves", "Cost")
MAX_CHARS = 20_000
PANEL_CELLS = (128, 128)
Drawn = tuple[screen.Frames, str]

CODE = """\
import torch
from posenc import CATALOGUE, NTK, Axis, Computed, Linear, ModelShape, RandomProjections, RoPE, YaRN
from posenc import attend, attention_surplus, mean_by_distance, randomise, view

ids = {ids}
place = dict(device="{device}", dtype={dtype})
model = RandomProjections({seed}, d_model={d_model}, num_heads={num_heads}, head_dim={head_dim})
shape = ModelShape(model.d_model, model.num_heads, model.head_dim, length=len(ids))
x = model.embed(ids).to(**place)
encodings = [
{encodings}]
traces = []
for encoding in encodings:
    randomise(encoding, seed={seed}).to(**place)
    with torch.no_grad():
        q, k, v = model.project(encoding.embed(x, torch.arange(len(ids), device="{device}")))
        traces.append(attend(q, k, v, encoding, mask={mask}, trace=True))
{values}print(values)
"""
MATRICES = """\
trace = traces[0]  # those of the others follow
plain_q, plain_k, _ = model.project(x)
content = plain_q @ plain_k.mT * model.head_dim**-0.5
stage = ({expression})[0, {head}].masked_fill(trace.masked[0, {head}] == -torch.inf, torch.nan)
tokens = Axis("token", len(ids))
values = view(Computed(stage, "{stage}", tokens, tokens), cells={cells}).values
"""
CURVES = "values = torch.stack([mean_by_distance(trace.logits[0, {head}]) for trace in traces])\n"
COST = "values = torch.tensor([sum(p.numel() for p in e.parameters()) for e in encodings])\n"
EXPRESSIONS = {
    "logits": "trace.logits",
    "position": "trace.scaled + trace.bias - content",
    "weights": "trace.weights",
    "surplus": "attention_surplus(trace.logits)",
}


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
                "Cost": lambda: cost_view(settings, contenders),
            }[chosen]
            drawn = draw()
    screen.notice(lesson)
    if drawn is not None:
        screen.tabs(lesson, numbers=lambda: drawn[0], code=drawn[1])


def read_controls() -> tuple[live.Settings, list[Contender], str, int]:
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
        trained = controls.number(
            "trained", "Trained length", 16, 2, 4096, help="L₀ of YaRN; it bounds the ramp."
        )
        place = device.picker()
    if head >= num_heads:
        st.warning(f"Head h = {head} is not one of {num_heads} heads; showing head 0.")
        head = 0
    settings = live.Settings(cut(text), "", causal, num_heads, head_dim, seed, place)
    contenders = [side_by_side.contender(title, factor, trained) for title in chosen]
    return settings, contenders, stage, head


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


def matrices_view(
    settings: live.Settings, contenders: list[Contender], stage: str, head: int
) -> Drawn:
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
    random_caption(settings)
    values = MATRICES.format(
        expression=EXPRESSIONS[stage], head=head, stage=name, cells=PANEL_CELLS
    )
    return frames, snippet(settings, contenders, values)


def show_panels(
    settings: live.Settings,
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


def curves_view(settings: live.Settings, contenders: list[Contender], head: int) -> Drawn:
    """Scores and attention against distance, entropy of each row."""
    compared = side_by_side.compare(settings, contenders, "weights", head)
    scores = {one.name: one.scores.numpy() for one in compared}
    attention = {one.name: one.attention.numpy() for one in compared}
    entropy = {one.name: one.entropy.numpy() for one in compared}
    places = np.arange(settings.length).tolist()
    scores_column, attention_column = st.columns(2, gap="large")
    with scores_column:
        show_curves(compared, scores, "score", f"Score of head {head} against distance")
    with attention_column:
        show_curves(compared, attention, "attention", "Attention against distance")
    even = even_entropy(settings)
    show_curves(compared, entropy, "entropy", "Entropy of each row of attention", even)
    st.caption("Against distance: the mean over all queries that have a key that far back.")
    random_caption(settings)
    frames = {
        "score": screen.curve_frame("distance", places, scores),
        "attention": screen.curve_frame("distance", places, attention),
        "entropy": screen.curve_frame("query", places, entropy | {"spread evenly": even}),
    }
    return frames, snippet(settings, contenders, CURVES.format(head=head))


def even_entropy(settings: live.Settings) -> np.ndarray:
    """Entropy of a row that gives each key it may see the same share."""
    n = settings.length
    allowed = causal_mask(n, n) if settings.causal else torch.ones(n, n, dtype=torch.bool)
    return attention_entropy(allowed.double() / allowed.sum(dim=-1, keepdim=True)).numpy()


def show_curves(
    compared: Sequence[Compared],
    curves: Mapping[str, np.ndarray],
    name: str,
    title: str,
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
        ),
        key=name,
        alt=f"Curves: {title}, one for each encoding",
        height=360,
    )


def cost_view(settings: live.Settings, contenders: list[Contender]) -> Drawn:
    """Parameters, time and memory of one attention of each, measured now."""
    rows = {}
    for letter, one in zip(LETTERS, contenders, strict=False):
        live.check_length(replace(settings, encoding=one.entry))
        work, encoding = side_by_side.attention_of(settings, one)
        time, calls = cost.milliseconds(work, settings.device)
        held = cost.peak_bytes(work, settings.device)
        rows[f"{letter} {one.title}"] = {
            "parameters": sum(p.numel() for p in encoding.parameters()),
            "time (ms)": time,
            "memory (KiB)": math.nan if held is None else held / 1024,
            "calls timed": calls,
        }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    colors = [CATALOGUE[one.entry].color for one in contenders]
    for column, name in zip(st.columns(3, gap="medium"), list(frame)[:3], strict=True):
        with column:
            figure = bars(
                frame[name].to_numpy(),
                title=name[:1].upper() + name[1:],
                x_title="",
                y_title=name,
                labels=list(LETTERS[: len(frame)]),
                color=colors,
                y_range=(0, 1.1 * frame[name].max() or 1),
            )
            chart(figure, key=name.split()[0], alt=f"Bars of {name} for each encoding", height=320)
    st.dataframe(frame)
    st.caption(
        f"Measured here and now, on {settings.device.type} in "
        f"{str(device.working_dtype(settings.device)).removeprefix('torch.')} with "
        f"{torch.get_num_threads()} thread: one attention over {settings.length:,} tokens with "
        f"{settings.num_heads} heads of {settings.head_dim} channels, from embeddings to output, "
        "without projections. Time: median of the calls. Memory: tensors held at the peak. "
        "What else this machine does counts too; compare bars of one picture only."
    )
    return {"cost": frame}, snippet(settings, contenders, COST)


def random_caption(settings: live.Settings) -> None:
    st.caption(
        f"{settings.length:,} tokens. No model is trained here: embeddings, projections and "
        "learned tables are random numbers from one seed, the same for all."
    )


def snippet(settings: live.Settings, contenders: list[Contender], values: str) -> str:
    """The first picture by `posenc` alone."""
    encodings = "".join(f"    {one.code},\n" for one in contenders)
    return CODE.format(**live.code_fields(settings), encodings=encodings, values=values)


main()

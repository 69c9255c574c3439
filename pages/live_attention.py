"""Live attention: every stage of a score on typed text, with seeded random projections."""

import pandas as pd
import streamlit as st

from plots.heatmap import small_multiples
from plots.lines import Mark, bars
from posenc import CATALOGUE, view
from ui import controls, device, live, live_controls, screen
from ui.chart import chart
from ui.matrix import CELLS, Shown, matrix

SENTENCE = "The animal did not cross the street because the animal was too tired."
PROGRAM = "def add(a, b):\n    return a + b\n\nprint(add(1, 2))"
START = {
    "text": SENTENCE,
    "tokens": "words",
    "encoding": "rope",
    "stage": "weights",
    "causal": True,
    "num_heads": 4,
    "head_dim": 16,
}
PRESETS = {
    "A sentence": START,
    "One word": START | {"text": " ".join(["again"] * 10)},
    "A program": START | {"text": PROGRAM, "tokens": "bytes"},
    "559 bytes": START | {"text": " ".join([SENTENCE] * 8), "tokens": "bytes", "stage": "surplus"},
}
MAX_CHARS = 20_000
PANEL_CELLS = 64

CODE = """\
import torch
from posenc import CATALOGUE, Axis, Computed, ModelShape, RandomProjections
from posenc import attend, attention_surplus, randomise, view

ids = {ids}
place = dict(device="{device}", dtype={dtype})
model = RandomProjections({seed}, d_model={d_model}, num_heads={num_heads}, head_dim={head_dim})
shape = ModelShape(model.d_model, model.num_heads, model.head_dim, length=len(ids))
encoding = randomise(CATALOGUE["{encoding}"].build(shape), seed={seed}).to(**place)
x = model.embed(ids).to(**place)
with torch.no_grad():
    q, k, v = model.project(encoding.embed(x, torch.arange(len(ids), device="{device}")))
    trace = attend(q, k, v, encoding, mask={mask}, trace=True)
plain_q, plain_k, _ = model.project(x)
content = plain_q @ plain_k.mT * model.head_dim**-0.5
stage = ({expression})[0, {head}]
{masking}tokens = Axis("token", len(ids))
values = view(Computed(stage, "{stage}", tokens, tokens), {rows}, {cols}, {cells}).values
print(values)
"""
EXPRESSIONS = {
    "content": "content",
    "position": "trace.scaled + trace.bias - content",
    "surplus": "attention_surplus(trace.logits)",
}
MASKING = "stage = stage.masked_fill(trace.masked[0, {head}] == -torch.inf, torch.nan)\n"


def main() -> None:
    """Read the controls, run the attention, place the pictures."""
    lesson = screen.header("live_attention")
    left, right = screen.columns()
    with left:
        controls.presets(PRESETS)
        settings, stage, head = read_controls()
    result, shown = None, None
    with right, screen.guard():
        result = live.run(settings)
        shown = show_stage(settings, result, stage, head)
        show_row(settings, result, head, shown.cell[0])
        show_heads(settings, result, stage)
        show_measures(settings, result)
    screen.notice(lesson)
    screen.tabs(
        lesson,
        numbers=lambda: frames(settings, result, shown, head),
        code=snippet(settings, stage, head, shown),
    )


def read_controls() -> tuple[live.Settings, str, int]:
    """Settings of the attention, the stage and the head of the large picture."""
    text = controls.text(
        "text",
        "Text",
        SENTENCE,
        max_chars=MAX_CHARS,
        help="What the attention reads. Equal tokens have equal embeddings.",
    )
    cut = live_controls.tokenizer()
    encoding = live_controls.encoding(START["encoding"])
    stage = controls.choice(
        "stage",
        "Stage",
        list(live.STAGES),
        START["stage"],
        help="Which step of the formula the pictures show, from the content score to the weights.",
    )
    head_place = st.container()
    causal = controls.toggle(
        "causal", "Causal mask", True, help="A query sees no later key, as in language models."
    )
    with st.expander("More"):
        num_heads = controls.number(
            "num_heads", "Heads", 4, 1, 16, help="num_heads; 32 in Llama-2-7B, 12 in GPT-2."
        )
        head_dim, seed = live_controls.head_dim(), live_controls.seed()
        chosen_device = device.picker()
    with head_place:
        head = controls.number(
            "head", "Head h", 0, 0, num_heads - 1, help="The head in the large picture, from 0."
        )
    settings = live.Settings(cut(text), encoding, causal, num_heads, head_dim, seed, chosen_device)
    return settings, stage, head


def show_stage(settings: live.Settings, result: live.Result, stage: str, head: int) -> Shown:
    """The large picture: one stage of one head, and the stages of the chosen cell."""
    entry = CATALOGUE[settings.encoding]
    st.caption(
        "No model is trained here. Embeddings and projections are random numbers from the seed: "
        "the content part has no meaning, the position part is the encoding's own."
    )
    if entry.causal_only and not settings.causal:
        st.caption(
            f"{entry.title} is defined under a causal mask; without one it reads the future."
        )
    shown = matrix(
        live.quantity(
            live.stage(result, stage, head),
            settings.tokens,
            live.STAGES[stage],
            signed=stage != "weights",
            unit=live.UNITS.get(stage, ""),
            explain=live.steps(result, stage, head),
        ),
        key="stage_matrix",
        title=f"{live.STAGES[stage].capitalize()} of head {head}, {entry.title}",
        alt=f"Heatmap of the {live.STAGES[stage]} of head {head}: a row for each query, a column "
        "for each key",
        default_cell=live.default_cell(settings.length),
    )
    at = {name: live.stage(result, name, head)[shown.cell].item() for name in live.STAGES}
    screen.readouts(
        {
            "content score": readable(at["content"]),
            "+ position part": readable(at["position"]),
            "= logit": readable(at["logits"]),
            "attention": readable(at["weights"]),
        },
        help={"+ position part": "Everything that the encoding adds to this score, in any place."},
    )
    st.caption(
        f"{settings.length:,} tokens, {settings.num_heads} heads, computed in "
        f"{result.milliseconds:.1f} ms on {settings.device.type} in "
        f"{str(result.trace.weights.dtype).removeprefix('torch.')}."
    )
    return shown


def readable(value: float) -> str:
    """A number in four digits; what the mask hides has none."""
    return "masked" if value != value else f"{value:.4g}"


def show_row(settings: live.Settings, result: live.Result, head: int, query: int) -> None:
    """The attention of the chosen cell's query over all keys."""
    labels = live.token_labels(settings.tokens)
    chart(
        bars(
            result.trace.weights[0, head, query].cpu().numpy(),
            title=f"Attention of query {query}, {labels[query]}, head {head}",
            x_title="key j",
            y_title="attention",
            labels=labels if settings.length <= live.LABELLED_TOKENS else None,
            color=CATALOGUE[settings.encoding].color,
        ),
        key="row",
        alt=f"Bars of the attention that query {query} pays to each key",
        height=300,
    )


def show_heads(settings: live.Settings, result: live.Result, stage: str) -> None:
    """The same stage of every head, on one scale."""
    views = [
        view(
            live.quantity(live.stage(result, stage, head), settings.tokens, stage, signed=True),
            cells=(PANEL_CELLS, PANEL_CELLS),
        )
        for head in range(settings.num_heads)
    ]
    chart(
        small_multiples(
            [(f"head {head}", shown.values.numpy()) for head, shown in enumerate(views)],
            views[0].row_edges.numpy(),
            views[0].col_edges.numpy(),
            title=f"{live.STAGES[stage].capitalize()} of every head, on one scale",
            x_title="key j",
            y_title="query i",
            signed=stage != "weights",
            unit=live.UNITS.get(stage, ""),
            value_name=live.STAGES[stage],
        ),
        key="heads",
        alt=f"Small heatmaps of the {live.STAGES[stage]} of each head on one colour scale",
        height=260 if settings.num_heads <= 4 else 460,
    )


def show_measures(settings: live.Settings, result: live.Result) -> None:
    """How spread the attention of each head is, and how far it reaches."""
    spread = live.spread(result.trace.weights[0], settings.causal)
    entropy_column, distance_column = st.columns(2, gap="large")
    for column, name, unit, title in (
        (entropy_column, "entropy", "nats", "Entropy of a row, mean over queries"),
        (distance_column, "distance", "tokens", "Distance attended to, mean over queries"),
    ):
        heads, even = spread[name]
        with column:
            chart(
                bars(
                    heads.numpy(),
                    title=title,
                    x_title="head h",
                    y_title=f"{name} ({unit})",
                    labels=[str(head) for head in range(settings.num_heads)],
                    color=CATALOGUE[settings.encoding].color,
                    y_range=(0, 1.2 * max(even, heads.max().item()) or 1),
                    marks=[Mark("y", even, "attention spread evenly")],
                ),
                key=name,
                alt=f"Bars of the mean {name} of each head's attention, in {unit}",
                height=300,
            )


def frames(
    settings: live.Settings, result: live.Result | None, shown: Shown | None, head: int
) -> screen.Frames:
    """What the figures show, as tables."""
    if result is None or shown is None:
        raise ValueError("There are no numbers for these settings.")
    spread = live.spread(result.trace.weights[0], settings.causal)
    cell = {
        live.STAGES[name]: live.stage(result, name, head)[shown.cell].item() for name in live.STAGES
    }
    row = result.trace.weights[0, head, shown.cell[0]].cpu().numpy()
    return {
        "stage": screen.view_frame(shown.view),
        "chosen cell": pd.DataFrame({"value": cell}),
        "row": pd.DataFrame({"token": settings.tokens.texts, "attention": row}),
        "heads": pd.DataFrame({name: heads.numpy() for name, (heads, _) in spread.items()}),
    }


def snippet(settings: live.Settings, stage: str, head: int, shown: Shown | None) -> str:
    """The same stage by `posenc` alone."""
    whole = (0, settings.length)
    return CODE.format(
        **live.code_fields(settings),
        expression=EXPRESSIONS.get(stage, f"trace.{stage}"),
        head=head,
        masking="" if stage in live.STAGES_BEFORE_MASK else MASKING.format(head=head),
        stage=live.STAGES[stage],
        rows=shown.rows if shown else whole,
        cols=shown.cols if shown else whole,
        cells=CELLS,
    )


main()

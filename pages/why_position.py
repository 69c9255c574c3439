"""Why position: the words of a sentence shuffled, and what attention makes of it."""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from plots.heatmap import heatmap, outline
from plots.lines import bars
from posenc import CATALOGUE, output_steps
from ui import controls, device, live, live_controls, screen
from ui.chart import chart
from ui.follow import follow
from ui.matrix import cell_field
from ui.tokens import Tokens, word_tokens

START = {
    "text": "the dog bites the man",
    "encoding": "nope",
    "causal": False,
    "head_dim": 4,
    "shuffle": 1,
}
PRESETS = {
    "No positions": START,
    "A mask alone": START | {"causal": True},
    "RoPE": START | {"encoding": "rope"},
    "Another sentence": START | {"text": "only she said that he had come"},
}
WEIGHTS = "softmax of each row: the attention"
MAX_CHARS, MAX_WORDS, MAX_SHUFFLE = 600, 24, 9999

CODE = """\
import torch
from posenc import CATALOGUE, ModelShape, RandomProjections, attend, randomise

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


def main() -> None:
    """Read the controls, run the attention on both orders, place the pictures."""
    lesson = screen.header("why_position")
    left, right = screen.columns()
    with left:
        controls.presets(PRESETS)
        settings, shuffle = read_controls()
    tables: dict[str, pd.DataFrame] = {}
    order = shuffled_order(settings.length, shuffle)
    with right, screen.guard():
        check_words(settings.tokens)
        typed = live.run(settings)
        put_back = shuffled_output(settings, order)
        tables |= show_outputs(settings, typed, put_back, order)
        tables |= show_steps(settings, typed)
        tables |= show_every_encoding(settings, order)
    screen.notice(lesson)
    screen.tabs(lesson, numbers=lambda: tables, code=snippet(settings, order))


def read_controls() -> tuple[live.Settings, int]:
    """Settings of the attention, and the seed of the shuffled order."""
    text = controls.text(
        "text",
        "Sentence",
        START["text"],
        max_chars=MAX_CHARS,
        help=f"At most {MAX_WORDS} words and marks. Equal words have equal embeddings.",
    )
    shuffle = controls.number(
        "shuffle", "Shuffle", 1, 0, MAX_SHUFFLE, help="Each number is another order of the words."
    )
    st.button("Shuffle again", on_click=shuffle_again, key="_shuffle_again")
    encoding = live_controls.encoding(START["encoding"])
    causal = controls.toggle(
        "causal", "Causal mask", help="A word sees only itself and the words before it."
    )
    head_dim = controls.powers(
        "head_dim", "Head width", 4, 2, 8, help="d_k in √d_k; 64 in GPT-2, 128 in Llama-2-7B."
    )
    with st.expander("More"):
        seed = live_controls.seed()
        chosen_device = device.picker()
    tokens = word_tokens(text)
    return live.Settings(tokens, encoding, causal, 1, head_dim, seed, chosen_device), shuffle


def shuffle_again() -> None:
    """Take the next order."""
    st.session_state["shuffle"] = (st.session_state["shuffle"] + 1) % (MAX_SHUFFLE + 1)


def check_words(tokens: Tokens) -> None:
    """Refuse a text whose matrices would not be read any more."""
    if len(tokens.ids) > MAX_WORDS:
        raise ValueError(
            f"The sentence has {len(tokens.ids)} words and marks; this screen shows at most "
            f"{MAX_WORDS}."
        )


def shuffled_order(length: int, seed: int) -> list[int]:
    """Which word stands at each place of the shuffled sentence."""
    return torch.randperm(length, generator=torch.Generator().manual_seed(seed)).tolist()


def shuffled_output(settings: live.Settings, order: list[int]) -> Tensor:
    """Output of the shuffled sentence, its rows put back into the order typed."""
    tokens = Tokens(*([column[word] for word in order] for column in settings.tokens))
    output = live.run(replace(settings, tokens=tokens)).trace.output[0, 0]
    put_back = torch.empty_like(output)
    put_back[order] = output
    return put_back


def show_outputs(
    settings: live.Settings, typed: live.Result, put_back: Tensor, order: list[int]
) -> dict[str, pd.DataFrame]:
    """The output of both orders side by side, and their largest difference."""
    texts = settings.tokens.texts
    output = typed.trace.output[0, 0]
    difference = (put_back - output).abs().max().item()
    st.text(f"typed: {' '.join(texts)}\nshuffled: {' '.join(texts[word] for word in order)}")
    reach = max(output.abs().max().item(), put_back.abs().max().item())
    both = {
        "Output, in the order typed": output,
        "Output of the shuffled words, put back": put_back,
        "Difference": put_back - output,
    }
    drawn, below = st.container(), st.container()
    with below:
        cell = cell_field("output", tuple(output.shape), (0, 0), charts_of(both))
        steps = output_steps(typed.trace, typed.v, *cell)
        follow(steps, key="output", place=f"row {cell[0]}, column {cell[1]}")
    with drawn:
        frames = pictures(both, settings, "dimension", cell, z_range=(-reach, reach))
    screen.readouts(
        {
            "largest difference": f"{difference:.2g}",
            "largest output": f"{reach:.3g}",
            "words": f"{len(texts)}",
            "computed in": f"{typed.milliseconds:.1f} ms on {settings.device.type}",
        },
        help={"largest difference": "About 1e-16 is the rounding of float64: the same number."},
    )
    return frames


def show_steps(settings: live.Settings, typed: live.Result) -> dict[str, pd.DataFrame]:
    """softmax(QKᵀ/√d_k)V on the numbers of this sentence."""
    trace = typed.trace
    st.header("softmax(QKᵀ / √dₖ) V, step by step", anchor=False)
    st.caption(
        "The row of a word in Q, K and V is a random projection of its embedding; no model is "
        "trained. The output above is the attention times V."
    )
    inputs = {"Q": trace.q, "K": trace.k, "V": typed.v}
    scores = {"QKᵀ": trace.dot, "QKᵀ / √dₖ + mask + bias": trace.logits, WEIGHTS: trace.weights}
    drawn, below = st.container(), st.container()
    with below:
        shape = settings.length, settings.length
        cell = cell_field("weights", shape, (settings.length - 1, 0), charts_of(scores))
        steps = live.steps(typed, "weights", 0)(*cell)
        follow(steps, key="weights", place=f"row {cell[0]}, column {cell[1]}")
    with drawn:
        return pictures(
            {name: values[0, 0] for name, values in inputs.items()}, settings, "dimension"
        ) | pictures(
            {name: values[0, 0] for name, values in scores.items()}, settings, "key j", cell
        )


def charts_of(matrices: Mapping[str, Tensor]) -> list[str]:
    """The keys of their pictures."""
    return [f"picture {name}" for name in matrices]


def show_every_encoding(settings: live.Settings, order: list[int]) -> dict[str, pd.DataFrame]:
    """What the same shuffle changes under every encoding."""
    differences = {}
    for name, entry in CATALOGUE.items():
        other = replace(settings, encoding=name)
        change = shuffled_output(other, order) - live.run(other).trace.output[0, 0]
        differences[entry.title] = change.abs().max().item()
    mask = "with a causal mask" if settings.causal else "without a mask"
    chart(
        bars(
            list(differences.values()),
            title=f"Largest difference that this shuffle makes, {mask}",
            x_title="encoding",
            y_title="largest difference of the output",
            labels=list(differences),
            color=[entry.color for entry in CATALOGUE.values()],
            log_y=True,
            y_range=(1e-17, 10),
        ),
        key="every_encoding",
        alt="Bars on a logarithmic axis: how much shuffling the words changes the output of each "
        "word, for every encoding",
        height=340,
    )
    return {"every encoding": pd.DataFrame({"largest difference": differences})}


def pictures(
    matrices: Mapping[str, Tensor],
    settings: live.Settings,
    x_title: str,
    cell: tuple[int, int] | None = None,
    *,
    z_range: tuple[float, float] | None = None,
) -> dict[str, pd.DataFrame]:
    """A row of small heatmaps, a row for each word, with the numbers in the cells."""
    words = live.token_labels(settings.tokens)
    for column, (name, values) in zip(st.columns(len(matrices)), matrices.items(), strict=True):
        signed = name != WEIGHTS
        figure = heatmap(
            values.cpu().numpy(),
            title=name,
            x_title=x_title,
            y_title="word",
            signed=signed,
            z_range=z_range if signed else (0, 1),
            row_labels=words,
            col_labels=words if x_title == "key j" else [str(d) for d in range(values.shape[1])],
        )
        figure.update_traces(showscale=False)
        if cell is not None:
            outline(figure, (cell[0], cell[0] + 1), (cell[1], cell[1] + 1))
        with column:
            chart(figure, key=f"picture {name}", alt=f"Heatmap of {name}", height=300)
    index = pd.Index([f"{place} {text}" for place, text in enumerate(settings.tokens.texts)])
    return {name: pd.DataFrame(values.cpu().numpy(), index) for name, values in matrices.items()}


def snippet(settings: live.Settings, order: list[int]) -> str:
    """Both outputs by `posenc` alone."""
    return CODE.format(
        **live.code_fields(settings),
        order=order,
    )


main()

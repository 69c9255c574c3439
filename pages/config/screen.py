"""Scaling studio: what a model's config.json does to positions, and how to read further."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
import torch

from pages.config.comparison import Chart, Points, Studio, Vectors, code
from pages.config.methods import METHODS, compare
from pages.config.pairs import angles, wavelengths
from pages.config.pictures import other_picture
from pages.config.prices import ledger, short_prompts
from pages.config.scores import resolution, scores
from pages.config.verdict import COLUMNS, basis, row, verdict
from posenc import RopeConfig, extend_config
from posenc.config.layers import OtherLayer, RopeLayer
from posenc.precision.formula import max_angle_error
from ui import controls, screen
from ui.charts.curve import curve_chart, followed_chart
from ui.charts.points import CurvePoint
from ui.controls.advice import show_findings, show_settings
from ui.controls.model_config import OWN, Model, choose_model, paste, plain, read_model
from ui.controls.task import Task, number

TRAINED_WITH = ("no scaling", "the file's scaling")
PRESETS = {
    "Llama-3.1-8B": {"model": "Llama-3.1-8B", "target_length": 0},
    "Llama-2-7B to 32k": {"model": "Llama-2-7B", "target_length": 32768},
    "Qwen3-8B to 128k": {"model": "Qwen3-8B", "target_length": 131072},
    "Phi-3-mini-128k": {"model": "Phi-3-mini-128k", "target_length": 0},
    "DeepSeek-V3": {"model": "DeepSeek-V3", "target_length": 0},
    "Gemma-3-12B": {"model": "Gemma-3-12B", "target_length": 0},
    "BLOOM-176B": {"model": "BLOOM-176B", "target_length": 0},
}
VIEWS = {
    "Wavelengths": wavelengths,
    "Angles": angles,
    "Resolution": resolution,
    "Scores": scores,
    "Short prompts": short_prompts,
    "Ledger": ledger,
}
EXTENSIONS = {
    "as it is": None, "YaRN": "yarn", "Llama-3": "llama3", "NTK": "ntk", "linear": "linear",
}  # fmt: skip
ELSEWHERE = {
    "alibi": (
        "ALiBi: a bias on the scores that falls with the distance. It has no trained length in "
        "its formula and nothing to rescale; each head sees as far as its slope lets it"
    ),
    "t5": (
        "T5's buckets: a learned bias for each range of distances. All distances beyond the last "
        "bucket share one bias, so that a longer text needs no change, and far tokens look alike"
    ),
    "learned": (
        "a learned table: one vector for each position, added to the embedding. Beyond its last "
        "row there is nothing to add: the table has to be interpolated and trained again"
    ),
    "nope": "no positional encoding in these layers, so that there is nothing to rescale",
}


def show_rope(s: Studio, refused: dict[str, str]) -> screen.ScreenView:
    """The chosen picture, what will happen with each method, and the other pictures of the view."""
    picture = VIEWS[view](s)
    first, *others = picture.charts
    shared = [one.key for one in others if one.points is None]
    point = follow_chart(first, picture.points, shared)
    if picture.caption:
        st.caption(picture.caption)
    show_readouts(s)
    sentences = [verdict(method, s.task) for method in s.methods]
    sentences += [f"**{name}** does not fit this model: {why}" for name, why in refused.items()]
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    if words := basis(s.task):
        st.markdown(words)
    rows = [row(method, s.task) for method in s.methods]
    names = pd.Index([method.name for method in s.methods], name="method")
    helps = {column: st.column_config.Column(help=words) for column, words in COLUMNS.items()}
    st.dataframe(pd.DataFrame(rows, names), column_config=helps)
    for place, one in zip(st.columns(max(len(others), 1), gap="large"), others, strict=False):
        with place:
            if one.points is not None:
                follow_chart(one, one.points)
                continue
            steps = one.explain(point.curve, point.place)
            followed_chart(one.figure, steps, point, key=one.key, alt=one.alt, height=one.height)
    return screen.ScreenView(lambda: picture.frames, code(s, picture))


def follow_chart(one: Chart, points: Points, shared: Sequence[str] = ()) -> CurvePoint:
    """A figure with its own field of the followed point."""
    return curve_chart(
        one.figure,
        one.explain,
        key=one.key,
        alt=one.alt,
        height=one.height,
        shared=shared,
        **vars(points),
    )


def show_readouts(s: Studio) -> None:
    """The numbers that every view makes one ask for."""
    task, layer = s.task, s.task.layer
    turns = s.methods[0].coverage.turns
    last = torch.tensor([task.target - 1])
    plain = task.frequencies(task.unscaled, None)[0]
    error = float(max_angle_error(last, plain, torch.float32))
    screen.readouts(
        {
            "trained length L₀": f"{task.trained:,}",
            "target length L": f"{task.target:,}",
            "factor k": number(task.factor),
            "rotated channels": f"{layer.rotary_dim} of {task.width}",
            "base": f"{layer.base:,.0f}",
        }
    )
    screen.readouts(
        {
            "pairs": f"{len(turns)}",
            "without a full turn in training": f"{int((turns < 1).sum())}",
            "float32 angle error at L": f"{error:.2g} rad",
        },
        help={
            "without a full turn in training": "The last ones; the first of them is the "
            "critical dimension.",
            "float32 angle error at L": "Largest over the pairs, unscaled, when position, "
            "frequency and product are rounded to float32.",
        },
    )


def show_other(model: Model, layer: OtherLayer, layer_type: str, target: int) -> screen.ScreenView:
    """Layers without rotation: what applies to them."""
    st.markdown(
        f"These layers do not rotate. They use {ELSEWHERE[layer.encoding]}. The methods for "
        "rotary positions do not apply."
    )
    head = f"from posenc import {model.names}"
    picture = other_picture(layer, target)
    if picture is None:
        body = f"values = config.layers[{layer_type!r}]\n"
        return screen.ScreenView(dict, f"{head}\n\n{model.code}{body}print(values)\n")
    one, points, frames, body = picture
    follow_chart(one, points)
    names = ", alibi_slopes, llama4_temperature, log_positions, t5_bucket"
    code = f"{head}{names}\n\n{model.code}{body}print(values)\n"
    return screen.ScreenView(lambda: frames, code)


def choose_layer_type(config: RopeConfig) -> str:
    """The kind of layer to look at; those that see everything first."""
    types = sorted(config.layers, key=lambda name: name in ("sliding_attention", "nope"))
    if len(types) == 1:
        return types[0]
    return controls.choice(
        "layer_type", "Layers", {name: plain(name) for name in types},
        help="This model's layers differ; each kind has its own frequencies.",
    )  # fmt: skip


def parameters() -> dict:
    """Draw the parameters that are worked out from the lengths unless they are set."""
    return {
        "trained": controls.number(
            "trained_length", "Trained length L₀ (0: from the file)", 0, 0, 10**12, step=1024,
            help="Tokens of the training without scaling; original_max_position_embeddings, "
            "else max_position_embeddings.",
        ),
        "factor": controls.number(
            "factor", "Factor k (0: L / L₀)", 0.0, 0.0, 1e6, step=1.0,
            help="k of linear, NTK, by-parts, YaRN and Llama-3; L / L₀ covers the target with "
            "most of them. At least 1.",
        ),
        "alpha": controls.number(
            "alpha", "α", 2.0, 1.0, 64.0, step=0.5,
            help="Of NTK alpha and dynamic NTK; the factor of dynamic scaling in a file.",
        ),
        "window": controls.number(
            "window", "Window w (0: L₀ / 4)", 0, 0, 10**12, step=256,
            help="Of Self-Extend, ReRoPE and Leaky ReRoPE: nearer distances stay as they are.",
        ),
    }  # fmt: skip


def choose_vectors() -> Vectors:
    """Draw the controls of query and key."""
    repeated = "Commas between the numbers; they are repeated until the head is full."
    return Vectors(
        controls.choice(
            "vectors", "q and k of Scores", ("alike", "independent", "typed"),
            help="Random ones: 64 draws of standard normal numbers; alike means k = q.",
        ),
        controls.number("seed", "Seed", 0, 0, 2**31 - 1, help="Of the random q and k."),
        controls.vector("query", "Query q", "1, 2, 3, 4", help=repeated),
        controls.vector("key", "Key k", "4, 3, 2, 1", help=repeated),
    )  # fmt: skip


def target_of(layer: RopeLayer | OtherLayer, asked: int) -> int:
    """The target length in tokens: as asked, or the length that the model declares."""
    if isinstance(layer, OtherLayer):
        return asked or layer.max_length or 2 * 512
    length = asked or layer.target_length
    if not length:
        raise ValueError("max_position_embeddings is not in the file: set a target length.")
    return length


def show_advice(config: RopeConfig, layer_type: str, target: int | None, rotates: bool) -> None:
    """Findings and settings of the file, or of the file changed so that it reaches the target."""
    method, before = None, config
    if rotates:
        extension = controls.choice(
            "extension", "Findings and settings for the file", list(EXTENSIONS), wide=True,
            help="As it is, or changed so that it reaches the target length.",
        )  # fmt: skip
        method = EXTENSIONS[extension]
    if method is not None and target is not None:
        try:
            config = extend_config(config, layer_type, method, target)
        except ValueError as error:
            st.error(f"{plain(str(error))} What follows is for the file as it is.")
    show_findings(config)
    show_settings(config, before)


lesson = screen.header("config")
left, right = screen.columns()
model = layer = shown = target = problem = None
with left:
    controls.presets(PRESETS)
    name = choose_model()
    typed = paste() if name == OWN else ""
    asked = controls.number(
        "target_length", "Target length L (0: as declared)", 0, 0, 10**12, step=4096,
        help="Tokens that the model shall read, L in the formula; 0 is the length that the file "
        "declares. 131072 in many models.",
    )  # fmt: skip
    if name != OWN or typed.strip():
        try:
            model = read_model(name, typed)
            layer_type = choose_layer_type(model.config)
            st.caption(f"Values: {plain(model.source)}")
            layer = model.config.layers[layer_type]
            target = target_of(layer, asked)
        except ValueError as error:
            problem = error
    rotates = not isinstance(layer, OtherLayer)  # so it is believed until a file says otherwise
    if rotates:
        trained_with = controls.choice(
            "trained_with", "Training has shown", TRAINED_WITH,
            help="Angles up to L₀ without scaling; or, where the model was trained further with "
            "what the file says (Llama 3.1, DeepSeek), those up to the declared length.",
        )  # fmt: skip
        with st.expander("Parameters"):
            given = parameters()
            vectors = choose_vectors()

with right:
    if rotates:
        view = controls.choice(
            "view", "Picture", list(VIEWS), wide=True, help="What to look at; the controls stay."
        )
        chosen = controls.choices(
            "methods", "Methods", list(METHODS), ["as declared", "none", "YaRN"],
            help="Each is set up for this file and target; as declared is what the file says.",
        )  # fmt: skip
    try:
        if problem is not None:
            raise problem
        if isinstance(layer, RopeLayer):
            as_in_file = trained_with == TRAINED_WITH[1]
            task = Task.of(layer, target, as_in_file, model.config.dual_chunk, **given)
            methods, refused = compare(chosen, task)
            shown = show_rope(Studio(model, layer_type, task, methods, vectors), refused)
        elif layer is not None:
            shown = show_other(model, layer, layer_type, target)
        else:
            st.info("Upload or paste a config.json among the controls to see what it does.")
    except ValueError as error:
        st.error(plain(str(error)))
    if model is not None:
        show_advice(model.config, layer_type, target, rotates)
screen.notice(lesson)
screen.tabs(lesson, shown)

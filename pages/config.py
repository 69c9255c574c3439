"""Read a config: what a model's config.json does to every pair, and what is wrong with it."""

from dataclasses import dataclass, replace

import streamlit as st
from torch import Tensor

from plots.lines import Mark
from plots.style import shade_outside_training
from posenc import (
    RopeConfig,
    RopeLayer,
    angle_coverage,
    extend_config,
    rope_wavelengths,
)
from ui import controls, screen
from ui.chart import chart
from ui.config_advice import show_findings, show_settings
from ui.config_pictures import at_rest_as_nan, other_picture, per_pair
from ui.model_config import OWN, Model, choose_model, paste, plain, read_model
from ui.scaling_methods import Method

MODELS = ("Llama-3.1-8B", "Phi-3-mini-128k", "DeepSeek-V3", "Gemma-3-12B", "BLOOM-176B")
PRESETS = {name: {"model": name, "target_length": 0} for name in MODELS}
EXTENSIONS = {"as it is": None, "YaRN": "yarn", "linear": "linear"}
ELSEWHERE = {
    "alibi": "ALiBi: a bias on the scores that falls with the distance",
    "t5": "T5's buckets: a learned bias for each range of distances",
    "learned": "a learned table: one vector for each position, added to the embedding",
    "nope": "no positional encoding in these layers",
}


@dataclass(frozen=True)
class Settings:
    """What the controls say, worked out."""

    model: Model
    config: RopeConfig
    layer_type: str
    target: int
    extension: str

    @property
    def layer(self) -> RopeLayer:
        return self.config.rotary[self.layer_type]

    @property
    def original(self) -> RopeLayer:
        """The layer as the file has it."""
        return self.model.config.rotary[self.layer_type]

    @property
    def plain(self) -> Tensor:
        """The frequencies without scaling."""
        return replace(self.layer, scaling=None).frequencies()[0]

    def frequencies(self) -> dict[str, Tensor]:
        """The curves: the last is what the settings below say."""
        found = {"unscaled": self.plain}
        scaling = self.original.scaling
        if scaling is not None and scaling.needs_length:
            name = f"{self.original.rope_type}, short text"
            found[name] = self.original.frequencies()[0]
        if scaling is not None:
            found[self.original.rope_type] = self.original.frequencies(self.target)[0]
        if self.extension != "as it is":
            name = f"{self.extension} to {self.target:,}"
            found[name] = self.layer.frequencies(self.target)[0]
        return found

    def code(self, body: str, names: str) -> str:
        """A program that reads the file likewise, runs `body` and prints `values`."""
        extend = ""
        if self.extension != "as it is":
            names += ", extend_config"
            arguments = f"{self.layer_type!r}, {EXTENSIONS[self.extension]!r}, {self.target}"
            extend = f"longer = extend_config(config, {arguments})\n"
        head = f"import torch\nfrom posenc import {self.model.names}, {names}\n\n"
        return f"{head}{self.model.code}{extend}{body}print(values)\n"


def show_rope(s: Settings) -> tuple[screen.Frames, str]:
    """Pictures and readouts of layers that rotate; tables and snippet of what was drawn."""
    frequencies = s.frequencies()
    waves = {name: at_rest_as_nan(rope_wavelengths(f)) for name, f in frequencies.items()}
    trained = s.layer.original_length
    marks = [Mark("y", s.target, f"target length {s.target:,}")]
    figure = per_pair(waves, "Wavelength of each pair", "positions for a full turn λᵢ", marks)
    highest = max(s.target, *(float(w.nan_to_num().max()) for w in waves.values()))
    if trained is not None:
        label = f"beyond the trained length {trained:,}"
        shade_outside_training(figure, trained, 2 * highest, axis="y", label=label)
    chart(figure, key="wavelengths", alt="Curves of the wavelength per pair, unscaled and scaled")
    scaled = list(frequencies.values())[-1]
    if trained is not None:
        show_coverage(s, scaled)
    divisors = {
        name: at_rest_as_nan(s.plain / f) for name, f in frequencies.items() if name != "unscaled"
    }
    tables = {"wavelengths": waves, "frequencies": frequencies, "divisors": divisors}
    if divisors:
        figure = per_pair(divisors, "How much each pair is slowed", "unscaled θᵢ / scaled θᵢ", [])
        chart(figure, key="divisors", alt="Curves of the divisor of each pair", height=340)
    frames = {
        name: screen.curve_frame("pair", range(len(s.plain)), {n: y.numpy() for n, y in c.items()})
        for name, c in tables.items()
        if c
    }
    return frames, s.code(rope_body(s), "rope_inv_freq, rope_wavelengths")


def rope_body(s: Settings) -> str:
    """The lines of Python that make the first picture's numbers."""
    layer = f"config.layers[{s.layer_type!r}]"
    curves = ["rope_inv_freq(layer.rotary_dim, layer.base)"]
    if s.original.scaling is not None:
        if s.original.scaling.needs_length:
            curves.append("layer.frequencies()")
        curves.append(f"layer.frequencies({s.target})")
    if s.extension != "as it is":
        curves.append(f"longer.layers[{s.layer_type!r}].frequencies({s.target})")
    listed = "".join(f"    {one},\n" for one in curves)
    return (
        f"layer = {layer}\nfound = [\n{listed}]\n"
        "values = torch.stack([rope_wavelengths(inv_freq) for inv_freq, _ in found])\n"
        "values[values.isinf()] = torch.nan  # pairs that never turn\n"
    )


def show_coverage(s: Settings, scaled: Tensor) -> None:
    """Readouts, and in a sentence what happens at the target length."""
    layer, turning = s.layer, scaled > 0
    trained = layer.original_length or 0
    plain_turning, scaled_turning = s.plain[turning], scaled[turning]
    coverage = angle_coverage(plain_turning, trained, s.target, scaled_turning)
    attention_factor = layer.frequencies(s.target)[1]
    is_new = coverage.unseen > plain_turning
    ledger = {
        "rotated channels": f"{layer.rotary_dim} of {layer.head_dim + layer.nope_dim}",
        "base": f"{layer.base:,.0f}",
        "attention factor A": f"{attention_factor:.4f}",
        "A², on the logits": f"{attention_factor**2:.4f}",
    }
    if layer.softmax_multiplier != 1:
        ledger["softmax multiplier"] = f"{layer.softmax_multiplier:.4f}"
    screen.readouts(ledger)
    screen.readouts(
        {
            "pairs": f"{len(s.plain)}",
            "without a full turn in training": f"{int((coverage.turns < 1).sum())}",
            "meet unseen angles": f"{int(is_new.sum())}",
        }
    )
    name = s.extension if s.extension != "as it is" else f"This file ({layer.rope_type})"
    slowed = plain_turning / scaled_turning
    method = Method(
        name, layer.scaling, layer.base, scaled_turning, attention_factor, coverage, slowed, is_new
    )
    guess = "" if layer.trained_length else "The file gives no trained length apart. "
    training = f"{guess}Training is taken to be {trained:,} tokens with the unscaled frequencies."
    st.markdown(f"{method.sentence(s.target)} {training}")


def show_other(s: Settings) -> tuple[screen.Frames, str]:
    """Layers without rotation."""
    layer = s.config.layers[s.layer_type]
    st.markdown(f"These layers do not rotate. They use {ELSEWHERE[layer.encoding]}.")
    picture = other_picture(layer, s.target)
    names = "alibi_slopes, llama4_temperature, log_positions, t5_bucket"
    if picture is None:
        body = f"values = config.layers[{s.layer_type!r}]\n"
        return {}, s.code(body, names)
    figure, alt, frames, body = picture
    chart(figure, key="other", alt=alt)
    return frames, s.code(body, names)


def choose_layer_type(config: RopeConfig) -> str:
    """The kind of layer to look at; those that see everything first."""
    types = sorted(config.layers, key=lambda name: name in ("sliding_attention", "nope"))
    if st.session_state.get("layer_type") not in (None, *types) or len(types) == 1:
        # Left over from another model, whose layers have other names.
        st.session_state.pop("layer_type", None)
    if len(types) == 1:
        return types[0]
    return controls.choice(
        "layer_type", "Layers", types, labels={name: plain(name) for name in types},
        help="This model's layers differ; each kind has its own frequencies.",
    )  # fmt: skip


def target_of(config: RopeConfig, layer_type: str, asked: int) -> int:
    """The target length in tokens: as asked, or the length that the model declares."""
    layer = config.layers[layer_type]
    length = layer.target_length if isinstance(layer, RopeLayer) else layer.max_length
    if asked or length:
        return asked or length or 0
    if isinstance(layer, RopeLayer):
        raise ValueError("max_position_embeddings is not in the file: set a target length.")
    return layer.max_length or 2 * 512


def extended(settings: Settings) -> Settings:
    """The settings with the file changed so that it reaches the target, or as they were."""
    method = EXTENSIONS[settings.extension]
    if method is None:
        return settings
    try:
        longer = extend_config(settings.config, settings.layer_type, method, settings.target)
    except ValueError as error:
        st.error(f"{plain(str(error))} The file is shown as it is.")
        return replace(settings, extension="as it is")
    return replace(settings, config=longer)


lesson = screen.header("config")
left, right = screen.columns()
with left:
    controls.presets(PRESETS)
    name = choose_model()
    typed = paste() if name == OWN else ""
    asked = controls.number(
        "target_length", "Target length L (0: as declared)", 0, 0, 10**12, step=4096,
        help="Tokens that the model shall read, L in the formula; 0 is the length that the file "
        "declares. 131072 in many models.",
    )  # fmt: skip
    extension = controls.choice(
        "extension", "Scaling", list(EXTENSIONS),
        help="The file as it is, or changed so that it reaches the target length.",
    )  # fmt: skip
    layer_place = st.container()

drawn = settings = None
with right:
    if name == OWN and not typed.strip():
        st.info("Paste the content of a config.json on the left to see what it does.")
    else:
        try:
            model = read_model(name, typed)
            with layer_place:
                layer_type = choose_layer_type(model.config)
                st.caption(f"Values: {plain(model.source)}")
            target = target_of(model.config, layer_type, asked)
            settings = extended(Settings(model, model.config, layer_type, target, extension))
            show = show_rope if layer_type in settings.config.rotary else show_other
            drawn = show(settings)
        except ValueError as error:
            st.error(plain(str(error)))
        if settings is not None:
            show_findings(settings.config)
            show_settings(settings.config)
screen.notice(lesson)
if drawn is not None:
    screen.tabs(lesson, numbers=lambda: drawn[0], code=drawn[1])

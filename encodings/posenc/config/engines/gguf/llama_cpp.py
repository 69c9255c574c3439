"""llama.cpp: arguments, and what it reads."""

import shlex
from dataclasses import replace

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.flags import changed, in_the_model_file
from posenc.config.engines.reading import EngineReading
from posenc.config.engines.text import own_attention_factor, plain
from posenc.config.layers import RopeLayer
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.yarn import YaRN
from posenc.words import say

CONVERT = say(
    "Convert the model again from the changed config.json, with llama.cpp's convert_hf_to_gguf.py."
)


def write(config: Config, before: Config, serving: Serving) -> Written:
    """Flags, which hold for all layers, or the length alone where the model file has the rest."""
    size = [] if config.reach is None else ["--ctx-size", str(config.reach)]
    if any(isinstance(layer.scaling, DynamicNTK) for layer in config.rotary.values()):
        raise ValueError(say("rope_type must be one that llama.cpp knows, got 'dynamic'."))
    reason = no_flags(config, before)
    if reason is not None:
        return Written(shlex.join(size), (say("{reason} {remedy}", reason=reason, remedy=CONVERT),))
    if len(config.rotary) != 1 or in_the_model_file(config):
        return Written(shlex.join(size))
    layer = next(iter(config.rotary.values()))
    return Written(shlex.join(_flags(layer, before) + size), tuple(_notes(layer)))


def no_flags(config: Config, before: Config) -> str | None:
    """Why a change has no flag; None where it has one, or where nothing was changed."""
    if not changed(config, before):
        return None
    if in_the_model_file(before):
        return say(
            "The model file carries a factor for each pair (rope_freqs), which acts beside any "
            "flag: the text would be scaled twice, and no flag takes it away."
        )
    if in_the_model_file(config):
        return say(
            "llama.cpp has no flag for the factors of Llama-3 and LongRoPE scaling: it takes them "
            "from the model file."
        )
    if len(config.rotary) != 1:
        return say("The flags hold for all layers at once, and these layers differ.")
    return None


def _flags(layer: RopeLayer, before: Config) -> list[str]:
    scaling = layer.scaling
    flags = ["--rope-freq-base", plain(layer.base)]
    if isinstance(scaling, Linear):
        return [*flags, "--rope-scaling", "linear", "--rope-scale", plain(scaling.factor)]
    if isinstance(scaling, YaRN):
        flags += ["--rope-scaling", "yarn", "--rope-scale", plain(scaling.factor)]
        flags += ["--yarn-orig-ctx", str(scaling.original_length)]
        flags += ["--yarn-beta-fast", plain(scaling.beta_fast)]
        return [*flags, "--yarn-beta-slow", plain(scaling.beta_slow)]
    was_scaled = any(one.scaling is not None for one in before.rotary.values())
    return [*flags, "--rope-scaling", "none"] if was_scaled else flags


def _notes(layer: RopeLayer) -> list[str]:
    notes: list[str] = []
    factor, scaling = own_attention_factor(layer), layer.scaling
    if factor is not None and isinstance(scaling, YaRN):
        usual = replace(scaling, attention_factor=None, mscale=None, mscale_all_dim=None)
        notes.append(
            say(
                "llama.cpp computes YaRN's attention factor itself, {usual:.6g}; the file wants "
                "{factor:.6g}. Since December 2025 it does not use --yarn-attn-factor with YaRN; "
                "--override-kv ARCH.rope.scaling.attn_factor=float:{relative:.6g} sets it, where "
                "ARCH is the file's general.architecture.",
                usual=usual.cos_sin_factor,
                factor=factor,
                relative=factor / usual.cos_sin_factor,
            )
        )
    if isinstance(scaling, YaRN) and scaling.mscale and scaling.mscale_all_dim:
        notes.append(
            say("mscale and mscale_all_dim have no flag: llama.cpp takes them from the model file.")
        )
    if isinstance(scaling, YaRN) and not scaling.truncate:
        notes.append(say("llama.cpp rounds the bounds of YaRN's ramp; no flag says otherwise."))
    return notes


def reading(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As transformers 5, whose fields the conversion wrote into the model file."""
    same = replace(new, engine=LLAMA_CPP.title)
    if isinstance(config.rotary[layer_type].scaling, DynamicNTK):
        return replace(same, factor=None, factor_from=say("llama.cpp has no dynamic scaling"))
    return same


LLAMA_CPP = Engine(
    id="llama_cpp",
    title="llama.cpp",
    place=say("after llama-server -m FILE"),
    versions=say(
        "Run in the state of llama-cpp-python 0.3.36 (October 2026); the flags have these names "
        "since November 2023. --yarn-attn-factor has no effect with YaRN since December 2025: "
        "releases before then multiply YaRN's own factor by it."
    ),
    sources=say("llama.cpp 0c1e57098, in llama-cpp-python 0.3.36"),
    write=write,
    reading=reading,
)

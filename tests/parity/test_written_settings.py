"""Settings that RopeConfig writes, read by those who will use them.

transformers loads the fields itself and its frequencies are compared with the layer's. The
arguments for vLLM are parsed as its documentation says; those for llama.cpp are put into the
formulas of its loader and its kernel. Neither engine is run here.
"""

import argparse
import json
import math
import re
import shlex
from dataclasses import replace
from typing import Any

import pytest
import torch

from posenc import (
    DynamicNTK,
    Linear,
    Llama3,
    LongRoPE,
    Proportional,
    RopeConfig,
    YaRN,
    extend_config,
    known_models,
    rope_inv_freq,
)
from posenc.config.facts import gaps
from posenc.config.layers import RopeLayer
from posenc.scaling.yarn import yarn_correction_dims
from tests.kinds import one_of_each_kind
from tests.parity.comparisons import agree, difference
from tests.parity.released import TABLE, frequencies, loaded, rotary_models

METHODS = ("default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional")
SCALABLE = [n for n in rotary_models() if known_models()[n].config["model_type"] not in TABLE]
# Of every model, extended by every method, test_round_trips has transformers read the whole file.
OF_EACH_KIND = [name for name in one_of_each_kind() if name in SCALABLE]
OF_EACH_TYPE = [*{known_models()[n].config["model_type"]: n for n in reversed(SCALABLE)}.values()]
TRAINED, TARGET = 4096, 16384
# Of these transformers 5.23 reads no `truncate` in an object for each kind of layer, or refuses it.
NO_TRUNCATE = ("OLMo-3", "ModernBERT")
# Kinds of layers whose frequencies then differ, for which the older fields have no words.
SCALED = {*METHODS} - {"default"}
BY_LAYER: dict[str, set[str]] = {
    "Gemma-4": {*METHODS},
    "Gemma-4-26B-A4B": {*METHODS},
    "MiMo-V2-Flash": {*METHODS},
    "OLMo-3-7B before its extension": SCALED,
    "OLMo-3.1-32B": {"default"},
    "ModernBERT-base": SCALED,
}
ORIGINAL = "original_max_position_embeddings"
# What transformers 5.23 refuses to load, whoever wrote it; there is a finding for each.
REFUSED = {("gemma4_text", "longrope"): "gemma4_refuses_longrope"} | {
    ("phi3", method): "phi3_knows_longrope_alone"
    for method in METHODS
    if method not in ("default", "longrope")
}


def scaled(layer: RopeLayer, method: str) -> RopeLayer:
    """The layer with this scaling, from 4096 to 16384 tokens."""
    pairs = layer.rotary_dim // 2
    scalings: dict[str, Any] = {
        "default": None,
        "linear": Linear(4.0),
        "dynamic": DynamicNTK(2.0, TARGET),
        "yarn": YaRN(4.0, TRAINED, beta_fast=24.0, truncate=False),
        "longrope": LongRoPE(
            tuple(1 + i / pairs for i in range(pairs)),
            tuple(1 + 3 * i / pairs for i in range(pairs)),
            TRAINED,
            4.0,
        ),
        "llama3": Llama3(4.0, 1.0, 4.0, TRAINED),
        "proportional": Proportional(0.5, 2.0),
    }
    width = layer.head_dim if method == "proportional" else layer.rotary_dim
    return replace(
        layer,
        scaling=scalings[method],
        rotary_dim=width,
        original_length=TARGET if method in ("default", "dynamic") else TRAINED,
        max_length=TARGET,
        # DeepSeek's multiplier belongs to the scaling that it had.
        softmax_multiplier=1.0,
    )


def with_method(name: str, method: str) -> RopeConfig:
    """A known model with another scaling; layers with a window keep theirs."""
    config = RopeConfig.from_hf(known_models()[name].config)

    def with_scaling(layer: RopeLayer) -> RopeLayer:
        changed = scaled(layer, method)
        if method == "yarn" and name.startswith(NO_TRUNCATE):
            return replace(changed, scaling=YaRN(4.0, TRAINED, beta_fast=24.0))
        return changed

    layers = {
        key: with_scaling(layer)
        if isinstance(layer, RopeLayer) and key != "sliding_attention"
        else replace(layer, max_length=TARGET)
        for key, layer in config.layers.items()
    }
    return replace(config, layers=layers)


def pasted(config: RopeConfig, generation: str) -> dict[str, Any]:
    """The fragment in place of the file's own fields, as the Config screen tells people to."""
    fragment = config.to_hf_fragment(generation)  # type: ignore[arg-type]
    source = json.loads(json.dumps(config.source))
    target = source.get("text_config") or source
    for old in ("rope_theta", "rope_scaling", "rope_parameters", "rope_local_base_freq"):
        target.pop(old, None)
    target.update(fragment.get("text_config", fragment))
    return source


def files(config: RopeConfig, generation: str) -> list[dict[str, Any]]:
    """The file as it is written whole, and as it is after pasting where that differs."""
    whole = config.to_hf(generation)  # type: ignore[arg-type]
    by_hand = pasted(config, generation)
    return [whole] if by_hand == whole else [whole, by_hand]


def refused(config: RopeConfig, method: str, written: dict[str, Any]) -> bool:
    """True if transformers refuses this; it must then be a finding, and only then."""
    code = REFUSED.get((str(config.model_type), method))
    found = {finding.code for finding in RopeConfig.from_hf(written).findings}
    assert found & set(REFUSED.values()) == ({code} if code else set())
    if code is None:
        return False
    with pytest.raises(Exception, match=r"longrope|head_dim"):
        loaded(written)
    return True


def check(config: RopeConfig, written: dict[str, Any]) -> None:
    """transformers computes from the file what the layers say."""
    for key, layer in config.rotary.items():
        kind = type(layer.scaling)
        for length in (None, TARGET + 1) if kind in (DynamicNTK, LongRoPE) else (None,):
            ours, our_factor = layer.frequencies(length)
            theirs, their_factor = frequencies(written, key, length)
            agree("hf written settings", ours, theirs)
            agree("hf written settings factor", our_factor, their_factor)


# transformers


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_transformers_reads_the_new_fields(name: str, method: str) -> None:
    config = with_method(name, method)
    for written in files(config, "new"):
        if not refused(config, method, written):
            check(config, written)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_transformers_reads_the_old_fields(name: str, method: str) -> None:
    # transformers 5.23 loses `truncate` of Gemma 3's older fields; the writer cannot help it.
    rounds = name.startswith("Gemma-3") and method == "yarn"
    config = with_method(name, "linear" if rounds else method)
    if method in BY_LAYER.get(name, ()):
        with pytest.raises(ValueError, match="rope_scaling of transformers 4 cannot"):
            config.to_hf("old")
        return
    written = config.to_hf("old")
    fields = written.get("text_config", written)
    assert "rope_parameters" not in fields
    for written in files(config, "old"):
        if not refused(config, method, written):
            check(config, written)


def test_an_extended_model_declares_its_length_to_transformers() -> None:
    config = RopeConfig.from_hf(known_models()["Llama-2-7B"].config)
    longer = extend_config(config, "all", "yarn", 65536)
    theirs = loaded(longer.to_hf("new"))
    assert theirs.max_position_embeddings == 65536
    assert theirs.rope_parameters["factor"] == 16
    # In releases that take the ratio of the lengths for the factor it is the same number.
    fields = longer.to_hf("old")
    ratio = fields["max_position_embeddings"]
    ratio /= fields["rope_scaling"]["original_max_position_embeddings"]
    assert ratio == fields["rope_scaling"]["factor"]


# vLLM: --hf-overrides takes JSON, and what it names replaces the field of the file


def vllm_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("--hf-overrides", type=json.loads, default={})
    parser.add_argument("--max-model-len", type=int)
    return parser


def overridden(source: dict[str, Any], overrides: dict[str, Any]) -> dict[str, Any]:
    """The file with the overrides in it, as vLLM 0.33 lays them.

    An object of the file's top is replaced; the text part is updated, and objects within it too.
    Flat files that transformers 5 moves into a text part (Qwen2-VL's) are updated themselves.
    """
    out = json.loads(json.dumps(source))
    text = out.get("text_config", out)
    if text.get("rope_scaling"):  # it was loaded before
        text["rope_parameters"] = text.pop("rope_scaling")
    for name, value in overrides.items():
        if name != "text_config":
            out[name] = value
            continue
        for field, new in value.items():
            both = isinstance(new, dict) and isinstance(text.get(field), dict)
            text[field] = merged(text[field], new) if both else new
    return out


def merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """One object laid over another, and objects within them too."""
    return old | {
        name: merged(old[name], value)
        if isinstance(value, dict) and isinstance(old.get(name), dict)
        else value
        for name, value in new.items()
    }


def longest_of_vllm(source: dict[str, Any]) -> float:
    """The longest text that vLLM 0.33 allows without being told to trust the user.

    vllm/config/model.py, _get_and_verify_max_len.
    """
    text = source.get("text_config", source)
    names = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length")
    length = min(text[name] for name in names if name in text)
    own = text.get("rope_parameters") or {"rope_type": "default"}  # as transformers 5 fills it in
    parameters = own if "rope_type" in own else next(iter(own.values()))
    kind = parameters["rope_type"]
    if kind in ("su", "longrope", "llama3", "yarn"):
        return length
    return length * parameters.get("factor", 1.0)


# What vLLM does something else with, or cannot load: facts.json has a row for each, and refuses it.
NOT_YARN = {"linear", "llama3", "longrope"}
UNABLE: dict[str, set[str]] = {
    **dict.fromkeys(("deepseek_v2", "deepseek_v3", "deepseek_v32"), NOT_YARN),
    **dict.fromkeys(("glm_moe_dsa", "kimi_k2"), NOT_YARN),
    "mimo_v2_flash": {*NOT_YARN, "yarn"},
    "gpt_oss": {*NOT_YARN, "default"},
}
# Unscaled, and trained for exactly these lengths: "default" changes nothing in their files.
UNCHANGED = {"CodeLlama-7B", "StarCoder2-15B", "Phi-4"}


@pytest.mark.parametrize("method", ["default", "linear", "yarn", "llama3", "longrope"])
@pytest.mark.parametrize("name", OF_EACH_TYPE)
def test_vllm_gets_the_whole_object_and_a_length_it_allows(name: str, method: str) -> None:
    config, before = with_method(name, method), RopeConfig.from_hf(known_models()[name].config)
    family = str(config.model_type)
    if method in UNABLE.get(family, ()):
        (row,) = (one for one in gaps() if one.engine == "vllm" and family in one.families)
        with pytest.raises(ValueError, match=re.escape(f"({row.where})")):
            config.settings("vllm", before)
        return
    line = config.settings("vllm", before).text
    arguments = vllm_parser().parse_args(shlex.split(line))
    assert arguments.max_model_len == TARGET
    assert (arguments.hf_overrides == {}) == (name in UNCHANGED and method == "default")
    file = overridden(before.source, arguments.hf_overrides)
    assert longest_of_vllm(file) >= TARGET
    again = RopeConfig.from_hf(file)
    for key, layer in config.rotary.items():
        read = again.rotary.get(key) or again.rotary["all"]
        assert (read.scaling, read.base) == (layer.scaling, layer.base), key
    if (family, method) not in REFUSED:
        check(config, file)


def test_vllm_is_told_of_a_longer_text_that_no_factor_covers() -> None:
    # A raised base alone: the file still declares 4096, and vLLM would refuse 16384.
    source = known_models()["Llama-2-7B"].config
    longer = RopeConfig.from_hf({**source, "rope_theta": 8e4, "max_position_embeddings": TARGET})
    line = longer.settings("vllm", RopeConfig.from_hf(source)).text
    file = overridden(source, vllm_parser().parse_args(shlex.split(line)).hf_overrides)
    assert longest_of_vllm(file) == TARGET
    assert RopeConfig.from_hf(file).rotary["all"].base == 8e4
    # A file that says so itself needs the length alone.
    assert longer.settings("vllm").text == f"--max-model-len {TARGET}"


# llama.cpp: the flags in the formulas of llama-context.cpp and of the kernel


def llama_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(exit_on_error=False, allow_abbrev=False)
    parser.add_argument("--ctx-size", type=int, default=0)
    parser.add_argument("--rope-scaling", choices=["none", "linear", "yarn"])
    for name in ("--rope-freq-base", "--rope-scale", "--yarn-beta-fast", "--yarn-beta-slow"):
        parser.add_argument(name, type=float)
    parser.add_argument("--yarn-orig-ctx", type=int, default=0)
    return parser


def of_llama_cpp(line: str, rotary_dim: int) -> tuple[torch.Tensor, float]:
    """Frequencies and net factor on cos and sin that llama.cpp computes from its flags.

    freq_scale = 1 / rope-scale; the ramp of ggml_rope_yarn: θ' = mix of freq_scale·θ and θ by
    1 - clamp((i - low) / max(0.001, high - low)), and the factor 1 + 0.1·ln(1 / freq_scale).
    """
    given = llama_parser().parse_args(shlex.split(line))
    freq_scale = 1 / (given.rope_scale or 1.0)
    theta, _ = rope_inv_freq(rotary_dim, given.rope_freq_base)
    if given.rope_scaling != "yarn":
        return theta * freq_scale, 1.0
    low, high = yarn_correction_dims(
        rotary_dim,
        given.rope_freq_base,
        given.yarn_orig_ctx,
        given.yarn_beta_fast,
        given.yarn_beta_slow,
    )
    low, high = max(0, math.floor(low)), min(rotary_dim - 1, math.ceil(high))
    ramp = (torch.arange(rotary_dim // 2, dtype=torch.float64) - low) / max(0.001, high - low)
    mix = 1 - ramp.clamp(0, 1)
    return theta * freq_scale * (1 - mix) + theta * mix, 1 + 0.1 * math.log(1 / freq_scale)


@pytest.mark.parametrize("method", ["default", "linear", "yarn"])
@pytest.mark.parametrize("name", OF_EACH_TYPE)
def test_llama_cpp_computes_the_same_from_its_flags(name: str, method: str) -> None:
    config = RopeConfig.from_hf(known_models()[name].config)
    layers = {
        key: replace(scaled(layer, method), scaling={"yarn": YaRN(4.0, TRAINED)}[method])
        if method == "yarn" and isinstance(layer, RopeLayer)
        else scaled(layer, method)
        if isinstance(layer, RopeLayer)
        else replace(layer, max_length=TARGET)
        for key, layer in config.layers.items()
    }
    config = replace(config, layers=layers)
    if config.model_type in ("gptj", "helium"):  # there is no conversion of these
        with pytest.raises(ValueError, match="has no class for"):
            config.settings("llama_cpp")
        return
    line = config.settings("llama_cpp").text
    assert llama_parser().parse_args(shlex.split(line)).ctx_size == TARGET
    if len(config.rotary) > 1:
        assert line == f"--ctx-size {TARGET}"  # kinds of layers are in the model file
        return
    layer = next(iter(config.rotary.values()))
    if layer.scaling is None:
        assert line == f"--ctx-size {TARGET}"  # so is the base
        return
    ours, factor = layer.frequencies()
    theirs, their_factor = of_llama_cpp(line, layer.rotary_dim)
    assert difference(ours, theirs, relative=True) < 1e-12
    assert factor == pytest.approx(their_factor, rel=1e-12)


def test_flags_of_another_factor_are_seen() -> None:
    layer = RopeConfig.from_hf(known_models()["Yarn-Llama-2-7b-64k"].config).rotary["all"]
    line = "--rope-freq-base 10000 --rope-scaling yarn --rope-scale 16 --yarn-orig-ctx {} "
    line += "--yarn-beta-fast 32 --yarn-beta-slow 1"
    right, _ = of_llama_cpp(line.format(4096), 128)
    wrong, _ = of_llama_cpp(line.format(65536), 128)
    assert difference(layer.frequencies()[0], right, relative=True) < 1e-12
    assert difference(layer.frequencies()[0], wrong, relative=True) > 0.5

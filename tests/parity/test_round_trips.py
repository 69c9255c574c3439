"""Every rotary family and every known model: read, extended, written, read again and loaded.

What is written in either form is read by us as it was meant, and transformers' own rotary class
computes from it the frequencies and the factor that our layers have.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from advisor import RopeConfig, extend_config, known_models
from advisor.extend import EXTENSIONS
from advisor.families.classes import default
from advisor.training import trained_length
from posenc.scaling import DynamicNTK, LongRoPE, YaRN
from reference.sweep.classes import plain
from tests.advisor.files import FILES
from tests.kinds import ALL_KNOWN
from tests.parity.comparisons import agree
from tests.parity.released import REMOTE, TABLE, frequencies, loaded

SWEEP = Path(__file__).resolve().parents[2] / "data" / "sweep.json"
EXACT = sorted(
    name
    for name, row in json.loads(SWEEP.read_text())["classes"].items()
    if row["verdict"] == "exact"
)
AS_IT_IS = "as it is"
# Their rotary class is part of another model's code, or is made from other things than a file.
NO_CLASS = {
    *("EvollaModel", "evolla", "roformer", "clvp_encoder", "internlm3", "iquestcoder", "lasr_ctc"),
    *("nemotron3_diarization", "nemotron3_5_transcribe_audio", "dots3_note_audio_encoder"),
    *("deepseek_ocr2_vision", "blt", "codegen", "esmfold2", "granite4_vision"),
    *("granite4_vision_text", "pi0"),
    # The class holds the frequencies in the order of the axes.
    *("ernie4_5_vl_moe", "ernie4_5_vl_moe_text"),
}
# These load with longrope alone; there is a finding for phi3.
LONGROPE_ALONE = {"phi3", "phimoe", "phi4_multimodal"}
# The class refuses its own defaults once they are written down: heads that do not fit its width.
NOT_LOADED = {"cosmos3_edge", "cosmos3_edge_text"}


@cache
def source(name: str) -> dict[str, Any]:
    """A known model's file, or what a class of transformers writes of its defaults."""
    known = known_models()
    return known[name].config if name in known else plain(default(name))


def methods(config: RopeConfig) -> dict[str, RopeConfig]:
    """The configuration as it is, and extended to four times its trained length."""
    out = {AS_IT_IS: config}
    key = next((key for key in config.rotary if key != "sliding_attention"), None)
    trained = None if key is None else trained_length(config, key)
    if key is None or trained is None:
        return out
    return out | {m: extend_config(config, key, m, 4 * trained) for m in EXTENSIONS}


def meant(config: RopeConfig, again: RopeConfig, generation: str) -> RopeConfig:
    """The configuration to expect back: YaRN's older form declares the length that it reaches."""
    layers = dict(config.layers)
    for key, layer in layers.items():
        read = again.layers[key]
        length = read.max_length
        ramps = [one for one in config.rotary.values() if isinstance(one.scaling, YaRN)]
        if generation == "old" and ramps and length != layer.max_length:
            reach = max(one.scaling.factor * one.scaling.original_length for one in ramps)
            assert reach - 1e-6 <= (length or 0) < reach + 1
            layers[key] = replace(layer, max_length=length)
        one = layers[key]
        if getattr(one, "scaling", None) is None and hasattr(one, "original_length"):
            # Without scaling no number depends on it.
            layers[key] = replace(one, original_length=read.original_length)
    return replace(config, layers=layers)


def check(config: RopeConfig, written: dict[str, Any]) -> None:
    """transformers computes from the file what the layers say."""
    is_table = written["model_type"] in TABLE  # whose class warns of the older fields
    theirs = None if is_table else getattr(loaded(written), "layer_types", None)
    named = config.family.rope_keys
    kinds = [named.get(kind, kind) for kind in theirs or config.rotary]
    for key, layer in config.rotary.items():
        if key == "all" and named:
            (key,) = {*kinds}
        if key not in ("all", "rope") and key not in kinds:
            continue  # no layer of this model is of the kind
        depends = isinstance(layer.scaling, LongRoPE | DynamicNTK)
        length = (layer.max_length or 0) + 1 if depends else None
        ours, our_factor = layer.frequencies(length)
        inv_freq, their_factor = frequencies(written, key, length)
        agree("hf written settings", ours, torch.as_tensor(inv_freq))
        agree("hf written settings factor", our_factor, their_factor)


@pytest.mark.parametrize(
    "name", [*ALL_KNOWN, *(pytest.param(name, marks=pytest.mark.slow) for name in EXACT)]
)
def test_what_is_written_survives(name: str) -> None:
    config = RopeConfig.from_hf(source(name))
    if not config.rotary:
        assert config.to_hf("new") == config.to_hf("old") == config.source
        return
    for method, one in methods(config).items():
        for generation in ("new", "old"):
            try:
                written = one.to_hf(generation)  # type: ignore[arg-type]
            except ValueError as refused:
                assert generation == "old", (method, refused)  # noqa: PT017
                # OLMo 3 has one rope_theta there for both kinds of layers.
                has_two = (
                    one.model_type == "olmo3" and len({x.base for x in one.rotary.values()}) > 1
                )
                said = "is the base of both kinds" if has_two else "transformers 4 cannot"
                assert said in str(refused), method  # noqa: PT017
                continue
            again = RopeConfig.from_hf(written)
            assert again == meant(one, again, generation), (method, generation)
            family = str(config.source["model_type"])
            if family in NO_CLASS or family in REMOTE:
                continue
            scaled = any(layer.scaling is not None for layer in one.rotary.values())
            if family in TABLE and method != AS_IT_IS:
                with pytest.raises(ValueError, match="fixed table"):
                    one.settings("transformers_5")
                continue
            if scaled and method != AS_IT_IS and family in NOT_LOADED | LONGROPE_ALONE:
                with pytest.raises(Exception, match=r"validat|longrope"):
                    loaded(written)
                continue
            if "mistral4_turns_too_many" in {finding.code for finding in again.findings}:
                continue  # its class makes no angles that fit, which is said
            check(one, written)


def test_the_sweep_has_the_families() -> None:
    assert len(EXACT) >= 160
    assert {"olmo3", "gemma3", "ministral3", "qwen3", "deepseek_v3"} <= set(EXACT)


def test_olmo3_scales_the_layers_that_see_everything() -> None:
    # The released file: flat, and the class lays it on the full layers alone.
    original = {"original_max_position_embeddings": 8192}
    yarn = {"rope_type": "yarn", "factor": 8.0, "attention_factor": 1.2079441541679836, **original}
    shape = {"hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32}
    fields = {**shape, "max_position_embeddings": 65536, "rope_theta": 500000}
    config = RopeConfig.from_hf({"model_type": "olmo3", **fields, "rope_scaling": yarn})
    full, window = config.rotary["full_attention"], config.rotary["sliding_attention"]
    assert (full.rope_type, window.rope_type) == ("yarn", "default")
    assert config.layer_types[:4] == ("sliding_attention",) * 3 + ("full_attention",)
    for generation in ("new", "old"):
        written = config.to_hf(generation)  # type: ignore[arg-type]
        assert RopeConfig.from_hf(written) == config
        check(config, written)


def test_ministral_keeps_the_field_that_its_forward_needs() -> None:
    config = RopeConfig.from_hf(source("ministral3"))
    given = source("ministral3")["rope_parameters"]["llama_4_scaling_beta"]
    for one in methods(config).values():
        for generation in ("new", "old"):
            theirs = loaded(one.to_hf(generation))  # type: ignore[arg-type]
            assert theirs.rope_parameters["llama_4_scaling_beta"] == given


def test_transformers_refuses_the_lists_of_gemma_4() -> None:
    with pytest.raises(Exception, match="head_dim"):
        loaded(FILES["Gemma-4 with lists"])


@pytest.mark.parametrize("name", ["Gemma-3-12B", "Gemma-4", "MiMo-V2-Flash"])
@pytest.mark.parametrize("both", [False, True])
def test_a_ramp_that_is_not_rounded_is_written_where_it_is_read(name: str, both: bool) -> None:
    """transformers 5.23 reads `truncate` beside an object for each kind of layer."""
    config = RopeConfig.from_hf(source(name))
    ramps = {"full_attention": YaRN(4.0, 4096, beta_fast=24.0, truncate=False)}
    ramps |= {"sliding_attention": YaRN(2.0, 4096)} if both else {}
    scaled = {
        key: replace(layer, scaling=ramps[key], original_length=4096, softmax_multiplier=1.0)
        for key, layer in config.rotary.items()
        if key in ramps
    }
    longer = replace(config, layers={**config.layers, **scaled})
    written = longer.to_hf("new")
    assert RopeConfig.from_hf(written).layers == longer.layers
    if not both:
        check(longer, written)

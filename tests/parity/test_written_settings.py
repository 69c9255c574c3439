"""transformers loads the fields that RopeConfig writes, and its frequencies are the layer's."""

import json
from dataclasses import replace
from typing import Any

import pytest

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
)
from posenc.config.layers import RopeLayer
from tests.kinds import one_of_each_kind
from tests.parity.comparisons import agree
from tests.parity.released import TABLE, frequencies, loaded, rotary_models

METHODS = ("default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional")
SCALABLE = [n for n in rotary_models() if known_models()[n].config["model_type"] not in TABLE]
# Of every model, extended by every method, test_round_trips has transformers read the whole file.
OF_EACH_KIND = [name for name in one_of_each_kind() if name in SCALABLE]
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


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_transformers_reads_the_new_fields_and_the_old_ones(name: str) -> None:
    for method in METHODS:
        config = with_method(name, method)
        for written in files(config, "new"):
            if not refused(config, method, written):
                check(config, written)
        reads_old_fields(name, method)


def reads_old_fields(name: str, method: str) -> None:
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

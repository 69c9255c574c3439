"""A config.json is read as transformers reads it."""

import json
import math
from typing import Any

import pytest

from posenc import (
    DualChunk,
    DynamicNTK,
    Linear,
    Llama3,
    LongRoPE,
    Proportional,
    RopeConfig,
    Scaling,
    YaRN,
    known_models,
)
from posenc.config.known_models import all_models
from posenc.config.layers import OtherLayer, RopeLayer
from posenc.scaling.yarn import yarn_mscale
from tests.kinds import known

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "max_position_embeddings": 4096,
    "rope_theta": 10000.0,
}
LISTS = {"short_factor": [1.0 + i / 64 for i in range(64)], "long_factor": [4.0] * 64}

OTHERS = {"MPT-7B": "alibi", "BLOOM-176B": "alibi", "T5": "t5", "GPT-2": "learned"}


def read(**fields: Any) -> RopeConfig:
    return RopeConfig.from_hf({**LLAMA, **fields})


def only(config: RopeConfig) -> RopeLayer:
    layer = config.layers["all"]
    assert isinstance(layer, RopeLayer)
    return layer


# Known models


@pytest.mark.parametrize("name", OTHERS)
def test_a_model_without_rotation_names_its_encoding(name: str) -> None:
    config = known(name)
    assert [layer.encoding for layer in config.layers.values()] == [OTHERS[name]]
    assert config.rotary == {}
    assert not any(config.rope_layers)


def test_numbers_of_other_encodings() -> None:
    assert known("T5").layers["all"] == OtherLayer(
        "t5", 8, 512, {"num_buckets": 32, "max_distance": 128}
    )
    assert known("MPT-7B").layers["all"] == OtherLayer("alibi", 32, 2048, {"alibi_bias_max": 8.0})


def test_every_status_is_one_of_four_words_and_what_was_assumed_is_not_read() -> None:
    words = {model.status for model in known_models().values()}
    assert words == {"read", "read in part", "class default", "assumed"}
    for model in all_models().values():
        is_assumed = "assumed" in model.source.lower()
        assert not (is_assumed and model.status == "read"), model.name
    assert all(model.source.endswith(".") for model in known_models().values())


# Conventions of single models


def test_llama4_has_layers_without_rotation_and_with_temperature() -> None:
    config = known("Llama-4-Scout")
    layer = config.rotary["rope"]
    assert layer.scaling == Llama3(16.0, 1.0, 1.0, 8192)
    assert (layer.layout, layer.max_length) == ("interleaved", 10485760)
    assert config.layers["nope"] == OtherLayer(
        "nope", 40, 10485760, {"floor_scale": 8192, "attn_scale": 0.1}
    )
    assert config.rope_layers == (True, True, True, False) * 12
    assert [config.layer_at(index).encoding for index in (2, 3)] == ["rope", "nope"]


def test_smollm3_flags_are_one_where_a_layer_rotates() -> None:
    config = known("SmolLM3-3B")
    assert [i for i, rotates in enumerate(config.rope_layers) if not rotates] == list(
        range(3, 36, 4)
    )
    assert config.rotary["rope"].base == 5e6
    assert config.layers["nope"] == OtherLayer("nope", 16, 65536)


@pytest.mark.parametrize("word", ["longrope", "su", "yarn"])
def test_phi3_takes_the_trained_length_from_the_top(word: str) -> None:
    fields = json.loads(json.dumps(known_models()["Phi-3-mini-128k"].config))
    fields["rope_scaling"]["type"] = word
    layer = only(RopeConfig.from_hf(fields))
    assert isinstance(layer.scaling, LongRoPE)
    assert (layer.original_length, layer.max_length, layer.scaling.factor) == (4096, 131072, 32)
    assert layer.frequencies(4096)[0][0] == 1 / 1.1
    assert layer.frequencies(4097)[0][0] == 1 / 1.0700000524520874
    assert layer.frequencies()[1] == pytest.approx(math.sqrt(1 + math.log(32) / math.log(4096)))


def test_deepseek_multiplies_the_softmax_scale_and_llama_does_not() -> None:
    layer = only(known("DeepSeek-V3"))
    assert layer.softmax_multiplier == yarn_mscale(40.0, 1.0) ** 2
    assert (layer.nope_dim, layer.frequencies()[1]) == (128, 1.0)
    scaling = known_models()["DeepSeek-V3"].config["rope_scaling"]
    assert only(read(rope_scaling=scaling)).softmax_multiplier == 1.0


def test_qwen_chunks_are_shorter_than_chunk_size() -> None:
    assert known("Qwen2.5-7B-Instruct-1M").dual_chunk == DualChunk(262144 - 8192, 8192)


def test_longchat_condense_ratio_is_linear_scaling() -> None:
    assert only(read(rope_condense_ratio=8)).scaling == Linear(8.0)


def test_falcon_and_mpt_can_be_either() -> None:
    falcon = {**known_models()["Falcon-7B"].config, "alibi": True}
    assert RopeConfig.from_hf(falcon).layers["all"].encoding == "alibi"
    mpt = {**known_models()["MPT-7B"].config, "attn_config": {"alibi": False}}
    assert RopeConfig.from_hf(mpt).layers["all"].encoding == "learned"
    mpt["attn_config"] = {"rope": True}
    assert only(RopeConfig.from_hf(mpt)).head_dim == 128


def test_deepseek_can_be_stored_in_the_half_layout() -> None:
    fields = {**known_models()["DeepSeek-V3"].config, "rope_interleave": False}
    assert only(RopeConfig.from_hf(fields)).layout == "half"


# Both generations


@pytest.mark.parametrize(
    ("scaling", "expected"),
    [
        ({"type": "linear", "factor": 2}, Linear(2.0)),
        ({"type": "dynamic", "factor": 2}, DynamicNTK(2.0, 4096)),
        ({"rope_type": "yarn", "factor": 2.0}, YaRN(2.0, 4096)),
        (
            {"type": "yarn", "factor": 2.0, "beta_fast": 0, "beta_slow": None},
            YaRN(2.0, 4096),
        ),
        (
            {"type": "yarn", "factor": None, "original_max_position_embeddings": 1024},
            YaRN(4.0, 1024),
        ),
        ({"rope_type": "proportional", "partial_rotary_factor": 0.5}, Proportional(0.5)),
        (
            {"type": "longrope", **LISTS, "original_max_position_embeddings": 2048},
            LongRoPE(tuple(LISTS["short_factor"]), tuple(LISTS["long_factor"]), 2048, 2.0),
        ),
        ({"type": "default"}, None),
        ({}, None),
        (None, None),
    ],
)
def test_old_and_new_fields_mean_the_same(scaling: Any, expected: Scaling | None) -> None:
    old = read(rope_scaling=scaling)
    new_fields = {key: value for key, value in LLAMA.items() if key != "rope_theta"}
    parameters = {**(scaling or {}), "rope_theta": 10000.0}
    new = RopeConfig.from_hf({**new_fields, "rope_parameters": parameters})
    assert only(old).scaling == expected
    assert old == new


def test_nested_parameters_give_one_layer_per_type_unless_they_agree() -> None:
    sliding, full = {"rope_theta": 1e4}, {"rope_theta": 1e6, "rope_type": "linear", "factor": 2}
    config = read(rope_parameters={"sliding_attention": sliding, "full_attention": full})
    assert {key: layer.base for key, layer in config.rotary.items()} == {
        "sliding_attention": 1e4,
        "full_attention": 1e6,
    }
    with pytest.raises(ValueError, match="layer_types must say which of sliding_attention, full"):
        config.layer_at(0)
    same = read(rope_parameters={"sliding_attention": full, "full_attention": full})
    assert only(same).scaling == Linear(2.0)


def test_the_object_wins_over_the_top_level_and_that_over_the_class() -> None:
    assert only(read(rope_parameters={"rope_theta": 7.0})).base == 7.0
    assert only(read(rope_parameters={})).base == 1e4
    bare = {"model_type": "smollm3", "no_rope_layers": [1, 1]}
    assert only(RopeConfig.from_hf(bare)).base == 2e6


def test_null_head_dim_falls_back_to_the_width() -> None:
    fields = {**LLAMA, "model_type": "qwen3", "hidden_size": 2048, "head_dim": None}
    assert only(RopeConfig.from_hf(fields)).head_dim == 64
    del fields["head_dim"]
    assert only(RopeConfig.from_hf(fields)).head_dim == 128

"""Files of single families, in the words of released ones, read by hand."""

import math
from typing import Any

import pytest

from posenc import RopeConfig
from posenc.config.layers import RopeLayer

YARN = {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 65536}


def read(model_type: str, **fields: Any) -> RopeConfig:
    return RopeConfig.from_hf({"model_type": model_type, **fields})


def bases(config: RopeConfig) -> dict[str, float]:
    return {key: layer.base for key, layer in config.rotary.items()}


def test_command_a_turns_the_layers_with_a_window_alone() -> None:
    config = read("cohere2", num_hidden_layers=8, sliding_window_pattern=4, rope_theta=50000.0)
    assert config.rope_layers == (True, True, True, False) * 2
    assert config.keys == ("rope", "rope", "rope", "nope") * 2
    assert (config.rotary["rope"].layout, config.rotary["rope"].base) == ("interleaved", 50000.0)


def test_exaone_without_a_window_turns_all_layers() -> None:
    kinds = {"layer_types": ["sliding_attention", "full_attention"], "num_hidden_layers": 2}
    assert read("exaone4", sliding_window=4096, **kinds).rope_layers == (True, False)
    assert read("exaone4", sliding_window=None, **kinds).rope_layers == (True, True)


def test_granite_scales_its_scores_by_a_field() -> None:
    (layer,) = read("granite", attention_multiplier=0.0078125).rotary.values()
    assert layer.softmax_scale == 0.0078125
    (layer,) = read("gemma2", query_pre_attn_scalar=144).rotary.values()
    assert layer.softmax_scale == pytest.approx(1 / 12)
    (layer,) = read("llama").rotary.values()
    assert layer.softmax_scale == pytest.approx(1 / math.sqrt(128))


def test_granite_with_one_base_for_each_layer() -> None:
    config = read("granite_swa", num_hidden_layers=4, layer_rope_theta=[0, 5e5, 5e5, 5e5])
    assert config.keys == ("nope", "rope", "rope", "rope")
    assert bases(config) == {"rope": 5e5}
    with pytest.raises(ValueError, match="layer_rope_theta must hold one base"):
        read("granite_swa", num_hidden_layers=2, layer_rope_theta=[1e4, 5e5])


def test_granite_4_has_no_positions_unless_it_asks_for_them() -> None:
    kinds = {"layer_types": ["mamba", "attention"], "num_hidden_layers": 2}
    config = read("granitemoehybrid", position_embedding_type="nope", **kinds)
    assert [config.layer_at(i).encoding for i in (0, 1)] == ["linear", "nope"]
    config = read("granitemoehybrid", position_embedding_type="rope", **kinds)
    assert [config.layer_at(i).encoding for i in (0, 1)] == ["linear", "rope"]


def test_modernbert_has_a_base_for_each_kind_of_layer() -> None:
    config = read("modernbert", global_rope_theta=160000.0, local_rope_theta=10000.0)
    assert bases(config) == {"sliding_attention": 10000.0, "full_attention": 160000.0}
    assert config.layer_types[:4] == (
        "full_attention",
        *("sliding_attention",) * 2,
        "full_attention",
    )


def test_deepseek_v4_compresses_with_a_base_of_its_own() -> None:
    config = read(
        "deepseek_v4", num_hidden_layers=3, compress_ratios=[0, 4, 128], rope_scaling=YARN
    )
    assert config.keys == ("main", "compress", "compress")
    assert bases(config) == {"main": 10000.0, "compress": 160000.0}
    layer = config.rotary["compress"]
    assert (layer.head_dim, layer.nope_dim, layer.frequencies()[1]) == (64, 448, 1.0)


def test_step_gives_a_base_for_each_layer() -> None:
    config = read(
        "step3p5",
        num_hidden_layers=2,
        layer_types=["full_attention", "sliding_attention"],
        rope_theta=[5e6, 1e4],
        partial_rotary_factors=[0.5, 1.0],
    )
    assert bases(config) == {"full_attention": 5e6, "sliding_attention": 1e4}
    assert [layer.rotary_dim for layer in config.rotary.values()] == [64, 128]


def test_gemma4_saves_the_wide_heads_by_layer() -> None:
    config = read("gemma4_text", num_hidden_layers=6, per_layer_config={"5": {"head_dim": 256}})
    assert [layer.head_dim for layer in config.rotary.values()] == [256, 256]


def test_the_part_that_writes_is_found_under_any_name() -> None:
    text = {"model_type": "qwen2_5_omni_text", "rope_theta": 1e6, "hidden_size": 3584}
    config = read("qwen2_5_omni", thinker_config={"text_config": text})
    assert config.path == ("thinker_config", "text_config")
    assert bases(config) == {"all": 1e6}
    flat = read("qwen2_vl", hidden_size=3584, num_attention_heads=28, rope_theta=1e6)
    assert flat.path == ()
    assert flat.rotary["all"].head_dim == 128


def test_a_family_is_recognised_by_the_name_of_its_class() -> None:
    fields = {"rope_theta": 1e6, "head_dim": 128}
    config = read("someone_new", architectures=["Cohere2ForCausalLM"], **fields)
    assert (config.identified_by, config.is_known) == ("architectures", True)
    assert config.rotary["rope"].layout == "interleaved"
    assert not read("someone_new", architectures=["SomeoneNewForCausalLM"], **fields).is_known


def test_an_unknown_family_has_no_layout_and_writes_nothing() -> None:
    config = read("someone_new", rope_theta=1e6, head_dim=128)
    layer = config.layers["all"]
    assert isinstance(layer, RopeLayer)
    assert (layer.layout, layer.pairing) == ("unknown", "half")
    assert config.findings[0].code == "unknown_family"
    with pytest.raises(ValueError, match="nothing is written"):
        config.to_hf()
    assert read("someone_new").layers["all"].encoding == "unknown"


def test_nomics_own_code_has_names_of_its_own() -> None:
    # As nomic-embed-text-v1.5 is released with its makers' code.
    file = {"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "n_layer": 12}
    file |= {"n_inner": 3072, "n_positions": 8192, "rotary_emb_base": 1000}
    config = RopeConfig.from_hf(file)
    assert config.reach == 8192
    assert config.text.get("num_hidden_layers") == 12
    assert (config.rotary["all"].base, config.rotary["all"].head_dim) == (1000.0, 64)
    assert RopeConfig.from_hf({"model_type": "nomic_bert"}).reach == 2048

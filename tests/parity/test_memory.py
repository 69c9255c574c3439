"""Caches and weights of tiny models against transformers' own cache and modules."""

import json

import pytest
from transformers import CONFIG_MAPPING, DynamicCache, StaticCache
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

from advisor import RopeConfig
from advisor.families.all import FAMILIES
from advisor.memory.cache import layer_caches
from advisor.memory.sizes import ENCODERS, class_defaults
from advisor.memory.weights import count_weights
from reference.sweep.class_sizes import (
    SPECIAL,
    TOKENS,
    WHOLE,
    as_file,
    built_weights,
    filled,
    kept_bytes,
    said_bytes,
    tensors,
    tiny,
)

# One or two of each kind: grouped heads, one head for all, windows, chunks, shared layers, latent
# attention, an indexer, states of every kind, experts.
KINDS = (
    *("llama", "qwen3_moe", "falcon", "gpt2", "mistral", "gemma3_text", "gpt_oss", "llama4_text"),
    *("cohere2", "gemma4_text", "deepseek_v3", "deepseek_v32", "qwen3_next", "granitemoehybrid"),
    *("lfm2", "kimi_linear", "mpt", "bloom", "glm4_moe", "phi3", "bamba", "jamba", "nemotron_h"),
    *("falcon_h1", "mimo_v2_flash", "hy_v4", "mistral_large4_text", "glm5_next_text"),
    "qwen4_exp_text",
)
# Files whose layers share what an earlier one keeps.
SHARING = (
    ("glm_moe_dsa", {"index_topk_freq": 4, "index_skip_topk_offset": 3}),
    ("mistral_large4_text", {"kv_source_layers": [0, 1, 0, 3, 1, 5], "index_topk_freq": 2}),
    ("hy_v4", {"indexer_types": ["full"] + ["shared"] * 5}),
    (
        "glm5_next_text",
        {"index_topk_freq": 2, "layer_types": ["indexed_attention"] * 3 + ["linear_attention"] * 3},
    ),
)


def test_every_kind_was_compared() -> None:
    assert set(KINDS) <= set(class_defaults())


@pytest.mark.parametrize("name", KINDS)
def test_a_tiny_model_keeps_exactly_the_bytes_that_are_said(name: str) -> None:
    config = tiny(name)
    kept = kept_bytes(config)
    assert kept > 0
    assert said_bytes(as_file(config) | SPECIAL.get(name, {})) == kept


@pytest.mark.parametrize(("name", "shared"), SHARING)
def test_what_layers_share_is_counted_once(
    name: str, shared: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = said_bytes(as_file(tiny(name)))
    said = {**SPECIAL.get(name, {}), **shared}
    monkeypatch.setitem(SPECIAL, name, said)
    config = tiny(name)
    assert said_bytes(as_file(config) | said) == kept_bytes(config) != alone


def test_entries_for_several_tokens_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ["compressed_sparse_attention", "heavily_compressed_attention"]
    said = {
        "compress_rates": dict(zip(kinds, (4, 8), strict=True)),
        "layer_types": ["sliding_attention"] * 2 + kinds * 2,
        "num_key_value_heads": 1,
        "o_groups": 2,
        "o_lora_rank": 8,
    }
    monkeypatch.setattr("reference.sweep.class_sizes.TOKENS", 24)  # every entry is full
    monkeypatch.setitem(SPECIAL, "deepseek_v4", said)
    config = tiny("deepseek_v4")
    kept = {one.data_ptr(): one.nbytes for one in tensors(filled(config)) if one.nbytes}
    # The growing cache drops the token that the next query no longer sees: a key and a value in
    # two layers, a vector that is both in four.
    last = (2 * 2 + 4) * config.head_dim * 4
    assert said_bytes(as_file(config) | said) == sum(kept.values()) + last


@pytest.mark.parametrize("name", ["llama", "falcon", "deepseek_v3", "qwen3_next"])
def test_the_cache_that_grows_keeps_the_same(name: str) -> None:
    config = tiny(name)
    cache = filled(config, DynamicCache(config=config))
    assert said_bytes(as_file(config)) == sum(one.nbytes for one in tensors(cache))


def test_the_growing_cache_with_a_window_keeps_one_token_less() -> None:
    # transformers drops the token that the next query no longer sees.
    config = tiny("mistral")
    (layers,) = layer_caches(RopeConfig.from_hf(as_file(config)))
    growing, fixed = (
        sum(one.nbytes for one in tensors(filled(config, cache)))
        for cache in (
            DynamicCache(config=config),
            StaticCache(config=config, max_cache_len=TOKENS),
        )
    )
    assert fixed - growing == layers.layers * layers.per_token * 4


def test_a_wrong_count_would_be_seen() -> None:
    config = tiny("llama")
    file = as_file(config)
    for field, wrong in (("num_key_value_heads", 3), ("head_dim", 18), ("num_hidden_layers", 5)):
        assert said_bytes(file | {field: wrong}) != kept_bytes(config)


@pytest.mark.parametrize("name", [*KINDS, "mixtral", "qwen2_moe", "deepseek_v2", "phimoe", "olmo3"])
def test_weights_of_the_class_default(name: str) -> None:
    if class_defaults()[name]["weights"] is False:
        with pytest.raises(ValueError, match="How many weights"):
            count_weights(RopeConfig.from_hf(as_file(CONFIG_MAPPING[name]())))
        return
    whole = CONFIG_MAPPING[name](**WHOLE.get(name, {}))
    counted = count_weights(RopeConfig.from_hf(json.loads(json.dumps(as_file(whole)))))
    assert counted.total == pytest.approx(built_weights(whole), rel=0.02)


def test_encoders_are_those_that_transformers_trains_with_masks() -> None:
    masked = set(MODEL_FOR_MASKED_LM_MAPPING_NAMES) & set(FAMILIES)
    # These write text: BART's kin and Reformer.
    assert set(ENCODERS) == masked - {"bart", "mbart", "mvp", "reformer"}

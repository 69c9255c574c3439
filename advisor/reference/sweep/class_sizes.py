"""The memory of the caches of transformers in tiny models, and how many weights classes have.

python -m reference.sweep.class_sizes prints the types whose cache, filled by a tiny model, has
exactly the bytes that posenc says, for `COUNTED` and `CACHED` of advisor/advisor/memory/sizes.py.
"""

import json
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from transformers import CONFIG_MAPPING, AutoModel, PreTrainedConfig, StaticCache
from transformers.cache_utils import Cache
from transformers.initialization import no_init_weights
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_MAPPING,
)

from advisor import RopeConfig
from advisor.families.classes import Asked
from advisor.memory import sizes
from advisor.memory.cache import cache_bytes
from advisor.memory.weights import count_weights

TINY: dict[str, Any] = {
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "num_hidden_layers": 6,
    "intermediate_size": 96,
    "vocab_size": 120,
    "sliding_window": 8,
    "kv_lora_rank": 24,
    "q_lora_rank": 20,
    "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 12,
    "v_head_dim": 16,
    "moe_intermediate_size": 32,
    "num_experts": 4,
    "num_experts_per_tok": 2,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "linear_num_key_heads": 2,
    "linear_key_head_dim": 8,
    "linear_num_value_heads": 4,
    "linear_value_head_dim": 16,
    "linear_num_heads": 4,
    "linear_head_dim": 16,
    "mamba_n_heads": 8,
    "mamba_d_head": 16,
    "mamba_d_state": 12,
    "mamba_n_groups": 2,
    "mamba_expand": 2,
    "mamba_d_ssm": 128,
    "mamba_num_heads": 8,
    "mamba_head_dim": 16,
    "n_groups": 2,
    "ssm_state_size": 12,
    "n_group": 1,
    "topk_group": 1,
    "attention_chunk_size": 8,
    "global_head_dim": 24,
    "num_global_key_value_heads": 1,
    "index_head_dim": 16,
    "index_n_heads": 2,
    "index_topk": 4,
    "shared_intermediate_size": 32,
    "mamba_dt_rank": 4,
    "hidden_size_per_layer_input": 8,
    "vocab_size_per_layer_input": 120,
    "num_kv_shared_layers": 2,
    "first_k_dense_replace": 1,
    "partial_rotary_factor": 1.0,
    "moe_layer_freq": 1,
    "full_attention_interval": 3,
}
_MROPE = {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [2, 3, 3]}
_GLM = {"rope_parameters": _MROPE | {"partial_rotary_factor": 1.0}}
_SHARED = {"num_hidden_layers": 12, "num_kv_shared_layers": 4}
_MIXED = ["linear_attention", "full_attention"] * 3
SPECIAL: dict[str, dict[str, Any]] = {
    "bamba": {"attn_layer_indices": [1, 4]},
    "codegen": {"rotary_dim": 8},
    "deepseek_v2": {"num_experts_per_tok": 2},
    "dots1": {"n_routed_experts": 4, "n_shared_experts": 1, "num_experts_per_tok": 2},
    "gemma3n_text": _SHARED,
    "gemma4_text": {**_SHARED, "global_head_dim": 24},
    "glm5_next_text": {"index_kpool": 2, "qk_rope_head_dim": 0, "num_key_value_heads": 4},
    "glm4v_moe_text": _GLM,
    "glm4v_text": _GLM,
    "gpt_oss": {"max_position_embeddings": 8192},
    "gptj": {"rotary_dim": 8},
    "granitemoehybrid": {"layer_types": _MIXED},
    "hunyuan_v1_dense": {"head_dim": 16},
    "hunyuan_v1_moe": {"head_dim": 16},
    "hunyuan_vl_text": {"head_dim": 16},
    "jamba": {"attn_layer_period": 3, "attn_layer_offset": 1},
    "lfm2": {"layer_types": ["conv", "full_attention"] * 3},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 3},
    "ministral": {"head_dim": 16},
    "mimo_v2_flash": {"head_dim": 24, "swa_head_dim": 24},
    "nemotron": {"num_key_value_heads": 2, "head_dim": 16},
    "nemotron_h": {"layers_block_type": ["mamba", "attention", "moe", "mlp", "mamba", "attention"]},
    "qwen2_5_vl_text": {"rope_parameters": _MROPE},
    "qwen2_vl_text": {"rope_parameters": _MROPE},
    "qwen4_exp_text": {
        "indexer_n_heads": 2,
        "indexer_kv_heads": 1,
        "indexer_head_dim": 16,
        "indexer_budget": 8,
        "indexer_compress_ratio": 4,
    },
}
# Classes whose defaults do not fit each other, or leave out what every file says.
WHOLE: dict[str, dict[str, Any]] = {
    "dots1": {"n_routed_experts": 128, "n_shared_experts": 2, "num_experts_per_tok": 6},
    "deepseek_v2": {"num_experts_per_tok": 6},
    "glm4_moe": {"head_dim": 128},
    "glm4v_moe_text": {"head_dim": 128},
    "hunyuan_v1_dense": {"head_dim": 128},
    "hunyuan_v1_moe": {"head_dim": 128},
    "hunyuan_vl_text": {"head_dim": 128},
    "ministral": {"head_dim": 128},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 16},
    "nemotron": {"num_key_value_heads": 8},
}
TOKENS = 21
MOST_WEIGHTS = 5 * 10**7


def types() -> list[str]:
    """Types of text models whose class transformers knows."""
    known = {config.model_type for config in MODEL_MAPPING}
    names = [*MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, *(n for n in CONFIG_MAPPING if "_text" in n)]
    encoders = MODEL_FOR_MASKED_LM_MAPPING_NAMES
    return sorted({n for n in names if n in CONFIG_MAPPING and n in known and n not in encoders})


def tiny(name: str) -> PreTrainedConfig:
    """A configuration of the type with small widths."""
    kind = CONFIG_MAPPING[name]
    default = kind()
    default.allow_global_per_layer_attribute_access = True
    wanted = {}
    for field, value in TINY.items():
        for own in (field, *sizes.NAMES.get(field, ())):
            is_fixed = isinstance(getattr(kind, own, None), property)
            if isinstance(getattr(default, own, None), int) and not is_fixed:
                wanted[own] = value
    if "qk_rope_head_dim" in wanted:
        wanted["head_dim"] = wanted["qk_rope_head_dim"]
        wanted["num_key_value_heads"] = wanted["num_attention_heads"]
    ids = {own: 1 for own in ("bos_token_id", "eos_token_id") if getattr(default, own, None)}
    return kind(**wanted | ids | SPECIAL.get(name, {}))


def filled(config: PreTrainedConfig, cache: Cache | None = None) -> Cache:
    """The cache that a tiny model fills with `TOKENS` tokens."""
    with torch.device("meta"), no_init_weights():
        count = sum(one.numel() for one in AutoModel.from_config(config).parameters())
    if count > MOST_WEIGHTS:
        raise ValueError(f"{count} weights are not tiny")
    torch.manual_seed(0)
    model = AutoModel.from_config(config).eval()
    tokens = torch.arange(TOKENS)[None] % 100 + 1
    with torch.no_grad():
        return model(input_ids=tokens, past_key_values=cache, use_cache=True).past_key_values


def tensors(cache: Cache) -> Iterator[torch.Tensor]:
    """Everything that it keeps, but the positions themselves, which Qwen4-Exp's indexer needs."""
    for layer in cache.layers:
        for value in vars(layer).values():
            for one in value.values() if isinstance(value, dict) else (value,):
                if isinstance(one, torch.Tensor) and one.ndim and one.is_floating_point():
                    yield one


def kept_bytes(config: PreTrainedConfig) -> int:
    """Bytes of transformers' cache after `TOKENS` tokens, in float32."""
    cache = StaticCache(config=config, max_cache_len=TOKENS)
    return sum(one.nbytes for one in tensors(filled(config, cache)))


def said_bytes(file: dict[str, Any]) -> int:
    """Bytes of the cache by posenc."""
    return cache_bytes(RopeConfig.from_hf(file), TOKENS, "float32")


def as_file(config: PreTrainedConfig) -> dict[str, Any]:
    """The content of its config.json."""
    return dict(json.loads(config.to_json_string(use_diff=False)))


def built_weights(config: PreTrainedConfig) -> int:
    """Weights of the model with its head, built without memory."""
    with torch.device("meta"), no_init_weights():
        model = AutoModel.from_config(config)
    total = sum(one.numel() for one in model.parameters())
    tied = getattr(config, "tie_word_embeddings", True)
    return total if tied else total + config.vocab_size * config.hidden_size


def is_counted(name: str) -> bool:
    """Whether the weights of a type agree as well.

    Raises:
        Exception: If no tiny model of it can be made or run, or its cache has other bytes.
    """
    config = tiny(name)
    kept, said = kept_bytes(config), said_bytes(as_file(config) | SPECIAL.get(name, {}))
    if kept != said:
        raise ValueError(f"cache {kept}, said {said}")
    whole = CONFIG_MAPPING[name](**WHOLE.get(name, {}))
    try:
        counted = count_weights(RopeConfig.from_hf(as_file(whole)))
        return abs(counted.total / built_weights(whole) - 1) < 0.02
    except Exception as error:
        print(name, "weights", repr(error)[:200], file=sys.stderr)
        return False


def main() -> None:
    """Judge every type."""
    every = {name: Asked(partial(sizes.class_values, name)) for name in types()}
    sizes.class_defaults = lambda: every  # type: ignore[assignment]
    found: dict[bool, list[str]] = {True: [], False: []}
    for name in every:
        try:
            found[is_counted(name)].append(name)
        except Exception as error:
            print(name, repr(error)[:200], file=sys.stderr)
    print("COUNTED", found[True])
    print("CACHED", found[False])


if __name__ == "__main__":
    main()

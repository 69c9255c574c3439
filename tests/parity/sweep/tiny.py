"""A configuration made tiny: few and narrow layers, everything that concerns positions kept."""

import json
from typing import Any

from transformers import PreTrainedConfig

LAYERS = 9
HEADS = 4
SMALL = {
    "vocab_size": 64,
    "vocab_size_per_layer_input": 64,
    "intermediate_size": 32,
    "ffn_dim": 32,
    "ffn_hidden_size": 32,
    "moe_intermediate_size": 16,
    "shared_expert_intermediate_size": 16,
    "moe_shared_expert_intermediate_size": 16,
    "dense_intermediate_size": 32,
    "num_experts": 4,
    "n_routed_experts": 4,
    "num_local_experts": 4,
    "moe_num_experts": 4,
    "num_experts_per_tok": 2,
    "moe_k": 2,
    "moe_topk": 2,
    "top_k_experts": 2,
    "n_group": 1,
    "topk_group": 1,
    "num_expert_group": 1,
    "n_shared_experts": 1,
    "q_lora_rank": 16,
    "kv_lora_rank": 16,
    "hidden_size_per_layer_input": 8,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 16,
    "linear_value_head_dim": 16,
    "index_n_heads": 2,
    "mtp_num_layers": 0,
    "num_nextn_predict_layers": 0,
}
TOKENS = ("pad_token_id", "bos_token_id", "eos_token_id")


def shrunk(config: PreTrainedConfig, more: dict[str, Any]) -> PreTrainedConfig:
    """The configuration of a tiny model with the same positions; `more` has the last word."""
    kind = type(config)
    values = json.loads(json.dumps(config.to_dict(), default=str))
    renamed = {**kind.attribute_map}

    def own(name: str) -> str:
        return renamed.get(name, name)

    def get(name: str) -> Any:
        return values.get(own(name), getattr(config, name, None))

    heads, width = get("num_attention_heads"), get("hidden_size")
    changes: dict[str, Any] = {}
    for name, size in SMALL.items():
        if isinstance(get(name), int) and get(name) > size:
            changes[own(name)] = size
    if isinstance(heads, int) and isinstance(width, int) and heads:
        keys = get("num_key_value_heads")
        changes[own("num_attention_heads")] = min(HEADS, heads)
        if isinstance(keys, int):
            few = {heads: min(HEADS, heads), 1: 1}
            changes[own("num_key_value_heads")] = few.get(keys, 2)
        has_head = isinstance(get("head_dim"), int) or isinstance(get("qk_rope_head_dim"), int)
        own_head = "head_dim" in values and has_head and own("head_dim") in values
        head = get("head_dim") if isinstance(get("head_dim"), int) else width // heads
        changes[own("hidden_size")] = 64 if own_head else head * min(HEADS, heads)
    layers = get("num_hidden_layers")
    if isinstance(layers, int) and layers > LAYERS:
        changes[own("num_hidden_layers")] = LAYERS
        for name, value in values.items():
            if isinstance(value, list) and len(value) == layers:
                changes[name] = value[:LAYERS]
    for name in kind.sub_configs or {}:
        if isinstance(getattr(config, name, None), PreTrainedConfig):
            changes[name] = shrunk(getattr(config, name), {}).to_dict()
    for name in TOKENS:
        if get(name) is not None:
            changes[own(name)] = 1
    return kind.from_dict({**values, **changes, **more})

"""A configuration made tiny: few and narrow layers, everything that concerns positions kept."""

import contextlib
import json
from typing import Any

from transformers import PreTrainedConfig

LAYERS = 12
HEADS = 4
SMALL = {
    "vocab_size": 64,
    "encoder_hash_byte_group_vocab": 64,
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
    "linear_num_heads": 2,
    "linear_head_dim": 16,
    "mamba_chunk_size": 16,
    "chunk_size": 16,
    "index_n_heads": 2,
    "mtp_num_layers": 0,
    "num_nextn_predict_layers": 0,
}


def shrunk(config: PreTrainedConfig, more: dict[str, Any]) -> PreTrainedConfig:
    """The configuration of a tiny model with the same positions; `more` has the last word."""
    kind = type(config)
    values = json.loads(json.dumps(config.to_dict(), default=str))
    renamed = {**kind.attribute_map}

    def own(name: str) -> str:
        return renamed.get(name, name)

    def get(name: str) -> Any:
        # Some fields differ by layer and cannot be asked of the whole.
        with contextlib.suppress(Exception):
            return values.get(own(name), getattr(config, name, None))
        return values.get(own(name))

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
        is_latent = isinstance(get("qk_rope_head_dim"), int)
        head = get("head_dim") if isinstance(get("head_dim"), int) else width // heads
        changes[own("hidden_size")] = 64 if is_latent else head * min(HEADS, heads)
    layers = get("num_hidden_layers")
    if isinstance(layers, int) and layers > LAYERS:
        changes[own("num_hidden_layers")] = LAYERS
        for name, value in values.items():
            if isinstance(value, list) and len(value) == layers:
                changes[name] = value[:LAYERS]
    if isinstance(values.get("per_layer_config"), dict):
        rows = {int(i): row for i, row in values["per_layer_config"].items() if int(i) < LAYERS}
        few = {**SMALL, "num_attention_heads": HEADS, "num_key_value_heads": HEADS // 2}
        changes["per_layer_config"] = {
            i: {n: min(x, few.get(n, x)) if isinstance(x, int) else x for n, x in row.items()}
            for i, row in rows.items()
        }
    for name in kind.sub_configs or {}:
        if isinstance(getattr(config, name, None), PreTrainedConfig):
            # Parts that cannot be made narrower stay as they are.
            with contextlib.suppress(Exception):
                changes[name] = shrunk(getattr(config, name), {}).to_dict()
    for name, value in values.items():
        is_token = name.endswith(("token_id", "token_index"))
        if is_token and isinstance(value, int):
            changes[name] = 1
    return kind.from_dict({**values, **changes, **more})

"""Attention without positions: an order of earlier tokens is nothing to the last one."""

from typing import Any

import pytest
import torch
from transformers import CONFIG_MAPPING, AutoModel

from advisor import RopeConfig

SMALL = {
    "hidden_size": 32,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "num_hidden_layers": 1,
    "intermediate_size": 64,
    "vocab_size": 50,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
LATENT = {
    "kv_lora_rank": 16,
    "qk_nope_head_dim": 8,
    "v_head_dim": 8,
    "moe_intermediate_size": 16,
    "topk_group": 1,
    "layer_types": ["full_attention"],
    "mlp_layer_types": ["dense"],
    "linear_head_dim": 8,
    "linear_num_heads": 4,
}
MODELS: dict[str, dict[str, Any]] = {
    "jamba": {"attn_layer_period": 1, "attn_layer_offset": 0, "num_experts": 2},
    "nemotron_h": {"head_dim": 8, "layers_block_type": ["attention"], "mamba_num_heads": 4},
    "kimi_linear": {
        **LATENT,
        "qk_rope_head_dim": 8,
        "num_experts": 2,
        "num_experts_per_token": 1,
        "num_expert_group": 1,
    },
    "glm5_next_text": {
        **LATENT,
        "q_lora_rank": 16,
        "qk_rope_head_dim": 0,
        "n_routed_experts": 2,
        "num_experts_per_tok": 1,
        "index_n_heads": 2,
        "index_head_dim": 8,
        "indexer_types": ["full"],
    },
}
TOKENS = torch.tensor([[3, 4, 5, 6, 7, 8, 9, 10], [9, 3, 7, 5, 4, 8, 6, 10]])


def moved(name: str, more: dict[str, Any]) -> float:
    """How far the last token's output goes when the tokens before it change places."""
    torch.manual_seed(0)
    sizes = {
        key: value
        for key, value in SMALL.items()
        if more.get("layers_block_type") is None or key != "num_hidden_layers"
    }
    model = AutoModel.from_config(CONFIG_MAPPING[name](**sizes, **more)).eval()
    with torch.no_grad():
        first, second = model(TOKENS, use_cache=False)[0][:, -1]
    return float((first - second).abs().max() / first.abs().max())


@pytest.mark.parametrize("name", MODELS)
def test_attention_knows_no_order(name: str) -> None:
    assert moved(name, MODELS[name]) < 1e-6
    layers = RopeConfig.from_hf(CONFIG_MAPPING[name]().to_dict()).layers.values()
    assert "nope" in {layer.encoding for layer in layers}


def test_a_rotation_would_be_seen() -> None:
    assert moved("llama", {}) > 1e-4


WORDS = {"linear_attention": "linear", "moe": "none", "mlp": "none"}


@pytest.mark.parametrize("name", [*MODELS, "zamba"])
def test_the_kinds_of_layers_are_those_of_the_class(name: str) -> None:
    config = CONFIG_MAPPING[name]()
    kinds = [WORDS.get(word, "nope") for word in config.layer_types]
    fields = config.to_dict()
    assert list(RopeConfig.from_hf(fields).keys) == kinds
    fields = {key: value for key, value in fields.items() if "types" not in key}
    assert list(RopeConfig.from_hf(fields).keys) == kinds

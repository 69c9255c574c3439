"""Sizes of what DeepSeek's models keep of a word, and of the part that turns."""

from collections.abc import Mapping
from typing import Any

from transformers import DeepseekV4Config

from advisor.known_models import known_models


def data() -> Mapping[str, Any]:
    """Numbers that are kept of a word, and those that turn."""
    shared = DeepseekV4Config().to_dict()
    latent = known_models()["DeepSeek-V3"].config
    return {
        "shared": {
            "numbers": shared["head_dim"],
            "turned": int(shared["head_dim"] * shared["partial_rotary_factor"]),
            "base": int(shared["rope_theta"]),
        },
        "latent": {
            "numbers": latent["kv_lora_rank"],
            "turned": latent["qk_rope_head_dim"],
            "heads": latent["num_attention_heads"],
        },
    }

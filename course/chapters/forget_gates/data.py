"""Layers of models with memories, and gates of small models that were trained with them."""

from typing import Any

from advisor.known_models import known_models

KIMI_LINEAR = {"layers": 27, "full": [4, 8, 12, 16, 20, 24, 27]}
"""Read in a copy of the file (MoonshotAI, Kimi-Linear-48B-A3B-Instruct, `linear_attn_config`)."""


def data() -> dict[str, Any]:
    """Of two models: how many layers, which of them see every word, and what part of a head turns."""
    config = known_models()["Qwen3-Next-80B-A3B"].config
    layers, every = config["num_hidden_layers"], config["full_attention_interval"]
    qwen = {
        "name": "Qwen3-Next",
        "layers": layers,
        "full": list(range(every, layers + 1, every)),
        "turned": config["partial_rotary_factor"],
    }
    return {
        "models": [qwen, {"name": "Kimi Linear", **KIMI_LINEAR, "turned": 0}],
        "directions": config["linear_key_head_dim"],
        "mixed": config["linear_conv_kernel_dim"],
    }

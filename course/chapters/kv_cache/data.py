"""Caches of released models, and LongRoPE's lists of one."""

from typing import Any

from advisor.known_models import known_models
from advisor.memory.cache import layer_caches
from advisor.memory.weights import count_weights
from advisor.rope import RopeConfig
from exhibits.cache_sizes import ALPHA, HEAD_DIM, TRAINED

MODELS = {
    "all": "Llama-2-7B",
    "grouped": "Llama-3.1-8B",
    "latent": "DeepSeek-V2-Lite",
    "window": "Mistral-7B-v0.1",
}
"""Models by the kind of their cache."""


def data() -> dict[str, object]:
    """Caches of models, and of two how they turn."""
    config = known_models()[MODELS["all"]].config
    return {
        "models": [
            {"kept": kept, "name": name} | _kept(RopeConfig.from_hf(known_models()[name].config))
            for kept, name in MODELS.items()
        ],
        "llama2": {
            "layers": config["num_hidden_layers"],
            "heads": config["num_attention_heads"],
            "width": HEAD_DIM,
            "pairs": HEAD_DIM // 2,
            "base": 10000,
            "trained": TRAINED,
            "alpha": ALPHA,
        },
        "phi3": _lists(known_models()["Phi-3-mini-128k"].config),
    }


def _kept(config: RopeConfig) -> dict[str, object]:
    """Bytes of the weights, what layers keep of a token, and the keys' share of it."""
    layers = layer_caches(config)
    rotated = next(iter(config.rotary.values())).rotary_dim
    return {
        "bytes": int(count_weights(config).in_bytes("bfloat16")),
        "layers": [[one.layers, one.per_token, one.window or 0] for one in layers],
        "keys": rotated / layers[0].per_token if layers[0].kind == "latent" else 0.5,
    }


def _lists(config: dict[str, Any]) -> dict[str, object]:
    """LongRoPE: what each pair's speed is divided by, up to the trained length and beyond."""
    lists = config["rope_scaling"]
    return {
        "trained": config["original_max_position_embeddings"],
        "base": config["rope_theta"],
        "short": lists["short_factor"],
        "long": lists["long_factor"],
    }

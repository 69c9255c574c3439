"""Golden cases of config.json files: what transformers makes of them."""

from collections.abc import Callable
from typing import Any

from advisor import RopeConfig

MODEL_TYPES = {
    "LlamaConfig": "llama",
    "Llama4TextConfig": "llama4_text",
    "Qwen2Config": "qwen2",
    "Phi3Config": "phi3",
    "GPTNeoXConfig": "gpt_neox",
    "Gemma3TextConfig": "gemma3_text",
    "Gemma4TextConfig": "gemma4_text",
    "DeepseekV3Config": "deepseek_v3",
    "Glm4Config": "glm4",
    "GptOssConfig": "gpt_oss",
    "SmolLM3Config": "smollm3",
}


def _config(params: dict) -> RopeConfig:
    model_type = MODEL_TYPES[params["config_class"]]
    return RopeConfig.from_hf({"model_type": model_type, **params["config"]})


def _normalise(params: dict) -> dict[str, Any]:
    config = _config(params)
    by_type = {key: dict(fields.values) for key, fields in config.parameters.items()}
    head_dims = {key: layer.head_dim for key, layer in config.rotary.items()}
    agree = len(set(head_dims.values())) == 1
    result = {
        "rope_parameters": by_type.get("all", by_type),
        "head_dim": next(iter(head_dims.values())) if agree else head_dims,
    }
    return result | ({"layer_types": list(config.layer_types)} if config.layer_types else {})


def _no_rope_layers(params: dict) -> list[int]:
    return [int(rotates) for rotates in _config(params).rope_layers]


FORMULAS: dict[str, Callable[[dict], Any]] = {
    "hf_config.normalise": _normalise,
    "hf_config.no_rope_layers": _no_rope_layers,
    "nope.layer_flags": lambda fields: _no_rope_layers(
        {"config_class": "SmolLM3Config", "config": fields}
    ),
}

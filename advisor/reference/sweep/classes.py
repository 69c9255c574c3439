"""Every configuration class of transformers: its default, its text part, its models."""

import copy
import importlib
import importlib.util
import inspect
import json
from collections.abc import Iterator
from typing import Any

from torch import nn
from transformers import CONFIG_MAPPING, AutoModel, PreTrainedConfig, PreTrainedModel

PLAIN = {"rope_type": "default", "rope_theta": 10000.0}
# Classes whose own defaults cannot be made or run, or turn nothing, and what released files say.
SAID: dict[str, dict[str, Any]] = {
    "gemma4_assistant": {"text_config": {"hidden_size_per_layer_input": 0}},
    "gemma4_unified_assistant": {"text_config": {"hidden_size_per_layer_input": 0}},
    "bamba": {"num_hidden_layers": 9, "attn_layer_indices": [2, 5]},
    "granitemoehybrid": {
        "num_hidden_layers": 4,
        "layer_types": ["linear_attention", "full_attention"] * 2,
        "position_embedding_type": "rope",
    },
    "lfm2_moe": {"num_hidden_layers": 4, "layer_types": ["conv", "conv", "full_attention", "conv"]},
    "qwen3_omni_moe_text": {"head_dim": 128},
    "qwen3_omni_moe_thinker": {"text_config": {"head_dim": 128}},
    "qwen3_omni_moe": {"thinker_config": {"text_config": {"head_dim": 128}}},
    "zamba2": {"use_mem_rope": True},
    "cohere_compass_text": {"rope_parameters": {"full_attention": PLAIN}},
    "cohere_compass": {"text_config": {"rope_parameters": {"full_attention": PLAIN}}},
    "glm4_moe": {"head_dim": 128},
    "glm4v_moe_text": {"head_dim": 128},
    "glm4v_moe": {"text_config": {"head_dim": 128}},
    "dbrx": {"attn_config": {"rope_theta": 500000.0}},
}


def default(model_type: str) -> PreTrainedConfig:
    """The class's configuration with nothing said but what is in `SAID`."""
    return CONFIG_MAPPING[model_type](**copy.deepcopy(SAID.get(model_type, {})))


def plain(config: PreTrainedConfig) -> dict[str, Any]:
    """The config.json that the class would write."""
    return json.loads(json.dumps(config.to_dict(), default=str))


def modeling(config: PreTrainedConfig) -> Any | None:
    """The module with the code of the class's models."""
    name = type(config).__module__.replace("configuration_", "modeling_")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def model_classes(config: PreTrainedConfig) -> Iterator[type[PreTrainedModel]]:
    """Models that are made from this configuration alone, the plainest first."""
    if type(config) in AutoModel._model_mapping:
        found = AutoModel._model_mapping[type(config)]
        yield from found if isinstance(found, tuple | list) else (found,)
    module = modeling(config)
    for _, one in inspect.getmembers(module, inspect.isclass):
        is_model = issubclass(one, PreTrainedModel) and one.__module__ == module.__name__
        if is_model and one.config_class is type(config) and not one.__name__.startswith("For"):
            yield one


def module_classes(config: PreTrainedConfig) -> Iterator[type[nn.Module]]:
    """Networks that are made from this configuration, where no model stands for it alone."""
    package, _, own = type(config).__module__.rpartition(".")
    words = (own.replace("configuration_", "modeling_"), "vision", "perceiver")
    for word in words:
        if importlib.util.find_spec(f"{package}.{word}") is None:
            continue
        for one in vars(importlib.import_module(f"{package}.{word}")).values():
            if inspect.isclass(one) and issubclass(one, nn.Module):
                asked = list(inspect.signature(one.__init__).parameters.values())[1:2]
                if asked and type(config).__name__ in str(asked[0].annotation):
                    yield one

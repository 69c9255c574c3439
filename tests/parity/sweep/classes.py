"""Every configuration class of transformers: its default, its text part, its models."""

import importlib
import inspect
import json
from collections.abc import Iterator
from typing import Any

from transformers import CONFIG_MAPPING, AutoModel, PreTrainedConfig, PreTrainedModel

# Parts that `get_text_config` does not know, by the outer type.
PARTS = {
    "qwen2_5_omni": ("thinker_config", "text_config"),
    "qwen3_omni_moe": ("thinker_config", "text_config"),
    "qwen2_5_omni_thinker": ("text_config",),
    "qwen3_omni_moe_thinker": ("text_config",),
}


def default(model_type: str) -> PreTrainedConfig:
    """The class's configuration with nothing said."""
    return CONFIG_MAPPING[model_type]()


def plain(config: PreTrainedConfig) -> dict[str, Any]:
    """What the class would write into a config.json."""
    return json.loads(json.dumps(config.to_dict(), default=str))


def text_part(config: PreTrainedConfig) -> PreTrainedConfig:
    """The configuration of the part that writes text; the configuration itself if it is one."""
    for name in PARTS.get(config.model_type, ()):
        config = getattr(config, name)
    part = config.get_text_config(decoder=True)
    return config if type(part) is type(config) else part


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

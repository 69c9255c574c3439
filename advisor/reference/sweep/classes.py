"""Every configuration class of transformers: its file, its code, its models."""

import importlib
import importlib.util
import inspect
import json
from collections.abc import Iterator
from typing import Any

from torch import nn
from transformers import AutoModel, PreTrainedConfig, PreTrainedModel


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

"""transformers' own configuration and rotary embedding of a config.json."""

import importlib
import json
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from transformers import CONFIG_MAPPING, PreTrainedConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from advisor import RopeConfig, known_models

# Models whose code is not in transformers: it comes with the weights.
REMOTE = ("chatglm",)
# Another word for a class of transformers: its makers say to write the class's own.
LIKE = {"kimi_k2": "deepseek_v3"}
# GPT-J turns by a table of sines and knows no scaling.
TABLE = ("gptj",)


def rotary_models() -> list[str]:
    """Names of the known models that rotate, those of remote code left out."""
    configs = {name: RopeConfig.from_hf(m.config) for name, m in known_models().items()}
    return [n for n, c in configs.items() if c.rotary and c.model_type not in REMOTE]


def loaded(source: Mapping[str, Any]) -> PreTrainedConfig:
    """transformers' configuration of the text model, read from the content of a config.json."""
    # A copy: the class writes into the objects that it is given.
    copy = json.loads(json.dumps(source))
    kind = LIKE.get(source["model_type"], source["model_type"])
    return CONFIG_MAPPING[kind].from_dict(copy | {"model_type": kind}).get_text_config()


def rotary_embedding(source: Mapping[str, Any]) -> nn.Module:
    """The module that the model's layers turn queries and keys with."""
    config = loaded(source)
    # The text part's own module: mistral3's is Mistral's, or Ministral's.
    module = importlib.import_module(
        type(config).__module__.replace(".configuration_", ".modeling_")
    )
    names = [n for n in vars(module) if n.endswith("RotaryEmbedding") and "Vision" not in n]
    return getattr(module, names[0])(config)


def frequencies(
    source: Mapping[str, Any], layer_type: str, length: int | None = None
) -> tuple[Tensor, float]:
    """Frequencies and attention factor as transformers computes them from a config.json.

    With a length, scalings that depend on it are worked out for a text of that many tokens. Where
    we read one kind of layer, "all" or "rope", and transformers has several, all of its are equal.
    """
    if source["model_type"] in TABLE:
        return _of_table(source), 1.0
    module = rotary_embedding(source)
    if not hasattr(module, "inv_freq") and layer_type in ("all", "rope"):
        kinds = [kind for kind, one in module.config.rope_parameters.items() if one is not None]
        found = [frequencies(source, kind, length) for kind in kinds]
        assert all(torch.equal(one[0], found[0][0]) and one[1] == found[0][1] for one in found)
        return found[0]
    prefix = "" if hasattr(module, "inv_freq") else f"{layer_type}_"
    config, nested = module.config, bool(prefix)
    parameters = config.rope_parameters[layer_type] if nested else config.rope_parameters
    if length is not None and parameters["rope_type"] != "default":
        kind = ROPE_INIT_FUNCTIONS[parameters["rope_type"]]
        return kind(config, "cpu", seq_len=length, layer_type=layer_type if nested else None)
    return getattr(module, f"{prefix}inv_freq"), getattr(module, f"{prefix}attention_scaling")


def _of_table(source: Mapping[str, Any]) -> Tensor:
    """GPT-J's angles at position 1: the row of its table holds their sines, then their cosines."""
    from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions

    sines, cosines = create_sinusoidal_positions(2, source["rotary_dim"])[1].chunk(2)
    return torch.atan2(sines, cosines)

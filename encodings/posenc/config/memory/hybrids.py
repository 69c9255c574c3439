"""Which layers of a hybrid attend: older files say it in words of their own."""

from typing import Any

from posenc.config.fields import MOST_LAYERS
from posenc.config.memory.sizes import Sizes

LETTERS = {"M": "mamba", "*": "attention", "-": "mlp", "E": "moe"}
"""Layers by the letters of Nemotron-H's pattern."""


def hybrid_words(sizes: Sizes) -> list[str]:
    """The kind of each layer, in words of `layer_types`; [] where the model is no such hybrid.

    Raises:
        ValueError: If the file's list or pattern holds something else.

    Source: transformers 5.23: NemotronHConfig, BambaConfig, JambaConfig, FalconH1Config.
    """
    given = sizes.value("layers_block_type")
    if isinstance(given, list):
        return _strings("layers_block_type", given)
    pattern = sizes.value("hybrid_override_pattern")
    if isinstance(pattern, str):
        return _strings("hybrid_override_pattern", [LETTERS.get(one) for one in pattern])
    layers = range(sizes.need("num_hidden_layers", maximum=MOST_LAYERS))
    if sizes.model_type == "falcon_h1":
        return ["hybrid"] * len(layers)
    if sizes.model_type == "bamba":
        attending = sizes.indices("attn_layer_indices")
        return ["attention" if index in attending else "mamba" for index in layers]
    period = sizes.whole("attn_layer_period")
    if period is None:
        return []
    offset = sizes.whole("attn_layer_offset", 0) or 0
    return ["attention" if index % period == offset else "mamba" for index in layers]


def _strings(name: str, given: list[Any]) -> list[str]:
    if len(given) > MOST_LAYERS or not all(isinstance(one, str) for one in given):
        raise ValueError(f"{name} must hold at most {MOST_LAYERS} words, one for each layer.")
    return given

"""The form of transformers 4, rope_theta and rope_scaling, and what that release reads."""

from dataclasses import replace
from typing import Any

from posenc.config.data import Config
from posenc.config.engines.reading import EngineReading, given_object
from posenc.config.engines.transformers.fields import (
    layer_parameters,
    rotary_share,
    scaling_fields,
)
from posenc.config.fields import DECLARED, ORIGINAL, Fields
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import say

NAME = "transformers 4.51"


def fields(config: Config) -> dict[str, Any]:
    """rope_theta, partial_rotary_factor and rope_scaling."""
    layers, text = dict(config.rotary), config.text
    out: dict[str, Any] = {}
    if text.get("local_rope_theta") is not None:
        local = layers.pop("sliding_attention", None) or next(iter(layers.values()))
        if local.scaling is not None:
            raise ValueError(
                say("generation must be 'new' for layers with a window that are scaled.")
            )
        out[text.own_name("local_rope_theta")] = local.base
    if len(layers) > 1:
        raise ValueError(
            say(
                "generation must be 'new': the older fields cannot hold different frequencies for "
                "{kinds}.",
                kinds=", ".join(layers),
            )
        )
    layer = next(iter(layers.values()))
    out[text.own_name("rope_theta")] = layer.base
    if "partial_rotary_factor" in layer_parameters(layer, text):
        out[text.own_name("partial_rotary_factor")] = rotary_share(layer)
    # Releases before 4.43 know the key `type` alone.
    scaling = {"type": layer.rope_type, **scaling_fields(layer)}
    if isinstance(layer.scaling, Proportional):
        # Qwen2-VL's class does not look for it at the top.
        scaling["partial_rotary_factor"] = rotary_share(layer)
    is_plain = len(scaling) == 2 and layer.scaling is None
    # Null would bring the class default back (gpt-oss: YaRN).
    out["rope_scaling"] = None if is_plain and not _class_scales(text) else scaling
    return out


def _class_scales(text: Fields) -> bool:
    return text.family is not None and "rope_parameters" in text.family.defaults


def reading(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As transformers 5, but for YaRN: its factor was the ratio of the lengths."""
    same = replace(new, engine=NAME)
    layer, given = config.rotary[layer_type], given_object(config, layer_type)
    if not isinstance(layer.scaling, YaRN) or layer.max_length is None:
        return same
    declared, own = config.text.own_name(DECLARED), given.integer(ORIGINAL, 1)
    if own is None:
        return replace(same, trained_length=layer.max_length, trained_from=declared)
    return replace(
        same,
        trained_length=own,
        trained_from=given.label(ORIGINAL),
        factor=layer.max_length / own,
        factor_from=say(
            "{declared} / {original}, whatever factor says", declared=declared, original=ORIGINAL
        ),
    )

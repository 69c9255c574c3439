"""The form of transformers 4, rope_theta and rope_scaling, and what that release reads.

How a release reads YaRN: up to 4.50 the declared length is the trained one, and factor counts; from
4.51 to 4.55 the factor is the ratio of the lengths, max_position_embeddings over
original_max_position_embeddings, or `factor` where the object has no original length; from 4.56 on
both fields count. What is written here is read alike from 4.51 on.
"""

import math
from dataclasses import replace
from typing import Any

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.engines.engine import EngineReading, given_object
from advisor.engines.transformers.fields import (
    carried,
    layer_parameters,
    rotary_share,
    scaling_fields,
)
from advisor.facts import since
from advisor.families.all import name_of
from advisor.families.classes import usual_parameters
from advisor.fields import DECLARED, ORIGINAL, Fields
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import say

NAME = f"transformers {since(ORIGINAL, 'transformers_4')}"
# Their classes fill in rope_parameters with a base, before which rope_theta does not count.
WITH_PARAMETERS = (
    *("glmasr", "moonshine_streaming"),
    *("nemotron3_5_transcribe_asr_audio", "nemotron3_5_transcribe_word_timestamp"),
)


def fields(config: Config, keep_original: bool = False) -> dict[str, Any]:
    """rope_theta, partial_rotary_factor and rope_scaling.

    Args:
        config: A configuration that is `stretched`.
        keep_original: Write the trained length even where 4.51 would read a factor of 1 from it:
            for other readers of these fields.
    """
    layers = dict(config.rotary)
    text = config.text
    if config.family.named_kinds:
        raise ValueError(
            "rope_scaling of transformers 4 cannot hold an object for each kind of layers, as "
            "this model has them; rope_parameters of transformers 5 can."
        )
    if config.family.turned_share:
        raise ValueError(
            "transformers 4 cannot read this model: its class came with transformers 5."
        )
    out: dict[str, Any] = {}
    if config.family.local_base == "rope_theta":
        # Unscaled, or reading back says that it is not.
        local = layers.pop("sliding_attention", None)
        if local is not None and local.base != layers["full_attention"].base:
            raise ValueError(
                "rope_theta of transformers 4 is the base of both kinds of layers, and these "
                "have two; rope_parameters of transformers 5 can say that."
            )
    elif config.family.local_base:
        local = layers.pop("sliding_attention", None) or next(iter(layers.values()))
        if local.scaling is not None:
            raise ValueError(
                "rope_scaling of transformers 4 cannot say that layers with a window are scaled; "
                "rope_parameters of transformers 5 can."
            )
        out[config.family.local_base] = local.base
    if len(layers) > 1:
        raise ValueError(
            "rope_scaling of transformers 4 cannot hold different frequencies for "
            f"{', '.join(layers)}; rope_parameters of transformers 5 can."
        )
    kind, layer = next(iter(layers.items()))
    out[text.own_name("rope_theta")] = layer.base
    is_proportional = isinstance(layer.scaling, Proportional)
    if "partial_rotary_factor" in layer_parameters(layer, text) and not is_proportional:
        out[text.own_name("partial_rotary_factor")] = rotary_share(layer)
    # Releases before 4.43 know the key `type` alone.
    scaling = carried(config, kind) | {"type": layer.rope_type, **scaling_fields(layer)}
    original = layer.scaling.original_length if isinstance(layer.scaling, YaRN) else None
    if original is not None and not keep_original and layer.max_length == original:
        # The lengths have no ratio to take the factor from.
        del scaling[ORIGINAL]
    if config.model_type == "phi3" and _lists_say_all(layer, text):
        scaling = {name: scaling[name] for name in ("type", "short_factor", "long_factor")}
    if is_proportional:
        # Qwen2-VL's class does not look for it at the top; at the top it holds for all layers.
        scaling["partial_rotary_factor"] = rotary_share(layer)
    if config.model_type == "mistral" and layer.scaling is not None:
        out["head_dim"] = layer.head_dim  # null in 4.57, which multiplies it
    is_plain = len(scaling) == 2 and layer.scaling is None
    # Null would bring the class default back (gpt-oss: YaRN).
    usual = usual_parameters(name_of(config.read_as)).values()
    class_scales = any(one.get("rope_type") != "default" for one in usual)
    is_needed = class_scales or config.family.local_base
    out["rope_scaling"] = None if is_plain and not is_needed else scaling
    if config.source.get("model_type") in WITH_PARAMETERS:
        out["rope_scaling"] = {**scaling, "rope_theta": layer.base}
    return out


def _lists_say_all(layer: RopeLayer, text: Fields) -> bool:
    """Whether LongRoPE's lists are enough: Phi-3's class in releases 4 refuses any other field."""
    scaling = layer.scaling
    longest = layer.max_length
    if not isinstance(scaling, LongRoPE) or longest is None or not text.given(ORIGINAL):
        return False
    ratio = longest / scaling.original_length
    return scaling.attention_factor is None and scaling.factor == ratio


def stretched(config: Config) -> Config:
    """The configuration with the declared length that makes YaRN's factor the ratio of lengths.

    Where declared and original length are the same nothing changes: see `fields`.
    """
    declared = next(iter(config.rotary.values())).max_length
    originals = {x.scaling.original_length for x in _ramps(config)}
    return config if declared in originals else reaching(config)


def reaching(config: Config) -> Config:
    """The configuration with the length that YaRN reaches as the declared one."""
    reaches = [
        math.ceil(x.scaling.factor * x.scaling.original_length - 1e-6) for x in _ramps(config)
    ]
    if not reaches or all(one.max_length is None for one in config.rotary.values()):
        return config
    layers = {key: replace(one, max_length=max(reaches)) for key, one in config.layers.items()}
    return replace(config, layers=layers)


def _ramps(config: Config) -> list[Any]:
    return [layer for layer in config.rotary.values() if isinstance(layer.scaling, YaRN)]


def reading(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As transformers 5, but for YaRN: its factor was the ratio of the lengths."""
    same = replace(new, engine=NAME)
    layer = config.rotary[layer_type]
    given = given_object(config, layer_type)
    if not isinstance(layer.scaling, YaRN) or layer.max_length is None:
        return same
    declared = config.text.own_name(DECLARED)
    own = given.integer(ORIGINAL, 1)
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

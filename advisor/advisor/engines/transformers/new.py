"""The form of transformers 5, rope_parameters, and what that release reads."""

from typing import Any

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.engines.engine import EngineReading, given_object
from advisor.engines.transformers.fields import carried, layer_parameters
from advisor.facts import TRANSFORMERS
from advisor.fields import DECLARED, ORIGINAL, Fields
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import say


def parameters(config: Config) -> dict[str, Any]:
    """rope_parameters: one object, or one by layer type."""
    text = config.text
    by_type = {
        key: carried(config, key) | layer_parameters(layer, text)
        for key, layer in config.rotary.items()
    }
    if by_type.keys().isdisjoint({"all", "rope"}):
        return by_type | _truncate_beside(config, by_type)
    only = next(iter(by_type.values()))
    if config.family.named_kinds:
        return _each_kind(config, only)
    if config.family.rope_keys:
        # DeepSeek-V4 without layers of one kind: what the file says of these stays.
        used = {config.family.rope_keys.get(kind) for kind in config.layer_types}
        return {
            name: dict(only) if name in used else dict(params.values)
            for name, params in config.parameters.items()
        }
    if config.family.local_base:
        # Gemma 3 and OLMo 3 that treat all layers alike: their classes expect both types.
        return {"sliding_attention": only, "full_attention": dict(only)}
    return only


def _each_kind(config: Config, only: dict[str, Any]) -> dict[str, Any]:
    """The object of every kind of layers that turns; null for a kind of which none does."""
    turning = dict(zip(reversed(config.layer_types), reversed(config.rope_layers), strict=True))
    return {kind: dict(only) if turns else None for kind, turns in sorted(turning.items())}


def _truncate_beside(config: Config, by_type: dict[str, Any]) -> dict[str, Any]:
    """`truncate` beside the layer types, where transformers 5.23 reads it; ours read both."""
    ramps = {key: x.scaling for key, x in config.rotary.items() if isinstance(x.scaling, YaRN)}
    if all(ramp.truncate for ramp in ramps.values()):
        return {}
    for key, ramp in ramps.items():
        by_type[key]["truncate"] = ramp.truncate
    return {"truncate": False}


def reading(config: Config, layer_type: str) -> EngineReading:
    """Which fields count, for one layer type."""
    layer = config.rotary[layer_type]
    text = config.text
    trained, trained_from = _trained(config, layer, given_object(config, layer_type))
    factor, factor_from = _factor(layer, text, given_object(config, layer_type))
    return EngineReading(
        TRANSFORMERS,
        trained_length=trained,
        trained_from=trained_from,
        factor=factor,
        factor_from=factor_from,
        longest=layer.max_length,
        longest_from=text.own_name(DECLARED),
    )


def _trained(config: Config, layer: RopeLayer, given: Fields) -> tuple[int | None, str]:
    """The trained length and the field that it is taken from."""
    text = config.text
    scaling = layer.scaling
    if isinstance(scaling, DynamicNTK):
        return scaling.original_length, text.own_name(DECLARED)
    if scaling is None:
        return layer.original_length, text.own_name(DECLARED)
    if not isinstance(scaling, YaRN | Llama3 | LongRoPE):
        return None, say("not asked for")
    if len(config.objects) == 1 and text.given(ORIGINAL):
        return layer.original_length, ORIGINAL
    own = given.label(ORIGINAL) if given.given(ORIGINAL) else text.own_name(DECLARED)
    return layer.original_length, own


def _factor(layer: RopeLayer, text: Fields, given: Fields) -> tuple[float | None, str]:
    """The factor and the field or the ratio that it is taken from."""
    if not isinstance(layer.scaling, Linear | DynamicNTK | YaRN | Llama3 | LongRoPE | Proportional):
        return None, ""
    factor = layer.scaling.factor
    if given.given("factor"):
        return factor, given.label("factor")
    if text.given("rope_condense_ratio"):
        return factor, "rope_condense_ratio"
    if isinstance(layer.scaling, YaRN | LongRoPE):
        return factor, f"{text.own_name(DECLARED)} / {ORIGINAL}"
    return factor, say("not in the file")

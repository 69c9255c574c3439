"""Writing a configuration back: a whole config.json, or the fields to paste over those of one."""

import copy
from typing import Any, Literal

from posenc.checks import check_choice
from posenc.config.data import Config
from posenc.config.engines.transformers import new, old
from posenc.config.engines.transformers.fields import has_width
from posenc.config.fields import DECLARED, ORIGINAL
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN

Generation = Literal["old", "new"]
# Fields that say what the objects written here say.
REPLACED = (
    *("rope_theta", "local_rope_theta", "partial_rotary_factor", "rope_condense_ratio"),
    *("rope_scaling", "rope_parameters", ORIGINAL),
)


def to_hf(config: Config, generation: Generation = "new") -> dict[str, Any]:
    """See `RopeConfig.to_hf`."""
    check_choice("generation", generation, ("old", "new"))
    source = copy.deepcopy(config.source)
    if not config.rotary:
        return source
    target = source["text_config"] if source.get("text_config") is not None else source
    for name in (*REPLACED, *(config.text.own_name(name) for name in REPLACED)):
        target.pop(name, None)
    target |= _written(config, generation)
    return source


def to_hf_fragment(config: Config, generation: Generation = "new") -> dict[str, Any]:
    """See `RopeConfig.to_hf_fragment`."""
    check_choice("generation", generation, ("old", "new"))
    if not config.rotary:
        return {}
    written = _written(config, generation)
    return written if config.source.get("text_config") is None else {"text_config": written}


def _written(config: Config, generation: Generation) -> dict[str, Any]:
    """The fields that say what the layers do."""
    if generation == "new":
        return {"rope_parameters": new.parameters(config), **_beside(config)}
    return {**old.fields(config), **_beside(config)}


def _beside(config: Config) -> dict[str, Any]:
    """Fields beside the object, the same in both generations."""
    layer, text = next(iter(config.rotary.values())), config.text
    out: dict[str, Any] = {}
    longest = layer.max_length
    if isinstance(layer.scaling, DynamicNTK):
        longest = layer.scaling.original_length
    if longest is not None:
        out[text.own_name(DECLARED)] = longest
    if has_width(text):
        out["rotary_dim"] = layer.rotary_dim
    if _needs_head_dim(config):
        out["head_dim"] = layer.head_dim
    if text.given("rope_ratio"):
        out["rope_ratio"] = layer.base / 10000
    if text.given(ORIGINAL) and layer.original_length is not None:
        out[ORIGINAL] = layer.original_length
    return out


def _needs_head_dim(config: Config) -> bool:
    """True where transformers 5.23 would find null for it, or might in the file pasted into."""
    asks = any(isinstance(x.scaling, DynamicNTK | YaRN | LongRoPE) for x in config.rotary.values())
    text = config.text
    has_one_size = not (text.given("qk_rope_head_dim") or text.given("global_head_dim"))
    return asks and has_one_size and (config.family.has_null_head_dim or "head_dim" in text.values)

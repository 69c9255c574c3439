"""Writing a configuration back: a config.json of either generation, flags of vLLM and llama.cpp."""

import copy
import json
from typing import TYPE_CHECKING, Any, Literal

from posenc.checks import check_choice
from posenc.config.fields import Fields
from posenc.config.layers import RopeLayer
from posenc.config.read import text_fields
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN

if TYPE_CHECKING:
    from posenc.config.data import RopeConfig

Generation = Literal["old", "new"]
ORIGINAL, LONGEST = "original_max_position_embeddings", "max_position_embeddings"
# Families whose class in transformers leaves head_dim null, which these scalings stumble over.
NULL_HEAD_DIM = ("mixtral",)
# Fields that say what the objects written here say.
REPLACED = (
    *("rope_theta", "local_rope_theta", "partial_rotary_factor", "rope_condense_ratio"),
    *("rope_scaling", "rope_parameters", ORIGINAL),
)


def scaling_fields(layer: RopeLayer) -> dict[str, Any]:
    """The fields of the scaling, without base and share of rotated channels."""
    scaling = layer.scaling
    out: dict[str, Any] = {"rope_type": layer.rope_type}
    if isinstance(scaling, Linear | DynamicNTK | YaRN | Llama3 | LongRoPE):
        out["factor"] = scaling.factor
    if isinstance(scaling, Proportional) and scaling.factor != 1:
        out["factor"] = scaling.factor
    if isinstance(scaling, Llama3):
        out["low_freq_factor"] = scaling.low_freq_factor
        out["high_freq_factor"] = scaling.high_freq_factor
    if isinstance(scaling, LongRoPE):
        out["short_factor"] = list(scaling.short_factor)
        out["long_factor"] = list(scaling.long_factor)
    if isinstance(scaling, YaRN):
        out |= _yarn_options(scaling)
    if isinstance(scaling, YaRN | LongRoPE) and scaling.attention_factor is not None:
        out["attention_factor"] = scaling.attention_factor
    if isinstance(scaling, YaRN | Llama3 | LongRoPE):
        out[ORIGINAL] = scaling.original_length
    elif layer.original_length != layer.max_length:
        out[ORIGINAL] = layer.original_length
    if layer.mrope_section is not None:
        out["mrope_section"] = list(layer.mrope_section)
    if layer.mrope_interleaved:
        out["mrope_interleaved"] = True
    return out


def _yarn_options(scaling: YaRN) -> dict[str, Any]:
    usual = YaRN(scaling.factor, scaling.original_length)
    names = ("beta_fast", "beta_slow", "truncate", "mscale", "mscale_all_dim")
    values = {name: getattr(scaling, name) for name in names}
    return {name: value for name, value in values.items() if value != getattr(usual, name)}


def rotary_share(layer: RopeLayer) -> float:
    """partial_rotary_factor: a share that gives back rotary_dim when it is rounded down."""
    if isinstance(layer.scaling, Proportional):
        return layer.scaling.proportion
    share = layer.rotary_dim / layer.head_dim
    exact = int(layer.head_dim * share) == layer.rotary_dim
    return share if exact else (layer.rotary_dim + 0.5) / layer.head_dim


def layer_parameters(layer: RopeLayer, text: Fields) -> dict[str, Any]:
    """The layer's rope_parameters of transformers 5."""
    out = {**scaling_fields(layer), "rope_theta": layer.base}
    share = rotary_share(layer)
    if (share != 1 or text.get("partial_rotary_factor") is not None) and not _has_width(text):
        out["partial_rotary_factor"] = share
    return out


def _has_width(text: Fields) -> bool:
    """True for files that give rotary_dim itself (GPT-J)."""
    return text.get("rotary_dim") is not None


def new_parameters(config: "RopeConfig") -> dict[str, Any]:
    """rope_parameters of transformers 5: one object, or one by layer type."""
    text = text_fields(config.source)
    by_type = {key: layer_parameters(layer, text) for key, layer in config.rotary.items()}
    if by_type.keys().isdisjoint({"all", "rope"}):
        return by_type | _truncate_beside(config, by_type)
    only = next(iter(by_type.values()))
    if text.get("local_rope_theta") is not None:
        # Gemma 3 that treats all layers alike: its class expects both types.
        return {"sliding_attention": only, "full_attention": dict(only)}
    return only


def _truncate_beside(config: "RopeConfig", by_type: dict[str, Any]) -> dict[str, Any]:
    """`truncate` beside the layer types, where transformers 5.23 reads it; ours read both."""
    ramps = {key: x.scaling for key, x in config.rotary.items() if isinstance(x.scaling, YaRN)}
    if all(ramp.truncate for ramp in ramps.values()):
        return {}
    for key, ramp in ramps.items():
        by_type[key]["truncate"] = ramp.truncate
    return {"truncate": False}


def to_hf(config: "RopeConfig", generation: Generation = "new") -> dict[str, Any]:
    """See `RopeConfig.to_hf`."""
    check_choice("generation", generation, ("old", "new"))
    source = copy.deepcopy(config.source)
    if not config.rotary:
        return source
    text = text_fields(config.source)
    target = source["text_config"] if source.get("text_config") is not None else source
    for name in (*REPLACED, *(text.own_name(name) for name in REPLACED)):
        target.pop(name, None)
    target |= _written(config, text, generation)
    return source


def to_hf_fragment(config: "RopeConfig", generation: Generation = "new") -> dict[str, Any]:
    """See `RopeConfig.to_hf_fragment`."""
    check_choice("generation", generation, ("old", "new"))
    if not config.rotary:
        return {}
    written = _written(config, text_fields(config.source), generation)
    return written if config.source.get("text_config") is None else {"text_config": written}


def _written(config: "RopeConfig", text: Fields, generation: Generation) -> dict[str, Any]:
    """The fields that say what the layers do."""
    if generation == "new":
        return {"rope_parameters": new_parameters(config), **_beside(config, text)}
    return {**_old_fields(config, text), **_beside(config, text)}


def _beside(config: "RopeConfig", text: Fields) -> dict[str, Any]:
    """Fields beside the object, the same in both generations."""
    layer = next(iter(config.rotary.values()))
    out: dict[str, Any] = {}
    longest = layer.max_length
    if isinstance(layer.scaling, DynamicNTK):
        longest = layer.scaling.original_length
    if longest is not None:
        out[text.own_name(LONGEST)] = longest
    if _has_width(text):
        out["rotary_dim"] = layer.rotary_dim
    if _needs_head_dim(config, text):
        out["head_dim"] = layer.head_dim
    if text.given("rope_ratio"):
        out["rope_ratio"] = layer.base / 10000
    if text.given(ORIGINAL) and layer.original_length is not None:
        out[ORIGINAL] = layer.original_length
    return out


def _needs_head_dim(config: "RopeConfig", text: Fields) -> bool:
    """True where transformers 5.23 would find null for it, or might in the file pasted into."""
    asks = any(isinstance(x.scaling, DynamicNTK | YaRN | LongRoPE) for x in config.rotary.values())
    has_one_size = not (text.given("qk_rope_head_dim") or text.given("global_head_dim"))
    return (
        asks and has_one_size and (config.model_type in NULL_HEAD_DIM or "head_dim" in text.values)
    )


def _old_fields(config: "RopeConfig", text: Fields) -> dict[str, Any]:
    """rope_theta, partial_rotary_factor and rope_scaling."""
    layers = dict(config.rotary)
    out: dict[str, Any] = {}
    if text.get("local_rope_theta") is not None:
        local = layers.pop("sliding_attention", None) or next(iter(layers.values()))
        if local.scaling is not None:
            raise ValueError("generation must be 'new' for layers with a window that are scaled.")
        out[text.own_name("local_rope_theta")] = local.base
    if len(layers) > 1:
        raise ValueError(
            "generation must be 'new': the older fields cannot hold different frequencies for "
            f"{', '.join(layers)}."
        )
    layer = next(iter(layers.values()))
    out[text.own_name("rope_theta")] = layer.base
    if "partial_rotary_factor" in layer_parameters(layer, text):
        out[text.own_name("partial_rotary_factor")] = rotary_share(layer)
    fields = scaling_fields(layer)
    # Releases before 4.43 know the key `type` alone.
    fields = {"type": fields["rope_type"], **fields}
    if isinstance(layer.scaling, Proportional):
        # Qwen2-VL's class does not look for it at the top.
        fields["partial_rotary_factor"] = rotary_share(layer)
    is_plain = len(fields) == 2 and layer.scaling is None
    # Null would bring the class default back (gpt-oss: YaRN).
    out["rope_scaling"] = None if is_plain and not _class_scales(text) else fields
    return out


def _class_scales(text: Fields) -> bool:
    return text.family is not None and "rope_parameters" in text.family.defaults


def to_vllm(config: "RopeConfig") -> list[str]:
    """See `RopeConfig.to_vllm`."""
    # max_position_embeddings too: vLLM refuses a longer text than the file (times factor) declares.
    fields = to_hf_fragment(config)
    overrides = ["--hf-overrides", json.dumps(fields, separators=(",", ":"))] if fields else []
    length = _reach(config)
    return overrides + ([] if length is None else ["--max-model-len", str(length)])


def to_llama_cpp(config: "RopeConfig") -> list[str]:
    """See `RopeConfig.to_llama_cpp`."""
    length = _reach(config)
    size = [] if length is None else ["--ctx-size", str(length)]
    if len(config.rotary) != 1:
        return size
    layer = next(iter(config.rotary.values()))
    scaling = layer.scaling
    if isinstance(scaling, DynamicNTK):
        raise ValueError("rope_type must be one that llama.cpp knows, got 'dynamic'.")
    if isinstance(scaling, Llama3 | LongRoPE | Proportional):
        return size
    flags = ["--rope-freq-base", _plain(layer.base)]
    if isinstance(scaling, Linear):
        flags += ["--rope-scaling", "linear", "--rope-scale", _plain(scaling.factor)]
    if isinstance(scaling, YaRN):
        flags += ["--rope-scaling", "yarn", "--rope-scale", _plain(scaling.factor)]
        flags += ["--yarn-orig-ctx", str(scaling.original_length)]
        flags += ["--yarn-beta-fast", _plain(scaling.beta_fast)]
        flags += ["--yarn-beta-slow", _plain(scaling.beta_slow)]
    return flags + size


def _plain(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)


def _reach(config: "RopeConfig") -> int | None:
    """The longest text the model reads, tokens."""
    lengths = [
        layer.target_length if isinstance(layer, RopeLayer) else layer.max_length
        for layer in config.layers.values()
    ]
    return max((length for length in lengths if length is not None), default=None)

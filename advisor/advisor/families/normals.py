"""Fields that files say in ways of their own, rewritten into the common ones.

Each takes the fields of a file and passes hostile values on.
"""

from collections.abc import Mapping
from typing import Any

from advisor.families.family import layer_count

PATTERN = "sliding_window_pattern"


def dbrx(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The base stands in attn_config."""
    attention = values.get("attn_config")
    if not isinstance(attention, dict) or attention.get("rope_theta") is None:
        return values
    return {"rope_theta": attention["rope_theta"], **values}


def hrm(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """A stack is run several times, and each time keeps keys of its own."""
    layers = values.get("num_hidden_layers", 16)
    high, low = values.get("H_cycles", 2), values.get("L_cycles", 3)
    if values.get("num_layers_per_stack") is not None or not isinstance(layers, int):
        return values
    if not isinstance(high, int) or not isinstance(low, int):
        return values
    return {**values, "num_hidden_layers": layers * high * (low + 1)}


def without_width(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The class has rotary_dim and turns whole heads all the same, or partial_rotary_factor."""
    return {**values, "rotary_dim": None}


def deepseek_v4(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The last channels of a head turn, so that they are read as DeepSeek-V3's rotated part."""
    head = values.get("head_dim", 512)
    share = values.get("partial_rotary_factor")
    turned = values.get("qk_rope_head_dim") if share is None else None
    if isinstance(head, int) and isinstance(share, int | float) and 0 < share <= 1:
        turned = int(head * share)
    turned = turned if isinstance(turned, int) else 64
    out = {**values, "qk_rope_head_dim": turned, "partial_rotary_factor": None}
    if isinstance(head, int):
        out["qk_nope_head_dim"] = max(head - turned, 0)
    return out


def wide_layers(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Gemma 4 as it is saved: the wider heads stand in per_layer_config, by layer."""
    rows = values.get("per_layer_config")
    if not isinstance(rows, dict) or values.get("global_head_dim") is not None:
        return values
    wide = [row["head_dim"] for row in rows.values() if isinstance(row, dict) and "head_dim" in row]
    head = wide[0] if wide else values.get("head_dim")
    return {**values, "global_head_dim": head} if head is not None else values


def layer_thetas(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """One base for each layer, 0 where it does not rotate; more bases than one cannot be read."""
    bases = values.get("layer_rope_theta")
    if not isinstance(bases, list) or not all(isinstance(one, int | float) for one in bases):
        return values
    turning = set(bases) - {0}
    if len(turning) > 1:
        raise ValueError("layer_rope_theta must hold one base, and 0 for layers without.")
    if not turning:
        return values
    # As transformers has it, rope_scaling takes the place of rope_parameters.
    given = values.get("rope_scaling") or values.get("rope_parameters") or {}
    if not isinstance(given, dict):
        return values
    params = {**given, "rope_theta": turning.pop()}
    return {**values, "rope_scaling": None, "rope_parameters": params}


def letters(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """EXAONE's files spell the pattern in letters: "LLLG", and the last layer sees everything.

    LG's file is read by transformers for its layer_types alone; TensorRT-LLM reads the letters.
    """
    pattern = values.get(PATTERN)
    layers = layer_count(values, 32)
    if layers is None or not isinstance(pattern, str):
        return values
    if not 0 < len(pattern) <= 64 or set(pattern) - {"L", "G"}:
        if "layer_types" in values:
            return values
        raise ValueError(f"{PATTERN} must be an integer, or letters of L and G.")
    sliding = [pattern[i % len(pattern)] == "L" and i < layers - 1 for i in range(layers)]
    types = ["sliding_attention" if one else "full_attention" for one in sliding]
    if values.get("sliding_window", 4096) is None:
        types = ["full_attention"] * layers
    return {"layer_types": types, **values, PATTERN: None}


def qwen3_moe(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """A window that is switched on is that of every layer, whatever max_window_layers says."""
    layers = layer_count(values, 24)
    is_null = "sliding_window" in values and values["sliding_window"] is None
    if values.get("use_sliding_window") is not True or is_null or layers is None:
        return values
    return {**values, "layer_types": ["sliding_attention"] * layers}


def granite_hybrid(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without position_embedding_type no layer rotates."""
    layers = layer_count(values, 32)
    if layers is None:
        return values
    if values.get("position_embedding_type") != "rope":
        values = {**values, "no_rope_layers": [0] * layers}
    return values


def zamba2(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Attention in some layers, twice as wide as the model; they rotate where the file says so."""
    layers = layer_count(values, 54)
    out = dict(values)
    width = values.get("hidden_size", 2560)
    heads = values.get("num_attention_heads", 32)
    if isinstance(width, int) and isinstance(heads, int) and heads > 0:
        out["head_dim"] = 2 * width // heads
    if not values.get("use_mem_rope") and layers is not None:
        out["no_rope_layers"] = [0] * layers
    return out


def images_alone(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The layers that look at the image are given by their places."""
    layers = layer_count(values, 40)
    places = values.get("cross_attention_layers")
    places = places if isinstance(places, list) else (3, 8, 13, 18, 23, 28, 33, 38)
    if layers is None:
        return values
    types = ["cross_attention" if i in places else "full_attention" for i in range(layers)]
    return {**values, "layer_types": types}

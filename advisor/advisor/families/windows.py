"""Layers that see a window beside layers that see everything, and what of them rotates."""

from collections.abc import Mapping
from typing import Any

from advisor.families.classes import known
from advisor.families.family import layer_count

PATTERN = "sliding_window_pattern"


def layer_thetas(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """One base for each layer, 0 where it does not rotate; more bases than one cannot be read."""
    bases = values.get("layer_rope_theta")
    if not isinstance(bases, list) or not all(isinstance(one, int | float) for one in bases):
        return values
    turning = set(bases) - {0}
    if len(turning) > 1:
        raise ValueError("layer_rope_theta must hold one base, and 0 for layers without.")
    flags = {"no_rope_layers": [int(base != 0) for base in bases]}
    if not turning:
        return {**values, **flags}
    # As transformers has it, rope_scaling takes the place of rope_parameters.
    given = values.get("rope_scaling") or values.get("rope_parameters") or {}
    if not isinstance(given, dict):
        return {**values, **flags}
    params = {**given, "rope_theta": turning.pop()}
    return {**values, **flags, "rope_scaling": None, "rope_parameters": params}


def _every_fourth_still(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Where layer_rope_theta has 0 a layer does not rotate; its other bases are not looked at."""
    bases = values.get("layer_rope_theta")
    layers = values.get("num_hidden_layers")
    if bases is None and isinstance(layers, int) and 0 < layers <= 10000:
        return {**values, "no_rope_layers": [int((layers - 1 - i) % 4 > 0) for i in range(layers)]}
    if isinstance(bases, list) and all(isinstance(one, int | float) for one in bases):
        return {**values, "no_rope_layers": [int(base != 0) for base in bases]}
    return values


def _letters(values: Mapping[str, Any]) -> Mapping[str, Any]:
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


def _qwen3_moe(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """A window that is switched on is that of every layer, whatever max_window_layers says."""
    layers = layer_count(values, 24)
    is_null = "sliding_window" in values and values["sliding_window"] is None
    if values.get("use_sliding_window") is not True or is_null or layers is None:
        return values
    return {**values, "layer_types": ["sliding_attention"] * layers}


_STILL: dict[str, Any] = {"nope_kinds": ("full_attention",)}


FAMILIES = {
    **known("qwen2 qwen3 qwen2_5_omni_text qwen2_moe"),
    **known("qwen2_vl_text qwen2_5_vl_text", sections=(16, 24, 24)),
    **known("qwen3_moe", normal=_qwen3_moe),
    **known("qwen3_vl_text qwen3_vl_moe_text", sections=(24, 20, 20), take_turns=True),
    **known("cohere2", layout="interleaved", **_STILL),
    **known("cohere2_moe", layout="interleaved", unread=("rope_scaling",), **_STILL),
    **known("cohere_compass_text", named_kinds=True),
    **known("exaone4 exaone_moe", normal=_letters, null_turns_all="sliding_window", **_STILL),
    **known("afmoe flint", **_STILL),
    **known("kolibri1", null_turns_all="sliding_window", **_STILL),
    **known("beam laguna mellum", names_base=False, named_kinds=True),
    **known("muse_glimmer_text muse_spark_text", normal=_every_fourth_still, **_STILL),
    **known(
        "granite_swa granitemoe_swa", softmax_scale="attention_multiplier", normal=layer_thetas
    ),
    **known("olmo3", local_base="rope_theta"),
    **known(
        "modernbert modernbert-decoder",
        names_base=False,
        unread=("rope_theta",),
        names={"rope_theta": "global_rope_theta"},
        local_base="local_rope_theta",
    ),
    **known("mimo_v2_flash", names_base=False),
    **known("cwm ministral"),
    **known("ultrabert", names_base=False),
}

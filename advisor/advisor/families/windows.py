"""Layers that see a window beside layers that see everything, and what of them rotates."""

from collections.abc import Callable, Mapping
from typing import Any

from advisor.families.classes import known
from advisor.families.family import PATTERN, Kinds, layer_count
from advisor.families.gemma import SIXTH_AND_LAST, TWO_BASES


def _is_on(values: Mapping[str, Any]) -> bool:
    """Whether the file switches its window on; the classes have one of 4096 and leave it off."""
    is_null = "sliding_window" in values and values["sliding_window"] is None
    return values.get("use_sliding_window") is True and not is_null


def windows_from(
    first: int,
    has_window: Callable[[Mapping[str, Any]], bool] = _is_on,
    is_rare: Callable[[int, int, int], bool] = lambda i, first, n: i >= first,
) -> Kinds:
    """A window in the layers from max_window_layers on; `first` is the class's."""
    return Kinds(
        first,
        "max_window_layers",
        is_rare,
        rare="sliding_attention",
        usual="full_attention",
        has_window=has_window,
    )


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


def _ultrabert(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Older files give each layer its window and its base; the last one of a kind counts."""
    windows = values.get("attention_windows")
    bases = values.get("rope_theta")
    types = values.get("layer_types")
    if types is None and isinstance(windows, list):
        types = ["sliding_attention" if one else "full_attention" for one in windows]
    out = {**values, "layer_types": types}
    if not isinstance(bases, list):
        return out
    if values.get("rope_parameters") is None and isinstance(types, list):
        pairs = zip(types, bases, strict=False)
        objects = {kind: {"rope_theta": base} for kind, base in pairs if isinstance(kind, str)}
        out["rope_parameters"] = objects
    return {**out, "rope_theta": None}


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
        return values
    sliding = [pattern[i % len(pattern)] == "L" and i < layers - 1 for i in range(layers)]
    types = ["sliding_attention" if one else "full_attention" for one in sliding]
    if values.get("sliding_window", 4096) is None:
        types = ["full_attention"] * layers
    return {"layer_types": types, **values, PATTERN: None}


def _cohere2_moe(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Dense layers in front have a period of their own, and the others are counted after them."""
    dense = values.get("first_k_dense_replace")
    layers = values.get("num_hidden_layers", 40)
    if values.get("layer_types") is not None or not isinstance(dense, int):
        return values
    if not isinstance(layers, int) or not 0 <= dense <= layers <= 10000:
        return values
    own = values.get("prefix_dense_sliding_window_pattern", 1)
    every = values.get(PATTERN, 4)
    if not all(isinstance(one, int) and one > 0 for one in (own, every)):
        return values
    places = [(i + 1) % own for i in range(dense)] + [
        (i + 1) % every for i in range(layers - dense)
    ]
    types = ["sliding_attention" if place else "full_attention" for place in places]
    return {**values, "layer_types": types}


_STILL: dict[str, Any] = {"nope_kinds": ("full_attention",)}
_FOURTH = Kinds(4, PATTERN)
_EXAONE: dict[str, Any] = {
    "kinds": _FOURTH,
    "normal": _letters,
    "null_turns_all": "sliding_window",
    **_STILL,
}


FAMILIES = {
    **known("qwen2 qwen3 qwen2_5_omni_text", kinds=windows_from(28)),
    **known("qwen2_vl_text qwen2_5_vl_text", kinds=windows_from(80), sections=(16, 24, 24)),
    # Every other layer, up to max_window_layers.
    **known(
        "qwen2_moe",
        kinds=windows_from(28, is_rare=lambda i, first, n: i % 2 == 0 and i < first),
    ),
    # Every layer, whatever max_window_layers says.
    **known("qwen3_moe", kinds=Kinds(rare="sliding_attention", has_window=_is_on)),
    **known("qwen3_vl_text qwen3_vl_moe_text", sections=(24, 20, 20), take_turns=True),
    **known("cohere2", layout="interleaved", kinds=_FOURTH, **_STILL),
    **known(
        "cohere2_moe",
        layout="interleaved",
        kinds=_FOURTH,
        normal=_cohere2_moe,
        unread=("rope_scaling",),
        **_STILL,
    ),
    **known("cohere_compass_text", named_kinds=True),
    **known("exaone4 exaone_moe", **_EXAONE),
    **known("afmoe", kinds=Kinds(4, "global_attn_every_n_layers"), **_STILL),
    **known("kolibri1", kinds=Kinds(5), null_turns_all="sliding_window", **_STILL),
    **known("beam", kinds=SIXTH_AND_LAST, names_base=False, named_kinds=True),
    **known(
        "flint",
        kinds=Kinds(4, is_rare=lambda i, every, n: i < 2 or i % every == 1 or i == n - 1),
        **_STILL,
    ),
    **known(
        "muse_glimmer_text muse_spark_text",
        normal=_every_fourth_still,
        kinds=Kinds(4, is_rare=lambda i, every, n: (n - 1 - i) % every == 0),
        **_STILL,
    ),
    **known(
        "granite_swa granitemoe_swa",
        softmax_scale="attention_multiplier",
        normal=layer_thetas,
        kinds=Kinds(4, is_rare=lambda i, every, n: i % every == 0),
    ),
    **known(
        "olmo3",
        kinds=Kinds(4),
        defaults={"rope_theta": 5e5, "local_rope_theta": 5e5, "rope_parameters": None},
        bases=TWO_BASES["bases"],
    ),
    **known(
        "modernbert modernbert-decoder",
        names_base=False,
        unread=("rope_theta",),
        defaults={"rope_theta": 160000.0, "local_rope_theta": 1e4, "rope_parameters": None},
        names={"rope_theta": "global_rope_theta"},
        bases=TWO_BASES["bases"],
        scaled=("full_attention", "sliding_attention"),
        kinds=Kinds(
            3, field="global_attn_every_n_layers", is_rare=lambda i, every, n: i % every == 0
        ),
    ),
    **known("laguna mellum", kinds=Kinds(1), names_base=False, named_kinds=True),
    **known(
        "mimo_v2_flash",
        kinds=Kinds(6, is_rare=lambda i, every, n: i == 0 or (i + 1) % every == 0),
        names_base=False,
    ),
    **known("cwm", kinds=Kinds(4, is_rare=lambda i, every, n: i % every == 0)),
    **known("ultrabert", kinds=Kinds(3), normal=_ultrabert, names_base=False),
    **known(
        "ministral",
        kinds=Kinds(
            rare="sliding_attention",
            has_window=lambda values: values.get("sliding_window", 4096) is not None,
        ),
    ),
}

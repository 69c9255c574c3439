"""Layers that attend without positions, beside layers that carry a state from token to token.

Source: transformers 5.23, the configuration classes; that the attention knows no order is tried in
tests/parity/test_orderless.py.
"""

from collections.abc import Callable, Mapping
from typing import Any

from advisor.families.family import MOST_LAYERS, Family

ATTENDS = "full_attention"
CARRIES = "linear_attention"
PATTERN = {"M": CARRIES, "*": ATTENDS, "E": "moe", "-": "mlp"}
"""Letters of Nemotron-H's hybrid_override_pattern."""


def _number(values: Mapping[str, Any], name: str, default: int) -> int:
    """A number of the file, or the class's where the file has none or no such number."""
    value = values.get(name)
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_LAYERS
    return value if fits and value is not None else default


def _typed(
    values: Mapping[str, Any], layers: int, attends: Callable[[int], bool]
) -> dict[str, Any]:
    """The fields with a list of kinds."""
    types = [ATTENDS if attends(index) else CARRIES for index in range(layers)]
    return {**values, "layer_types": types}


def _jamba(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """One layer of each period attends."""
    period = max(_number(values, "attn_layer_period", 8), 1)
    offset = _number(values, "attn_layer_offset", 4)
    layers = _number(values, "num_hidden_layers", 32)
    return _typed(values, layers, lambda index: index % period == offset)


def _zamba(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """One layer of each period attends as well, from the fourth layer on, and so does the third."""
    given = values.get("layers_block_type")
    if isinstance(given, list):
        return {**values, "layer_types": given}
    period = max(_number(values, "attn_layer_period", 6), 1)
    offset = _number(values, "attn_layer_offset", 4)
    layers = _number(values, "num_hidden_layers", 76)
    both = [i == 2 or (i > 2 and (i - 3) % period == offset) for i in range(layers)]
    return {**values, "layer_types": ["hybrid" if one else CARRIES for one in both]}


def _nemotron(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Older files have one letter for each layer."""
    pattern = values.get("hybrid_override_pattern")
    types = values.get("layers_block_type")
    if not isinstance(types, list) and isinstance(pattern, str):
        types = [PATTERN.get(letter, letter) for letter in pattern[:MOST_LAYERS]]
    if not isinstance(types, list):
        types = [CARRIES, "moe", ATTENDS, "mlp"]
    return {**values, "layer_types": types, "num_hidden_layers": max(len(types), 1)}


def _kimi(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The layers that attend are counted from 1."""
    if values.get("layer_types") is not None:
        return values
    layers = _number(values, "num_hidden_layers", 27)
    linear = values.get("linear_attn_config")
    places = linear.get("full_attn_layers") if isinstance(linear, dict) else None
    if isinstance(places, list):
        return _typed(values, layers, lambda index: index + 1 in places)
    return _typed(values, layers, lambda index: index > 0 and index % 4 == 0)


def _glm5(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Every fourth layer attends."""
    if values.get("layer_types") is not None:
        return values
    layers = _number(values, "num_hidden_layers", 45)
    return _typed(values, layers, lambda index: index % 4 == 3)


FAMILIES = {
    "jamba": Family(encoding="nope", normal=_jamba, defaults={"num_hidden_layers": 32}),
    "zamba": Family(encoding="nope", normal=_zamba, defaults={"num_hidden_layers": 76}),
    "nemotron_h": Family(
        encoding="nope", normal=_nemotron, other_kinds={"moe": "none", "mlp": "none"}
    ),
    "kimi_linear": Family(
        encoding="nope",
        normal=_kimi,
        defaults={"num_hidden_layers": 27},
        names={"max_position_embeddings": "model_max_length"},
    ),
    "glm5_next_text": Family(encoding="nope", normal=_glm5, defaults={"num_hidden_layers": 45}),
}

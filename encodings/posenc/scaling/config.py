"""The scaling that a model's config.json names, as transformers reads it."""

from collections.abc import Mapping
from typing import Any

from posenc.checks import check_choice, check_int, shown
from posenc.rope.scaling import Scaling
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN

ROPE_TYPES = ("default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional")
YARN_FACTORS = ("attention_factor", "mscale", "mscale_all_dim")


def from_rope_parameters(
    parameters: Mapping[str, Any] | None, max_position_embeddings: int | None = None
) -> Scaling | None:
    """The scaling of a `rope_parameters` or `rope_scaling` object of a config.json.

    The base and the share of rotated channels stand in it or beside it (`rope_theta`,
    `partial_rotary_factor`) and are given to `RoPE`; weights that come with a config.json have the
    layout "half". Whether the file is right, what its model's class makes of it, and other
    spellings are the business of the package `advisor`.

    >>> field = {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0,
    ...          "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    ...          "original_max_position_embeddings": 8192}
    >>> scaling = from_rope_parameters(field, 131072)
    >>> rope = RoPE(128, base=field["rope_theta"], layout="half", scaling=scaling)
    >>> share = field.get("partial_rotary_factor", 1.0)  # below 1: rotary_dim=int(128 * share)

    Args:
        parameters: The object; None, or its rope_type "default", is no scaling. A file in which
            each kind of layer has an object of its own: give that of one kind. An original length
            that stands beside it (Phi-3) is put into it; where the file has none, transformers
            takes max_position_embeddings, and here it is asked for.
        max_position_embeddings: Of the same file: "dynamic" counts from it, and "longrope" without
            a factor, and "yarn" with the factor null, divide it by the original length.

    Returns:
        The scaling, or None.

    Raises:
        ValueError: If the type is unknown, a field is missing, a number is out of range, or there
            are objects within the object (one for each kind of layer, or a whole config.json).

    Source: transformers, modeling_rope_utils.py, ROPE_INIT_FUNCTIONS.
    """
    if parameters is None:
        return None
    if not isinstance(parameters, Mapping):
        raise ValueError(f"parameters must be an object of fields, got {shown(parameters)}.")
    if max_position_embeddings is not None:
        check_int("max_position_embeddings", max_position_embeddings, 1)
    kind = parameters.get("rope_type", parameters.get("type", "default"))
    check_choice("rope_type", kind, ROPE_TYPES)
    inner = [name for name, value in parameters.items() if isinstance(value, Mapping)]
    if inner:
        raise ValueError(
            f"parameters must be one object of fields, got others within: {', '.join(inner)}. Give "
            "one of them."
        )

    def field(name: str) -> Any:
        if parameters.get(name) is None:
            raise ValueError(f"{name} must be given for rope_type {kind!r}, got none.")
        return parameters[name]

    def stretch(original: int) -> float:
        """The factor, or what the two lengths say where the file leaves it to them."""
        if parameters.get("factor") is not None or max_position_embeddings is None:
            return float(field("factor"))
        return max_position_embeddings / original

    if kind == "default":
        return None
    if kind == "linear":
        return Linear(field("factor"))
    if kind == "proportional":
        share = parameters.get("partial_rotary_factor", 1.0)
        return Proportional(share, parameters.get("factor", 1.0))
    if kind == "dynamic":
        if max_position_embeddings is None:
            raise ValueError("max_position_embeddings must be given for 'dynamic', got none.")
        return DynamicNTK(field("factor"), max_position_embeddings)
    original = field("original_max_position_embeddings")
    if kind == "llama3":
        return Llama3(
            field("factor"), field("low_freq_factor"), field("high_freq_factor"), original
        )
    if kind == "longrope":
        lists = field("short_factor"), field("long_factor")
        return LongRoPE(*lists, original, stretch(original), parameters.get("attention_factor"))
    return YaRN(
        stretch(original),
        original,
        beta_fast=parameters.get("beta_fast") or 32.0,  # zero counts as unset
        beta_slow=parameters.get("beta_slow") or 1.0,
        truncate=parameters.get("truncate", True),
        **{name: parameters.get(name) for name in YARN_FACTORS},
    )

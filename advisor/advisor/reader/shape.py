"""Features that tell models of a family apart: sizes, base and scaling of all layers."""

from collections.abc import Mapping
from typing import Any

from advisor.fields import Fields
from advisor.reader.rotary import alpha_base, head_dim_of

SHAPE = (
    "hidden_size",
    "num_attention_heads",
    "num_key_value_heads",
    "num_hidden_layers",
    "intermediate_size",
)


def shape_of(text: Fields) -> tuple[float | None, ...]:
    """Sizes that fine-tuning does not change; numbers alone, so that they can be looked up."""
    numbers = [text.get(name) for name in SHAPE]
    return tuple(one if isinstance(one, int | float) else None for one in numbers)


def base_of(text: Fields) -> float | None:
    """The base of all layers; None where none or several are told."""
    given = _given(text)
    base = given.get("rope_theta")
    base = text.get("rope_theta") if base is None else base
    ratio = text.get("rope_ratio")
    if isinstance(ratio, int | float) and not text.given("rope_theta"):
        return 10000.0 * ratio  # ChatGLM
    if not isinstance(base, int | float):
        return None
    alpha = given.get("alpha")
    if text.family is None or not text.family.fixed_alpha or not isinstance(alpha, int | float):
        return base
    return alpha_base(base, alpha, head_dim_of(text, "all"))


def scaling_of(text: Fields) -> tuple[object, object]:
    """The scaling's word and factor, where one object holds for all layers; Nones for none."""
    given = _given(text)
    word = given.get("rope_type") or given.get("type")
    if word in (None, "default", "mrope"):
        return None, None
    # A file may give LongRoPE's factor or not; its lists tell one model from another.
    lists = given.get("long_factor")
    return word, tuple(lists) if isinstance(lists, list) else given.get("factor")


def _given(text: Fields) -> Mapping[str, Any]:
    """The object that holds for all layers; of two, transformers 5 takes rope_scaling."""
    objects = [text.values.get(name) for name in ("rope_scaling", "rope_parameters")]
    return next((one for one in objects if one and isinstance(one, dict)), {})

"""Sections, bases and lengths of two models that read pictures, and how posenc places a picture."""

from collections.abc import Mapping
from typing import Any

from advisor.known_models import known_models
from posenc import mrope_axis_of_pair

BLOCKS, INTERLEAVED = "Qwen2-VL-7B", "Qwen3-VL-4B"
LONG = 1_000_000
"""Tokens that Qwen3-VL's makers stretch it for."""


def data() -> dict[str, Any]:
    """Which number each pair follows, with the base, in blocks and interleaved."""
    blocks = known_models()[BLOCKS].config
    text = known_models()[INTERLEAVED].config["text_config"]
    scattered = text["rope_parameters"]
    return {
        "blocks": _dials(blocks["rope_scaling"], blocks["rope_theta"]),
        "interleaved": _dials(scattered, scattered["rope_theta"]),
        "trained": text["max_position_embeddings"],
        "long": LONG,
    }


def _dials(fields: Mapping[str, Any], base: float) -> dict[str, Any]:
    is_interleaved = fields.get("mrope_interleaved", False)
    axes = mrope_axis_of_pair(fields["mrope_section"], interleaved=is_interleaved)
    return {"base": int(base), "sections": fields["mrope_section"], "axes": axes.tolist()}

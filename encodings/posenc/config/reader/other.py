"""Layers that do not rotate: which encoding they use instead, and its numbers."""

from collections.abc import Callable

from posenc.config.families.family import Encoding
from posenc.config.fields import LARGEST_FACTOR, WIDEST_HEAD, Fields, required
from posenc.config.layers import OtherLayer


def encoding_of(text: Fields) -> Encoding:
    """Which encoding the layers use, "rope" unless the file says otherwise."""
    family = required(text.family, "model_type")
    attention = text.section("attn_config")
    if attention is not None and family.encoding == "alibi":
        if attention.flag("rope"):
            return "rope"
        return "learned" if attention.flag("alibi") is False else "alibi"
    return "alibi" if text.flag("alibi") else family.encoding


def read_other(text: Fields, encoding: Encoding) -> OtherLayer:
    """Layers with this encoding."""
    readers: dict[Encoding, Callable[[Fields], dict[str, float]]] = {
        "alibi": _alibi_numbers,
        "t5": _t5_numbers,
        "nope": _temperature_numbers,
    }
    read = readers.get(encoding)
    return OtherLayer(
        encoding,
        text.integer("num_attention_heads", 1, WIDEST_HEAD),
        text.integer("max_position_embeddings", 1),
        read(text) if read else {},
    )


def _alibi_numbers(text: Fields) -> dict[str, float]:
    attention = text.section("attn_config") or text
    return {"alibi_bias_max": attention.number("alibi_bias_max", above=0) or 8.0}


def _t5_numbers(text: Fields) -> dict[str, float]:
    return {
        "num_buckets": required(text.integer("num_buckets", 2, WIDEST_HEAD), "num_buckets"),
        "max_distance": required(text.integer("max_distance", 1), "max_distance"),
    }


def _temperature_numbers(text: Fields) -> dict[str, float]:
    if not text.flag("attn_temperature_tuning"):
        return {}
    floor_scale = text.integer("floor_scale", 1)
    attn_scale = text.number("attn_scale", 0, LARGEST_FACTOR)
    return {
        "floor_scale": required(floor_scale, "floor_scale"),
        "attn_scale": required(attn_scale, "attn_scale"),
    }

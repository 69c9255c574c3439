"""Attention in some layers; in the others a state or a convolution that carries the text on."""

from collections.abc import Mapping
from typing import Any

from advisor.families.classes import known
from advisor.families.family import layer_count


def _granite_hybrid(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without position_embedding_type no layer rotates."""
    layers = layer_count(values, 32)
    if layers is None:
        return values
    if values.get("position_embedding_type") != "rope":
        values = {**values, "no_rope_layers": [0] * layers}
    return values


def _zamba2(values: Mapping[str, Any]) -> Mapping[str, Any]:
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


def _images_alone(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The layers that look at the image are given by their places."""
    layers = layer_count(values, 40)
    places = values.get("cross_attention_layers")
    places = places if isinstance(places, list) else (3, 8, 13, 18, 23, 28, 33, 38)
    if layers is None:
        return values
    types = ["cross_attention" if i in places else "full_attention" for i in range(layers)]
    return {**values, "layer_types": types}


FAMILIES = {
    **known("qwen3_next qwen4_exp_text olmo_hybrid minimax lfm2 lfm2_moe lfm3 bamba falcon_h1"),
    **known("qwen3_5_text qwen3_5_moe_text", sections=(11, 11, 10), take_turns=True),
    **known("bailing_hybrid", layout="interleaved", multiplies_softmax=True),
    **known("granitemoehybrid", normal=_granite_hybrid, softmax_scale="attention_multiplier"),
    **known("recurrent_gemma"),
    **known("zamba2", normal=_zamba2),
    **known("zaya", names_base=False, named_kinds=True),
    # Some layers look at the image alone.
    **known(
        "mllama_text_model",
        normal=_images_alone,
        other_kinds={"cross_attention": "none"},
    ),
}

"""Attention in some layers; in the others a state or a convolution that carries the text on."""

from collections.abc import Mapping
from typing import Any

from advisor.families.classes import known
from advisor.families.family import Kinds, layer_count, placed

_LINEAR: dict[str, Any] = {"usual": "linear_attention"}
_FOURTH = Kinds(4, "full_attention_interval", **_LINEAR)


def _granite_hybrid(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without position_embedding_type no layer rotates; without layer_types none attends."""
    layers = layer_count(values, 32)
    if layers is None:
        return values
    if values.get("layer_types") is None:
        values = {**values, "layer_types": ["linear_attention"] * layers}
    if values.get("position_embedding_type") != "rope":
        values = {**values, "no_rope_layers": [0] * layers}
    return values


def _recurrent_gemma(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The kinds of layers are repeated; those that attend see a window."""
    kinds = values.get("block_types") or values.get("_block_types")
    kinds = kinds or ["recurrent", "recurrent", "attention"]
    layers = layer_count(values, 26)
    if layers is None or not isinstance(kinds, list):
        return values
    words = ["sliding_attention" if kind == "attention" else kind for kind in kinds]
    return {**values, "layer_types": [words[i % len(words)] for i in range(layers)]}


def _lfm2(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The layers that attend are given by their places, else all do."""
    is_told = values.get("layer_types") is not None
    if is_told or not isinstance(values.get("full_attn_idxs"), list):
        return values
    return placed("full_attn_idxs", "full_attention", "conv", 32)(values)


def _lfm3(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Types of layers: of four, one sees everything, one a window, and two are convolutions."""
    layers = values.get("num_hidden_layers", 24)
    if values.get("layer_types") is not None or not isinstance(layers, int) or layers > 10000:
        return values
    kinds = ["sliding_attention", "conv", "full_attention", "conv"]
    types = [kinds[i % 4] if i else "conv" for i in range(layers)]
    return {**values, "layer_types": types}


def _zamba2(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Attention in some layers, twice as wide as the model; they rotate where the file says so."""
    layers = layer_count(values, 54)
    types = values.get("layers_block_type") or values.get("layer_types")
    if layers is None:
        return values
    if types is None:
        attends = {6, 12, 18, 24, 30, 36, 42, 47, 51}
        types = ["hybrid" if i in attends else "linear_attention" for i in range(layers)]
    out = {**values, "layers_block_type": types}
    width = values.get("hidden_size", 2560)
    heads = values.get("num_attention_heads", 32)
    if isinstance(width, int) and isinstance(heads, int) and heads > 0:
        out["head_dim"] = 2 * width // heads
    if not values.get("use_mem_rope") and isinstance(types, list):
        out["no_rope_layers"] = [0] * len(types)
    return out


FAMILIES = {
    **known("qwen3_next", kinds=_FOURTH),
    **known("qwen3_5_text qwen3_5_moe_text", kinds=_FOURTH, sections=(11, 11, 10), take_turns=True),
    **known(
        "qwen4_exp_text",
        kinds=Kinds(4, "full_attention_interval", rare="indexed_attention", **_LINEAR),
    ),
    **known("olmo_hybrid", kinds=Kinds(4, **_LINEAR)),
    **known("minimax", kinds=Kinds(2, is_rare=lambda i, every, n: i % every == 0, **_LINEAR)),
    **known(
        "bailing_hybrid",
        layout="interleaved",
        multiplies_softmax=True,
        kinds=Kinds(6, "layer_group_size", **_LINEAR),
    ),
    **known("lfm2 lfm2_moe", normal=_lfm2),
    **known("lfm3", normal=_lfm3),
    **known("bamba", normal=placed("attn_layer_indices", "full_attention", "linear_attention", 32)),
    **known("falcon_h1"),
    **known("granitemoehybrid", normal=_granite_hybrid, softmax_scale="attention_multiplier"),
    **known("recurrent_gemma", normal=_recurrent_gemma),
    **known("zamba2", normal=_zamba2, names={"layer_types": "layers_block_type"}),
    **known("zaya", kinds=Kinds(1, rare="hybrid"), names_base=False, named_kinds=True),
    # Some layers look at the image alone.
    **known(
        "mllama_text_model",
        normal=placed(
            "cross_attention_layers",
            attends="cross_attention",
            others="full_attention",
            layers=40,
            places=(3, 8, 13, 18, 23, 28, 33, 38),
        ),
        other_kinds={"cross_attention": "none"},
    ),
}

"""How many weights a model has, from the widths in its file, and how many a token uses."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from advisor.data import Config
from advisor.memory.cache import head_widths, kv_heads, layer_kinds, window_of
from advisor.memory.sizes import Sizes
from posenc.checks import LONGEST, check_choice, check_int

WEIGHT_BITS: dict[str, float] = {
    "float32": 32,
    "bfloat16": 16,
    "fp8": 8,
    "int8": 8,
    "mxfp8": 8.25,
    "q8_0": 8.5,
    "int4": 4.25,
    "mxfp4": 4.25,
    "nvfp4": 4.5,
    "q4_k_m": 4.89,
}
"""Bits of one weight: int4 with a scale and a zero for each 128 (AWQ, GPTQ); mxfp4 and mxfp8 with
a scale of 8 bits for each 32 (OCP Microscaling 1.0, section 5.2), nvfp4 for each 16; q4_k_m as in
the table of llama.cpp for Llama-3.1-8B (tools/quantize/README.md), whose mix differs by model."""
PLAIN = (
    *("apertus", "arcee", "biogpt", "bloom", "codegen", "falcon", "gpt2", "gpt_bigcode", "gpt_neo"),
    *("gpt_neox", "gpt_neox_japanese", "gptj", "jais2", "mpt", "nanochat", "nemotron", "opt"),
    *("persimmon", "phi", "starcoder2", "xglm"),
)
"""Types whose feed-forward layers have two matrices; others have a third, a gate."""


@dataclass(frozen=True)
class Weights:
    """Numbers of weights; norms and biases are left out, below a percent of the whole.

    Attributes:
        parts: How many each part has: "embedding", "output", "attention", "recurrent", "dense",
            "experts", "shared", "router".
        active: Those that a token is multiplied by, the table of embeddings left out.
    """

    parts: Mapping[str, int]
    active: int

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.parts.values())

    def in_bytes(self, kind: str) -> int:
        """Bytes of all weights, stored alike.

        Args:
            kind: One of `WEIGHT_BITS`.

        Raises:
            ValueError: If there is no such kind.
        """
        check_choice("kind", kind, list(WEIGHT_BITS))
        return math.ceil(self.total * WEIGHT_BITS[kind] / 8)


def count_weights(config: Config) -> Weights:
    """The weights of the text model, to within two percent.

    Returns:
        The `Weights`; a tower for pictures or sound is not among them.

    Raises:
        ValueError: If the model's type is none whose weights were counted before, or the file
            lacks a width or count.

    Source: transformers 5.23, the models' modules; tests/parity/test_memory.py compares.
    """
    sizes = Sizes.of(config)
    if sizes.defaults.get("weights") is False:
        raise ValueError(
            f"How many weights a model of the type {sizes.model_type} has is not known here."
        )
    hidden = sizes.need("hidden_size")
    words = sizes.need("vocab_size")
    kinds = layer_kinds(config, sizes)
    counts = Counter(kinds)
    sparse = _sparse_layers(sizes, len(kinds))
    one, experts, chosen = _experts(sizes) if sparse else (0, 0, 0)
    shared = _matrices(sizes) * hidden * _shared_width(sizes) if sparse else 0
    table = words * hidden
    tied = sizes.value("tie_word_embeddings")
    used = {
        "attention": sum(n * _attention(sizes, kind) for kind, n in counts.items()),
        "recurrent": sum(n * _recurrent(sizes) for kind, n in counts.items() if "state" in kind),
        "dense": (len(kinds) - sparse) * _dense_width(sizes) if sparse < len(kinds) else 0,
        "shared": sparse * shared,
        "router": sparse * hidden * experts,
    }
    parts = {
        "embedding": table,
        "output": 0 if tied is None or tied else table,
        **used,
        "experts": sparse * experts * one,
    }
    return Weights(parts, sum(used.values()) + sparse * chosen * one + table)


def _attention(sizes: Sizes, kind: str) -> int:
    """Weights of what a layer attends with."""
    if kind == "latent":
        return _latent(sizes)
    if kind in ("state", "nothing"):
        return 0
    key, value = head_widths(sizes, kind)
    heads = sizes.need("num_attention_heads")
    shared = kv_heads(sizes, kind)
    gates = 2 if sizes.flag("attn_output_gate") else 1
    queries = heads * (gates * key + value)
    return sizes.need("hidden_size") * (queries + shared * (key + value))


def _value_width(sizes: Sizes) -> int:
    """Channels of a value where keys are latent; MiniCPM3's class takes a head's share for none."""
    given = sizes.whole("v_head_dim")
    return given or sizes.need("hidden_size") // sizes.need("num_attention_heads")


def _latent(sizes: Sizes) -> int:
    hidden = sizes.need("hidden_size")
    heads = sizes.need("num_attention_heads")
    rotated = sizes.need("qk_rope_head_dim")
    plain = sizes.need("qk_nope_head_dim")
    latent = sizes.need("kv_lora_rank")
    value = _value_width(sizes)
    rank = sizes.whole("q_lora_rank")
    width = heads * (rotated + plain)
    queries = hidden * width if rank is None else rank * (hidden + width)
    keys = hidden * (latent + rotated) + latent * heads * (plain + value)
    return queries + keys + heads * value * hidden


def _recurrent(sizes: Sizes) -> int:
    hidden = sizes.need("hidden_size")
    if sizes.whole("linear_num_key_heads") is not None:
        heads = sizes.need("linear_num_value_heads")
        keys = sizes.need("linear_num_key_heads") * sizes.need("linear_key_head_dim")
        values = heads * sizes.need("linear_value_head_dim")
        return hidden * (2 * keys + 3 * values + 2 * heads)
    if sizes.whole("linear_num_heads") is not None:
        heads = sizes.need("linear_num_heads")
        width = sizes.need("linear_head_dim")
        inner = heads * width
        return hidden * (4 * inner + heads + 2 * width) + 2 * width * inner
    if sizes.whole("mamba_n_groups") is not None:
        inner = sizes.whole("mamba_d_ssm") or sizes.need("mamba_expand") * hidden
        groups = 2 * sizes.need("mamba_n_groups") * sizes.need("mamba_d_state")
        return hidden * (3 * inner + groups + sizes.need("mamba_n_heads"))
    if sizes.whole("conv_L_cache") is not None:
        return 4 * hidden * hidden
    inner = sizes.need("mamba_expand") * hidden
    state = sizes.need("mamba_d_state")
    rank = sizes.whole("mamba_dt_rank") or math.ceil(hidden / 16)
    return inner * (3 * hidden + 2 * rank + 3 * state)


def _matrices(sizes: Sizes) -> int:
    return 2 if sizes.model_type in PLAIN else 3


def _experts(sizes: Sizes) -> tuple[int, int, int]:
    """Weights of an expert, how many of them a layer has, and how many a token uses."""
    experts = sizes.need("num_experts")
    one = _matrices(sizes) * sizes.need("hidden_size") * _expert_width(sizes)
    return one, experts, min(experts, sizes.need("num_experts_per_tok"))


def _dense_width(sizes: Sizes) -> int:
    """Weights of a layer without experts."""
    hidden = sizes.need("hidden_size")
    width = sizes.whole("intermediate_size") or 4 * hidden
    if sizes.flag("block_auto_adjust_ff_dim"):  # LFM2
        step = sizes.need("block_multiple_of")
        width = math.ceil(2 * width / 3 / step) * step
    if (sizes.whole("num_experts", 0) or 0) > 1:
        width = sizes.whole("intermediate_size_mlp") or width
    return _matrices(sizes) * hidden * width


def _expert_width(sizes: Sizes) -> int:
    return sizes.whole("moe_intermediate_size") or sizes.need("intermediate_size")


def _shared_width(sizes: Sizes) -> int:
    """Width of the experts that every token uses."""
    own = sizes.whole("shared_intermediate_size", 0)
    if own is not None:
        return own
    shared = sizes.whole("n_shared_experts", 0)
    if shared is None:
        # Llama 4 has one beside the chosen one.
        shared = 1 if sizes.whole("interleave_moe_layer_step") is not None else 0
    return shared * _expert_width(sizes)


def _sparse_layers(sizes: Sizes, layers: int) -> int:
    """How many layers have experts."""
    if (sizes.whole("num_experts", 0) or 0) <= 1:
        return 0
    kinds = sizes.value("mlp_layer_types")
    if isinstance(kinds, list):
        return sum(kind == "sparse" for kind in kinds[:layers])
    period = sizes.whole("expert_layer_period")
    if period is not None:
        offset = sizes.whole("expert_layer_offset", 0) or 0
        return sum(index % period == offset for index in range(layers))
    dense = sizes.indices("mlp_only_layers")
    first = sizes.whole("first_k_dense_replace", 0) or sizes.whole("num_dense_layers", 0) or 0
    every = sizes.whole("decoder_sparse_step") or sizes.whole("interleave_moe_layer_step") or 1
    return sum(
        (index + 1) % every == 0 and index not in dense
        for index in range(min(first, layers), layers)
    )


def prefill_operations(config: Config, length: int) -> tuple[int, int]:
    """Multiplications and additions of reading a prompt.

    A token is multiplied once with every weight that it uses, 2 operations each. Attention takes
    2 · heads · (channels of a key + of a value) for each pair of a query and a key at or before
    it, within the window where there is one. Recurrences and softmax are not counted.

    Args:
        config: A model's configuration.
        length: n, tokens of the prompt.

    Returns:
        Operations with the weights, and operations of attention.

    Raises:
        ValueError: If the number of weights is not known, or the file lacks a width or count.

    Source: Kaplan et al. 2020, table 1, arXiv:2001.08361, with the causal half of the scores.
    """
    check_int("length", length, 1, maximum=LONGEST)
    sizes = Sizes.of(config)
    heads = sizes.need("num_attention_heads")
    attention = 0
    for kind, layers in Counter(layer_kinds(config, sizes)).items():
        if kind in ("state", "nothing"):
            continue
        key, value = _widths(sizes, kind)
        window = min(length, window_of(sizes, kind) or length)
        attention += layers * 2 * heads * (key + value) * _pairs(length, window)
    return 2 * count_weights(config).active * length, attention


def _widths(sizes: Sizes, kind: str) -> tuple[int, int]:
    """Channels that a head compares, and that it sums up."""
    if kind != "latent":
        return head_widths(sizes, kind)
    key = sizes.need("qk_nope_head_dim") + sizes.need("qk_rope_head_dim")
    return key, _value_width(sizes)


def _pairs(length: int, window: int) -> int:
    """Pairs of a query and a key that it sees, with at most `window` keys each."""
    return window * (window + 1) // 2 + (length - window) * window

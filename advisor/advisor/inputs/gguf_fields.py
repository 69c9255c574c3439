"""The metadata of a GGUF file as the fields of a config.json."""

from collections.abc import Iterator, Mapping
from typing import Any

from advisor.families.family import MOST_LAYERS
from advisor.fields import WIDEST_HEAD, Fields, required
from advisor.inputs.gguf import MOST_KEPT, TIED
from advisor.inputs.gguf_scaling import rotation_of
from posenc.words import Sentence, say

ARCHITECTURE = "general.architecture"
MODEL_TYPES = {
    "llama4": "llama4_text",
    "qwen2moe": "qwen2_moe",
    "qwen3moe": "qwen3_moe",
    "qwen2vl": "qwen2_vl",
    "qwen3vl": "qwen3_vl",
    "gemma3": "gemma3_text",
    "gemma4": "gemma4_text",
    "phi2": "phi",
    "command-r": "cohere",
    "gptneox": "gpt_neox",
    "gpt-oss": "gpt_oss",
    "deepseek2": "deepseek_v3",
    "qwen3next": "qwen3_next",
    "qwen3vlmoe": "qwen3_vl_moe",
    "glm4moe": "glm4_moe",
    "mistral3": "ministral3",
    "modern-bert": "modernbert",
    "exaone-moe": "exaone_moe",
    "ernie4_5-moe": "ernie4_5_moe",
    "hunyuan-dense": "hunyuan_v1_dense",
    "hunyuan-moe": "hunyuan_v1_moe",
    "minimax-m2": "minimax_m2",
    "nemotron_h_moe": "nemotron_h",
    "granitehybrid": "granitemoehybrid",
    "falcon-h1": "falcon_h1",
    "kimi-linear": "kimi_linear",
    "gemma3n": "gemma3n_text",
    "starcoder": "gpt_bigcode",
    "nomic-bert": "nomic_bert",
    "lfm2moe": "lfm2_moe",
    "glm-dsa": "glm_moe_dsa",
    "t5encoder": "t5",
    "llama-embed": "llama",
    "gemma-embedding": "gemma3_text",
}
"""Architectures of llama.cpp whose model_type in transformers is another word."""
PERMUTED = {
    *("llama", "deci", "baichuan", "internlm2", "minicpm", "xverse", "olmo", "granite"),
    *("granitemoe", "granitehybrid", "smollm3", "arcee", "mistral3"),
}
"""Architectures whose queries and keys the conversion reorders from half to interleaved pairs."""
COUNTS = {
    "max_position_embeddings": "context_length",
    "hidden_size": "embedding_length",
    "num_hidden_layers": "block_count",
    "intermediate_size": "feed_forward_length",
    "num_attention_heads": "attention.head_count",
    "num_key_value_heads": "attention.head_count_kv",
    "sliding_window": "attention.sliding_window",
    "vocab_size": "vocab_size",
    "kv_lora_rank": "attention.kv_lora_rank",
    "q_lora_rank": "attention.q_lora_rank",
    "num_experts": "expert_count",
    "num_experts_per_tok": "expert_used_count",
    "moe_intermediate_size": "expert_feed_forward_length",
    "n_shared_experts": "expert_shared_count",
    "first_k_dense_replace": "leading_dense_block_count",
}


def named(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata, if they name the architecture.

    Raises:
        ValueError: If they do not.
    """
    if not Fields(metadata).word(ARCHITECTURE):
        raise ValueError(
            "The GGUF file must name its general.architecture; is it the whole header?"
        )
    return dict(metadata)


def fields_of(metadata: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Sentence, ...]]:
    """Turn the metadata of a GGUF file into the fields of a config.json.

    Returns:
        The fields, and what is worth knowing about this reading.

    Raises:
        ValueError: If a value is missing, of a wrong type or out of range.

    Source: llama.cpp, the conversion script and llama-model.cpp. Read, not run.
    """
    architecture = named(metadata)[ARCHITECTURE]
    prefix = f"{architecture}."
    inside = {k.removeprefix(prefix): v for k, v in metadata.items() if k.startswith(prefix)}
    own = Fields(inside, where=prefix)
    tokens = metadata.get("tokenizer.ggml.tokens")
    fields: dict[str, Any] = {"model_type": MODEL_TYPES.get(architecture, architecture)}
    fields |= {name: _count(own, key) for name, key in COUNTS.items() if own.given(key)}
    for name in ("max_position_embeddings", "num_attention_heads", "hidden_size"):
        required(fields.get(name), own.label(COUNTS[name]))
    if "vocab_size" not in fields and isinstance(tokens, int) and not isinstance(tokens, bool):
        fields["vocab_size"] = tokens
    if isinstance(metadata.get(TIED), bool):
        fields["tie_word_embeddings"] = metadata[TIED]
    if fields.get("sliding_window") == 0:
        del fields["sliding_window"]
    fields |= _layer_types(own)
    if own.given("rope.dimension_count") or own.given("rope.freq_base"):
        fields |= _widths(own, fields)
        fields |= rotation_of(own, metadata, fields)
    return fields, tuple(_notes(architecture, own, metadata, fields))


def _count(own: Fields, key: str) -> int:
    """A count; the largest where it differs from layer to layer."""
    given = own.get(key)
    if not isinstance(given, list):
        return own.integer(key, 0) or 0
    items = own.items(key, MOST_KEPT) or []
    each = Fields({f"{key}[{i}]": one for i, one in enumerate(items)}, where=own.where)
    return max((each.integer(name, 0) or 0 for name in each.values), default=0)


def _layer_types(own: Fields) -> dict[str, list[str]]:
    """Which layers see a window, where the file has a flag for each."""
    flags = own.get("attention.sliding_window_pattern")
    if not isinstance(flags, list) or not all(isinstance(flag, bool) for flag in flags):
        return {}
    kinds = {True: "sliding_attention", False: "full_attention"}
    return {"layer_types": [kinds[flag] for flag in flags[:MOST_LAYERS]]}


def _widths(own: Fields, fields: Mapping[str, Any]) -> dict[str, Any]:
    """How wide a head is, and what of it turns."""
    turned = own.integer("rope.dimension_count", 0, WIDEST_HEAD)
    width = own.integer("attention.key_length", 2, WIDEST_HEAD)
    if own.given("attention.kv_lora_rank") and turned:
        # Heads of latent attention: a rotated part beside a plain one.
        full = own.integer("attention.key_length_mla", 2, WIDEST_HEAD) or width or turned
        value = own.integer("attention.value_length_mla", 1, WIDEST_HEAD)
        value = value or own.integer("attention.value_length", 1, WIDEST_HEAD)
        more = {"v_head_dim": value} if value else {}
        return {"qk_rope_head_dim": turned, "qk_nope_head_dim": max(full - turned, 0), **more}
    if fields["model_type"] == "gemma4_text":
        local = own.integer("attention.key_length_swa", 2, WIDEST_HEAD)
        widths = {"head_dim": local, "global_head_dim": width}
        return {name: value for name, value in widths.items() if value}
    width = width or fields["hidden_size"] // max(fields["num_attention_heads"], 1)
    if not turned or turned == width:
        return {"head_dim": width}
    if fields["model_type"] in ("gptj", "minimax_m2"):
        return {"head_dim": width, "rotary_dim": turned}
    if turned > width:
        raise ValueError(
            f"{own.label('rope.dimension_count')} must be at most the width of a head, {width}, "
            f"got {turned}."
        )
    share = turned / width
    exact = int(width * share) == turned
    return {"head_dim": width, "partial_rotary_factor": share if exact else (turned + 0.5) / width}


def _notes(
    architecture: str, own: Fields, metadata: Mapping[str, Any], fields: Mapping[str, Any]
) -> Iterator[Sentence]:
    """Notes on the reading that are worth a reader's time."""
    yield say(
        "These fields were made from the header of a GGUF file of the architecture {architecture}.",
        architecture=architecture,
    )
    if "rope_theta" in fields and architecture in PERMUTED:
        yield say(
            "In this GGUF file the rows of queries and keys are reordered, and llama.cpp turns "
            "interleaved pairs; the fields are those of the original model, which turns the "
            "same pairs in half layout."
        )
    if "rope_theta" in fields and not own.given("rope.freq_base"):
        yield say("The GGUF file names no base; llama.cpp then takes 10000.")
    if metadata.get("rope_freqs.weight"):
        yield say(
            "The GGUF file carries rope_freqs, a divisor for each pair. llama.cpp applies them "
            "whatever its flags say."
        )
    elif "rope_freqs.weight" in metadata:
        yield say(
            "The GGUF file carries rope_freqs, a divisor for each pair, but the part that was "
            "given ends before them: the scaling below is missing them. Give more of the file."
        )
    elif metadata.get("header_is_cut") and "rope_theta" in fields:
        yield say(
            "The part of the GGUF file that was given ends within its header, so that a tensor "
            "rope_freqs (Llama 3.1 to 3.3 and Llama 4 Scout have one) would not be seen. Give more "
            "of the file."
        )

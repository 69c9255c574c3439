"""Mistral's or Meta's params.json, shipped beside their own weights, as fields of a config.json."""

from collections.abc import Mapping
from typing import Any

from advisor.families.family import MOST_LAYERS
from advisor.fields import LARGEST_BASE, LENGTH_TAKEN, ORIGINAL, Fields
from advisor.inputs.gguf_scaling import LLAMA3
from posenc.checks import LONGEST
from posenc.words import Sentence, say

COUNTS = {
    "hidden_size": "dim",
    "num_hidden_layers": "n_layers",
    "num_attention_heads": "n_heads",
    "num_key_value_heads": "n_kv_heads",
    "intermediate_size": "hidden_dim",
    "vocab_size": "vocab_size",
    "head_dim": "head_dim",
    "q_lora_rank": "q_lora_rank",
    "kv_lora_rank": "kv_lora_rank",
    "qk_rope_head_dim": "qk_rope_head_dim",
    "qk_nope_head_dim": "qk_nope_head_dim",
    "v_head_dim": "v_head_dim",
}
EXPERTS = {
    "num_experts": "num_experts",
    "num_experts_per_tok": "num_experts_per_tok",
    "moe_intermediate_size": "expert_hidden_dim",
    "n_shared_experts": "num_shared_experts",
    "first_k_dense_replace": "first_k_dense_replace",
}
LENGTHS = ("max_position_embeddings", "max_seq_len", "model_max_length")
OF_META = ("multiple_of", "ffn_dim_multiplier", "use_scaled_rope")
"""Fields that Meta's files alone have."""


def is_params(config: Mapping[str, Any]) -> bool:
    """Whether an object is a params.json."""
    return {"dim", "n_layers", "n_heads"} <= config.keys()


def fields_of(params: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Sentence, ...]]:
    """Turn a params.json into the fields of a config.json.

    Returns:
        The fields, and what is worth knowing about this reading.

    Raises:
        ValueError: If a value is of a wrong type or out of range.

    Source: mistral-inference, args.py and transformer.py; vLLM, transformers_utils/configs/
    mistral.py; llama-models, models/llama3. Read, not run.
    """
    own = Fields(params)
    fields: dict[str, Any] = {}
    for name, key in COUNTS.items():
        count = own.integer(key, -1) if own.given(key) else None
        if count is not None and count > 0:  # Llama 2 writes a vocab_size of -1
            fields[name] = count
    for key in LENGTHS:
        if own.given(key):
            fields["max_position_embeddings"] = own.integer(key, 1)
            break
    made = _of_meta if any(name in params for name in OF_META) else _of_mistral
    more, notes = made(own, fields)
    if "max_position_embeddings" in more:
        more[LENGTH_TAKEN] = True
    return {**fields, **more}, notes


def _of_meta(own: Fields, fields: dict[str, Any]) -> tuple[dict[str, Any], tuple[Sentence, ...]]:
    """Meta's own Llama files."""
    base = own.number("rope_theta", above=1, maximum=LARGEST_BASE)
    more: dict[str, Any] = {"model_type": "llama", "rope_theta": base or 10000.0}
    if "hidden_size" in fields:
        more["intermediate_size"] = _width_of_meta(own, fields["hidden_size"])
    if "num_attention_heads" in fields:
        more["num_key_value_heads"] = fields["num_attention_heads"]
    more |= {name: fields[name] for name in more if name in fields}
    notes = [
        say(
            "These fields were made from Meta's params.json. The weights beside it hold "
            "interleaved pairs; transformers' copies of the model have the same pairs in half "
            "layout."
        )
    ]
    if "max_position_embeddings" not in fields:
        length = 131072 if own.flag("use_scaled_rope") else 8192 if base == 500000 else 4096
        more["max_position_embeddings"] = length
        notes.append(
            say(
                "Meta's params.json does not say how long a text the model reads; {length:,} "
                "tokens are taken: 131,072 with scaling, 8,192 with base 500,000, else 4,096.",
                length=length,
            )
        )
    if own.flag("use_scaled_rope"):
        named = own.number("rope_scale_factor", 1) or own.number("rope_scaling_factor", 1)
        more["rope_scaling"] = {"rope_type": "llama3", "factor": named or 8.0, **LLAMA3}
        if named is None:
            notes.append(
                say(
                    "use_scaled_rope does not say by how much: 8 is taken, as in Llama 3.1. "
                    "Llama 3.2 has 32."
                )
            )
    return more, tuple(notes)


def _width_of_meta(own: Fields, dim: int) -> int:
    """Width of the feed-forward layers, which Meta's files do not name: 11,008 of Llama 2 7B.

    Source: llama3, llama/model.py, FeedForward; multiple_of is 256 in ModelArgs. Read, not run.
    """
    width = int(2 * (4 * dim) / 3)
    times = own.number("ffn_dim_multiplier", above=0)
    if times is not None:
        width = int(times * width)
    step = own.integer("multiple_of", 1) or 256
    return step * -(-width // step)


def _of_mistral(own: Fields, fields: dict[str, Any]) -> tuple[dict[str, Any], tuple[Sentence, ...]]:
    """Mistral's files."""
    window = own.get("sliding_window")
    notes = [
        say(
            "These fields were made from Mistral's params.json. The weights beside it hold "
            "interleaved pairs; transformers' copies of the model have the same pairs in half "
            "layout."
        )
    ]
    base = own.number("rope_theta", above=1, maximum=LARGEST_BASE)
    if base is None:
        base = 1e6 if window is None else 10000.0
        notes.append(
            say(
                "params.json names no rope_theta; Mistral's own code then takes {base:,.0f}.",
                base=base,
            )
        )
    more: dict[str, Any] = {"model_type": "mistral", "rope_theta": base, **_windows(own, fields)}
    if "max_position_embeddings" not in fields:
        more["max_position_embeddings"] = 128000
        notes.append(
            say(
                "params.json does not say how long a text the model reads; 128,000 tokens are "
                "taken, as in vLLM."
            )
        )
    scaling = _yarn(own)
    temperature = own.section("llama_4_scaling")
    if temperature is not None:
        more["model_type"] = "ministral3"
        scaling = {"rope_type": "default", **scaling}
        scaling["llama_4_scaling_beta"] = temperature.number("beta", 0)
        scaling.setdefault(ORIGINAL, temperature.integer(ORIGINAL, 1))
    if "qk_rope_head_dim" in fields:
        more["model_type"] = "mistral4"
    elif own.given("moe"):
        more["model_type"] = "mixtral"
    if (experts := own.section("moe")) is not None:
        counts = {name: experts.integer(key, 0) for name, key in EXPERTS.items()}
        more |= {name: count for name, count in counts.items() if count is not None}
    return more | ({"rope_scaling": scaling} if scaling else {}), tuple(notes)


def _windows(own: Fields, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The window; a list of them repeats over the layers, null for those that see everything."""
    window = own.get("sliding_window")
    if not isinstance(window, list):
        width = own.integer("sliding_window", 0)
        return {"sliding_window": width or None}  # the class of transformers would take 4,096
    items = own.items("sliding_window", MOST_LAYERS) or []
    each = Fields({f"sliding_window[{i}]": one for i, one in enumerate(items)})
    widths = [each.integer(name, 1) for name in each.values]
    layers = min(fields.get("num_hidden_layers", 0), MOST_LAYERS)
    kinds = ["sliding_attention" if width else "full_attention" for width in widths]
    widest = max((width for width in widths if width), default=None)
    found: dict[str, Any] = {"sliding_window": widest}
    if kinds:
        found["layer_types"] = [kinds[layer % len(kinds)] for layer in range(layers)]
    return found


def _yarn(own: Fields) -> dict[str, Any]:
    """The block "yarn"; `apply_scale: false` leaves the scores as they are."""
    yarn = own.section("yarn")
    if yarn is None:
        return {}
    scaling: dict[str, Any] = {"rope_type": "yarn", "factor": yarn.number("factor", 1)}
    scaling[ORIGINAL] = yarn.integer(ORIGINAL, 1, LONGEST)
    scaling |= {"beta_fast": yarn.number("beta"), "beta_slow": yarn.number("alpha")}
    if yarn.flag("apply_scale") is False:
        scaling["attention_factor"] = 1.0
    return {name: value for name, value in scaling.items() if value is not None}

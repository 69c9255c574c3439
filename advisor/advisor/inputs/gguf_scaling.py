"""How a GGUF file's pairs turn: base and scaling, as fields of a config.json."""

from collections.abc import Mapping
from typing import Any

import torch

from advisor.families.all import family_of
from advisor.fields import DECLARED, LARGEST_BASE, ORIGINAL, WIDEST_HEAD, Fields
from posenc.rope.formula import rope_inv_freq
from posenc.scaling.llama3 import Llama3

BETAS = {"beta_fast": "yarn_beta_fast", "beta_slow": "yarn_beta_slow"}
LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, ORIGINAL: 8192}
"""Values in Llama 3.1, 3.2 and 3.3."""


def rotation_of(
    own: Fields, metadata: Mapping[str, Any], fields: Mapping[str, Any]
) -> dict[str, Any]:
    """Base and scaling, in the fields of transformers 4.

    Args:
        own: The metadata of the architecture, without its name.
        metadata: All of it.
        fields: What is known already: model_type, lengths and widths.

    Raises:
        ValueError: If a value is of a wrong type or out of range, or LongRoPE's lists are missing.
    """
    base = own.number("rope.freq_base", above=1, maximum=LARGEST_BASE)
    local = own.number("rope.freq_base_swa", above=1, maximum=LARGEST_BASE)
    base = 10000.0 if base is None else base
    out: dict[str, Any] = {"rope_theta": base}
    if local is not None and local != base:
        out[family_of(fields["model_type"]).local_base or "local_rope_theta"] = local
    scaling = _named_scaling(own, metadata, fields) or _divisors(
        metadata, fields, out["rope_theta"]
    )
    sections = own.numbers("rope.dimension_sections", 0, WIDEST_HEAD)
    if sections and any(sections):
        scaling = {"rope_type": "default", **(scaling or {})}
        scaling["mrope_section"] = [int(pairs) for pairs in sections[:3]]
        if str(fields["model_type"]).startswith("qwen3"):
            scaling["mrope_interleaved"] = True
    if scaling:
        out["rope_scaling"] = scaling
    return out


def _named_scaling(
    own: Fields, metadata: Mapping[str, Any], fields: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The scaling that the metadata names; None for none, or a factor of 1."""
    kind = own.word("rope.scaling.type")
    factor = own.number("rope.scaling.factor", 0) or own.number("rope.scale_linear", 0) or 1.0
    original = own.integer("rope.scaling.original_context_length", 1)
    length = {} if original is None else {ORIGINAL: original}
    if kind == "longrope":
        return _lists(own, metadata, length)
    if factor == 1:
        return None
    if kind in (None, "linear"):
        return {"rope_type": "linear", "factor": factor}
    if kind != "yarn":
        return None if kind == "none" else {"rope_type": kind, "factor": factor, **length}
    scaling = {"rope_type": "yarn", "factor": factor, **length}
    for name, key in BETAS.items():
        if (beta := own.number(f"rope.scaling.{key}", 0)) is not None:
            scaling[name] = beta
    if (attention := own.number("rope.scaling.yarn_attn_factor", 0)) is not None:
        scaling["attention_factor"] = attention
    if multiplier := own.number("rope.scaling.yarn_log_multiplier", 0):
        # DeepSeek's is written as a tenth of mscale_all_dim, Mistral's as it is.
        tenth = fields["model_type"] != "ministral3"
        scaling["mscale"] = scaling["mscale_all_dim"] = round(multiplier * (10 if tenth else 1), 6)
    if fields["model_type"] == "gpt_oss":
        scaling["truncate"] = False
    if beta := own.number("attention.temperature_scale", 0):
        scaling["llama_4_scaling_beta"] = beta
    return scaling


def _lists(own: Fields, metadata: Mapping[str, Any], length: dict[str, int]) -> dict[str, Any]:
    """LongRoPE, whose two lists are tensors."""
    names = {"short_factor": "rope_factors_short.weight", "long_factor": "rope_factors_long.weight"}
    lists = {name: metadata.get(tensor) for name, tensor in names.items()}
    if not all(lists.values()):
        raise ValueError(
            "The lists of divisors must be in the part of the GGUF file that is given: it names "
            "LongRoPE scaling and ends before them. Give more of the file."
        )
    factor = own.number("rope.scaling.attn_factor", 0)
    return {
        "rope_type": "longrope",
        **lists,
        **length,
        **({} if factor is None else {"attention_factor": factor}),
    }


def _divisors(
    metadata: Mapping[str, Any], fields: Mapping[str, Any], base: float
) -> dict[str, Any] | None:
    """The tensor rope_freqs: Llama 3's rule where it is that, else the numbers themselves."""
    given = Fields(metadata).numbers("rope_freqs.weight", 1e-6, 1e38)
    if not given or fields["model_type"] == "gemma4_text":
        return None  # Gemma 4's are those of its class: pairs at rest
    factor = float(max(given))
    if factor >= 1 and torch.allclose(
        _llama3_divisors(2 * len(given), base, factor),
        torch.tensor(given, dtype=torch.float64),
        rtol=1e-5,
    ):
        return {"rope_type": "llama3", "factor": factor, **LLAMA3}
    numbers = list(given)
    length = {ORIGINAL: fields[DECLARED]} if DECLARED in fields else {}
    return {
        "rope_type": "longrope",
        "short_factor": numbers,
        "long_factor": numbers,
        "attention_factor": 1.0,
        **length,
    }


def _llama3_divisors(channels: int, base: float, factor: float) -> torch.Tensor:
    """By how much Llama 3's rule slows each pair, float64 (pairs,)."""
    plain, _ = rope_inv_freq(channels, base)
    scaled, _ = rope_inv_freq(channels, base, Llama3(factor))
    return plain / scaled

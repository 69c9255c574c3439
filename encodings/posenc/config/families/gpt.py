"""RoFormer, GPT-J, GPT-NeoX and those after them, gpt-oss among them."""

from typing import Any

from posenc.config.families.classes import known
from posenc.config.families.family import Family, Kinds, shape

NAMES = {
    "hidden_size": "n_embd",
    "num_attention_heads": "n_head",
    "num_hidden_layers": "n_layer",
    "max_position_embeddings": "n_positions",
}
"""GPT-2's names of fields."""
_GPTJ = Family(
    "interleaved",
    defaults=shape(4096, 16, 28, 2048, rotary_dim=64),
    names=NAMES,
    names_base=False,
    by_table=True,
)
_NEOX: dict[str, Any] = {
    "names": {"rope_theta": "rotary_emb_base", "partial_rotary_factor": "rotary_pct"},
    "unread": ("rope_theta", "partial_rotary_factor"),
}

FAMILIES = {
    "roformer": Family(
        "interleaved", defaults=shape(768, 12, 12, 1536), names_base=False, by_table=True
    ),
    "gptj": _GPTJ,
    "codegen": _GPTJ,
    "gpt_neox": known("gpt_neox", **_NEOX),
    "gpt_neox_japanese": known("gpt_neox_japanese", **_NEOX),
    # The first files name no base: their code knows none but 10000.
    "falcon": known("falcon", names_base=False),
    "gpt_oss": known("gpt_oss", kinds=Kinds(2)),
}

"""RoFormer, GPT-J, GPT-NeoX and those after them, gpt-oss among them."""

from posenc.config.families.classes import known
from posenc.config.families.family import Family, Kinds, called, shape

NAMES = called(hidden="n_embd", heads="n_head", layers="n_layer", length="n_positions")
"""GPT-2's names of fields."""
_GPTJ = Family(
    "interleaved",
    defaults=shape(4096, 16, 28, 2048, rotary_dim=64),
    names=NAMES,
    names_base=False,
    by_table=True,
)

FAMILIES = {
    "roformer": Family(
        "interleaved", defaults=shape(768, 12, 12, 1536), names_base=False, by_table=True
    ),
    "gptj": _GPTJ,
    "codegen": _GPTJ,
    **known(
        "gpt_neox gpt_neox_japanese",
        names={"rope_theta": "rotary_emb_base", "partial_rotary_factor": "rotary_pct"},
        unread=("rope_theta", "partial_rotary_factor"),
    ),
    # The first files name no base: their code knows none but 10000.
    **known("falcon", names_base=False),
    **known("gpt_oss", kinds=Kinds(2)),
}

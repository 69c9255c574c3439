"""RoFormer, GPT-J, GPT-NeoX and those after them, gpt-oss among them."""

from posenc.config.families.family import Family, shape

NAMES = {
    "hidden_size": "n_embd",
    "num_attention_heads": "n_head",
    "num_hidden_layers": "n_layer",
    "max_position_embeddings": "n_positions",
}
"""GPT-2's names of fields."""
_GPTJ = Family(
    "interleaved", defaults=shape(4096, 16, 28, 2048, rotary_dim=64), names=NAMES, names_base=False
)
_GPT_OSS = shape(
    2880,
    64,
    36,
    131072,
    head_dim=64,
    rope_theta=150000.0,
    rope_parameters={
        "rope_type": "yarn",
        "factor": 32.0,
        "beta_fast": 32.0,
        "beta_slow": 1.0,
        "truncate": False,
        "original_max_position_embeddings": 4096,
    },
)

FAMILIES = {
    "roformer": Family("interleaved", defaults=shape(768, 12, 12, 1536), names_base=False),
    "gptj": _GPTJ,
    "codegen": _GPTJ,
    "gpt_neox": Family(
        defaults=shape(6144, 64, 44, 2048, partial_rotary_factor=0.25),
        names={"rope_theta": "rotary_emb_base", "partial_rotary_factor": "rotary_pct"},
    ),
    "falcon": Family(defaults=shape(4544, 71, 32, 2048)),
    "gpt_oss": Family(defaults=_GPT_OSS, window_pattern=2),
}

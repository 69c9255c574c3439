"""DeepSeek: latent attention (MLA), whose heads have a rotated part and a plain one."""

from posenc.config.families.family import Family, shape

_ROTATED = {"qk_rope_head_dim": 64, "qk_nope_head_dim": 128}

FAMILIES = {
    "deepseek_v2": Family(
        "interleaved", defaults=shape(4096, 32, 32, 2048, **_ROTATED), multiplies_softmax=True
    ),
    "deepseek_v3": Family(
        "interleaved", defaults=shape(7168, 128, 61, 4096, **_ROTATED), multiplies_softmax=True
    ),
}

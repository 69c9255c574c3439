"""Qwen, text and vision."""

from posenc.config.families.family import Family, shape

FAMILIES = {
    "qwen2": Family(defaults=shape(4096, 32, 32, 32768)),
    "qwen2_moe": Family(defaults=shape(2048, 16, 24, 32768)),
    "qwen3": Family(defaults=shape(4096, 32, 32, 32768, head_dim=128)),
    "qwen3_moe": Family(defaults=shape(2048, 32, 24, 32768)),
    "qwen2_vl": Family(defaults=shape(8192, 64, 80, 32768, rope_theta=1e6)),
    "qwen2_5_vl": Family(defaults=shape(8192, 64, 80, 32768, rope_theta=1e6)),
    "qwen3_vl": Family(defaults=shape(4096, 32, 32, 128000, head_dim=128, rope_theta=5e5)),
}

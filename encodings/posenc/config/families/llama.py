"""Llama, and the families whose rotation differs from Llama's in numbers alone."""

from posenc.config.families.family import Family, shape

_LLAMA4 = shape(5120, 40, 48, 131072, head_dim=128, rope_theta=500000.0)
_LLAMA4 |= {"attn_temperature_tuning": True, "floor_scale": 8192, "attn_scale": 0.1}

FAMILIES = {
    "llama": Family(defaults=shape(4096, 32, 32, 2048)),
    "llama4_text": Family("interleaved", defaults=_LLAMA4, nope_interval=4),
    "mistral": Family(defaults=shape(4096, 32, 32, 131072)),
    "mixtral": Family(defaults=shape(4096, 32, 32, 131072, rope_theta=1e6), has_null_head_dim=True),
    "smollm3": Family(defaults=shape(2048, 16, 36, 32768, rope_theta=2e6), nope_interval=4),
    "cohere": Family("interleaved", defaults=shape(8192, 64, 40, 8192, rope_theta=500000.0)),
    "olmo": Family(defaults=shape(4096, 32, 32, 2048)),
    "olmo2": Family(defaults=shape(4096, 32, 32, 2048)),
    "starcoder2": Family(defaults=shape(3072, 24, 30, 4096)),
    "granite": Family(defaults=shape(4096, 32, 32, 2048)),
}

"""Gemma: layers that see a window beside layers that see everything, from 3 on with two bases."""

from posenc.config.families.family import Family, shape

_GEMMA3 = shape(2304, 8, 26, 131072, head_dim=256, rope_theta=1e6, local_rope_theta=1e4)
_GEMMA4 = shape(
    2304,
    8,
    30,
    131072,
    head_dim=256,
    global_head_dim=512,
    rope_parameters={
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        "full_attention": {
            "rope_type": "proportional",
            "partial_rotary_factor": 0.25,
            "rope_theta": 1e6,
        },
    },
)

FAMILIES = {
    "gemma": Family(defaults=shape(3072, 16, 28, 8192, head_dim=256)),
    "gemma2": Family(defaults=shape(2304, 8, 26, 8192, head_dim=256), window_pattern=2),
    "gemma3_text": Family(
        defaults=_GEMMA3,
        names={"local_rope_theta": "rope_local_base_freq"},
        window_pattern=6,
        names_base=False,
    ),
    "gemma4_text": Family(defaults=_GEMMA4, window_pattern=6, names_base=False),
}

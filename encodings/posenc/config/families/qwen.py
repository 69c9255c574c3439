"""Qwen, text and vision."""

from posenc.config.families.classes import known

_SAME = (
    *("qwen2", "qwen2_moe", "qwen3", "qwen3_moe"),
    *("qwen2_vl_text", "qwen2_5_vl_text", "qwen3_vl_text", "qwen3_vl_moe_text"),
    *("qwen2_5_omni_text",),
)

FAMILIES = {name: known(name) for name in _SAME}

"""DeepSeek and those after it: latent attention (MLA), whose heads have a rotated part."""

from collections.abc import Mapping
from typing import Any

from advisor.families.classes import known

_INTERLEAVED = """
    deepseek_v2 deepseek_v3 deepseek_v32 axk1 axk2 glm4_moe_lite glm_moe_dsa longcat_flash youtu
"""


def _deepseek_v4(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The last channels of a head turn, so that they are read as DeepSeek-V3's rotated part."""
    head = values.get("head_dim", 512)
    share = values.get("partial_rotary_factor")
    turned = values.get("qk_rope_head_dim") if share is None else None
    if isinstance(head, int) and isinstance(share, int | float) and 0 < share <= 1:
        turned = int(head * share)
    turned = turned if isinstance(turned, int) else 64
    out = {**values, "qk_rope_head_dim": turned, "partial_rotary_factor": None}
    if isinstance(head, int):
        out["qk_nope_head_dim"] = max(head - turned, 0)
    return out


FAMILIES = {
    **known(_INTERLEAVED, layout="interleaved", multiplies_softmax=True),
    **known("hy_v4 minicpm3", multiplies_softmax=True),
    **known(
        "deepseek_v4",
        names_base=False,
        layout="interleaved",
        normal=_deepseek_v4,
        turned_share=True,
        defaults={"qk_rope_head_dim": 64, "qk_nope_head_dim": 448},
        rope_keys={
            "sliding_attention": "main",
            "compressed_sparse_attention": "compress",
            "heavily_compressed_attention": "compress",
        },
    ),
}

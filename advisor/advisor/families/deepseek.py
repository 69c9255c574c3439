"""DeepSeek and those after it: latent attention (MLA), whose heads have a rotated part."""

from collections.abc import Mapping
from typing import Any

from advisor.families.classes import known

_INTERLEAVED = """
    deepseek_v2 deepseek_v3 deepseek_v32 axk1 axk2 glm4_moe_lite glm_moe_dsa longcat_flash youtu
"""


def _deepseek_v4(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Layers with a window turn plainly, those with compressed keys by a base of their own.

    The last channels of a head turn, so that they are read as DeepSeek-V3's rotated part.
    """
    head = values.get("head_dim", 512)
    share = values.get("partial_rotary_factor")
    turned = values.get("qk_rope_head_dim") if share is None else None
    if isinstance(head, int) and isinstance(share, int | float) and 0 < share <= 1:
        turned = int(head * share)
    turned = turned if isinstance(turned, int) else 64
    out = {**values, "qk_rope_head_dim": turned, "partial_rotary_factor": None}
    if isinstance(head, int):
        out["qk_nope_head_dim"] = max(head - turned, 0)
    return out | {"rope_scaling": None, "rope_parameters": _main_and_compressed(values)}


def _main_and_compressed(values: Mapping[str, Any]) -> Any:
    """rope_parameters by "main" and "compress"; a scaling is that of the compressed layers."""
    given = values.get("rope_scaling") or values.get("rope_parameters") or {}
    if not isinstance(given, dict):
        return given
    main, compress = given.get("main"), given.get("compress")
    if isinstance(main, dict) and isinstance(compress, dict):
        return {"main": main, "compress": compress}
    base = values.get("rope_theta", 1e4)
    wide = values.get("compress_rope_theta", 160000.0)
    compress = {key: one for key, one in given.items() if key not in ("main", "compress")}
    compress["rope_theta"] = wide
    if compress.get("rope_type", compress.get("type")) == "yarn":
        compress.setdefault("attention_factor", 1.0)
    return {"main": {"rope_type": "default", "rope_theta": base}, "compress": compress}


FAMILIES = {
    **known(_INTERLEAVED, layout="interleaved", multiplies_softmax=True),
    **known("hy_v4 minicpm3", multiplies_softmax=True),
    **known(
        "deepseek_v4",
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

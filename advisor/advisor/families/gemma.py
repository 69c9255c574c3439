"""Gemma: layers that see a window beside layers that see everything, from 3 on with two bases."""

from collections.abc import Mapping
from typing import Any

from advisor.families.classes import known
from advisor.families.family import Family

_ROOT: dict[str, Any] = {"softmax_scale": "query_pre_attn_scalar", "softmax_root": True}
TWO_BASES: dict[str, Any] = {"names_base": False, "local_base": "rope_local_base_freq"}
_WIDE: dict[str, Any] = {"defaults": {"global_head_dim": 512}, "names_base": False}


def _wide_layers(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Gemma 4 as it is saved: the wider heads stand in per_layer_config, by layer."""
    rows = values.get("per_layer_config")
    if not isinstance(rows, dict) or values.get("global_head_dim") is not None:
        return values
    wide = [row["head_dim"] for row in rows.values() if isinstance(row, dict) and "head_dim" in row]
    head = wide[0] if wide else values.get("head_dim")
    return {**values, "global_head_dim": head} if head is not None else values


_GEMMA4: dict[str, Any] = {**_WIDE, "normal": _wide_layers, "softmax_scale": 1.0}

FAMILIES: dict[str, Family] = {
    **known("gemma"),
    **known("gemma2 vaultgemma t5_gemma_module", **_ROOT),
    **known("gemma3_text t5gemma2_text t5gemma2_decoder", **TWO_BASES, **_ROOT),
    **known("gemma3n_text", softmax_scale=1.0, **TWO_BASES),
    **known(
        "gemma4_text gemma4_unified_text diffusion_gemma_text embedding_gemma2_text", **_GEMMA4
    ),
}

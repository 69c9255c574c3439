"""Gemma: layers that see a window beside layers that see everything, from 3 on with two bases."""

from typing import Any

from posenc.config.families.classes import known
from posenc.config.families.family import Family, Kinds

_ROOT: dict[str, Any] = {"softmax_scale": "query_pre_attn_scalar", "softmax_root": True}
# Its files give one object for the layers that see everything, and a base for the others.
_TWO_BASES: dict[str, Any] = {
    "defaults": {"rope_theta": 1e6, "local_rope_theta": 1e4, "rope_parameters": None},
    "names": {"local_rope_theta": "rope_local_base_freq"},
}

FAMILIES: dict[str, Family] = {
    "gemma": known("gemma"),
    "gemma2": known("gemma2", kinds=Kinds(2), **_ROOT),
    "vaultgemma": known("vaultgemma", kinds=Kinds(2), **_ROOT),
    "gemma3_text": known("gemma3_text", kinds=Kinds(6), names_base=False, **_TWO_BASES, **_ROOT),
    "gemma4_text": known(
        "gemma4_text",
        kinds=Kinds(6),
        defaults={"global_head_dim": 512},
        names_base=False,
        softmax_scale=1.0,
    ),
}

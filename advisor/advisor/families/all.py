"""Every family by its `model_type`.

A new family is one entry in the file of the families that it resembles.
"""

from dataclasses import replace
from functools import cache, lru_cache

from advisor.families import audio, rotary, vision, without_class
from advisor.families.classes import is_class, still
from advisor.families.family import Family
from advisor.families.not_rotary import computed, learned, parts, relative, without
from advisor.families.not_rotary import hybrids as orderless

_STILL = {
    **learned.FAMILIES,
    **computed.FAMILIES,
    **relative.FAMILIES,
    **without.FAMILIES,
    **orderless.FAMILIES,
    **parts.FAMILIES,
}

FAMILIES: dict[str, Family] = {
    **rotary.FAMILIES,
    **vision.FAMILIES,
    **audio.FAMILIES,
    **without_class.FAMILIES,
    **{name: still(name, family) for name, family in _STILL.items()},
}
UNKNOWN = Family("unknown", encoding="unknown", defaults={"rope_theta": 10000.0})
"""Family of an unknown model type: nothing is written for it."""


@lru_cache(1024)
def name_of(model_type: str | None) -> str:
    """The family of a `model_type` by its name in `FAMILIES`; "" if it is not among them.

    Where a model has a text part, the file's outer type and the text's ("gemma3", "gemma3_text",
    "qwen2_vl", "qwen2_vl_text") have one entry between them.
    """
    name = without_class.OTHER_NAMES.get(model_type or "", model_type or "")
    names = (name, f"{name}_text", name.removesuffix("_text"))
    return next((known for known in names if known in FAMILIES), "")


def family_of(model_type: str | None) -> Family:
    """The family of a `model_type`; `UNKNOWN` if it is not among `FAMILIES`."""
    return _asked(name_of(model_type))


@cache
def _asked(name: str) -> Family:
    """The family, once its class has been asked."""
    if not name:
        return UNKNOWN
    row = FAMILIES[name]
    return replace(row, defaults=dict(row.defaults), names=dict(row.names))


def has_class(model_type: str | None) -> bool:
    """Whether transformers 5.23 has a class for a `model_type`."""
    name = model_type or ""
    return (name in FAMILIES and name not in without_class.FAMILIES) or is_class(name)

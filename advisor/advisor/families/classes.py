"""Defaults of the classes of transformers 5.23, their names of fields, and the parts within one.

class_defaults.json, beside this file, is written by advisor/reference/sweep/class_defaults.py.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from advisor.families.family import Family
from advisor.tables import table

# Names of parts that hold the model that writes text, those that are looked for first in front.
TEXT_PARTS = (
    "text_config",
    "llm_config",
    "thinker_config",
    "language_config",
    "decoder",
    "decoder_config",
    "generator",
    "text_encoder",
)


@cache
def _written() -> dict[str, Any]:
    return dict(table("families/class_defaults.json"))


def known(
    words: str,
    *,
    defaults: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
    **more: Any,
) -> dict[str, Family]:
    """The families of a list of model types, each with the defaults and names of its class.

    Args:
        words: Model types with spaces between.
        defaults: Added to those of the class.
        names: Added likewise.
        more: Other arguments of `Family`.
    """
    families = {}
    for model_type in words.split():
        row = _written()["classes"][model_type]
        families[model_type] = Family(
            defaults={**row.get("defaults", {}), **(defaults or {})},
            names={**row.get("names", {}), **(names or {})},
            **more,
        )
    return families


def is_class(model_type: str) -> bool:
    """Whether class_defaults.json has this class."""
    return model_type in _written()["classes"]


def part_types(model_type: str | None) -> dict[str, str]:
    """The parts of a class that is made of several, and their model types."""
    return dict(_written()["classes"].get(model_type, {}).get("parts", {}))


def type_of_architecture(name: str) -> str | None:
    """The model type of a class of models: "qwen3" for "Qwen3ForCausalLM", None if not known."""
    for end in ("For", "LMHeadModel", "Model"):
        stem, found, _ = name.rpartition(end)
        if found and stem in _written()["stems"]:
            return str(_written()["stems"][stem])
    return None

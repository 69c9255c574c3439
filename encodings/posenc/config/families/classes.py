"""What the classes of transformers 5.23 fill in, their names of fields, and the parts within one.

class_defaults.json, beside this file, is written by tests/parity/sweep/class_defaults.py.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from posenc.config.families.family import Family

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
    text = files("posenc.config.families").joinpath("class_defaults.json").read_text("utf-8")
    return dict(json.loads(text))


def known(model_type: str, **more: Any) -> Family:
    """A family with the defaults and names of its class; `more` are the other fields of `Family`.

    Defaults and names in `more` are added to those of the class.
    """
    row = _written()["classes"][model_type]
    defaults = {**row.get("defaults", {}), **more.pop("defaults", {})}
    names = {**row.get("names", {}), **more.pop("names", {})}
    return Family(defaults=defaults, names=names, **more)


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

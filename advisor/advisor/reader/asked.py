"""The answer of transformers' own class to a file: where it can be asked, it decides.

The configuration and the rotary class alone are made, on the CPU: no weights, and nothing of a
repository is run. A file is bounded before it reaches them.
"""

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from torch import Tensor, device

from advisor.data import Config
from advisor.families.classes import ASKED, is_bounded, is_class, made, quiet

OF_OTHERS = ("Vision", "Audio", "Image", "Encoder")


@dataclass(frozen=True)
class Answer:
    """A reading of a file by a class.

    Attributes:
        refusal: Its error; "" where it read the file.
        layers: Frequencies, (pairs,), and the factor on cos and sin, by type of layer; the single
            key "all" where the class knows one kind, {} where it does not turn or was not found.
    """

    refusal: str
    layers: Mapping[str, tuple[Tensor, float]]


def ask(config: Config) -> Answer | None:
    """The answer of the class that the file names.

    Returns:
        None where transformers has none of that name, or the file has numbers that no class
        should be given.
    """
    given: Any = config.source
    for name in config.path:
        given = given[name]
    kind = given.get("model_type") or config.model_type
    if kind != config.read_as or not is_bounded(given):
        return None
    return _answer(kind, json.dumps(given))


@lru_cache(ASKED)
def _answer(kind: str, text: str) -> Answer | None:
    if not is_class(kind):
        return None
    try:
        config = made(kind, json.loads(text))
        with quiet():
            return Answer("", _layers(config.get_text_config()))
    except Exception as error:  # whatever it is, the model is not loaded
        lines = str(error).strip().splitlines() or [""]
        return Answer(f"{type(error).__name__}: {lines[-1].strip()[:200]}", {})


def _layers(config: Any) -> dict[str, tuple[Tensor, float]]:
    kind = type(config)
    try:
        module = importlib.import_module(kind.__module__.replace(".configuration_", ".modeling_"))
    except ModuleNotFoundError:
        return {}
    named = {
        name: one
        for name, one in vars(module).items()
        if name.endswith("RotaryEmbedding")
        and one.__module__ == module.__name__
        and not any(word in name for word in OF_OTHERS)
    }
    own = kind.__name__.removesuffix("Config")
    if len(named) > 1:
        named = {name: one for name, one in named.items() if name == f"{own}RotaryEmbedding"}
    if len(named) != 1:
        return {}
    (rotary,) = named.values()
    with device("cpu"):
        made_of = rotary(config)
    if hasattr(made_of, "inv_freq"):
        return {"all": (made_of.inv_freq, float(getattr(made_of, "attention_scaling", 1.0)))}
    ending = "_inv_freq"
    types = [name.removesuffix(ending) for name, _ in made_of.named_buffers() if ending in name]
    return {
        name: (
            getattr(made_of, name + ending),
            float(getattr(made_of, f"{name}_attention_scaling")),
        )
        for name in types
        if "original" not in name
    }

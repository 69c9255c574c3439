"""A model's file with the change that a method asks for, and how it differs from the file."""

import copy
import difflib
import json
from dataclasses import dataclass
from typing import Any

from advisor.choosing.choice import Choice
from advisor.engines.transformers.forms import simplify
from advisor.engines.transformers.write import meant
from advisor.extend import EXTENSIONS
from advisor.fields import OURS
from advisor.reader.near_miss import OF_THE_OBJECT
from advisor.reader.near_miss import meant as right_names
from advisor.rope import RopeConfig
from posenc.scaling.methods import METHODS
from posenc.words import Sentence, say


@dataclass(frozen=True)
class Changed:
    """A configuration that was made to reach a length.

    Args:
        config: What is to be written.
        of: What the settings are settings of.
        notes: Why it is not what was asked for.
        is_none: Nothing is to be written, for no engine.
    """

    config: RopeConfig
    of: Sentence
    notes: tuple[Sentence, ...] = ()
    is_none: bool = False


def of_choice(config: RopeConfig, choice: Choice, target: int) -> Changed:
    """The file as a choice would have it written."""
    if choice.config is None:
        notes = (say("No setting is written. {clause}.", clause=choice.clause),)
        return Changed(config, say("the file"), notes, is_none=True)
    if choice.config == config or choice.verdict == "cannot":
        return Changed(choice.config, say("the file"))
    if choice.verdict == "remove" or choice.method == "none":
        return Changed(choice.config, say("the file without its scaling"))
    is_scaled = any(layer.scaling is not None for layer in choice.config.rotary.values())
    if choice.verdict in ("elsewhere", "windows") or not is_scaled:
        return Changed(choice.config, say("the file for {target:,} tokens", target=target))
    if choice.method in EXTENSIONS:
        title = METHODS[choice.method].title
        of = say("the file with {method} scaling to {target:,} tokens", method=title, target=target)
        return Changed(choice.config, of)
    of = say("the file with its own scaling to {target:,} tokens", target=target)
    return Changed(choice.config, of)


def patched(before: RopeConfig, after: RopeConfig) -> dict[str, Any]:
    """The whole file with what `after` says about positions.

    Fields keep their order, and the form (rope_scaling or rope_parameters) is that of the file,
    where that form can hold it.

    Args:
        before: What was read from the file.
        after: The same, changed; itself where nothing is to be changed but a misspelt name.

    Returns:
        A config.json's content.

    Raises:
        ValueError: If nothing can be written for this model.
    """
    if after is before:
        return _spelt(before)
    written = None
    if not before.text.given("rope_parameters"):
        try:
            written = after.to_hf("old")
        except ValueError:
            written = None
    if written is None or meant(RopeConfig.from_hf(written).layers) != meant(after.layers):
        written = after.to_hf("new")
    simplify(after.text_in(written), before)
    return _ordered(written, before.source)


def _spelt(config: RopeConfig) -> dict[str, Any]:
    """The file with misspelt names of its scaling put right, where that changes no layer."""
    source = copy.deepcopy(config.source)
    text = config.text_in(source)
    for name in ("rope_scaling", "rope_parameters"):
        if isinstance(text.get(name), dict):
            text[name] = _renamed(text[name])
    is_same = source == config.source or RopeConfig.from_hf(source).layers == config.layers
    return source if is_same else copy.deepcopy(config.source)


def _renamed(given: dict[str, Any]) -> dict[str, Any]:
    right = right_names(given.keys(), OF_THE_OBJECT)
    return {
        right.get(name, name): _renamed(value) if isinstance(value, dict) else value
        for name, value in given.items()
    }


def _ordered(fields: dict[str, Any], like: dict[str, Any]) -> dict[str, Any]:
    """The fields in the order of another object, new ones last."""
    names = [name for name in like if name in fields]
    names += [name for name in fields if name not in like]
    return {
        name: _ordered(fields[name], like[name])
        if isinstance(fields[name], dict) and isinstance(like.get(name), dict)
        else fields[name]
        for name in names
    }


def lines_of(fields: dict[str, Any]) -> str:
    """A config.json as transformers writes it: indented by two, with a line break at the end.

    Without our own fields.
    """
    fields = {name: value for name, value in fields.items() if name not in OURS}
    return json.dumps(fields, indent=2, ensure_ascii=False) + "\n"


def difference(before: dict[str, Any], after: dict[str, Any], name: str = "config.json") -> str:
    """Changes to a config.json as a unified diff; "" where there are none."""
    old, new = (lines_of(fields).splitlines(keepends=True) for fields in (before, after))
    return "".join(difflib.unified_diff(old, new, name, name))

"""The text of a config.json: JSON as Python reads it, so that a mistake is named with its place.

JSON is parsed here and nowhere else: what a program hands over as an object is copied and checked
by `plain_json`.
"""

import json
from typing import Any

from posenc.config.fields import KINDS, kind_of
from posenc.words import Sentence, say

LONGEST_TEXT = 2**20
DEEPEST = 64
LONGEST_NAME = 200
SHOWN = 40
REASONS: dict[str, Sentence] = {
    "Expecting value": say("a value is missing or is not JSON"),  # not words
    "Expecting ',' delimiter": say("a comma or a closing bracket is missing"),  # not words
    "Expecting ':' delimiter": say("a colon is missing"),  # not words
    "Expecting property name enclosed in double quotes": say(  # not words
        "a name in double quotes is missing"
    ),
    "Unterminated string starting at": say("the string that starts here has no end"),  # not words
    "Invalid control character at": say(  # not words
        "a string holds a line break or another control character"
    ),
    "Extra data": say("there is more text after the object"),  # not words
}
"""What Python's reader says, by its own words."""


def parse_config(text: str) -> dict[str, Any]:
    """Read the text of a config.json.

    Args:
        text: JSON as the standard has it, and NaN and Infinity, which Python writes: no comments,
            no trailing commas, no name twice; at most 1 MiB, at most 64 levels deep.

    Returns:
        The object, for `RopeConfig.from_hf`.

    Raises:
        ValueError: If it is anything else; syntax errors are named with line and column.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > LONGEST_TEXT:
        raise ValueError(
            say(
                "config.json must have at most {most} bytes, got {size}.",
                most=LONGEST_TEXT,
                size=size,
            )
        )
    try:
        config = json.loads(
            text,
            object_pairs_hook=_each_name_once,
            parse_int=_integer,
        )
    except json.JSONDecodeError as error:
        raise ValueError(_syntax(text, error)) from None
    except RecursionError:
        raise ValueError(_too_deep("config.json")) from None
    if not isinstance(config, dict):
        kind = say("null") if config is None else KINDS.get(type(config), say("a number"))
        raise ValueError(say("config.json must hold an object in {{ }}, got {kind}.", kind=kind))
    return plain_json(config, "config.json")


def plain_json(config: object, name: str = "config") -> dict[str, Any]:
    """A copy of `config` made of what JSON can hold; tuples become lists, numbers as names text.

    Args:
        config: An object that a program made, or that was read from a file.
        name: How messages call it.

    Raises:
        ValueError: If it is not an object of JSON, or nested more than 64 levels deep.
    """
    if not isinstance(config, dict):
        raise ValueError(
            say("{name} must be a JSON object, got {value}.", name=name, value=kind_of(config))
        )
    return {_key(key, name): _plain(value, name, DEEPEST - 1) for key, value in config.items()}


def _plain(value: object, name: str, levels: int) -> Any:
    """The value as plain JSON with at most this many levels within it."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _valid(value, name)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if not isinstance(value, dict | list | tuple):
        kind = type(value).__name__
        raise ValueError(
            say("{name} must be a JSON object, which cannot hold a {kind}.", name=name, kind=kind)
        )
    if not levels:
        raise ValueError(_too_deep(name))
    if isinstance(value, dict):
        return {_key(key, name): _plain(one, name, levels - 1) for key, one in value.items()}
    return [_plain(one, name, levels - 1) for one in value]


def _key(key: object, name: str) -> str:
    """The name of a field; numbers, true, false and null become text, as `json.dumps` has it."""
    if isinstance(key, str):
        return _valid(key, name)
    if key is None or isinstance(key, int | float):
        return json.dumps(key)
    kind = type(key).__name__
    raise ValueError(
        say(
            "{name} must be a JSON object, where no field's name is a {kind}.", name=name, kind=kind
        )
    )


def _valid(text: str, name: str) -> str:
    """The text, unless it holds half a character (a lone surrogate)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(
            say("{name} must hold valid Unicode, got half a character.", name=name)
        ) from None
    return str(text)


def _too_deep(name: str) -> Sentence:
    return say("{name} must be nested at most {most} levels deep.", name=name, most=DEEPEST)


def _syntax(text: str, error: json.JSONDecodeError) -> Sentence:
    """One sentence, with the usual mistakes by their names."""
    rest, before = text[error.pos :].lstrip(), text[: error.pos].rstrip()
    reason: str = REASONS.get(error.msg, error.msg)
    if not text.strip():
        reason = say("there is nothing in it")
    elif rest.startswith(("//", "/*", "#")):
        reason = say("comments are not allowed")
    elif before.endswith(",") and rest.startswith(("}", "]")):
        reason = say("no comma is allowed before {mark}", mark=rest[0])
    elif rest.startswith(",") and rest[1:].lstrip().startswith(("}", "]")):
        mark = rest[1:].lstrip()[0]
        reason = say("no comma is allowed before {mark}", mark=mark)
    elif rest.startswith("'"):
        reason = say("names and strings stand in double quotes")
    return say(
        "config.json is not JSON at line {line}, column {column}: {reason}.",
        line=error.lineno,
        column=error.colno,
        reason=reason,
    )


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(
                say(
                    "config.json must give each field once, got {name!r} twice.",
                    name=_short(name),
                )
            )
        if len(name) > LONGEST_NAME:
            raise ValueError(
                say(
                    "config.json must have names of at most {most} characters, got {name!r}.",
                    most=LONGEST_NAME,
                    name=_short(name),
                )
            )
        found[name] = value
    return found


def _integer(word: str) -> int:
    if len(word) > SHOWN:
        raise ValueError(
            say(
                "config.json must hold numbers of at most {most} digits, got {count} digits.",
                most=SHOWN,
                count=len(word.lstrip("-")),
            )
        )
    return int(word)


def _short(word: str) -> str:
    return word if len(word) <= SHOWN else f"{word[:SHOWN]}…"

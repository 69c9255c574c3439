"""The text of a config.json: JSON as Python reads it, so that a mistake is named with its place.

JSON is parsed here and nowhere else: what a program hands over as an object is copied and checked
by `plain_json`.
"""

import json
from typing import Any

from advisor.fields import KINDS, kind_of
from posenc.checks import shortened

LONGEST_TEXT = 2**23
"""Bytes of a file: the lists of a quantised model with many experts take three million."""
LONGEST_LIST = 1000
"""Entries of a list, or of an object, that `in_short` keeps."""
DEEPEST = 64
LONGEST_NAME = 200
MOST_DIGITS = 40
REASONS = {
    "Expecting value": "a value is missing or is not JSON",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Unterminated string starting at": "the string that starts here has no end",
    "Invalid control character at": "a string holds a line break or another control character",
    "Extra data": "there is more text after the object",
}
"""Plain words for the messages of Python's JSON reader."""


def parse_config(text: str) -> dict[str, Any]:
    """Read the text of a config.json.

    Args:
        text: JSON as the standard has it, and NaN and Infinity, which Python writes: no comments,
            no trailing commas, no name twice; at most 8 MiB, at most 64 levels deep.

    Returns:
        The object, for `RopeConfig.from_hf`.

    Raises:
        ValueError: If it is anything else; syntax errors are named with line and column.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > LONGEST_TEXT:
        raise ValueError(f"config.json must have at most {LONGEST_TEXT} bytes, got {size}.")
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
        kind = "null" if config is None else KINDS.get(type(config), "a number")
        raise ValueError(f"config.json must hold an object in {{ }}, got {kind}.")
    return plain_json(config, "config.json")


def in_short(text: str) -> str:
    """The same file without its long lists: those of a quantisation name every expert.

    Raises:
        ValueError: As `parse_config`.
    """
    return json.dumps(_in_short(parse_config(text)))


def _in_short(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {name: one for name, one in value.items() if not _is_long(one)}
        return {name: _in_short(one) for name, one in kept.items()}
    return value


def _is_long(value: Any) -> bool:
    return isinstance(value, dict | list) and len(value) > LONGEST_LIST


def plain_json(config: object, name: str = "config") -> dict[str, Any]:
    """A copy of `config` made of what JSON can hold; tuples become lists, numbers as names text.

    Args:
        config: An object that a program made, or that was read from a file.
        name: How messages call it.

    Raises:
        ValueError: If it is not an object of JSON, or nested more than 64 levels deep.
    """
    if not isinstance(config, dict):
        raise ValueError(f"{name} must be a JSON object, got {kind_of(config)}.")
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
        raise ValueError(f"{name} must be a JSON object, which cannot hold a {kind}.")
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
    raise ValueError(f"{name} must be a JSON object, where no field's name is a {kind}.")


def _valid(text: str, name: str) -> str:
    """The text, unless it holds half a character (a lone surrogate)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} must hold valid Unicode, got half a character.") from None
    return str(text)


def _too_deep(name: str) -> str:
    return f"{name} must be nested at most {DEEPEST} levels deep."


def _syntax(text: str, error: json.JSONDecodeError) -> str:
    """One sentence, with the usual mistakes by their names."""
    rest = text[error.pos :].lstrip()
    before = text[: error.pos].rstrip()
    reason = REASONS.get(error.msg, error.msg)
    if not text.strip():
        reason = "there is nothing in it"
    elif rest.startswith(("//", "/*", "#")):
        reason = "comments are not allowed"
    elif before.endswith(",") and rest.startswith(("}", "]")):
        reason = f"no comma is allowed before {rest[0]}"
    elif rest.startswith(",") and rest[1:].lstrip().startswith(("}", "]")):
        reason = f"no comma is allowed before {rest[1:].lstrip()[0]}"
    elif rest.startswith("'"):
        reason = "names and strings stand in double quotes"
    return f"config.json is not JSON at line {error.lineno}, column {error.colno}: {reason}."


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(
                f"config.json must give each field once, got {shortened(name)!r} twice."
            )
        if len(name) > LONGEST_NAME:
            raise ValueError(
                f"config.json must have names of at most {LONGEST_NAME} characters, got "
                f"{shortened(name)!r}."
            )
        found[name] = value
    return found


def _integer(word: str) -> int:
    if len(word) > MOST_DIGITS:
        raise ValueError(
            f"config.json must hold numbers of at most {MOST_DIGITS} digits, got "
            f"{len(word.lstrip('-'))} digits."
        )
    return int(word)

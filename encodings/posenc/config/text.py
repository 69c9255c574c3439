"""The text of a config.json: strict JSON, read so that a mistake is named with its place."""

import json
import math
from typing import Any

LONGEST_TEXT = 2**20
DEEPEST = 64
LONGEST_NAME = 200
SHOWN = 40


def parse_config(text: str) -> dict[str, Any]:
    """Read the text of a config.json.

    Args:
        text: JSON as the standard has it: no comments, no trailing commas, no NaN, no name twice;
            at most 1 MiB, at most 64 levels deep.

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
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_integer,
        )
    except json.JSONDecodeError as error:
        raise ValueError(_syntax(text, error)) from None
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if not isinstance(config, dict):
        kind = {list: "a list", str: "a string", type(None): "null"}.get(type(config), "a number")
        kind = "true or false" if isinstance(config, bool) else kind
        raise ValueError(f"config.json must hold an object in {{ }}, got {kind}.")
    _check_values(config)
    return config


_TOO_DEEP = f"config.json must be nested at most {DEEPEST} levels deep."


def _check_values(config: dict[str, Any]) -> None:
    """Refuse nesting that would stop every later step, and text that is none."""
    level: list[Any] = [config]
    for _ in range(DEEPEST):
        inner = [list(v.values()) if isinstance(v, dict) else v for v in level]
        level = [v for values in inner for v in values if isinstance(v, dict | list)]
    if level:
        raise ValueError(_TOO_DEEP)
    try:
        json.dumps(config, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("config.json must hold valid Unicode, got half a character.") from None


def _syntax(text: str, error: json.JSONDecodeError) -> str:
    """One sentence, with the usual mistakes by their names."""
    rest, before = text[error.pos :].lstrip(), text[: error.pos].rstrip()
    reason = error.msg[0].lower() + error.msg[1:]
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
            raise ValueError(f"config.json must give each field once, got {_short(name)!r} twice.")
        if len(name) > LONGEST_NAME:
            raise ValueError(
                f"config.json must have names of at most {LONGEST_NAME} characters, "
                f"got {_short(name)!r}."
            )
        found[name] = value
    return found


def _no_constant(word: str) -> float:
    raise ValueError(f"config.json must hold finite numbers, got {word}.")


def _finite(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise ValueError(f"config.json must hold finite numbers, got {_short(word)}.")
    return number


def _integer(word: str) -> int:
    if len(word) > SHOWN:
        digits = f"{len(word.lstrip('-'))} digits"
        raise ValueError(f"config.json must hold numbers of at most {SHOWN} digits, got {digits}.")
    return int(word)


def _short(word: str) -> str:
    return word if len(word) <= SHOWN else f"{word[:SHOWN]}…"

"""Arguments of a command line: a file, standard input or a known model; a length."""

import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from advisor.fields import READ_AS
from advisor.inputs.gguf import LONGEST_HEADER, MAGIC
from advisor.inputs.read import Given, read_bytes, read_text
from advisor.inputs.text import LONGEST_TEXT
from advisor.inputs.wrong_file import wrong_bytes
from advisor.rope import RopeConfig
from posenc.checks import LONGEST, check_int, printable
from posenc.words import say

SUFFIXES = (".json", ".gguf", ".txt")
"""Endings of file names: such a path that does not exist is a missing file, not a model's name."""
ROUNDED = {33.0: 32.0, 66.0: 64.0, 131.0: 128.0, 262.0: 256.0, 524.0: 512.0, 1049.0: 1024.0}
"""Thousands as which a power of two is often told, and the same of 1,024: 131k is 131,072."""
OPTIONS = {"target_length": "--target", READ_AS: "--read-as"}
"""Options by what the library calls them."""


def name_of(path: str) -> str:
    """Name of a path for use in sentences."""
    return say("standard input") if path == "-" else path


def read_path(path: str) -> Given:
    """Read a file, standard input ("-") or a known model's name.

    Raises:
        ValueError: If it cannot be read.
    """
    name = name_of(path)
    try:
        if path == "-":
            given = read_bytes(_beginning(sys.stdin.buffer, name))
        else:
            with Path(path).open("rb") as file:
                given = read_bytes(_beginning(file, name))
    except FileNotFoundError:
        if Path(path).suffix in SUFFIXES or Path(path).is_absolute():
            raise ValueError(
                f"{name} cannot be read: there is no such file here. Give its path, or the name of "
                "a known model."
            ) from None
        given = read_text(path)
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror or error}.") from None
    return replace(given, name=path)


def read_config(path: str, read_as: str) -> tuple[Given, RopeConfig]:
    """A file, standard input or a name, and its configuration.

    Args:
        path: As it was typed.
        read_as: Family in the place of one that is not known; "" for none.

    Raises:
        ValueError: If it cannot be read.
    """
    given = read_path(path)
    if read_as:
        given = replace(given, fields={**given.fields, READ_AS: read_as})
    try:
        config = RopeConfig.from_hf(given.fields)
    except ValueError as error:
        if str(error).startswith(READ_AS):
            raise  # what was typed, not a field of the file
        raise ValueError(
            f"{error} Reading stopped there: the file may have more mistakes, and its fields were "
            "not compared."
        ) from None
    if read_as and config.identified_by != READ_AS:
        raise ValueError(
            "--read-as is for files whose model type is not known; this one is read as "
            f"{config.read_as}."
        )
    return given, config


def tokens(option: str, typed: str) -> int:
    """A number of tokens as people type it: 131072, 131,072, 128k, 131k, 1M or 1e6.

    Raises:
        ValueError: If it is none, or out of range.
    """
    digits = typed.strip().replace(",", "").replace("_", "").lower()
    times = {"k": 1024, "m": 1024**2}.get(digits[-1:], 1)
    try:
        number = float(digits if times == 1 else digits[:-1])
        number = (ROUNDED.get(number, number) if times == 1024 else number) * times
    except ValueError:
        number = math.nan
    if not number.is_integer():
        raise ValueError(
            f"{option} must be a number of tokens, such as 131072 or 128k, got {typed[:40]!r}."
        )
    return check_int(option, int(number), 2, maximum=LONGEST)


def sentence(message: str, path: str) -> str:
    """An error's message with the file's own name, and the option as it was typed."""
    name = name_of(path)
    subject, _, rest = message.partition(" ")
    if subject in OPTIONS:
        message = f"{OPTIONS[subject]} {rest}"
    elif message.startswith("config.json "):
        message = name + message.removeprefix("config.json")
    elif not message.startswith(name):
        message = f"{name}: {message}"
    return printable(message)


def _beginning(file: BinaryIO, name: str) -> bytes:
    """The file, or the first 16 MiB of a GGUF file.

    Raises:
        ValueError: If another file is longer than 8 MiB.
    """
    data = file.read(LONGEST_TEXT + 1)
    if data[:4] == MAGIC:
        return data + file.read(LONGEST_HEADER - len(data))
    if len(data) > LONGEST_TEXT and wrong_bytes(data) is None:
        raise ValueError(
            f"{name} is larger than 8 MiB; a config.json has a few thousand bytes. Is it the "
            "right file?"
        )
    return data

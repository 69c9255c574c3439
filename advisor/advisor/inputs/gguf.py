"""The header of a GGUF file: its metadata, and the few tensors that belong to the rotation.

A parser of our own: the library needs no package for it, the file may end anywhere (a header that
was cut off a large model), and no length that it names is believed before it is compared with the
bytes that are there.
"""

import struct
from dataclasses import dataclass
from typing import Any

MAGIC = b"GGUF"
LONGEST_HEADER = 2**24
"""Bytes of a file that are ever looked at: the longest vocabularies take about ten million."""
MOST_ENTRIES = 2**16
MOST_KEPT = 4096
"""Numbers of the longest array that is kept."""
MOST_NUMBERS = 4 * MOST_KEPT
"""Numbers of all arrays that are read; a model has a few for each layer."""
LONGEST_WORD = 200
CODES = "BbHhIif?--Qqd"
"""The kinds of values by their numbers, as `struct` calls them; 8 is a string and 9 a list."""
FLOAT32 = 6
STRING = 8
ARRAY = 9
KEPT = ("general.architecture", "general.alignment", "general.name", "tokenizer.ggml.tokens")
"""Metadata that are kept for every model."""
PLAIN = 0
"""The tensor type of float32."""
ROTATION = ("rope_freqs.weight", "rope_factors_short.weight", "rope_factors_long.weight")
"""Tensors that hold a divisor for each pair."""
TIED = "tied_embeddings"
"""Our own word in the metadata: whether the file has no matrix for the output."""
Place = tuple[int, int]


class CutError(ValueError):
    """The bytes end before the header does."""


@dataclass
class _Bytes:
    """Bytes that are read from front to back."""

    data: bytes
    at: int = 0
    numbers: int = 0
    """How many of them stood in arrays so far."""

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if count > len(self.data) - self.at:
            raise CutError
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, code: str) -> Any:
        """A number of little-endian form."""
        return struct.unpack(f"<{code}", self.take(struct.calcsize(code)))[0]

    def text(self) -> str:
        """A string, of which what is too long to be shown is left out."""
        return self.take(self.number("Q"))[:LONGEST_WORD].decode("utf-8", "replace")

    def skip(self, count: int) -> None:
        """Go past bytes that nobody needs."""
        if count > len(self.data) - self.at:
            raise CutError
        self.at += count


def read_header(data: bytes) -> dict[str, Any]:
    """Read the header of a GGUF file.

    Args:
        data: The file or its beginning; what lies beyond its first 16 MiB is not looked at.

    Returns:
        The metadata by its names, as an object of JSON: numbers, truth values, strings (of at most
        200 characters) and short lists of numbers. Of what describes the model's makers and its
        vocabulary `KEPT` is left; "tokenizer.ggml.tokens" is how many there are. For each of
        `ROTATION` that the file has, its numbers, or null where the bytes end before them; `TIED`;
        "header_is_cut": true where the bytes end before the header does.

    Raises:
        ValueError: If it is no GGUF file of version 2 or 3, or contradicts itself.

    Source: the GGUF specification (docs/gguf.md of ggml), version 3.
    """
    if data[:4] != MAGIC:
        raise ValueError("A GGUF file must begin with the letters GGUF.")
    rest = _Bytes(data[:LONGEST_HEADER], 4)
    found: dict[str, Any] = {}
    try:
        _check_version(rest.number("I"))
        tensors = rest.number("Q")
        entries = rest.number("Q")
        if max(tensors, entries) > MOST_ENTRIES:
            raise ValueError(
                f"The GGUF file must have at most {MOST_ENTRIES:,} entries and tensors, got "
                f"{entries:,} and {tensors:,}."
            )
        _read_entries(rest, entries, found)
        _read_rotation(rest, tensors, found)
    except CutError:
        found["header_is_cut"] = True
    return found


def _check_version(version: int) -> None:
    if version & 0xFFFF == 0:
        raise ValueError("The GGUF file must be little-endian; this one is big-endian.")
    if version not in (2, 3):
        raise ValueError(f"The GGUF file must be of version 2 or 3, got {version}.")


def _read_entries(rest: _Bytes, count: int, found: dict[str, Any]) -> None:
    names = set()
    for _entry in range(count):
        name = rest.text()
        if name in names:
            raise ValueError(f"The GGUF file must give {name!r} once.")
        names.add(name)
        value = _value(rest, rest.number("I"), name)
        if name in KEPT or not name.startswith(("tokenizer.", "general.")):
            found[name] = value
    for name in [name for name, value in found.items() if value is None]:
        del found[name]


def _value(rest: _Bytes, kind: int, name: str) -> Any:
    """A value; of a list of strings how many there are, None for a list that is too long."""
    if kind == STRING:
        return rest.text()
    if kind == ARRAY:
        return _array(rest, name)
    return _number(rest.number(_code(kind, name)), kind, name)


def _array(rest: _Bytes, name: str) -> Any:
    kind = rest.number("I")
    count = rest.number("Q")
    if kind == STRING:
        _skip_strings(rest, count)
        return count
    code = _code(kind, name)
    size = struct.calcsize(code)
    if count > MOST_KEPT:
        rest.skip(count * size)
        return None
    rest.numbers += count
    if rest.numbers > MOST_NUMBERS:
        raise ValueError(f"The lists of the GGUF file must hold at most {MOST_NUMBERS:,} numbers.")
    return [_number(rest.number(code), kind, name) for _item in range(count)]


def _skip_strings(rest: _Bytes, count: int) -> None:
    """Go past strings: half a million in some vocabularies."""
    length = struct.Struct("<Q").unpack_from
    at = rest.at
    end = len(rest.data) - 8
    for _string in range(count):
        if at > end:
            raise CutError
        at += 8 + length(rest.data, at)[0]
    rest.skip(at - rest.at)


def _code(kind: int, name: str) -> str:
    code = CODES[kind] if kind < len(CODES) else "-"
    if code == "-":
        raise ValueError(
            "The GGUF file must hold values of the kinds 0 to 12 and no lists of lists, got kind "
            f"{kind} for {name!r}."
        )
    return code


def _number(value: Any, kind: int, name: str) -> Any:
    """The number; a float32 by the shortest decimal that stands for it."""
    if not isinstance(value, float):
        return value
    if value - value != 0:
        raise ValueError(f"{name} of the GGUF file must be finite.")
    return shortest(value) if kind == FLOAT32 else value


def shortest(value: float) -> float:
    """The shortest decimal that is the same number in float32."""
    for digits in (6, 7, 8):
        short = float(f"{value:.{digits}g}")
        if struct.pack("<f", short) == struct.pack("<f", value):
            return short
    return float(f"{value:.9g}")


def _read_rotation(rest: _Bytes, count: int, found: dict[str, Any]) -> None:
    """The tensors of `ROTATION`: first where they lie, then their numbers."""
    places: dict[str, Place] = {}
    tied = True
    for _tensor in range(count):
        name = rest.text()
        dimensions = rest.number("I")
        if dimensions > 4:
            raise ValueError(
                f"Tensors of the GGUF file must have at most 4 dimensions; {name!r} has "
                f"{dimensions}."
            )
        shape = [rest.number("Q") for _axis in range(dimensions)]
        kind = rest.number("I")
        offset = rest.number("Q")
        tied = tied and name != "output.weight"
        if name in ROTATION:
            fits = len(shape) == 1 and shape[0] <= MOST_KEPT and kind == PLAIN
            places[name] = (offset, shape[0]) if fits else (0, 0)
    start = _aligned(rest.at, found)
    found |= {TIED: tied} if count else {}
    found |= {name: _numbers(rest.data, start, place) for name, place in places.items()}


def _aligned(at: int, found: dict[str, Any]) -> int:
    """Where the tensors begin."""
    step = found.get("general.alignment", 32)
    if not isinstance(step, int) or step < 1 or step & (step - 1):
        raise ValueError("general.alignment of the GGUF file must be a power of two.")
    return at + -at % step


def _numbers(data: bytes, start: int, place: Place) -> list[float] | None:
    """The float32 numbers of a tensor; None where they are not among the bytes."""
    offset, count = place
    first = start + offset
    last = start + offset + 4 * count
    if not count or last > len(data):
        return None
    values = struct.unpack(f"<{count}f", data[first:last])
    return [_number(value, FLOAT32, "rope_freqs") for value in values]

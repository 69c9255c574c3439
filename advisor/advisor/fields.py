"""Fields of a config.json, each checked as it is read: the file may come from anywhere."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from advisor.families.family import Family
from posenc.checks import LONGEST, check_int, check_number, shortened
from posenc.words import Sentence, say

ORIGINAL = "original_max_position_embeddings"
DECLARED = "max_position_embeddings"
READ_AS = "posenc_read_as"
"""A field of ours: the model type to read a file as whose own is not known."""
LENGTH_TAKEN = "posenc_length_taken"
"""A field of ours: true where the declared length is not in the file, see `inputs/params.py`."""
OURS = (READ_AS, LENGTH_TAKEN)
LARGEST_BASE = 1e15
LARGEST_FACTOR = 1e9
WIDEST_HEAD = 65536
KINDS: dict[type, Sentence] = {
    bool: say("true or false"),
    str: say("a string"),
    list: say("a list"),
    dict: say("an object"),
}
T = TypeVar("T")


def kind_of(value: object) -> str:
    """The value in a message, or what it is where it would be too long to read."""
    if isinstance(value, dict | list):
        return KINDS[dict if isinstance(value, dict) else list]
    if value is None:
        return "null"
    return shortened(json.dumps(value, default=lambda other: type(other).__name__))


@dataclass(frozen=True)
class Fields:
    """One object of the file; null counts as absent.

    Args:
        values: The object.
        family: Whose names and defaults hold, None within `rope_parameters`.
        where: What stands before the field's name in messages.
    """

    values: Mapping[str, Any]
    family: Family | None = None
    where: str = ""

    def get(self, name: str) -> Any:
        """The value as it stands, under its own name or the family's, else the class default."""
        given = self.values.get(self.own_name(name))
        if given is None and self.family is not None:
            given = self.family.defaults.get(name)
        return given

    def own_name(self, name: str) -> str:
        """How the file calls the field; how the family does where the file has none of its names.

        A family's own name comes before the common one, and that before the names of older files.
        """
        if self.family is None:
            return name
        own = self.family.names.get(name, name)
        for other in (own, name, *self.family.aliases.get(name, ())):
            if self.values.get(other) is not None:
                return other
        return own

    def given(self, name: str) -> bool:
        """True if the file has the field, not the class."""
        return self.values.get(self.own_name(name)) is not None

    def label(self, name: str) -> str:
        """The field in a message."""
        return self.where + self.own_name(name)

    def number(
        self,
        name: str,
        minimum: float = 0.0,
        maximum: float = LARGEST_FACTOR,
        *,
        above: float | None = None,
    ) -> float | None:
        """A finite number of at least `minimum`, or `above` a bound; None where it is absent."""
        value = self.scalar(name)
        label = self.label(name)
        if value is None:
            return None
        if above is not None:
            return check_number(label, value, maximum=maximum, above=above)
        return check_number(label, value, minimum, maximum=maximum)

    def integer(self, name: str, minimum: int, maximum: int = LONGEST) -> int | None:
        """A whole number (2048.0 is one), or None where the field is absent."""
        value = self.scalar(name)
        if value is None:
            return None
        is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e18
        whole = int(value) if is_whole else value
        return check_int(self.label(name), whole, minimum, maximum=maximum)

    def flag(self, name: str) -> bool | None:
        """True or false, or None where the field is absent."""
        return self._of_kind(name, bool)

    def word(self, name: str) -> str | None:
        """A string, or None where the field is absent."""
        return self._of_kind(name, str)

    def items(self, name: str, longest: int) -> list[Any] | None:
        """A list, or None where the field is absent."""
        value = self._of_kind(name, list)
        if value is None:
            return None
        if len(value) > longest:
            raise ValueError(
                f"{self.label(name)} must hold at most {longest} entries, got {len(value)}."
            )
        return value

    def numbers(self, name: str, minimum: float, maximum: float) -> tuple[float, ...] | None:
        """A list of finite numbers, or None where the field is absent."""
        values = self.items(name, WIDEST_HEAD)
        if values is None:
            return None
        entries = {f"[{index}]": value for index, value in enumerate(values)}
        numbers = Fields(entries, where=self.label(name))
        read = [numbers.number(index, minimum, maximum) for index in entries]
        if None in read:
            raise ValueError(f"{self.label(name)} must hold numbers, got null.")
        return tuple(value for value in read if value is not None)

    def section(self, name: str) -> "Fields | None":
        """An object within this one, or None where the field is absent."""
        value = self._of_kind(name, dict)
        return None if value is None else Fields(value, where=f"{self.label(name)}.")

    def _of_kind(self, name: str, kind: type[T]) -> T | None:
        """A value of this kind, or None where the field is absent."""
        value = self.get(name)
        if value is None or isinstance(value, kind):
            return value
        raise ValueError(f"{self.label(name)} must be {KINDS[kind]}, got {kind_of(value)}.")

    def scalar(self, name: str) -> Any:
        """The value, unless it is too large a thing to stand in a message."""
        value = self.get(name)
        if isinstance(value, dict | list) or (isinstance(value, str) and len(value) > 40):
            raise ValueError(f"{self.label(name)} must be a single value, got {kind_of(value)}.")
        if isinstance(value, str) and _is_number(value):
            raise ValueError(
                f"{self.label(name)} must be a number, got the text {kind_of(value)}: drop the "
                "quotes."
            )
        if isinstance(value, int) and abs(value) > 10**18:
            raise ValueError(f"{self.label(name)} must be at most 10^18 in size.")
        return value


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def required(value: T | None, label: str) -> T:
    """The value, unless the field is absent."""
    if value is None:
        raise ValueError(f"{label} must be given, got nothing.")
    return value

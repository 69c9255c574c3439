"""Settings in an address, read as the controls of its screen read them."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import TypeVar
from urllib.parse import parse_qsl

from posenc.checks import shortened

N = TypeVar("N", int, float)
MOST_FIELDS = 60
SHOWN = 30  # letters of a wrong value that are said again


class Settings:
    """The parameters of an address; what they do not say is read as the control's default.

    Args:
        query: "base=4&m=88", as it stands behind the question mark.

    Raises:
        ValueError: If it is not a list of parameters, or has more of them than any screen; and
            wherever it says something else than a control allows.
    """

    def __init__(self, query: str) -> None:
        try:
            pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_FIELDS)
        except ValueError:
            raise ValueError(
                f"The settings are not an address of a screen with at most {MOST_FIELDS} "
                "parameters."
            ) from None
        self._given: dict[str, list[str]] = {}
        for key, value in pairs:
            self._given.setdefault(key, []).append(value)
        self.read: dict[str, object] = {}
        """Parameters that were read, and their defaults."""
        self.allowed: dict[str, tuple[object, ...]] = {}
        """Least and most, or the ids, that these may have."""

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        """A whole number."""

        def digits(raw: str) -> int:
            return int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 14 else least - 1

        return self._within(key, default, digits, least, most, ",")

    def number(self, key: str, default: float, least: float, most: float) -> float:
        """A number."""
        return self._within(key, default, float, least, most, "g")

    def switch(self, key: str, default: bool) -> bool:
        """A switch."""
        self.read[key] = default
        words = {"true": True, "1": True, "false": False, "0": False}
        raw = self._given.get(key, [str(default)])[-1]
        if raw.lower() not in words:
            raise _refused(key, raw, "true, false")
        return words[raw.lower()]

    def one_of(self, key: str, ids: Collection[str], default: str) -> str:
        """An id."""
        self.read[key], self.allowed[key] = default, (*ids,)
        return self._id(key, self._given.get(key, [default])[-1], ids)

    def some_of(self, key: str, ids: Collection[str], default: Sequence[str]) -> list[str]:
        """Any number of ids."""
        self.read[key], self.allowed[key] = list(default), (*ids,)
        raw = self._given.get(key, list(default))[: len(ids) + 1]
        return [self._id(key, one, ids) for one in raw if one]

    def _within(
        self, key: str, default: N, number: Callable[[str], N], least: N, most: N, form: str
    ) -> N:
        self.read[key], self.allowed[key] = default, (least, most)
        raw = self._given.get(key, [""])[-1]
        if not raw:  # an empty field is the default, too
            return default
        with suppress(ValueError):
            if least <= (value := number(raw)) <= most:
                return value
        raise _refused(key, raw, f"{least:{form}} to {most:{form}}")

    @staticmethod
    def _id(key: str, raw: str, ids: Collection[str]) -> str:
        by_name = {name.casefold(): name for name in ids}
        if raw.casefold() not in by_name:
            raise _refused(key, raw, ", ".join(ids))
        return by_name[raw.casefold()]


def plain(text: str, most: int = SHOWN) -> str:
    """A stranger's text as a sentence can repeat it: short, and without markup."""
    marks = "`$\\[]<>*_#|~:\n\r"
    return "".join("·" if letter in marks else letter for letter in shortened(text, most))


def _refused(key: str, raw: str, allowed: str) -> ValueError:
    return ValueError(f"The settings say {key} = {plain(raw)}, but allowed are: {allowed}.")

"""Settings in an address, read as the controls of its screen read them."""

import math
from collections.abc import Collection, Sequence
from urllib.parse import parse_qsl

from posenc.checks import shortened

MOST_FIELDS = 60
SHOWN = 30  # letters of a wrong value that are said again


class Settings:
    """The parameters of an address; what they do not say is read as the control's default.

    Args:
        query: "base=4&m=88", as it stands behind the question mark.

    Raises:
        ValueError: If it is not a list of parameters, or has more of them than any screen.
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

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        """A whole number.

        Raises:
            ValueError: If the address says something else, or a number out of range.
        """
        self.read[key] = default
        if key not in self._given:
            return default
        raw = self._given[key][-1]
        if not (raw.isascii() and raw.isdigit() and len(raw) < 14 and least <= int(raw) <= most):
            raise _refused(key, raw, f"{least:,} to {most:,}")
        return int(raw)

    def number(self, key: str, default: float, least: float, most: float) -> float:
        """A number.

        Raises:
            ValueError: If the address says something else, or a number out of range.
        """
        self.read[key] = default
        if key not in self._given:
            return default
        raw = self._given[key][-1]
        try:
            value = float(raw)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            raise _refused(key, raw, f"{least:g} to {most:g}")
        return value

    def switch(self, key: str, default: bool) -> bool:
        """A switch.

        Raises:
            ValueError: If the address says neither on nor off.
        """
        self.read[key] = default
        words = {"true": True, "1": True, "false": False, "0": False}
        raw = self._given.get(key, [str(default)])[-1]
        if raw.lower() not in words:
            raise _refused(key, raw, _listed(["true", "false"]))
        return words[raw.lower()]

    def one_of(self, key: str, ids: Collection[str], default: str) -> str:
        """An id.

        Raises:
            ValueError: If the address names none of them.
        """
        self.read[key] = default
        return self._id(key, self._given.get(key, [default])[-1], ids)

    def some_of(self, key: str, ids: Collection[str], default: Sequence[str]) -> list[str]:
        """Any number of ids.

        Raises:
            ValueError: If the address names something else.
        """
        self.read[key] = list(default)
        raw = self._given.get(key, list(default))[: len(ids) + 1]
        return [self._id(key, one, ids) for one in raw if one]

    @staticmethod
    def _id(key: str, raw: str, ids: Collection[str]) -> str:
        by_name = {name.casefold(): name for name in ids}
        if raw.casefold() not in by_name:
            raise _refused(key, raw, _listed(ids))
        return by_name[raw.casefold()]


def _listed(ids: Collection[str]) -> str:
    return ", ".join(f"`{name}`" for name in ids)


def plain(text: str, most: int = SHOWN) -> str:
    """A stranger's text as a sentence can repeat it: short, and without markup."""
    marks = "`$\\[]<>*_#|~:\n\r"
    return "".join("·" if letter in marks else letter for letter in shortened(text, most))


def _refused(key: str, raw: str, allowed: str) -> ValueError:
    return ValueError(f"The settings say `{key} = {plain(raw)}`, but allowed are: {allowed}.")

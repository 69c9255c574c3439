"""How often scores are in order when keys stand at other places: of a model's heads, and random."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.measuring.orders import drawn
from models.measuring.table import Row
from models.results.tables import DATA, Measured, text, whole


class Heads(NamedTuple):
    """Shares of a model's heads, each (texts,)."""

    median: NDArray[np.float64]
    low: NDArray[np.float64]
    """Below which the first of `models.measuring.orders.heads.ENDS` of the heads are."""
    high: NDArray[np.float64]


def of_heads(measured: Measured, rate: str, keys: str, length: int) -> Heads:
    """A rate of a model's heads by text.

    Args:
        measured: The rows.
        rate: One of `models.measuring.orders.rates.Rates`.
        keys: One of `models.measuring.orders.heads.KEYS`.
        length: Tokens of the text that keys are put into.

    Raises:
        KeyError: If that was not measured.
    """
    rows = [
        row
        for row in measured.orders
        if (text(row, "keys"), whole(row, "length")) == (keys, length)
    ]
    if not rows:
        raise KeyError(keys, length)
    return Heads(
        *(np.array([float(row[rate + end]) for row in rows]) for end in ("", "_low", "_high"))
    )


@cache
def _drawn(folder: Path) -> dict[tuple[int, float, int, int], Row]:
    return {
        (whole(row, "channels"), float(row["base"]), whole(row, "lead"), whole(row, "length")): row
        for row in drawn.table(folder).rows()
    }


def of_drawn(rate: str, channels: int, base: float, lead: int, length: int) -> float:
    """A rate of random queries and keys.

    Args:
        rate: One of `models.measuring.orders.rates.Rates`.
        channels: Of a head.
        base: Of the rotation.
        lead: See `models.measuring.orders.drawn.LEADS`.
        length: Tokens of the text that keys are put into.

    Raises:
        KeyError: If that was not measured.
    """
    return float(_drawn(DATA)[channels, base, lead, length][rate])

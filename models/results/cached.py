"""Extra bits behind a passage that was moved, and with keys in few bits."""

from typing import NamedTuple

import numpy as np

from models.results.losses import Difference
from models.results.tables import Measured, text, whole


class Rounding(NamedTuple):
    """How keys were rounded."""

    scale: str
    """Id of `models.measuring.cache.quantised.SCALES`: which numbers share one."""
    bits: int
    when: str
    """Whether before the rotation, "before", or after it, "after"."""


def moved(measured: Measured, way: str, place: int) -> Difference:
    """Extra bits per token behind each passage, over reading it anew at the same place.

    Args:
        measured: The rows.
        way: One of `models.measuring.cache.moved.WAYS`.
        place: Tokens before the passage.

    Raises:
        KeyError: If that was not measured.
    """
    found: dict[tuple[str, int], dict[str, float]] = {}
    for row in measured.moved:
        if whole(row, "place") == place:
            which = text(row, "text"), whole(row, "passage")
            found.setdefault(which, {})[text(row, "way")] = float(row["bits"])
    if not found:
        raise KeyError(place)
    return Difference(np.array([ways[way] - ways["recomputed"] for ways in found.values()]))


def quantised(measured: Measured, rounding: Rounding) -> Difference:
    """Extra bits per token of each text with keys rounded so.

    Raises:
        KeyError: If that was not measured.
    """
    rows = [
        row
        for row in measured.quantised
        if (text(row, "scale"), whole(row, "bits"), text(row, "when")) == rounding
    ]
    if not rows:
        raise KeyError(rounding)
    return Difference(
        np.array([float(row["rounded_bits"]) - float(row["exact_bits"]) for row in rows])
    )

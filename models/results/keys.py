"""Which keys were found, by depth and by length of the text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.measuring.passkey import NAMES
from models.results.tables import Measured, Way, way, whole
from posenc.quantity.step import Step, fraction, number, words

Counts = NDArray[np.int64]
PLACES = len(NAMES)
"""Keys in a text."""
NORMAL = 1.959964
"""The 97.5% quantile of the normal distribution."""


@dataclass(frozen=True, eq=False)
class Keys:
    """Keys that one way to read has found.

    Args:
        lengths: Of the texts, rising.
        depths: (places,) mean depth of each place, as a part of the text.
        asked: (places, lengths) keys asked for.
        right: (places, lengths) keys found.
    """

    lengths: tuple[int, ...]
    depths: NDArray[np.float64]
    asked: Counts
    right: Counts

    @property
    def share(self) -> NDArray[np.float64]:
        """(places, lengths): per cent found; NaN where nothing was asked."""
        return np.asarray(100 * self.right / np.where(self.asked, self.asked, np.nan))

    def by_length(self) -> tuple[NDArray[np.float64], ...]:
        """(lengths,) each: per cent of all keys found, its low and high end; NaN where none."""
        asked = self.asked.sum(0)
        return share_and_interval(self.right.sum(0), np.where(asked, asked, np.nan))

    def steps(self, length: float) -> tuple[Step, ...]:
        """From the keys that were asked for to the per cent found at a length."""
        at = self.lengths.index(int(length))
        right = int(self.right[:, at].sum())
        asked = int(self.asked[:, at].sum())
        share, low, high = map(float, share_and_interval(right, asked))
        return (
            Step("r", words("keys found"), "", right),
            Step("a", words("keys asked for"), "", asked),
            Step(r"y_{\text{low}}", words("low end of the interval (Wilson)"), "", low),
            Step(r"y_{\text{high}}", words("high end of the interval (Wilson)"), "", high),
            Step("y", r"100\,r/a", fraction(rf"100 \cdot {number(right)}", asked), share),
        )


def keys(measured: Measured, ways: Sequence[Way]) -> dict[Way, Keys]:
    """Keys that each way found, at each length in the texts on which all ways were asked.

    Args:
        measured: The rows.
        ways: Which to compare; one that was not measured is left out.
    """
    rows = [row for row in measured.passkeys if way(row) in ways]
    texts: dict[int, dict[Way, set[int]]] = {}
    for row in rows:
        by_way = texts.setdefault(whole(row, "length"), {})
        by_way.setdefault(way(row), set()).add(whole(row, "text"))
    common = {n: set.intersection(*by_way.values()) for n, by_way in texts.items()}
    lengths = tuple(sorted(n for n, both in common.items() if both))
    shape = PLACES, len(lengths)
    places = {
        its: Keys(
            lengths,
            depths=np.zeros(PLACES),
            asked=np.zeros(shape, np.int64),
            right=np.zeros(shape, np.int64),
        )
        for its in ways
    }
    seen: dict[tuple[Way, int, int], int] = {}
    depths = np.zeros((2, PLACES))
    for row in rows:
        length = whole(row, "length")
        number_of_text = whole(row, "text")
        its = way(row)
        if number_of_text not in common[length]:
            continue
        this = its, length, number_of_text
        place = seen[this] = seen.get(this, -1) + 1  # a pass has its keys in the order of the text
        at = place, lengths.index(length)
        places[its].asked[at] += 1
        places[its].right[at] += whole(row, "right")
        depths[:, place] += 1, float(row["depth"])
    mean = depths[1] / np.maximum(depths[0], 1)
    return {
        its: Keys(lengths, mean, found.asked, found.right)
        for its, found in places.items()
        if found.asked.any()
    }


def share_and_interval(right: Any, asked: Any) -> tuple[Any, Any, Any]:
    """Per cent, and the ends of its 95% interval; of numbers or arrays.

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference";
    Brown, Cai and DasGupta 2001, "Interval estimation for a binomial proportion", section 3.1.1.
    """
    p = right / asked
    z2 = NORMAL**2
    middle = (p + z2 / (2 * asked)) / (1 + z2 / asked)
    half = NORMAL * np.sqrt(p * (1 - p) / asked + z2 / (4 * asked**2)) / (1 + z2 / asked)
    return 100 * p, 100 * (middle - half), 100 * (middle + half)

"""Bits per token of the same tokens under several ways to read them, paired by text."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from models.measuring.table import Row
from models.results.tables import Measured, Way, depends_on_length, text, way, whole
from posenc.quantity.step import Step, factor, number, number_sum, words
from posenc.words import Sentence, say

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Difference:
    """Extra cost of one way over another, by text.

    A few texts that somebody chose say how far texts differ, so their range is what is shown. The
    error of the mean is for a verdict alone, and holds of texts like these.
    """

    values: Numbers
    """(texts, …): bits per token."""

    @property
    def mean(self) -> Numbers:
        """(…): over texts."""
        return np.asarray(self.values.mean(0))

    @property
    def low(self) -> Numbers:
        """(…): of the text with the smallest difference."""
        return np.asarray(self.values.min(0))

    @property
    def high(self) -> Numbers:
        """(…): of the text with the largest difference."""
        return np.asarray(self.values.max(0))

    @property
    def words(self) -> Sentence:
        """The mean of differences (texts,), and their range where there are several."""
        mean, low, high = float(self.mean), float(self.low), float(self.high)
        if len(self.values) < 2:
            return say("{mean:+.2f}", mean=mean)
        return say("{mean:+.2f} ({low:+.2f} to {high:+.2f})", mean=mean, low=low, high=high)

    @property
    def error(self) -> Numbers:
        """(…): standard error of the mean; NaN of a single text."""
        count = len(self.values)
        if count < 2:
            return np.full(self.values.shape[1:], np.nan)
        return np.asarray(self.values.std(0, ddof=1) / np.sqrt(count))

    def steps(
        self, texts: Sequence[str], ones: Numbers | None = None, others: Numbers | None = None
    ) -> tuple[Step, ...]:
        """From the difference in each text, values (texts,), to their mean.

        Args:
            texts: Their ids.
            ones: (texts,) what was subtracted from.
            others: (texts,) what was subtracted.
        """
        lines = _of_texts("d", texts, self.values.tolist())
        if ones is not None and others is not None:
            lines = [
                replace(line, substituted=f"{number(one)} - {factor(other)}")
                for line, one, other in zip(lines, ones.tolist(), others.tolist(), strict=True)
            ]
        return (*lines, _mean("d", self.values.tolist()))


@dataclass(frozen=True, eq=False)
class Bits:
    """Losses of the texts that every one of some ways was measured on.

    Args:
        texts: Ids.
        kinds: Of each text.
        first: (blocks,) position behind which a block begins.
        tokens: (blocks,) tokens in it.
        of: By way, (texts, blocks): mean bits per token.
    """

    texts: tuple[str, ...]
    kinds: tuple[str, ...]
    first: NDArray[np.int64]
    tokens: NDArray[np.int64]
    of: dict[Way, Numbers] = field(default_factory=dict)

    @property
    def middle(self) -> NDArray[np.int64]:
        """(blocks,): the position in the middle of each block."""
        return self.first + (self.tokens + 1) // 2

    def less(self, one: Way, other: Way) -> Difference:
        """One way less another, block by block."""
        return Difference(self.of[one] - self.of[other])

    def between(self, one: Way, low: int, high: int) -> Numbers:
        """(texts,): mean over the tokens of the blocks that begin at low, … and before high.

        Raises:
            ValueError: If no block begins there.
        """
        inside = (self.first >= low) & (self.first < high)
        if not inside.any():
            raise ValueError(f"No loss from {low:,} to {high:,} tokens.")
        weights = self.tokens[inside] / self.tokens[inside].sum()
        return np.asarray(self.of[one][:, inside] @ weights)

    def gain(self, one: Way, other: Way, low: int, high: int) -> Difference:
        """One way less another over a stretch of positions."""
        return Difference(self.between(one, low, high) - self.between(other, low, high))

    def steps(self, one: Way, other: Way, place: float, *, minus: bool) -> tuple[Step, ...]:
        """From the bits of each text to a point of a curve.

        Args:
            one: Whose curve.
            other: What it is paired with.
            place: Middle of a block.
            minus: Whether the curve is the difference to the other.
        """
        at = int(np.flatnonzero(self.middle == place)[0])
        its, reference = self.of[one][:, at], self.of[other][:, at]
        if minus:
            return Difference(its - reference).steps(self.texts, its, reference)
        return (*_of_texts("b", self.texts, its.tolist()), _mean("b", its.tolist()))


def _of_texts(letter: str, texts: Sequence[str], values: Sequence[float]) -> list[Step]:
    return [
        Step(f"{letter}_{{{k}}}", words("text “{0}”", rf"\text{{{name}}}"), "", value)
        for k, (name, value) in enumerate(zip(texts, values, strict=True), 1)
    ]


def _mean(letter: str, values: Sequence[float]) -> Step:
    numbers = f"({number_sum(values)})/{number(len(values))}"
    formula = rf"\frac{{1}}{{K}}\sum_k {letter}_k"
    return Step(rf"\bar {letter}", formula, numbers, float(np.mean(values)))


def bits(
    measured: Measured, length: int, ways: Sequence[Way], kind: str = "", *, cut: bool = False
) -> Bits:
    """The losses of every text that all ways were measured on, in passes of a length.

    Args:
        measured: The rows.
        length: Tokens of a pass.
        ways: Which to compare.
        kind: Of the texts; all without.
        cut: Whether a text that was read further is cut and counts as well: a token costs the same
            in a longer pass, unless the method depends on the length.

    Raises:
        ValueError: If no text has all of them.
    """
    passes: dict[tuple[str, Way], dict[int, list[Row]]] = {}
    for row in measured.losses:
        its = way(row)
        end = whole(row, "length")
        reads = end == length or (cut and end > length and not depends_on_length(its.method))
        if reads and its in ways and kind in ("", row["kind"]):
            passes.setdefault((text(row, "text"), its), {}).setdefault(end, []).append(row)
    found = {
        which: [row for row in by_end[min(by_end)] if whole(row, "first") < length]
        for which, by_end in passes.items()
    }
    every = dict.fromkeys(name for name, _ in found)
    names = tuple(name for name in every if all((name, its) in found for its in ways))
    if not names:
        raise ValueError(f"No text of {length:,} tokens was read in all of these ways.")
    shortest = min((found[name, ways[0]] for name in names), key=lambda rows: rows[0]["length"])
    first, tokens = (np.array([whole(row, of) for row in shortest]) for of in ("first", "tokens"))
    of = {
        its: np.array([[float(row["bits"]) for row in found[name, its]] for name in names])
        for its in ways
    }
    kinds = tuple(text(found[name, ways[0]][0], "kind") for name in names)
    return Bits(texts=names, kinds=kinds, first=first, tokens=tokens, of=of)

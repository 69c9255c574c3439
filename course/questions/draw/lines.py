"""Curves over one axis, with few ticks and a legend above."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from course.questions.draw.svg import LETTER, WIDTH, Point, area, circle, path, picture, text
from plots.style import letters

LEGEND = 18
HEIGHT = 170
FOOT = 40


class Series(NamedTuple):
    """One curve.

    Args:
        label: Its name in the legend; "" leaves it out there.
        points: Pairs of x and y.
        kind: Class of its colour.
        dash: Dashes of SVG, "" for a solid line, "dots" for points that nothing joins.
        band: Triples of x, low and high: a range around the curve.
    """

    label: str
    points: Sequence[Point]
    kind: str
    dash: str = ""
    band: Sequence[tuple[float, float, float]] = ()


class Axis(NamedTuple):
    """One axis.

    Args:
        label: What is measured, with its unit.
        ticks: Pairs of a value and how it is written; the first and last are the ends.
        log: Whether it is logarithmic.
    """

    label: str
    ticks: Sequence[tuple[float, str]]
    log: bool = False

    def place(self, value: float) -> float:
        """Where a value lies, 0 at the first tick and 1 at the last; ends hold what is beyond."""
        low, high, here = (
            math.log(one) if self.log else one
            for one in (self.ticks[0][0], self.ticks[-1][0], value)
        )
        return min(max((here - low) / (high - low), 0.0), 1.0)


def lines(series: Sequence[Series], x: Axis, y: Axis, alt: str) -> str:
    """A picture of curves."""
    named = [one for one in series if one.label]
    top = len(named) * LEGEND + 22
    left = max(max(letters(words) for _, words in y.ticks) * LETTER, 14) + 8
    right = WIDTH - 14
    marks = []
    for at, one in enumerate(named):
        middle = at * LEGEND + 9
        swatch = [(13.0, middle)] if one.dash == "dots" else [(0.0, middle), (26.0, middle)]
        marks += _drawn(one, swatch)
        marks.append(text(32, middle + 4, one.label))
    marks.append(text(1, top - 8, y.label, "soft"))
    for value, words in y.ticks:
        level = top + HEIGHT * (1 - y.place(value))
        marks.append(path([(left, level), (right, level)], "grid"))
        marks.append(text(left - 6, level + 4, words, "soft", "end"))
    for value, words in x.ticks:
        across = left + (right - left) * x.place(value)
        half = letters(words) * LETTER / 2
        anchored = min(max(across, half), WIDTH - half)
        marks.append(text(anchored, top + HEIGHT + 16, words, "soft", "middle"))
    marks.append(text((left + right) / 2, top + HEIGHT + 34, x.label, "soft", "middle"))

    def spot(a: float, b: float) -> Point:
        return left + (right - left) * x.place(a), top + HEIGHT * (1 - y.place(b))

    for one in series:
        if one.band:
            lows = [spot(a, low) for a, low, _ in one.band]
            highs = [spot(a, high) for a, _, high in one.band]
            marks.append(area([*lows, *reversed(highs)], one.kind))
    for one in series:
        marks += _drawn(one, [spot(a, b) for a, b in one.points])
    return picture(marks, top + HEIGHT + FOOT, alt)


def _drawn(one: Series, points: Sequence[Point]) -> list[str]:
    """A curve through places of the picture, or its points."""
    if one.dash == "dots":
        return [circle(x, y, 2.5, f"dot {one.kind}") for x, y in points]
    return [path(points, f"curve {one.kind}", one.dash)]

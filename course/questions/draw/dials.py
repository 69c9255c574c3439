"""Dials: hands that show angles, a query's in blue and a key's in orange."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from course.questions.draw.svg import WIDTH, circle, path, picture, text


class Dial(NamedTuple):
    """One dial.

    Args:
        title: Below it, at most two lines.
        hands: Pairs of an angle in radians, from the right against the clock, and a class.
    """

    title: Sequence[str]
    hands: Sequence[tuple[float, str]]


def dials(row: Sequence[Dial], alt: str) -> str:
    """A picture of dials side by side."""
    each = WIDTH / len(row)
    radius = min(each / 2 - 8, 62)
    marks = []
    for at, one in enumerate(row):
        x = at * each + each / 2
        y = radius + 4
        marks.append(circle(x, y, radius, "dial"))
        for angle, kind in one.hands:
            tip = x + radius * math.cos(angle), y - radius * math.sin(angle)
            marks.append(path([(x, y), tip], f"hand {kind}"))
        for line, words in enumerate(one.title):
            marks.append(text(x, 2 * radius + 24 + 16 * line, words, "soft", "middle"))
    return picture(marks, 2 * radius + 30 + 16 * max(len(one.title) for one in row), alt)

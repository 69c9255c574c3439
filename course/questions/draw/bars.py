"""Bars that lie: a label above, the value at the end."""

from collections.abc import Sequence
from typing import NamedTuple

from course.questions.draw.svg import LETTER, WIDTH, box, path, picture, text
from plots.style import letters

ROW = 40
THICK = 14


class Bar(NamedTuple):
    """One bar.

    Args:
        label: What it is.
        value: Its length, at least 0.
        shown: The value as it is written.
        kind: Class of its colour.
        between: Least and largest of what the value is a mean of; none without.
    """

    label: str
    value: float
    shown: str
    kind: str = "q"
    between: tuple[float, float] | None = None


def bars(rows: Sequence[Bar], alt: str) -> str:
    """A picture of bars from a common zero; the longest has what room its number leaves."""
    room = WIDTH - 10 - max(letters(row.shown) for row in rows) * LETTER
    longest = max(value for row in rows for value in (row.value, *(row.between or ())))
    marks = []
    for at, row in enumerate(rows):
        top = at * ROW
        length = room * row.value / longest
        marks += [
            text(1, top + 13, row.label, "soft"),
            box(0, top + 19, max(length, 1), THICK, row.kind),
        ]
        end = length
        if row.between:
            low, high = (room * max(value, 0) / longest for value in row.between)
            middle = top + 19 + THICK / 2
            marks.append(path([(low, middle), (high, middle)], "range"))
            end = max(length, high)
        marks.append(text(end + 6, top + 19 + THICK - 2, row.shown))
    return picture(marks, len(rows) * ROW, alt)

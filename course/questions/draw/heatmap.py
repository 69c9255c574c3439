"""Square cells in two colours: red above zero, blue below, as strong as the number is large."""

from collections.abc import Sequence
from typing import NamedTuple

from course.questions.draw.svg import LETTER, WIDTH, box, picture, text

Rows = Sequence[Sequence[float]]


class Map(NamedTuple):
    """One matrix.

    Args:
        title: Above it.
        values: Rows of numbers.
        rows: Label of the rows, at their left; "" for none.
        columns: Label of the columns, below them.
        words: What stands in the cells, in the shape of `values`; none by default.
    """

    title: str
    values: Rows
    rows: str = ""
    columns: str = ""
    words: Sequence[Sequence[str]] = ()


def heatmaps(maps: Sequence[Map], alt: str, *, across: int = 1, largest: float = 0.0) -> str:
    """A picture of matrices, `across` in each row, with one scale for all.

    Args:
        maps: The matrices.
        alt: The picture in words.
        across: Matrices side by side.
        largest: Number of the full colour; 0 for the largest there is.
    """
    gap = 18
    each = (WIDTH - gap * (across - 1)) / across
    scale = largest or max(abs(v) for one in maps for row in one.values for v in row)
    marks: list[str] = []
    top = 0.0
    for start in range(0, len(maps), across):
        heights = []
        for at, one in enumerate(maps[start : start + across]):
            drawn, height = _map(one, at * (each + gap), top, each, scale)
            marks += drawn
            heights.append(height)
        top += max(heights)
    return picture(marks, top, alt)


def _map(one: Map, left: float, top: float, width: float, scale: float) -> tuple[list[str], float]:
    """Marks of one matrix, and its height."""
    columns = len(one.values[0])
    beside = LETTER * len(one.rows) + 8 if one.rows else 0
    side = min((width - beside) / columns, 44)
    across = side * columns
    left += beside + (width - beside - across) / 2
    head = 20 if one.title else 4
    tall = side * len(one.values)
    marks = [text(left + across / 2, top + 13, one.title, anchor="middle")] if one.title else []
    for r, row in enumerate(one.values):
        for c, value in enumerate(row):
            x = left + c * side
            y = top + head + r * side
            marks.append(box(x, y, side - 1, side - 1, "none"))
            if value:
                strength = max(min(abs(value) / scale, 1.0), 0.04)
                marks.append(
                    box(x, y, side - 1, side - 1, "above" if value > 0 else "below", strength)
                )
            if one.words:
                marks.append(
                    text(x + side / 2, y + side / 2 + 4, one.words[r][c], "on", anchor="middle")
                )
    if one.rows:
        marks.append(text(left - 6, top + head + tall / 2 + 4, one.rows, "soft", "end"))
    foot = 8.0
    if one.columns:
        marks.append(text(left + across / 2, top + head + tall + 14, one.columns, "soft", "middle"))
        foot = 26
    return marks, head + tall + foot

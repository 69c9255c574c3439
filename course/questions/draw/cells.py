"""Rows of cells with words in them: ids, positions, steps of a reshape."""

from collections.abc import Sequence
from typing import NamedTuple

from course.questions.draw.svg import WIDTH, box, picture, text

TALL = 24


class Cell(NamedTuple):
    """One cell.

    Args:
        words: What stands in it.
        kind: Class of its ground: "q", "k", "good", "bad" or "none".
    """

    words: str
    kind: str = "none"


class Row(NamedTuple):
    """Cells side by side, under a title.

    Args:
        title: Above the row; "" puts the row right below the one before.
        cells: From left to right.
    """

    title: str
    cells: Sequence[Cell]


def cells(rows: Sequence[Row], alt: str, *, widest: float = 40) -> str:
    """A picture of rows of cells, all of one width, as wide as fits or `widest`."""
    side = min(WIDTH / max(len(row.cells) for row in rows), widest)
    marks = []
    top = 0.0
    for row in rows:
        if row.title:
            top += 20 if top == 0 else 28
            marks.append(text(1, top - 7, row.title, "soft"))
        for at, cell in enumerate(row.cells):
            x = at * side
            strength = 1.0 if cell.kind == "none" else 0.3
            marks.append(box(x, top, side - 2, TALL - 2, "none"))
            if cell.kind != "none":
                marks.append(box(x, top, side - 2, TALL - 2, cell.kind, strength))
            marks.append(text(x + side / 2 - 1, top + 15, cell.words, "on", "middle"))
        top += TALL
    return picture(marks, top + 2, alt)

"""M-RoPE followed: from a token's place in the text to its time, row and column."""

from dataclasses import dataclass

from pages.mrope.settings import Film
from posenc.quantity.step import Step, number, words

SYMBOLS = ("t", "r", "c")
"""Time, row and column, in formulas."""
A_SECOND = 2.0
"""Positions in a second, in Qwen2.5-VL's released files."""


@dataclass(frozen=True)
class Stretch:
    """The text, the image or the film that a token is in."""

    first: int
    """Its first token."""
    start: int
    """Position of that token, on all axes."""
    grid: tuple[int, int, int] | None
    """Frames, rows and columns; None for text."""


def stretch_of(film: Film, token: int) -> Stretch:
    """Where a token is."""
    first = 0
    for segment in film.segments:
        grid = None if isinstance(segment, int) else segment
        count = segment if isinstance(segment, int) else segment[0] * segment[1] * segment[2]
        if token < first + count:
            return Stretch(first, int(film.positions[0, first]), grid)
        first += count
    raise IndexError(token)


def position_steps(film: Film, axis: int, token: int) -> tuple[Step, ...]:
    """From the start of its text or image to a position of a token.

    Args:
        film: The text with the image in it.
        axis: 0 for the time, 1 for the row, 2 for the column.
        token: Its number, from 0.
    """
    its = stretch_of(film, token)
    value = float(film.positions[axis, token])
    start = _start(film, its)
    name = SYMBOLS[axis]
    offset = token - its.first
    if its.grid is None:
        numbers = rf"{its.start} + ({number(token)} - {number(its.first)})"
        return *start, Step(name, "s + (n - n_0)", numbers, value)
    _frames, rows, columns = its.grid
    inside = Step("u", "n - n_0", f"{number(token)} - {number(its.first)}", float(offset))
    if axis == 1:
        index = offset // columns % rows
        numbers = rf"\lfloor {number(offset)}/{columns} \rfloor \bmod {rows}"
        which = Step("y", r"\lfloor u/C \rfloor \bmod R", numbers, float(index))
        return *start, inside, which, Step(name, "s + y", f"{its.start} + {index}", value)
    if axis == 2:
        index = offset % columns
        numbers = rf"{number(offset)} \bmod {columns}"
        which = Step("x", r"u \bmod C", numbers, float(index))
        return *start, inside, which, Step(name, "s + x", f"{its.start} + {index}", value)
    return *start, *_time_steps(film, its, offset, value)


def _start(film: Film, its: Stretch) -> tuple[Step, ...]:
    """Its first token, and the position where it begins: one past the largest before it."""
    first = Step("n_0", "", "", float(its.first))
    if its.first == 0:
        return first, Step("s", words("the text begins"), "", 0.0)
    largest = int(film.positions[:, : its.first].max())
    reason = words("one past the largest position before it")
    return first, Step("s", reason, f"{number(largest)} + 1", float(its.start))


def _time_steps(film: Film, its: Stretch, offset: int, value: float) -> tuple[Step, ...]:
    """The time of a patch: that of its image, or of its frame."""
    assert its.grid is not None
    frames, rows, columns = its.grid
    if frames == 1:
        return (Step("t", "s", "", value),)
    frame = offset // (rows * columns)
    numbers = rf"\lfloor {number(offset)}/({rows} \cdot {columns}) \rfloor"
    which = Step("f", r"\lfloor u/(R\,C) \rfloor", numbers, float(frame))
    inside = Step("u", "n - n_0", "", float(offset))
    seconds = film.seconds_per_frame
    if seconds is None:
        return inside, which, Step("t", "s + f", f"{its.start} + {frame}", value)
    pace = number(A_SECOND * seconds)
    numbers = rf"{its.start} + \lfloor {frame} \cdot {pace} \rfloor"
    formula = r"s + \lfloor f \cdot 2 \tau \rfloor"
    given = Step(r"\tau", words("seconds per frame"), "", seconds)
    return inside, which, given, Step("t", formula, numbers, value)

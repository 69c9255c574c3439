"""A run of passes that can be stopped and continued, and how long it takes on this machine."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from models.change import Change
from models.forward import forward
from models.measuring.loss import cost
from models.measuring.table import Row, Table
from models.opened import Model

FEW = 64
CALIBRATING = 1024
CALIBRATING_SECONDS = 20.0
"""Tokens of the first pass and at most of the second one that tells how fast the machine is, and
the seconds that it may take, about."""


@dataclass(frozen=True)
class Pass:
    """One thing to measure.

    Args:
        title: Its name for a reader.
        key: Of its rows in the table.
        cost: Operations.
        measure: Measures it.
        summary: Its rows in a few words.
    """

    title: str
    key: tuple[str | int | float, ...]
    cost: float
    measure: Callable[[], list[Row]]
    summary: Callable[[list[Row]], str]


def left(passes: Iterable[Pass], table: Table) -> list[Pass]:
    """The passes that are not in the table yet.

    Raises:
        ValueError: If the table cannot be read.
    """
    there = table.passes()
    return [one for one in passes if one.key not in there]


def run(passes: list[Pass], table: Table, report: Callable[[str], None]) -> None:
    """Measure, and write the rows of each pass as soon as it is done.

    Args:
        passes: Those that are left.
        table: Where rows go.
        report: Gets a line for each pass.

    Raises:
        ValueError: If the model cannot be read so, or the table cannot be written.
    """
    spent = 0.0
    done = 0.0
    for number, one in enumerate(passes, 1):
        begin = time.perf_counter()
        rows = one.measure()
        table.add(rows)
        spent += time.perf_counter() - begin
        done += one.cost
        to_go = spent / done * sum(other.cost for other in passes[number:])
        report(
            f"{number} of {len(passes)}: {one.title}: {one.summary(rows)}, "
            f"{rows[0]['seconds']:g} s; {duration(to_go)} to go"
        )


def seconds_per_operation(model: Model) -> float:
    """How slow the machine is: one pass over a few tokens, then one over as many as seem quick."""
    seconds = _seconds(model, FEW)
    quick = int(CALIBRATING_SECONDS * FEW / seconds)
    if quick <= FEW:
        return seconds / cost(model, FEW)
    count = min(CALIBRATING, quick)
    return _seconds(model, count) / cost(model, count)


def _seconds(model: Model, count: int) -> float:
    ids = [token % model.net.config.vocab_size for token in range(count)]
    begin = time.perf_counter()
    forward(model, ids, Change(method="none"), kept_bytes=0).bits()
    return time.perf_counter() - begin


def duration(seconds: float) -> str:
    """Hours, minutes and seconds, no finer than makes sense."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"

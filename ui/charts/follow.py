"""Follow a number: the formula of one cell with its numbers, down to the value in the picture."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import unescape

import streamlit as st

from plots.figure import Figure
from plots.heatmap import mark_cell
from posenc.quantity.matrix import Quantity
from posenc.quantity.step import Step
from ui.charts.points import CurvePoint
from ui.words import _, as_text, exact, latex, number, translate
from ui.words import minus as minus

Explain = Callable[[int, int], tuple[Step, ...]]
"""From the number of a curve and a place on the x axis to the steps of the point there."""


@dataclass(frozen=True)
class Followed:
    """A curve of what was measured, whose points can be followed."""

    name: str
    places: Sequence[float]
    """Where it was measured, rising."""
    steps: Callable[[float], Sequence[Step]]
    """From one of the places to the steps of the point there."""


def follow(steps: Sequence[Step], *, key: str, place: str, unit: str = "", drawn: str = "") -> None:
    """Show the steps to one number, a line for each.

    The lines are inline formulas, which break at their signs where the screen is narrow.

    Args:
        steps: The calculation; the last value is the one that the picture draws. None where the
            picture does not draw it.
        key: Name of the picture.
        place: Where the number stands, in words: "row 40, column 10".
        unit: Unit of the last value.
        drawn: What the picture shows there instead, as a sentence; empty where it is the value.
    """
    if not steps:
        st.caption(_("Not in this picture: {point}.", point=place))
        return
    with st.container(key=f"follow_{key}", gap="xxsmall"):
        st.markdown(_("**Follow a number**"))
        lines = [f"${unbroken(latex(step.latex))}$" for step in steps]
        numbered = [f"{n}. {line}" for n, line in enumerate(lines, 1)]
        st.markdown("\n".join(numbered) if len(lines) > 1 else lines[0])
        value = steps[-1].value
        rounded = _("Numbers in the formula are rounded.") if value == value else ""
        st.caption(" ".join(filter(None, (exact_words(steps[-1], place, unit), rounded, drawn))))


def unbroken(formula: str) -> str:
    r"""A formula whose short brackets, such as (h - c), are not broken at the end of a line."""
    return re.sub(r"(?<!\\left)(?<!\\[bB]ig)(?<!\\big[lr])\([^(){}]{1,24}\)", r"{\g<0>}", formula)


def reading(place: str, value: float, unit: str = "", name: str = "") -> None:
    """The number that is followed, in a line: the first that is read of a picture.

    Args:
        place: Where it stands, in words.
        value: NaN where it is masked.
        unit: Its unit.
        name: What it is, where the place does not say it: "bias".
    """
    where = translate(place)
    if name:
        where = _("{name} at {place}", name=translate(name), place=where)
    where = begun(where)
    if value != value:
        st.markdown(_("{place}: **masked**", place=where))
        return
    digits = exact(value) if value % 1 == 0 else number(value, ".6g")
    shown = f"{digits} {translate(unit)}".strip()
    st.markdown(_("{place}: **{value}**", place=where, value=shown))


def begun(place: str) -> str:
    """A place at the beginning of a sentence: a word, and no symbol or name such as "bfloat16"."""
    is_word = re.match(r"[^\W\d]{2,}\b", place)
    return place[:1].upper() + place[1:] if is_word else place


def labelled(quantity: Quantity, row: int, col: int) -> str:
    """A cell by its place and the labels of its axes; "" where these have none."""
    rows, cols = quantity.rows.labels, quantity.cols.labels
    if rows is None or cols is None:
        return ""
    return _(
        "row {row} ({row_label}), column {col} ({col_label})",
        row=row,
        row_label=as_text(unescape(rows[row])),
        col=col,
        col_label=as_text(unescape(cols[col])),
    )


def exact_words(last: Step, place: str, unit: str = "") -> str:
    """The value with all of its digits."""
    place, unit = begun(translate(place)), translate(unit)
    if last.value != last.value:
        return _("{place}: there is nothing to compute.", place=place)
    value = exact(last.value)
    if isinstance(last.value, int):
        return _("{place}: {value}, an integer.", place=place, value=f"{value} {unit}".strip())
    if unit:
        return _("{place}: {value} {unit} in float64.", place=place, value=value, unit=unit)
    return _("{place}: {value} in float64.", place=place, value=value)


def mark_point(
    figure: Figure,
    steps: Sequence[Step],
    point: CurvePoint | None,
    mark: Callable[[Figure, float, int], Figure] = mark_cell,
) -> Figure:
    """The figure with the followed point marked, if that has a number that it can show."""
    if point is not None and steps and math.isfinite(steps[-1].value):
        return mark(figure, steps[-1].value, point.place)
    return figure

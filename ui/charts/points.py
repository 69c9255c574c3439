"""The one way to choose what is followed: a text field, which clicks write and the address holds.

A point has coordinates with names: the row and the column of a cell, the panel before them, a curve
and a place on its x axis. What each of them may be is said once; what is typed, the address, a
click and the sentence for a point that is not there all follow from it.
"""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from posenc.words import say
from ui import controls
from ui.charts.component import Cell, clicked_cell
from ui.memory import memory
from ui.words import _, as_text, translate

SHOWN = 12  # values in the sentence that says what is allowed

LETTERED = re.compile(r"[A-Z] ")
"""A name that begins with the letter of its control: "A RoPE"."""
Point = tuple[Any, ...]
"""A value for each coordinate."""
FromClick = Callable[[Cell, Point], Point | None]
"""From what was clicked and the point that was followed to the point to follow; None: no point."""


@dataclass(frozen=True)
class Coordinate:
    """One number or tag of a point.

    Attributes:
        name: What it is: "row".
        values: What it may be: a range of whole numbers, or some numbers or tags; or these for each
            value of the coordinate before.
        titles: Of the values, where they have some: the names of curves or panels.
    """

    name: str
    values: Any
    titles: tuple[str, ...] = ()

    def read(self, typed: str, before: Point) -> Any:
        """The value that is typed after the coordinates before it; None if there is none such."""
        values = self._values(before)
        if isinstance(values, range):
            if not re.fullmatch(r"-?\d{1,15}", typed):
                return None  # which is looked for in a range number by number, for hours
            return int(typed) if int(typed) in values else None
        known = {self.write(value).casefold(): value for value in values}
        if self.titles:  # addresses of earlier times count tags from 0
            known = {str(n): value for n, value in enumerate(values)} | known
        return known.get(typed.replace(" ", "").casefold())

    def write(self, value: Any) -> str:
        """The value as it is typed."""
        return f"{value:.12g}" if isinstance(value, float) else str(value)

    def words(self, value: Any) -> str:
        """The value in words: "row 40"."""
        if self.titles:
            return translate(self.titles[self.values.index(value)])
        return _("{name} {value:,.12g}", name=self.name, value=value)

    def allowed(self, before: Point) -> str:
        """Allowed values, in words."""
        values = self._values(before)
        if isinstance(values, range):
            ends = {"first": values[0], "last": values[-1]}
            return _("{name} from {first:,} to {last:,}", name=self.name, **ends)
        listed = [_as_code(value, self.write(value)) for value in values]
        if len(listed) > SHOWN:
            listed[SHOWN:] = ["…", listed[-1]]
        return f"{self.name} {', '.join(listed)}"

    def _values(self, before: Point) -> Sequence[Any]:
        if not isinstance(self.values, Mapping):
            return self.values
        first = next(iter(self.values.values()))
        return self.values.get(before[0], first) if before else first


def _as_code(value: Any, written: str) -> str:
    return f"`{written}`" if isinstance(value, str) else written


@dataclass(frozen=True)
class PointField:
    """The field that says which point is followed.

    Attributes:
        key: Of the field, and the name of the URL parameter.
        noun: What a point is: "cell".
        coordinates: Of a point.
        default: The point before anybody chooses one.
        clicks: Key of a chart to what a click on it chooses.
        note: More about what may be typed, as a sentence.
        width: Pixels.
    """

    key: str
    noun: str
    coordinates: tuple[Coordinate, ...]
    default: Point
    clicks: Mapping[str, FromClick]
    note: str = ""
    width: int = 220

    def asked_for(self) -> bool:
        """Whether anybody has chosen a point: by a click, in the field, or in the address."""
        self._settle()
        return controls.is_set(self.key)

    def choose(self) -> Point:
        """Draw the field: the point that was clicked or typed, or the default."""
        self._settle()
        names = ", ".join(one.name for one in self.coordinates)
        noun = translate(self.noun)
        about = _(
            "The {noun} that is followed. Clicking a picture writes it; arrow keys then move it.",
            noun=noun,
        )
        typed = controls.line(
            self.key,
            _("{noun} ({coordinates})", noun=noun[:1].upper() + noun[1:], coordinates=names),
            self.write(self.default),
            help=f"{about} {self.note}".strip(),
            width=self.width,
        )
        point = self.read(typed)
        if point is None:
            st.error(self.refusal(typed))
        return self.default if point is None else point

    def read(self, typed: str) -> Point | None:
        """The point that is typed; None if there is no such point."""
        parts = typed.split(",")
        point: Point = ()
        if len(parts) != len(self.coordinates):
            return None
        for coordinate, part in zip(self.coordinates, parts, strict=True):
            point += (coordinate.read(part.strip(), point),)
            if point[-1] is None:
                return None
        return point

    def write(self, point: Point) -> str:
        """The point as it is typed."""
        pairs = zip(self.coordinates, point, strict=True)
        return ", ".join(coordinate.write(value) for coordinate, value in pairs)

    def words(self, point: Point) -> str:
        """Where the point is: "YaRN, pair 40"."""
        pairs = zip(self.coordinates, point, strict=True)
        return ", ".join(coordinate.words(value) for coordinate, value in pairs)

    def refusal(self, typed: str) -> str:
        """The sentence for a point that is not there."""
        first = self.coordinates[0].read(typed.partition(",")[0].strip(), ())
        before = () if first is None else (first,)
        return _(
            "The {noun} must be {coordinates}; got {typed}. Showing {default}.",
            noun=self.noun,
            coordinates=", ".join(one.allowed(before) for one in self.coordinates),
            typed=as_text(repr(typed[:40])),
            default=", ".join(
                _as_code(value, one.write(value))
                for one, value in zip(self.coordinates, self.default, strict=True)
            ),
        )

    def _settle(self) -> None:
        """Give the field its text, before it is drawn: of a click, or a default that has moved."""
        state = memory()
        default = self.write(self.default)
        known = state.get(f"_{self.key}_known", (default, self.coordinates))
        state[f"_{self.key}_known"] = (default, self.coordinates)
        now = controls.value(self.key)
        if now is not None:
            # A field that nobody has touched follows the default when the picture becomes another
            # one, and a point of curves that are gone is no mistake of the reader.
            gone = known[1] != self.coordinates and self.read(now) is None
            if gone or now == known[0] != default:
                now = default
                controls.put(self.key, now)
        seen = self.read(now) if now is not None else None
        for chart, choice in self.clicks.items():
            clicked = clicked_cell(chart, reader=self.key)
            point = choice(clicked, seen or self.default) if clicked is not None else None
            if point is not None:
                controls.put(self.key, self.write(point))


def on_click(chart: str, settings: Callable[[Cell], Mapping[str, Any]]) -> None:
    """Set controls by a click on a chart, before they are drawn."""
    clicked = clicked_cell(chart)
    if clicked is not None:
        for key, value in settings(clicked).items():
            controls.put(key, value)


def cell_there(clicked: Cell, now: Point) -> Point:
    """The row and the column that were clicked on a heatmap of all rows and columns."""
    return int(clicked.y), int(clicked.x)


def cell_field(
    key: str,
    shape: tuple[int, int],
    default: tuple[int, int],
    clicks: Mapping[str, FromClick] | None = None,
) -> PointField:
    """The field of a cell of a matrix; the URL parameter is `<key>_cell`.

    Args:
        key: The chart of the matrix; a click on it is followed.
        shape: Rows and columns.
        default: Row and column before anything is clicked.
        clicks: Keys of other charts to what a click on them follows.
    """
    coordinates = (
        Coordinate(_("row"), range(shape[0])),
        Coordinate(_("column"), range(shape[1])),
    )
    charts = {key: cell_there, **(clicks or {})}
    return PointField(f"{key}_cell", say("cell"), coordinates, default, charts, width=160)


@dataclass(frozen=True)
class CurvePoint:
    """The point of a curve that is followed."""

    curve: int
    place: Any
    """On the x axis."""
    words: str
    """Where it is: "YaRN, pair 40"."""


def curve_field(
    key: str,
    names: Sequence[str],
    places: Coordinate,
    default: tuple[int, Any],
    charts: Sequence[str],
) -> PointField:
    """The field of a point on curves; the URL parameter is `<key>_point`.

    Args:
        key: Name of the chart.
        names: Of the curves; one that is alone has no coordinate.
        places: What the places on the x axis may be; its values may be a list for each curve.
        default: Curve and place before anything is clicked.
        charts: Keys of all charts with these curves, whose clicks write the field.
    """
    alone = len(names) == 1
    tags: Sequence[Any] = range(len(names))
    if any(LETTERED.match(name) for name in names):
        tags = [name[0] if LETTERED.match(name) else str(n) for n, name in enumerate(names)]
    by_curve = isinstance(places.values, list)
    if by_curve:
        places = replace(places, values=dict(zip(tags, places.values, strict=True)))

    def there(clicked: Cell, now: Point) -> Point | None:
        x = clicked.x if by_curve else round(clicked.x)
        return (tags[clicked.curve], x)[alone:] if clicked.curve < len(names) else None

    curves = Coordinate(_("curve"), tags, tuple(names))
    return PointField(
        f"{key}_point",
        say("point"),
        (curves, places)[alone:],
        (tags[default[0]], default[1])[alone:],
        dict.fromkeys(charts, there),
        _("Curves count from 0, in the order of the legend.")
        if tags == range(len(names)) and not alone
        else "",
    )


def lettered(names: Sequence[str]) -> list[str]:
    """Names of at most 26 curves, each after a letter: what is typed for a curve; none for one."""
    if len(names) == 1:
        return list(names)
    return [
        f"{letter} · {name}" for letter, name in zip(string.ascii_uppercase, names, strict=False)
    ]


def choose_on_curves(field: PointField) -> CurvePoint:
    """Draw a field of `curve_field`."""
    point = field.choose()
    curve = field.coordinates[0].values.index(point[0]) if len(point) > 1 else 0
    return CurvePoint(curve, point[-1], field.words(point))

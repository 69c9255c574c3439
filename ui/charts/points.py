"""The one way to choose what is followed: a text field, which clicks write and the address holds.

A point has coordinates with names: the row and the column of a cell, the panel before them, a curve
and a place on its x axis. What each of them may be is said once; what is typed, the address, a
click and the sentence for a point that is not there all follow from it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ui.charts.component import Cell, clicked_cell
from ui.words import _

SHOWN_PLACES = 12  # in the sentence that says what is allowed

Point = tuple[Any, ...]
"""A value for each coordinate."""
FromClick = Callable[[Cell, Point], Point | None]
"""From what was clicked and the point that was followed to the point to follow; None: no point."""


@dataclass(frozen=True)
class Whole:
    """A coordinate that is a whole number."""

    name: str
    first: int
    last: int
    titles: tuple[str, ...] = ()
    """Of its values from 0 on, where they have some: the names of curves."""

    def read(self, typed: str, before: Point) -> int | None:
        """The value that is typed; None if there is no such value."""
        value = int(typed) if re.fullmatch(r"-?\d{1,12}", typed) else None
        return value if value is not None and self.first <= value <= self.last else None

    def write(self, value: int) -> str:
        """The value as it is typed."""
        return str(value)

    def words(self, value: int) -> str:
        """The value in words: "row 40"."""
        if self.titles:
            return self.titles[value]
        return _("{name} {value:,}", name=self.name, value=value)

    @property
    def allowed(self) -> str:
        """What it may be."""
        return _(
            "{name} from {first:,} to {last:,}", name=self.name, first=self.first, last=self.last
        )


@dataclass(frozen=True)
class Tagged:
    """A coordinate that is one of a few things with tags; its value is the number of the thing."""

    name: str
    tags: tuple[str, ...]
    titles: tuple[str, ...]

    def read(self, typed: str, before: Point) -> int | None:
        """The number of the tag that is typed; None if there is no such tag."""
        tags = [tag.casefold() for tag in self.tags]
        tag = typed.replace(" ", "").casefold()
        return tags.index(tag) if tag in tags else None

    def write(self, value: int) -> str:
        """The tag."""
        return self.tags[value]

    def words(self, value: int) -> str:
        """The title of the thing."""
        return self.titles[value]

    @property
    def allowed(self) -> str:
        """What it may be."""
        return _("{name} {tags}", name=self.name, tags=", ".join(self.tags))


@dataclass(frozen=True)
class Places:
    """A coordinate that is one of the places where the curve before it was measured."""

    name: str
    curves: tuple[tuple[str, tuple[float, ...]], ...]
    """Name and places of each; a curve that is alone has no coordinate of its own."""

    def read(self, typed: str, before: Point) -> float | None:
        """The place that is typed; None if the curve was not measured there."""
        value = float(typed) if re.fullmatch(r"\d{1,9}(\.\d{1,3})?", typed) else None
        return value if value in self.curves[before[0] if before else 0][1] else None

    def write(self, value: float) -> str:
        """The place as it is typed."""
        return f"{value:.12g}"

    def words(self, value: float) -> str:
        """The place in words: "distance 480"."""
        return f"{self.name} {value:,.12g}"

    def measured(self, curve: int) -> str:
        """Where a curve was measured, in a sentence."""
        name, places = self.curves[curve]
        known = [f"{place:,.12g}" for place in places]
        if len(known) > SHOWN_PLACES:
            known[SHOWN_PLACES:] = ["…", known[-1]]
        return _("{curve} was measured at {places}", curve=name, places=", ".join(known))

    @property
    def allowed(self) -> str:
        """What it may be."""
        return self.name


Coordinate = Whole | Tagged | Places


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
        return self.key in st.session_state or self.key in st.query_params

    def choose(self) -> Point:
        """Draw the field: the point that was clicked or typed, or the default."""
        self._settle()
        names = ", ".join(one.name for one in self.coordinates)
        typed = st.text_input(
            _("{noun} ({coordinates})", noun=self.noun.capitalize(), coordinates=names),
            value=self.write(self.default),
            key=self.key,
            help=" ".join(
                filter(
                    None,
                    (
                        _(
                            "The {noun} that is followed. Clicking a picture writes it.",
                            noun=self.noun,
                        ),
                        self.note,
                    ),
                )
            ),
            bind="query-params",
            width=self.width,
        )
        point = self.read(typed)
        if point is not None:
            return point
        st.error(
            _(
                "{allowed}; got {typed!r}. Showing {default}.",
                allowed=self.allowed(typed),
                typed=typed[:40],
                default=self.write(self.default),
            )
        )
        return self.default

    def read(self, typed: str) -> Point | None:
        """The point that is typed; None if there is no such point."""
        point = self._read(typed)
        return point if len(point) == len(self.coordinates) else None

    def write(self, point: Point) -> str:
        """The point as it is typed."""
        pairs = zip(self.coordinates, point, strict=True)
        return ", ".join(coordinate.write(value) for coordinate, value in pairs)

    def words(self, point: Point) -> str:
        """Where the point is: "YaRN, pair 40"."""
        pairs = zip(self.coordinates, point, strict=True)
        return ", ".join(coordinate.words(value) for coordinate, value in pairs)

    def allowed(self, typed: str) -> str:
        """What a point may be, after one that is not there was typed."""
        *before, last = self.coordinates
        start = self._read(typed)
        right = len(typed.split(",")) == len(self.coordinates) and len(start) == len(before)
        if isinstance(last, Places) and right:
            return last.measured(start[0] if start else 0)
        return _(
            "The {noun} must be {coordinates}",
            noun=self.noun,
            coordinates=", ".join(one.allowed for one in self.coordinates),
        )

    def _read(self, typed: str) -> Point:
        """The coordinates up to the first that is wrong; none if there are too few or too many."""
        parts = typed.split(",")
        point: list[Any] = []
        if len(parts) == len(self.coordinates):
            for part, coordinate in zip(parts, self.coordinates, strict=True):
                value = coordinate.read(part.strip(), tuple(point))
                if value is None:
                    break
                point.append(value)
        return tuple(point)

    def _settle(self) -> None:
        """Give the field its text, before it is drawn: of a click, or a default that has moved."""
        state, default = st.session_state, self.write(self.default)
        known = state.get(f"_{self.key}_known", (default, self.coordinates))
        state[f"_{self.key}_known"] = (default, self.coordinates)
        now = state.get(self.key)
        if now is not None:
            # A field that nobody has touched follows the default when the picture becomes another
            # one, and a point of curves that are gone is no mistake of the reader.
            gone = known[1] != self.coordinates and self.read(now) is None
            if gone or now == known[0] != default:
                state[self.key] = now = default
        seen = self.read(now) if now is not None else None
        for chart, choice in self.clicks.items():
            clicked = clicked_cell(chart, reader=self.key)
            point = choice(clicked, seen or self.default) if clicked is not None else None
            if point is not None:
                state[self.key] = self.write(point)


def on_click(chart: str, settings: Callable[[Cell], Mapping[str, Any]]) -> None:
    """Set controls by a click on a chart, before they are drawn.

    Args:
        chart: Its key.
        settings: From what was clicked to control key and value.
    """
    clicked = clicked_cell(chart)
    if clicked is not None:
        st.session_state.update(settings(clicked))


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
    coordinates = (Whole("row", 0, shape[0] - 1), Whole("column", 0, shape[1] - 1))
    charts = {key: cell_there, **(clicks or {})}
    return PointField(f"{key}_cell", "cell", coordinates, default, charts, width=160)


@dataclass(frozen=True)
class CurvePoint:
    """The point of a curve that is followed."""

    curve: int
    place: Any
    """On the x axis: an int where the places are whole numbers."""
    words: str
    """Where it is: "YaRN, pair 40"."""


def curve_field(
    key: str,
    names: Sequence[str],
    place: Whole | Places,
    default: tuple[int, Any],
    charts: Sequence[str],
) -> PointField:
    """The field of a point on curves; the URL parameter is `<key>_point`.

    Args:
        key: Name of the chart.
        names: Of the curves; one that is alone has no coordinate.
        place: What the places may be.
        default: Curve and place before anything is clicked.
        charts: Keys of all charts with these curves, whose clicks write the field.
    """
    curves = (Whole("curve", 0, len(names) - 1, tuple(names)),) if len(names) > 1 else ()

    def there(clicked: Cell, now: Point) -> Point | None:
        if clicked.curve >= len(names):
            return None
        x = round(clicked.x) if isinstance(place, Whole) else clicked.x
        return (clicked.curve, x) if curves else (x,)

    note = _("Curves count from 0, in the order of the legend.") if curves else ""
    return PointField(
        f"{key}_point",
        "point",
        (*curves, place),
        default if curves else default[1:],
        dict.fromkeys(charts, there),
        note,
    )


def choose_on_curves(field: PointField) -> CurvePoint:
    """Draw a field of `curve_field`."""
    point = field.choose()
    return CurvePoint(point[0] if len(point) > 1 else 0, point[-1], field.words(point))

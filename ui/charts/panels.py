"""Small multiples whose cells can be followed: one field for all panels of one or more pictures.

As under a large matrix, a click only writes into a text field, and the field is in the URL.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from plots.heatmap import mark_cell, small_multiples
from posenc.quantity.matrix import Quantity
from posenc.quantity.view import View
from posenc.words import say
from ui.charts.component import Cell, chart
from ui.charts.points import Coordinate, Point, PointField
from ui.words import _, number, translate

CELLS = (128, 128)
"""Rows and columns of a panel, if nothing else is said."""


@dataclass(frozen=True)
class Panel:
    """One matrix of several."""

    tag: str
    """Text that a reader types to choose it: "A", "B-A", "0"."""
    name: str
    """Title above it."""
    quantity: Quantity
    is_apart: bool = False
    """Whether it has a scale of its own."""


@dataclass(frozen=True, kw_only=True)
class PanelFigure:
    """Panels on one colour scale, but for those that have their own."""

    key: str
    title: str
    alt: str
    panels: Sequence[Panel]
    height: int = 300
    columns: int | None = None
    """Side by side on a wide screen; chosen when None."""


@dataclass(frozen=True)
class Place:
    """The cell that is followed."""

    panel: Panel
    row: int
    col: int
    words: str
    """Where it is: "RoPE, row 3, column 4"."""

    @property
    def cell(self) -> tuple[int, int]:
        """Row and column."""
        return self.row, self.col


def panel_field(
    panels: Sequence[Panel],
    *,
    key: str,
    default: tuple[str, int, int],
    charts: Mapping[str, Sequence[Panel]],
) -> Place:
    """The panel and cell that are followed: clicked, typed, or the default.

    Args:
        panels: All panels, of one shape.
        key: The URL parameter is `<key>_at`.
        default: Tag, row and column before anything is clicked.
        charts: Key of a chart to its panels, in the order of its traces.
    """
    by_tag = {one.tag: one for one in panels}
    quantity = panels[0].quantity
    titles = ", ".join(f"`{one.tag}` ({translate(one.name)})" for one in panels)
    field = PointField(
        f"{key}_at",
        say("cell"),
        (
            Coordinate(_("panel"), tuple(by_tag), tuple(one.name for one in panels)),
            Coordinate(_("row"), range(quantity.rows.length)),
            Coordinate(_("column"), range(quantity.cols.length)),
        ),
        default,
        {chart: partial(_cell_of, its) for chart, its in charts.items()},
        _("Panels: {panels}", panels=titles),
    )
    tag, row, col = point = field.choose()
    return Place(by_tag[tag], row, col, field.words(point))


def _cell_of(panels: Sequence[Panel], clicked: Cell, now: Point) -> Point | None:
    if clicked.curve >= len(panels):
        return None
    return panels[clicked.curve].tag, int(clicked.y), int(clicked.x)


def draw_panels(picture: PanelFigure, views: Mapping[str, View], place: Place, linked: str) -> None:
    """One picture of panels; the cell that is followed is marked in its own."""
    one = picture.panels[0].quantity
    shown = {panel.name: views[panel.name] for panel in picture.panels}
    edges = next(iter(shown.values()))
    figure = small_multiples(
        [(translate(name), its.values.numpy()) for name, its in shown.items()],
        edges.row_edges.numpy(),
        edges.col_edges.numpy(),
        title=translate(picture.title),
        x_title=translate(one.cols.name),
        y_title=translate(one.rows.name),
        signed=one.signed,
        unit=translate(one.unit),
        value_name=translate(one.name),
        columns=picture.columns,
        linked=linked,
        labels=one.rows.labels if edges.kind == "exact" else None,
        apart=[at for at, panel in enumerate(picture.panels) if panel.is_apart],
    )
    tags = [panel.tag for panel in picture.panels]
    if place.panel.tag in tags:
        figure = mark_cell(figure, place.row, place.col, tags.index(place.panel.tag))
    chart(figure, key=picture.key, alt=picture.alt, height=picture.height)


def in_words(values: Mapping[str, float]) -> str:
    """Values by name, for those who do not hover."""
    return "; ".join(
        f"**{_('masked') if value != value else number(value, '.6g')}** ({translate(name)})"
        for name, value in values.items()
    )

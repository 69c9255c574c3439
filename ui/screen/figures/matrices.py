"""Figures of matrices: heatmaps whose cells are followed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from posenc.quantity.matrix import value_at
from posenc.quantity.view import view
from ui.charts import stage
from ui.charts.follow import follow, labelled, reading
from ui.charts.matrix import Matrix, drawn_words
from ui.charts.panels import CELLS, PanelFigure, draw_panels, in_words, panel_field
from ui.screen.figures.figure import Drawn, caption, offer
from ui.screen.layout import view_frame
from ui.words import _, translate


@dataclass(frozen=True, kw_only=True)
class MatrixFigure(Matrix):
    """A matrix with its table and its program, a file of `notebooks/<screen>/`."""

    table: str
    settings: Mapping[str, Any] | None = None
    """Settings of its program; None where the notebook brings the numbers along."""
    program: str = ""
    """Its name, where that is not the key."""
    caption: str = ""

    def draw(self) -> Drawn:
        """The heatmap, its fields and the steps to its cell."""
        offer(self.key, self.settings, self.program)
        shown = self.show()
        caption(self.caption)
        return Drawn(lambda: {self.table: view_frame(shown.view)}, shown)


@dataclass(frozen=True, kw_only=True)
class PanelsFigure(PanelFigure):
    """Small matrices on one colour scale; one cell is followed in all of them.

    What is hovered in one panel is marked in all of them by the browser.
    """

    more: Sequence[PanelFigure] = ()
    """Further ones below the reading, in which the same cell is followed."""
    cell: tuple[int, int]
    """The address names it `<field>_at`."""
    field: str = ""
    """The key where empty."""
    settings: Mapping[str, Any] | None = None
    """Settings of its program; None where the notebook brings the numbers along."""
    tag: str = ""
    """Tag of the panel that is followed before anything is clicked; the first when empty."""
    cells: tuple[int, int] = CELLS
    """Rows and columns of a panel at most."""
    caption: str = ""

    def draw(self) -> Drawn:
        """The panels, one field for all of them and the steps to its cell."""
        offer(self.key, self.settings)
        field = self.field or self.key
        pictures = [self, *self.more]
        every = [panel for picture in pictures for panel in picture.panels]
        views = {panel.name: view(panel.quantity, cells=self.cells) for panel in every}
        drawn = stage.room(self.key, self.height)
        with st.container():
            with st.container(horizontal=True):
                told = st.container(width="content")
                place = panel_field(
                    every,
                    key=field,
                    default=(self.tag or every[0].tag, *self.cell),
                    charts={picture.key: picture.panels for picture in pictures},
                )
            with drawn:
                draw_panels(self, views, place, linked=field)
            row, col, its = place.row, place.col, place.panel
            values = {panel.name: value_at(panel.quantity, row, col) for panel in every}
            with told:
                cell = labelled(its.quantity, row, col)
                where = f"{translate(its.name)}, {cell}" if cell else place.words
                reading(where, values[its.name], its.quantity.unit)
            st.caption(_("This cell in all panels: {values}.", values=in_words(values)))
            for picture in self.more:
                draw_panels(picture, views, place, linked=field)
            follow(
                its.quantity.steps(row, col),
                key=field,
                place=place.words,
                unit=its.quantity.unit,
                drawn=drawn_words(views[its.name], row, col),
            )
        caption(self.caption)
        return Drawn(lambda: {name: view_frame(one) for name, one in views.items()}, place)

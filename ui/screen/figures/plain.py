"""Figures that are looked at, moved or read: drawings, moving pictures, words, tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import streamlit as st

from plots.figure import Figure
from posenc.quantity.step import Step
from ui.charts import stage
from ui.charts.component import chart
from ui.charts.follow import follow
from ui.charts.moving import moving
from ui.charts.points import Point, PointField
from ui.screen.figures.figure import Drawn, caption, no_tables, offer
from ui.screen.layout import Frames, readouts
from ui.words import translate

ROWS = 16
"""Most rows of a table that stands whole."""
TABLE_HEIGHT = 380
"""Pixels of a longer one."""


@dataclass(frozen=True, kw_only=True)
class ChartFigure:
    """A drawing in which no number is followed."""

    key: str
    figure: Figure
    alt: str
    height: int = 420
    rev: str = ""
    """Anything that changes when the drawing becomes another one."""
    caption: str = ""
    tables: Callable[[], Frames] = no_tables

    def draw(self) -> Drawn:
        """The drawing."""
        chart(self.figure, key=self.key, alt=self.alt, height=self.height, rev=self.rev)
        caption(self.caption)
        return Drawn(self.tables)


@dataclass(frozen=True, kw_only=True)
class MovingFigure:
    """A picture that moves and is dragged in the browser, with a point that is followed below."""

    key: str
    """Its name, that of its program and of its module in `static/pictures/`."""
    alt: str
    words: Mapping[str, str]
    """Interface words of the browser side, by its names for them."""
    data: Callable[[Point], Mapping[str, Any]]
    """Data to draw with a point followed, plain JSON; "at" says where the picture stands."""
    still: Callable[[Point], Figure]
    """Figure in its place in files."""
    settings: Callable[[Point], Mapping[str, Any]] | None = None
    """Settings of its program; None where the notebook brings the numbers along."""
    height: int
    field: PointField | None = None
    steps: Callable[[Point], Sequence[Step]] | None = None
    """To the point that is followed; None where the picture itself shows them."""
    parts: Sequence[str] = ()
    """Programs of functions that its own one calls."""
    module: str = ""
    program: str = ""
    """These two where their names are others."""
    captions: Sequence[str] = ()
    tables: Callable[[], Frames] = no_tables

    def draw(self) -> Drawn:
        """The picture, its field and the steps to its point."""
        picture = stage.room(self.key, self.height)
        for words in self.captions:
            st.caption(words)
        point = self.field.choose() if self.field else ()
        if self.field and self.steps:
            follow(self.steps(point), key=self.key, place=self.field.words(point))
        said = {name: translate(text) for name, text in self.words.items()}
        with picture:
            settings = self.settings(point) if self.settings else None
            offer(self.key, settings, self.program, self.parts)
            moving(
                self.module or self.key,
                {**self.data(point), "alt": self.alt, "interface": said},
                key=self.key,
                height=self.height,
                still=self.still(point),
            )
        return Drawn(self.tables, point)


@dataclass(frozen=True, kw_only=True)
class ReadoutsFigure:
    """A few numbers by label, and what some of them are."""

    readouts: Mapping[str, str]
    help: Mapping[str, str] = field(default_factory=dict)
    caption: str = ""
    """Stands above them."""

    def draw(self) -> Drawn:
        """The numbers in a row."""
        caption(self.caption)
        readouts(self.readouts, help=self.help)
        return Drawn()


@dataclass(frozen=True)
class WordsFigure:
    """A sentence, and what it leads to: lines of Python, or the steps to a number."""

    words: str = ""
    title: str = ""
    """Title of what begins here."""
    small: bool = False
    """Whether the words are a caption."""
    code: str = ""
    language: str = "python"
    steps: Sequence[Step] = ()
    place: str = ""
    """Where their number stands, in words."""

    def draw(self) -> Drawn:
        """All of them."""
        if self.title:
            st.header(self.title, anchor=False)
        if self.words:
            (st.caption if self.small else st.markdown)(self.words)
        if self.code:
            st.code(self.code, language=self.language, wrap_lines=self.language == "bash")
        if self.steps:
            follow(self.steps, key="words", place=self.place)
        return Drawn()


@dataclass(frozen=True, kw_only=True)
class TableFigure:
    """Numbers or words in rows and columns, read as they stand."""

    name: str
    frame: pd.DataFrame
    caption: str = ""
    """Stands above it."""
    turned: bool = False
    """Whether its rows are drawn as columns."""
    indexed: bool = True
    """Whether its index is drawn."""
    formats: Mapping[str, str] = field(default_factory=dict)
    """Formats of columns of numbers."""
    help: Mapping[str, str] = field(default_factory=dict)
    """Sentences about columns, by name."""

    def draw(self) -> Drawn:
        """The table."""
        caption(self.caption)
        shown = self.frame.T if self.turned else self.frame
        st.dataframe(
            shown,
            height="content" if len(shown) <= ROWS else TABLE_HEIGHT,
            hide_index=None if self.indexed else True,
            column_config={
                name: st.column_config.NumberColumn(format=form)
                for name, form in self.formats.items()
            }
            | {name: st.column_config.Column(help=words) for name, words in self.help.items()},
        )
        return Drawn(lambda: {self.name: self.frame})


@dataclass(frozen=True, kw_only=True)
class WordTableFigure:
    """Words in rows and columns, in as many lines as they need."""

    name: str
    frame: pd.DataFrame

    def draw(self) -> Drawn:
        """The table."""
        st.table(self.frame)
        return Drawn(lambda: {self.name: self.frame})

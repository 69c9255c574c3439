"""Figures below each other, beside each other, or folded away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from ui.screen.figures.figure import Drawn, ScreenFigure, caption
from ui.screen.layout import Frames, guard


@dataclass(frozen=True, kw_only=True)
class FoldedFigure:
    """Figures that are one press away."""

    title: str
    figures: Sequence[ScreenFigure]

    def draw(self) -> Drawn:
        """All of them, folded away."""
        with st.expander(self.title):
            return column(self.figures)


@dataclass(frozen=True, kw_only=True)
class RowFigure:
    """Figures beside each other."""

    figures: Sequence[ScreenFigure | Callable[[Any], ScreenFigure]]
    """One that depends on what is followed in the first is a function of that."""
    caption: str = ""

    def draw(self) -> Drawn:
        """Each in a column."""
        drawn: list[Drawn] = []
        places = st.columns(len(self.figures), gap="large")
        for place, figure in zip(places, self.figures, strict=True):
            with place:
                one = figure(drawn[0].followed) if callable(figure) else figure
                drawn.append(one.draw())
        caption(self.caption)
        return Drawn(partial(_all_tables, drawn), drawn[0].followed)


@dataclass(frozen=True, kw_only=True)
class ColumnFigure:
    """Figures below each other, as in a picture."""

    figures: Sequence[ScreenFigure | Callable[[Any], ScreenFigure]]

    def draw(self) -> Drawn:
        """One after the other."""
        return column(self.figures)


def column(
    figures: Sequence[ScreenFigure | Callable[[Any], ScreenFigure]],
    below_first: Callable[[Any], None] = lambda _followed: None,
) -> Drawn:
    """Draw figures below each other; one that cannot be drawn below the first gets a sentence."""
    first, *others = figures
    assert not callable(first), "nothing is followed before the first figure"
    drawn = [first.draw()]
    followed = drawn[0].followed
    below_first(followed)
    for figure in others:
        with guard():
            drawn.append((figure(followed) if callable(figure) else figure).draw())
    return Drawn(partial(_all_tables, drawn), followed)


def _all_tables(drawn: Sequence[Drawn]) -> Frames:
    return {name: table for one in drawn for name, table in one.tables().items()}

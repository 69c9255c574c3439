"""Figures as data that can be drawn, with their tables and their programs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import streamlit as st

from ui import notebooks
from ui.screen.layout import Frames


def no_tables() -> Frames:
    """No tables: words have none."""
    return {}


@dataclass(frozen=True)
class Drawn:
    """Results of drawing a figure."""

    tables: Callable[[], Frames] = no_tables
    followed: Any = None
    """The point that is followed: `Shown` of a matrix, `CurvePoint` of curves."""


class ScreenFigure(Protocol):
    """A figure of a picture. A screen may have a class of its own."""

    def draw(self) -> Drawn:
        """Draw it where the screen stands now."""


def offer(
    key: str,
    settings: Mapping[str, Any] | None,
    program: str = "",
    parts: Sequence[str] = (),
) -> None:
    """Let a figure's program be shown with its settings filled in, and be taken as a notebook."""
    if settings is not None:
        notebooks.computed(key, parts, program, **settings)


def caption(words: str) -> None:
    """The words under a figure, where it has some."""
    if words:
        st.caption(words)

"""The angle of every pair at every position, and how many positions a full turn takes."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import streamlit as st

from pages.rope import settings
from plots.lines import Mark, Series
from posenc.rope.picture import RoPEAngles
from posenc.rope.steps import wavelength_steps
from posenc.study import rope_wavelengths
from posenc.words import say
from ui import controls, screen
from ui.words import _, rounded, translate

LISTED = 8
"""Pairs at most whose numbers stand above the picture."""
VALUES = {"cos": "cos", "sin": "sin", "angle": say("angle")}
TITLES = {
    "cos": say("Cosine of every pair at every position"),
    "sin": say("Sine of every pair at every position"),
    "angle": say("Angle of every pair at every position"),
}


@dataclass(frozen=True, kw_only=True)
class Settings(settings.Encoding):
    value: Literal["cos", "sin", "angle"] = controls.entry(
        controls.choice,
        say("Shown"),
        VALUES,
        help=say("cos and sin of p·θᵢ, or the angle itself."),
        above=True,
    )


def picture(s: Settings) -> screen.Picture:
    """The angles as a heatmap, the wavelengths as a curve."""
    matrix = screen.MatrixFigure(
        key="angles",
        quantity=RoPEAngles(s.inv_freq, s.length, s.value),
        title=translate(TITLES[s.value]),
        alt=_("Heatmap. {title}: fast pairs at the left", title=TITLES[s.value]),
        cell=(min(8, s.length - 1), s.pairs // 2),
        table=say("angles"),
        settings={**s.program, "value": s.value},
    )
    return screen.Picture(
        above=Listed(listed(s), some(s)),
        figures=[matrix, wavelengths(s)],
        tables=lambda: frequencies(s),
    )


@dataclass(frozen=True)
class Listed:
    """A table in Markdown, whose rows stand beside one another on a phone."""

    table: str
    words: str
    """A sentence below it."""

    def draw(self) -> screen.Drawn:
        """The table."""
        with st.container(key="listed"):
            st.markdown(self.table)
            if self.words:
                st.caption(self.words)
        return screen.Drawn()


def listed(s: Settings) -> str:
    """Frequency and wavelength of all pairs, or of some from the first to the last, as Markdown."""
    chosen = np.unique(np.linspace(0, s.pairs - 1, LISTED).round().astype(int))
    rows = [
        [_("pair i"), *map(str, chosen)],
        ["---"] + ["---:"] * len(chosen),
        [_("frequency θᵢ (rad per token)"), *map(rounded, s.inv_freq[chosen].tolist())],
        [_("wavelength λᵢ (tokens)"), *map(rounded, rope_wavelengths(s.inv_freq)[chosen].tolist())],
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def some(s: Settings) -> str:
    """A sentence, where not all pairs are listed."""
    if s.pairs <= LISTED:
        return ""
    between, uneven = divmod(s.pairs - 1, LISTED - 1)
    if uneven:
        return _(
            "{count} of {pairs} pairs; all stand below, under Numbers.", count=LISTED, pairs=s.pairs
        )
    return _(
        "One pair in {between}; all {pairs} stand below, under Numbers.",
        between=between,
        pairs=s.pairs,
    )


def frequencies(s: Settings) -> screen.Frames:
    """Frequency and wavelength of each pair."""
    columns = {"θᵢ": s.inv_freq.numpy(), "λᵢ": rope_wavelengths(s.inv_freq).numpy()}
    return {say("frequencies"): screen.curve_frame(_("pair i"), range(s.pairs), columns)}


def wavelengths(s: Settings) -> screen.LinesFigure:
    """Positions for a full turn of each pair."""
    turns = rope_wavelengths(s.inv_freq)
    return screen.LinesFigure(
        key="wavelengths",
        alt=_("Wavelength per pair on a logarithmic axis"),
        x=np.arange(s.pairs),
        series=[Series(_("wavelength"), turns)],
        title=_("Wavelength of each pair against the length"),
        x_title=_("pair i"),
        y_title=_("positions for a full turn λᵢ"),
        log_y=True,
        y_range=(2.0, 4 * max(s.length, turns[-1].item())),
        marks=[Mark("y", s.length, _("length {length:,}", length=s.length))],
        steps=lambda _curve, pair: wavelength_steps(pair, s.inv_freq),
        x_name=_("pair"),
        point=(0, s.pairs // 2),
        table=say("wavelengths"),
        settings=s.program,
        height=340,
        caption=_("θᵢ and λᵢ of every pair stand below, under Numbers."),
    )

"""Everything that has an id can be told apart where it is drawn."""

import plotly.graph_objects as go
import pytest

from plots.diagram import PLACES, four_places
from plots.looks import (
    ENCODINGS,
    GREY,
    HABITS,
    LOOKS,
    METHODS,
    ON_DARK,
    READINGS,
    UNKNOWN,
    look,
)
from plots.style import DASHES, OKABE_ITO
from posenc.attention.habits import HABITS as HABITS_OF_HEADS
from posenc.catalogue import CATALOGUE
from posenc.scaling.methods import METHODS as LISTED
from tests.drawn import as_plotly


def test_every_encoding_and_every_method_has_a_look() -> None:
    assert set(ENCODINGS) == set(CATALOGUE)
    assert set(METHODS) == set(LISTED)
    assert set(HABITS) == set(HABITS_OF_HEADS)
    assert len(LOOKS) == len(ENCODINGS) + len(METHODS) + len(READINGS)


def test_looks_can_be_told_apart() -> None:
    for table in (ENCODINGS, METHODS, HABITS):
        looks = list(table.values())
        assert len({(one.color, one.dash) for one in looks}) == len(looks)
        assert len({(one.color, one.marker) for one in looks}) == len(looks)
    for table in (METHODS, HABITS):
        assert len({one.marker for one in table.values()}) == len(table)


def test_looks_are_known_to_plotly() -> None:
    for one in LOOKS.values():
        go.Scatter(line={"dash": one.dash}, marker={"symbol": one.marker or None})  # else it raises
        assert one.dash in DASHES
    for one in ENCODINGS.values():
        assert one.color in (*OKABE_ITO, GREY)
        assert (one.color, one.dash) != (GREY, "dash")  # nearly the sliding window's


def test_what_has_no_look_is_grey() -> None:
    assert look("made_up") == UNKNOWN
    assert UNKNOWN not in (*ENCODINGS.values(), *METHODS.values())


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


COLOURS = {*OKABE_ITO, *(one.color for one in (*LOOKS.values(), *HABITS.values(), UNKNOWN))}


@pytest.mark.parametrize("name", CATALOGUE)
def test_words_can_be_read_on_a_place_that_is_lit(name: str) -> None:
    fill = look(name).color
    figure = as_plotly(four_places(PLACES, fill, "all four"))
    words = {box.label.font.color for box in figure.layout.shapes if box.fillcolor == fill}
    assert len(words) == 1
    low, high = sorted((luminance(fill), luminance(words.pop())))
    assert (high + 0.05) / (low + 0.05) >= 4.5


def test_every_colour_can_be_read_on_dark_paper() -> None:
    paper = luminance("#171614")
    shown = {color: ON_DARK.get(color, color) for color in COLOURS}
    faint = {c: s for c, s in shown.items() if (luminance(s) + 0.05) / (paper + 0.05) < 4.5}
    assert not faint
    assert len(set(shown.values())) == len(shown), "two look alike"


def test_every_line_can_be_seen_on_white_paper() -> None:
    """3 to 1, what WCAG 1.4.11 asks of graphics."""
    assert not {color for color in COLOURS if 1.05 / (luminance(color) + 0.05) < 3}

import pytest

from plots.diagram import PLACES, four_places
from plots.looks import look
from posenc import CATALOGUE
from tests.drawn import as_plotly


def luminance(color: str) -> float:
    """Relative luminance of #rrggbb, WCAG 2.2."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", list(CATALOGUE))
def test_words_can_be_read_on_a_place_that_is_lit(name: str) -> None:
    fill = look(name).color
    figure = as_plotly(four_places(PLACES, fill, "all four"))
    words = {box.label.font.color for box in figure.layout.shapes if box.fillcolor == fill}
    assert len(words) == 1
    low, high = sorted((luminance(fill), luminance(words.pop())))
    assert (high + 0.05) / (low + 0.05) >= 4.5

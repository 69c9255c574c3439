"""Hands on clocks."""

import numpy as np
import pytest

from plots.clocks import PER_ROW, SPACING, clocks
from tests.drawn import as_plotly

POSITIONS = [0, 7, 14, 21, 28]
SPEEDS = np.array([1.0, 0.5, 0.25, 0.1, 0.01, 0.001])
HANDS = np.exp(1j * np.outer(POSITIONS, SPEEDS))
LABELS = [f"pair {i}" for i in range(6)]


def turned(position: int) -> np.ndarray:
    return np.exp(1j * position * SPEEDS)


def figure(start: int = 0):
    return clocks(POSITIONS, LABELS, turned, title="Hands", start=start)


def test_tips_stand_at_the_angles_in_rows_of_four() -> None:
    first, second, *_ = as_plotly(figure(start=3)).data
    np.testing.assert_array_equal(first.y, np.float32(HANDS[3, :4].imag))
    np.testing.assert_array_equal(second.y, np.float32(HANDS[3, 4:].imag))
    np.testing.assert_allclose(first.x, HANDS[3, :4].real + SPACING * np.arange(4), rtol=1e-6)
    np.testing.assert_allclose(second.x, HANDS[3, 4:].real + SPACING * np.arange(2), rtol=1e-6)
    assert (first.yaxis, second.yaxis) == ("y", "y2")


def test_hands_go_to_their_tips_with_gaps_between() -> None:
    hand = as_plotly(figure()).data[2]
    np.testing.assert_array_equal(hand.y[0::3], np.zeros(PER_ROW))
    np.testing.assert_array_equal(hand.y[1::3], np.float32(HANDS[0, :4].imag))
    assert np.isnan(hand.y[2::3]).all()
    assert np.isnan(hand.x[2::3]).all()
    assert hand.showlegend is False


def test_every_position_is_a_frame_of_all_traces() -> None:
    made = as_plotly(figure(start=2))
    assert [frame.name for frame in made.frames] == ["0", "7", "14", "21", "28"]
    assert made.layout.sliders[0].active == 2
    for frame, tips in zip(made.frames, HANDS, strict=True):
        assert list(frame.traces) == [0, 1, 2, 3]
        np.testing.assert_array_equal(frame.data[0].y, np.float32(tips[:4].imag))
        np.testing.assert_array_equal(frame.data[3].y[1::3], np.float32(tips[4:].imag))


def test_each_clock_has_a_face_and_a_label() -> None:
    layout = as_plotly(figure()).layout
    circles = [shape for shape in layout.shapes if shape.type == "circle"]
    assert [(c.x0 + c.x1) / 2 for c in circles] == pytest.approx(
        [0, SPACING, 2 * SPACING, 3 * SPACING, 0, SPACING]
    )
    assert [note.text for note in layout.annotations] == LABELS
    assert layout.yaxis.scaleanchor == layout.yaxis2.scaleanchor == "x"

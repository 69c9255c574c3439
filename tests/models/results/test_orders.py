"""Rates of heads and of random vectors, on numbers that can be worked out by hand."""

import numpy as np
import pytest

from models.results.orders import of_drawn, of_heads
from models.results.tables import Measured

ROWS = tuple(
    {"keys": "any", "length": 64, "nearer": share, "nearer_low": share - 0.2, "nearer_high": 1.0}
    for share in (0.5, 0.75)
)


def test_heads_are_told_by_text() -> None:
    found = of_heads(Measured("made", (), (), (), orders=ROWS), "nearer", "any", 64)
    np.testing.assert_allclose(found.median, [0.5, 0.75])
    np.testing.assert_allclose(found.low, [0.3, 0.55])
    np.testing.assert_allclose(found.high, [1, 1])
    with pytest.raises(KeyError):
        of_heads(Measured("made", (), (), ()), "nearer", "any", 64)


def test_random_vectors_are_told_by_base_and_lead() -> None:
    assert of_drawn("flipped", 128, 1e4, 0, 2**20) == pytest.approx(0.5, abs=0.01)
    assert of_drawn("flipped", 128, 5e6, 4, 64) < 0.05
    with pytest.raises(KeyError):
        of_drawn("flipped", 128, 1e4, 3, 64)

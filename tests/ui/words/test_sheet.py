"""No cell of a file for spreadsheets is computed there."""

import pandas as pd
import pytest

from ui.words.sheet import csv


@pytest.mark.parametrize("typed", ["=1+1", "+A1", "-A1", "@SUM(A1)", "\tx", "-1+cmd|x", "=2"])
def test_what_was_typed_stays_text_wherever_it_stands(typed: str) -> None:
    frame = pd.DataFrame({typed: [typed]}, index=[typed])
    assert csv(frame).decode().count(f"'{typed}") == 3


def test_numbers_and_other_words_are_as_they_were() -> None:
    frame = pd.DataFrame({"name": ["Ann", "a=b", "-1.5", "+2"], "m": [1.5, None, -2.0, 0.0]})
    frame = frame.convert_dtypes()
    assert csv(frame, index=False) == frame.to_csv(index=False).encode()

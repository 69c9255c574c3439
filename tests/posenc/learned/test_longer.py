import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.learned.longer import interpolate_table
from posenc.learned.steps import row_similarity, row_similarity_steps
from tests.tensors import random


def _slow_interpolation(table, new_length, align_corners):
    """One output row at a time."""
    length = len(table)
    rows = []
    for o in range(new_length):
        if align_corners:
            x = o * (length - 1) / (new_length - 1) if new_length > 1 else 0.0
        else:
            x = max((o + 0.5) * length / new_length - 0.5, 0.0)
        low = min(int(x), length - 1)
        high = min(low + 1, length - 1)
        rows.append((1 - (x - low)) * table[low] + (x - low) * table[high])
    return torch.stack(rows)


@given(st.integers(1, 9), st.integers(1, 20), st.booleans())
def test_interpolation_equals_the_slow_one(length, new_length, align_corners):
    table = random(length, 3, seed=length)
    actual = interpolate_table(table, new_length, align_corners=align_corners)
    expected = _slow_interpolation(table, new_length, align_corners)
    torch.testing.assert_close(actual, expected, atol=1e-12, rtol=0)


def test_interpolation_keeps_the_dtype_and_a_table_of_its_own_length():
    table = random(7, 3).to(torch.bfloat16)
    assert torch.equal(interpolate_table(table, 7), table)


def test_rows_are_compared_by_their_angle():
    table = random(7, 5) * torch.arange(1.0, 8.0)[:, None]
    got = row_similarity(table)
    for row in range(7):
        for col in range(7):
            one, other = table[row], table[col]
            expected = torch.nn.functional.cosine_similarity(one, other, dim=0).item()
            assert got[row, col].item() == pytest.approx(expected, abs=1e-12)
            steps = row_similarity_steps(table, row, col)
            assert steps[-1].value == pytest.approx(expected, abs=1e-12)
    assert got.diagonal().tolist() == pytest.approx([1.0] * 7)


def test_a_row_of_zeros_has_no_angle():
    table = torch.tensor([[0.0, 0.0], [1.0, 2.0]])
    assert row_similarity(table).isnan().tolist() == [[True, True], [True, False]]
    (only,) = row_similarity_steps(table, 0, 1)
    assert math.isnan(only.value)
    assert "zero" in only.latex

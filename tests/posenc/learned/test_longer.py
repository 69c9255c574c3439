import math

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from posenc.learned.longer import interpolate_grid, interpolate_table
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


def test_interpolation_keeps_dtype_and_an_equal_length():
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


def _keys(distance):
    """Keys' kernel with a = -0.75."""
    x, a = abs(distance), -0.75
    if x <= 1:
        return (a + 2) * x**3 - (a + 3) * x**2 + 1
    return a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a if x < 2 else 0.0


def _weights(length, new_length, offset):
    """What each new row takes of the old ones, written out; the border is repeated."""
    rows = torch.zeros(new_length, length, dtype=torch.float64)
    for o in range(new_length):
        x = (o + 0.5) * length / (new_length + offset) - 0.5
        for tap in range(math.floor(x) - 1, math.floor(x) + 3):
            rows[o, min(max(tap, 0), length - 1)] += _keys(x - tap)
    return rows


SIDES = st.tuples(st.integers(1, 6), st.integers(1, 6))


@given(SIDES, SIDES, st.sampled_from([0.0, 0.1, 0.5]), st.integers(0, 2))
def test_a_grid_is_stretched_by_keys_kernel_along_both_axes(grid, new_grid, offset, front):
    table = random(front + grid[0] * grid[1], 3, seed=grid[0])
    down, across = (_weights(o, n, offset) for o, n in zip(grid, new_grid, strict=True))
    image = table[front:].reshape(*grid, 3)
    want = torch.einsum("ri,cj,ijd->rcd", down, across, image).flatten(0, 1)
    got = interpolate_grid(table, grid, new_grid, class_tokens=front, offset=offset)
    torch.testing.assert_close(got, torch.cat((table[:front], want)), atol=1e-10, rtol=0)


@given(SIDES, SIDES)
def test_an_antialiased_grid_is_pillows(grid, new_grid):
    table = random(grid[0] * grid[1], 1, seed=grid[1]).float()
    image = Image.fromarray(table.reshape(grid).numpy(), mode="F")
    want = image.resize((new_grid[1], new_grid[0]), Image.Resampling.BICUBIC)
    got = interpolate_grid(table, grid, new_grid, antialias=True)
    torch.testing.assert_close(
        got[:, 0], torch.tensor(numpy.array(want)).flatten(), atol=2e-6, rtol=0
    )


def test_an_offset_adds_no_patch():
    with pytest.raises(ValueError, match="offset must be below 1"):
        interpolate_grid(random(4, 2), (2, 2), (3, 3), offset=1.5)

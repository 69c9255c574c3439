from dataclasses import dataclass, field

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.quantity.matrix import Axis
from posenc.quantity.view import view


@dataclass(frozen=True)
class _Product:
    """rows * cols, which grows so that every wrong position shows."""

    rows: Axis
    cols: Axis
    name: str = "row times column"
    unit: str = ""
    signed: bool = False
    asked: list = field(default_factory=list)

    def at(self, rows, cols):
        self.asked.append((len(rows), len(cols)))
        return (rows[:, None] * cols[None, :]).double()


class _Averaged(_Product):
    def mean(self, row_edges, col_edges):
        row_means = (row_edges[:-1] + row_edges[1:] - 1) / 2
        col_means = (col_edges[:-1] + col_edges[1:] - 1) / 2
        return (row_means[:, None] * col_means[None, :]).double()


def _product(height, width, kind=_Product):
    return kind(Axis("row", height), Axis("column", width))


def test_a_window_that_fits_shows_every_value():
    seen = view(_product(100, 80), rows=(10, 13), cols=(7, 9))
    assert seen.kind == "exact"
    assert seen.values.tolist() == [[70.0, 80.0], [77.0, 88.0], [84.0, 96.0]]
    assert seen.values.dtype == torch.float32
    assert seen.row_edges.tolist() == [10, 11, 12, 13]
    assert (seen.row_step, seen.col_step) == (1, 1)


windows = st.integers(1, 60).flatmap(
    lambda length: st.tuples(
        st.just(length), st.integers(0, length - 1), st.integers(1, length), st.integers(1, 20)
    )
)


@given(windows, windows)
def test_cells_tile_the_window_with_means_of_the_block(vertical, horizontal):
    (height, top, rows_shown, row_cells), (width, left, cols_shown, col_cells) = (
        vertical,
        horizontal,
    )
    bottom, right = min(top + rows_shown, height), min(left + cols_shown, width)
    quantity = _product(height, width, _Averaged)
    seen = view(quantity, (top, bottom), (left, right), (row_cells, col_cells))
    full = quantity.at(torch.arange(height), torch.arange(width))

    assert seen.values.shape == (len(seen.row_edges) - 1, len(seen.col_edges) - 1)
    assert seen.values.shape[0] <= row_cells
    assert seen.values.shape[1] <= col_cells
    assert seen.row_edges[[0, -1]].tolist() == [top, bottom]
    assert seen.col_edges[[0, -1]].tolist() == [left, right]
    for r, (r0, r1) in enumerate(seen.row_edges.unfold(0, 2, 1).tolist()):
        for c, (c0, c1) in enumerate(seen.col_edges.unfold(0, 2, 1).tolist()):
            assert r0 < r1
            assert c0 < c1
            want = full[r0:r1, c0:c1].mean().float()
            torch.testing.assert_close(seen.values[r, c], want, atol=1e-6, rtol=1e-6)
    every_cell_is_one = seen.row_step == seen.col_step == 1
    assert seen.kind == ("exact" if every_cell_is_one else "block_mean")


def test_without_a_mean_a_block_shows_the_value_at_its_centre():
    seen = view(_product(10, 4), cols=(3, 4), cells=(3, 1))
    assert seen.kind == "centre"
    assert seen.row_edges.tolist() == [0, 4, 8, 10]
    assert seen.values[:, 0].tolist() == [3.0 * 1, 3.0 * 5, 3.0 * 8]


def test_one_coarse_axis_is_enough_not_to_be_exact():
    assert view(_product(4, 9), cells=(4, 3)).kind == "centre"
    assert view(_product(9, 4), cells=(3, 4)).kind == "centre"


def test_the_cost_is_that_of_the_cells():
    quantity = _product(10**9, 10**9)
    seen = view(quantity)
    assert quantity.asked == [(512, 512)]
    assert seen.values.shape == (512, 512)
    assert seen.row_edges[-1] == 10**9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rows": (3, 3)}, r"rows must be a window .* 0 <= start < stop <= 10, got \(3, 3\)"),
        ({"rows": (-1, 3)}, r"rows must be a window"),
        ({"cols": (0, 9)}, r"cols must be a window .* <= 8, got \(0, 9\)"),
        ({"cells": (513, 4)}, r"cells\[rows\] must be an integer from 1 to 512, got 513"),
        ({"cells": (4, 0)}, r"cells\[cols\] must be an integer from 1 to 512, got 0"),
    ],
)
def test_bad_windows_get_a_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        view(_product(10, 8), **arguments)

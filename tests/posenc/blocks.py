"""Checks that the tests of quantities share: block means against the built matrix."""

import torch
from torch import Tensor

from posenc import view


def built_means(quantity, row_edges: Tensor, col_edges: Tensor) -> Tensor:
    """Mean of every block of the window, from all of its cells; hidden cells (NaN) do not count."""
    window = quantity.at(
        torch.arange(row_edges[0], row_edges[-1]), torch.arange(col_edges[0], col_edges[-1])
    )
    rows = window.split(row_edges.diff().tolist(), dim=0)
    blocks = [strip.split(col_edges.diff().tolist(), dim=1) for strip in rows]
    return torch.stack([torch.stack([b.nanmean() for b in strip]) for strip in blocks])


def assert_block_means(quantity, rows, cols, cells, atol=1e-11, rtol=1e-11) -> None:
    """The closed form against the built window, and the view against both."""
    seen = view(quantity, rows, cols, cells)
    expected = built_means(quantity, seen.row_edges, seen.col_edges)
    if seen.kind == "exact":
        actual = quantity.at(seen.row_edges[:-1], seen.col_edges[:-1])
    else:
        assert seen.kind == "block_mean"
        actual = quantity.mean(seen.row_edges, seen.col_edges)
    torch.testing.assert_close(actual, expected, atol=atol, rtol=rtol, equal_nan=True)
    torch.testing.assert_close(seen.values, actual.to(torch.float32), equal_nan=True)

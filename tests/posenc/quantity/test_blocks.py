"""The blocks of a view are means of the matrix, in closed form: against the built window."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from posenc import rope_inv_freq
from posenc.alibi.picture import ALiBiBias
from posenc.quantity.view import view
from posenc.rope.picture import RoPEScore
from posenc.sandwich.picture import SandwichBias
from posenc.shaw.picture import RelativeIds
from posenc.sinusoidal.picture import SinusoidalSimilarity, SinusoidalTable
from posenc.t5.picture import T5Buckets
from posenc.transformer_xl.picture import SinusoidalBiasMatrix
from tests.posenc.quantity.test_step import KEY, QUANTITIES, QUERY
from tests.tensors import random

FAR = 100_000_000
WITHOUT_MEAN = (
    *("T5 without min", "Kerple log", "Kerple power", "FIRE distance", "FIRE bias", "stale keys"),
)
# Angles of 10⁸ radians hold eight digits after the point.
FAR_OUT = {
    "ALiBi": (ALiBiBias(2.0**-8, FAR), 1e-11),
    "ALiBi, symmetric": (ALiBiBias(2.0**-8, FAR, symmetric=True), 1e-11),
    "T5, causal": (T5Buckets(FAR, bidirectional=False), 1e-11),
    "T5, both ways": (T5Buckets(FAR, bidirectional=True), 1e-11),
    **{f"ids to {k}": (RelativeIds(FAR, FAR, k), 1e-11) for k in (3, 40_000, FAR)},
    "Sandwich": (SandwichBias(0, 8, FAR, 16), 1e-6),
    "similarity": (SinusoidalSimilarity(FAR, 16), 1e-6),
    "sinusoidal bias": (SinusoidalBiasMatrix(random(10), FAR), 1e-6),
    "RoPE score": (RoPEScore(QUERY[:8], KEY[:8], rope_inv_freq(8)[0], FAR), 1e-6),
}


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


def window(length: int) -> st.SearchStrategy[tuple[int, int]]:
    """Some of the positions, one after another."""
    both = st.tuples(st.integers(0, length - 1), st.integers(1, 60))
    return both.map(lambda one: (one[0], min(sum(one), length)))


@pytest.mark.parametrize("kind", [kind for kind in QUANTITIES if kind not in WITHOUT_MEAN])
@given(data=st.data())
def test_a_view_is_the_mean_of_the_built_block(kind: str, data: st.DataObject) -> None:
    quantity = data.draw(QUANTITIES[kind](200))
    rows, cols = (data.draw(window(axis.length)) for axis in (quantity.rows, quantity.cols))
    cells = data.draw(st.tuples(st.integers(1, 20), st.integers(1, 20)))
    assert_block_means(quantity, rows, cols, cells, atol=1e-10)


@pytest.mark.parametrize(("quantity", "atol"), FAR_OUT.values(), ids=FAR_OUT)
def test_far_out(quantity, atol: float) -> None:
    near = (FAR - 1000, FAR)
    assert_block_means(quantity, near, (FAR - 700, FAR - 100), (7, 11), atol)
    assert_block_means(quantity, near, (0, 900), (13, 9), atol)


def test_a_table_far_out():
    assert_block_means(SinusoidalTable(FAR, 33), (FAR - 1000, FAR), None, (37, 11), atol=1e-7)


@pytest.mark.parametrize("kind", WITHOUT_MEAN)
@given(data=st.data())
def test_what_has_no_mean_says_so(kind: str, data: st.DataObject) -> None:
    assert not hasattr(data.draw(QUANTITIES[kind](9)), "mean")

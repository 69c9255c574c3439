from itertools import pairwise

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc import rope_inv_freq, view
from posenc.rope.picture import RoPEAngles, RoPEScore
from tests.posenc.rope.test_score import vectors

LENGTH = 41


def block_means(matrix: torch.Tensor, rows: torch.Tensor, cols: torch.Tensor) -> torch.Tensor:
    means = [
        [matrix[a:b, c:d].mean() for c, d in pairwise(cols.tolist())]
        for a, b in pairwise(rows.tolist())
    ]
    return torch.tensor(means, dtype=torch.float64)


def quantities():
    inv_freq = rope_inv_freq(12, 50.0)[0]
    return [
        *(RoPEAngles(inv_freq, LENGTH, value) for value in ("angle", "cos", "sin")),
        RoPEScore(*vectors(12), inv_freq, LENGTH, "half", attention_factor=1.3),
        RoPEScore(*vectors(14), inv_freq, LENGTH, "interleaved"),
    ]


@given(st.sampled_from(quantities()), st.integers(1, LENGTH), st.integers(1, 12), st.data())
def test_view_is_the_mean_of_the_built_matrix(quantity, row_cells, col_cells, data):
    first = data.draw(st.integers(0, LENGTH - 1))
    last = data.draw(st.integers(first + 1, LENGTH))
    built = quantity.at(torch.arange(quantity.rows.length), torch.arange(quantity.cols.length))
    seen = view(quantity, rows=(first, last), cells=(row_cells, col_cells))
    means = block_means(built, seen.row_edges, seen.col_edges)
    assert_close(
        seen.values.double(), means, rtol=0, atol=1e-6 * max(1.0, float(built.abs().max()))
    )


def test_block_mean_is_exact_far_out():
    quantity = RoPEScore(*vectors(8), rope_inv_freq(8)[0], 100_000_000)
    row_edges = torch.tensor([99_000_000, 99_000_300])
    col_edges = torch.tensor([98_999_000, 98_999_200])
    block = quantity.at(torch.arange(*row_edges.tolist()), torch.arange(*col_edges.tolist()))
    mean = quantity.mean(row_edges, col_edges)
    assert_close(mean, block.mean().reshape(1, 1), rtol=0, atol=1e-7)

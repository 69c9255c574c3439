import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.quantity.distance import (
    bias_of_distance,
    line_mean,
    per_head,
    ramp_mean,
    staircase_mean,
    step_mean,
)

FAR = 100_000_000


def _edges(start, steps):
    return torch.tensor([start, *[start + sum(steps[: n + 1]) for n in range(len(steps))]])


def _built(f, row_edges, col_edges):
    """Every cell of every block, one by one."""
    means = []
    for a, b in zip(row_edges[:-1].tolist(), row_edges[1:].tolist(), strict=True):
        row = []
        for c, d in zip(col_edges[:-1].tolist(), col_edges[1:].tolist(), strict=True):
            cells = [f(j - i) for i in range(a, b) for j in range(c, d)]
            row.append(sum(cells) / len(cells))
        means.append(row)
    return torch.tensor(means, dtype=torch.float64)


steps = st.lists(st.integers(1, 7), min_size=1, max_size=4)


@given(
    steps,
    steps,
    st.integers(-30, 30),
    st.sampled_from([0, 5, 1000, FAR - 40]),
    st.integers(-20, 20),
)
def test_line_step_and_ramp_are_the_means_of_the_built_block(rows, cols, knot, far, shift):
    row_edges, col_edges = _edges(far + 20, rows), _edges(far + 20 + shift, cols)
    for mean, f in (
        (line_mean(row_edges, col_edges), lambda x: x),
        (step_mean(row_edges, col_edges, knot), lambda x: x >= knot),
        (ramp_mean(row_edges, col_edges, knot), lambda x: max(x - knot, 0)),
    ):
        expected = _built(f, row_edges, col_edges)
        torch.testing.assert_close(mean, expected, atol=1e-12, rtol=1e-12)


@given(steps, steps)
def test_nothing_cancels_far_from_the_diagonal(rows, cols):
    """A window at the far end of the rows and the near end of the columns."""
    row_edges, col_edges = _edges(FAR - 28, rows), _edges(0, cols)
    for knot in (-FAR + 20, -FAR, 0, 17):
        actual = ramp_mean(row_edges, col_edges, knot)
        expected = _built(lambda x, knot=knot: max(x - knot, 0), row_edges, col_edges)
        torch.testing.assert_close(actual, expected, atol=1e-12, rtol=1e-12)


def test_a_single_block_of_the_whole_matrix():
    """Mean of max(j - i, 0) over n × n is (n² - 1) / 6n; the share of j >= i is (n + 1) / 2n."""
    for n in (1, 2, 1000, FAR):
        edges = torch.tensor([0, n])
        ramp, step = ramp_mean(edges, edges, 0), step_mean(edges, edges, 0)
        torch.testing.assert_close(ramp, torch.tensor([[(n * n - 1) / (6 * n)]]).double())
        torch.testing.assert_close(step, torch.tensor([[(n + 1) / (2 * n)]]).double())


def test_one_row_across_all_columns():
    edges = torch.tensor([0, 1]), torch.tensor([0, FAR])
    expected = torch.tensor([[(FAR - 1) / 2]], dtype=torch.float64)
    torch.testing.assert_close(ramp_mean(*edges, 0), expected, rtol=1e-8, atol=0)


def test_per_head_meets_vectors_matrices_and_batches():
    values, distance = torch.tensor([2.0, 3.0]), torch.arange(4.0)
    assert (per_head(values, distance) * distance)[1].tolist() == [0, 3, 6, 9]
    matrix = distance.expand(5, 4)
    assert (per_head(values, matrix) * matrix)[1, 4].tolist() == [0, 3, 6, 9]
    batch = matrix.expand(6, 1, 5, 4)
    product = per_head(values, batch) * batch
    assert product.shape == (6, 2, 5, 4)
    assert product[5, 1, 4].tolist() == [0, 3, 6, 9]


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=5),
    st.lists(st.integers(1, 9), min_size=1, max_size=5),
    st.lists(st.integers(-20, 20), max_size=6, unique=True),
    st.sampled_from([0, FAR - 40]),
)
def test_staircase_is_the_mean_of_the_built_block(rows, cols, knots, far):
    row_edges, col_edges = _edges(far, rows), _edges(far + 3, cols)
    knots = sorted(knots)
    values = [(-1.5) ** n for n in range(len(knots) + 1)]
    expected = _built(lambda x: values[sum(x >= k for k in knots)], row_edges, col_edges)
    actual = staircase_mean(
        row_edges,
        col_edges,
        torch.tensor(knots, dtype=torch.int64),
        torch.tensor(values, dtype=torch.float64),
    )
    torch.testing.assert_close(actual, expected, atol=1e-12, rtol=1e-12)


@pytest.mark.parametrize(
    ("q_positions", "k_positions"),
    [
        ([3, 4, 5], [0, 1, 2, 3, 4, 5]),
        ([7], [5, 6, 7]),
        ([0, 1, 2], [0, 1]),
        ([9, 4, 4], [0, 10**9, 4]),
        ([[0, 1], [5, 9]], [[0, 1, 2], [5, 6, 9]]),
        ([2, 3], [[0, 1, 2], [5, 6, 9]]),
        ([[2, 3], [0, -4]], [0, 1, 2]),
    ],
)
def test_a_curve_is_spread_over_all_pairs(q_positions, k_positions):
    def curve(x):
        return torch.stack((x.double() ** 2, x.double() + 0.5))

    q, k = torch.tensor(q_positions), torch.tensor(k_positions)
    bias = bias_of_distance(curve, q, k, q.device)
    batch = max(q.dim(), k.dim()) == 2
    assert bias.dim() == (4 if batch else 3)
    for b in range(2 if batch else 1):
        queries = q[b] if q.dim() == 2 else q
        keys = k[b] if k.dim() == 2 else k
        for i in range(len(queries)):
            for j in range(len(keys)):
                x = int(keys[j] - queries[i])
                got = bias[b, :, i, j] if batch else bias[:, i, j]
                assert got.tolist() == [float(x) ** 2, x + 0.5]

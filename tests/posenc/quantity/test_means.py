import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.quantity.means import line_mean, mean_cis, ramp_mean, staircase_mean, step_mean

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


freqs = st.one_of(
    st.floats(1e-12, 7.0),
    st.integers(0, 8).map(lambda k: k * torch.pi),  # where the Dirichlet kernel is a limit
    st.sampled_from([1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2]),
    st.integers(1, 8).map(lambda k: k * torch.pi + 1e-4),
    st.integers(1, 8).map(lambda k: 2 * torch.pi / k),
)


@given(
    st.lists(freqs, min_size=1, max_size=4),
    st.lists(st.integers(1, 40), min_size=1, max_size=5),
    st.integers(-1000, 1000),
)
def test_mean_cis_is_the_mean_of_the_built_block(inv_freq, counts, start):
    inv_freq = torch.tensor(inv_freq, dtype=torch.float64)
    edges = torch.cat((torch.tensor([start]), start + torch.tensor(counts).cumsum(0)))
    got = mean_cis(inv_freq, edges)
    for block, (first, stop) in enumerate(edges.unfold(0, 2, 1).tolist()):
        angles = torch.arange(first, stop).double()[:, None] * inv_freq
        want = torch.polar(torch.ones_like(angles), angles).mean(dim=0)
        # positions to 1000 times a frequency to 25 rad: angles are exact to 25000 * 2^-53
        torch.testing.assert_close(got[block], want, atol=2e-11, rtol=0)


def test_mean_cis_of_a_hundred_million_positions():
    # The mean over whole turns is 0; over one position it is the value itself.
    quarter = torch.tensor([torch.pi / 2], dtype=torch.float64)
    assert mean_cis(quarter, torch.tensor([0, 10**8])).abs().item() < 1e-8
    one = mean_cis(torch.tensor([0.5]).double(), torch.tensor([10**8, 10**8 + 1]))
    want = torch.polar(torch.tensor(1.0).double(), torch.tensor(0.5e8).double())
    torch.testing.assert_close(one[0, 0], want, atol=1e-12, rtol=0)

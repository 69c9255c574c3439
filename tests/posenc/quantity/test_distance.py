import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.quantity.distance import DistanceBias, per_head
from posenc.quantity.sampling import even_positions, log_positions


def test_per_head_meets_vectors_matrices_and_batches():
    values, distance = torch.tensor([2.0, 3.0]), torch.arange(4.0)
    assert (per_head(values, distance) * distance)[1].tolist() == [0, 3, 6, 9]
    matrix = distance.expand(5, 4)
    assert (per_head(values, matrix) * matrix)[1, 4].tolist() == [0, 3, 6, 9]
    batch = matrix.expand(6, 1, 5, 4)
    product = per_head(values, batch) * batch
    assert product.shape == (6, 2, 5, 4)
    assert product[5, 1, 4].tolist() == [0, 3, 6, 9]


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
    q, k = torch.tensor(q_positions), torch.tensor(k_positions)
    bias = Curve().bias(torch.zeros(1, dtype=torch.float64), torch.zeros(1), q, k)
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


class Curve(DistanceBias):
    """Two heads: the square of the distance, and the distance and a half."""

    def curve(self, relative_position, dtype):
        x = relative_position.to(dtype)
        return torch.stack((x**2, x + 0.5))


@pytest.mark.parametrize(("q_len", "k_len"), [(0, 0), (0, 3), (1, 1), (1, 4), (3, 4), (4, 4)])
@pytest.mark.parametrize("causal", [False, True])
def test_the_last_queries_of_a_text_have_the_bias_of_their_positions(q_len, k_len, causal):
    q, scores = torch.zeros(1, 2, q_len, 1), torch.zeros(1, 2, q_len, k_len)
    keys = torch.arange(k_len)
    queries = keys[k_len - q_len :]
    want = Curve().bias(q, scores, queries, keys)
    if causal:
        want = want.masked_fill(keys > queries[:, None], -torch.inf)
    got = Curve().bias_of_last(q, scores, causal)
    assert torch.equal(got, want)
    assert got.is_contiguous()


LENGTHS = st.integers(2, 2**40)
POINTS = st.integers(2, 4096)


@given(LENGTHS, POINTS)
def test_positions_increase_from_end_to_end(length: int, points: int) -> None:
    for positions, first in (
        (even_positions(length, points), 0),
        (log_positions(length, points), 1),
    ):
        assert len(positions) <= points
        assert (positions[0], positions[-1]) == (first, length - 1)
        assert bool((positions.diff() > 0).all())


def test_all_of_them_if_points_allow() -> None:
    assert even_positions(5, 5).tolist() == [0, 1, 2, 3, 4]
    assert even_positions(9, 5).tolist() == [0, 2, 4, 6, 8]
    assert even_positions(1, 5).tolist() == [0]
    assert log_positions(17, 5).tolist() == [1, 2, 4, 8, 16]
    assert log_positions(5, 400).tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(("length", "points"), [(0, 5), (5, 1), (2.5, 5)])
def test_what_is_out_of_range_is_named(length, points) -> None:
    with pytest.raises(ValueError, match="must be an integer of at least"):
        even_positions(length, points)
    with pytest.raises(ValueError, match="must be an integer of at least"):
        log_positions(length, points)

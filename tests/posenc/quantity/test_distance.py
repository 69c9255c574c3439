import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.quantity.distance import bias_of_distance, per_head
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

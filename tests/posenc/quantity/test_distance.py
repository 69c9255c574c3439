import pytest
import torch

from posenc.quantity.distance import bias_of_distance, per_head


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

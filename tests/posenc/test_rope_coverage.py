import math

import pytest
import torch
from torch.testing import assert_close

from posenc import angle_coverage, rope_inv_freq


@pytest.mark.parametrize(
    ("head_dim", "base", "length", "never_turned"),
    [
        (128, 1e4, 4096, 18),  # Llama 2
        (128, 5e5, 8192, 29),  # Llama 3
        (128, 1e6, 32768, 24),  # Qwen 2.5
        (128, 1e6, 16384, 27),  # Code Llama
        (256, 1e4, 8192, 28),  # Gemma 2
        (64, 150000.0, 4096, 14),  # gpt-oss
        (64, 1e4, 4096, 9),  # DeepSeek
    ],
)
def test_pairs_that_never_turn_in_training(head_dim, base, length, never_turned):
    coverage = angle_coverage(rope_inv_freq(head_dim, base)[0], length, 2 * length)
    assert int((~coverage.full_turn).sum()) == never_turned
    assert int((coverage.turns < 1).sum()) == never_turned


def test_angles_never_seen():
    slow = torch.tensor([1.0, math.pi / 100, math.pi / 1000], dtype=torch.float64)
    coverage = angle_coverage(slow, trained_length=101, target_length=401)
    assert coverage.full_turn.tolist() == [True, False, False]
    # The second pair saw half a turn and now goes round twice; the third went 0.1π, now 0.4π.
    expected = torch.tensor([0, math.pi, 0.3 * math.pi], dtype=torch.float64)
    assert_close(coverage.unseen, expected, rtol=0, atol=1e-12)
    assert_close(coverage.excess, torch.full((3,), 4.0, dtype=torch.float64))
    interpolated = angle_coverage(slow, 101, 401, scaled=slow / 4)
    assert interpolated.unseen.tolist() == [0.0, 0.0, 0.0]


def test_a_pair_at_rest_has_nothing_new():
    coverage = angle_coverage(torch.zeros(1), 100, 1000)
    assert coverage.unseen.tolist() == [0.0]
    assert coverage.excess.tolist() == [1.0]
    assert coverage.turns.tolist() == [0.0]


def test_lengths_without_a_distance_are_refused():
    with pytest.raises(ValueError, match="trained_length must be an integer of at least 2, got 1"):
        angle_coverage(torch.ones(1), 1, 100)
    with pytest.raises(ValueError, match="target_length must be an integer of at least 2, got 0"):
        angle_coverage(torch.ones(1), 100, 0)

"""The live checks of RoPE: zero where they must be, and not zero where something is wrong."""

import pytest
import torch

from exhibits.rotations.identities import rope_checks, rotate
from posenc import rope_angles, rope_inv_freq
from posenc.rope.matrix import rotation_matrix

QUERY = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64)
KEY = torch.tensor([4.0, 3.0, 2.0, 1.0], dtype=torch.float64)


def degrees(*angles: float) -> torch.Tensor:
    return torch.deg2rad(torch.tensor(angles, dtype=torch.float64))


def test_the_worked_example_of_the_half_layout() -> None:
    checks = rope_checks(QUERY, KEY, degrees(0, 1), degrees(1, 2), torch.zeros(1, 2), "half")
    assert float(checks.scores[0]) == pytest.approx(20.3460, abs=5e-5)
    relative = rotation_matrix(degrees(1, 1), "half")
    assert float(QUERY @ relative @ KEY) == pytest.approx(20.3460, abs=5e-5)
    assert float(relative[0, 0]) == pytest.approx(0.9998, abs=5e-5)
    assert float(relative[0, 2]) == pytest.approx(-0.0175, abs=5e-5)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_all_identities_hold_at_far_positions(layout) -> None:
    torch.manual_seed(0)
    query, key = torch.randn(2, 96, dtype=torch.float64)
    inv_freq, _ = rope_inv_freq(24, 10000.0)
    shifts = rope_angles(torch.tensor([0, 1, 1000, 1_000_000]), inv_freq)
    at_query, at_key = rope_angles(torch.tensor([70_001, 5]), inv_freq)
    checks = rope_checks(query, key, at_query, at_key, shifts, layout)
    assert checks.orthogonal < 1e-15
    assert checks.layouts == 0
    assert max(checks.relative, checks.forms, checks.spread) < 1e-8
    expected = rotation_matrix(at_key - at_query, layout)
    score = query[:24] @ expected @ key[:24] + query[24:] @ key[24:]
    torch.testing.assert_close(checks.scores[0], score)


def test_shifting_one_side_alone_changes_the_score() -> None:
    inv_freq, _ = rope_inv_freq(4)
    shift = rope_angles(torch.tensor([1]), inv_freq)[0]
    still = rotate(QUERY, shift) @ rotate(KEY, 2 * shift)
    moved = rotate(QUERY, shift) @ rotate(KEY, 3 * shift)
    assert abs(float(still - moved)) > 1


def test_a_short_query_is_refused() -> None:
    with pytest.raises(ValueError, match="inv_freq must hold at most head_dim / 2 = 1"):
        rope_checks(QUERY[:2], KEY[:2], torch.zeros(2), torch.zeros(2), torch.zeros(1, 2))

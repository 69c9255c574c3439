import math

import pytest
import torch
from torch.testing import assert_close

from posenc import rope_inv_freq
from posenc.scaling import NTK
from posenc.scaling.coverage import arc_is_new, last_shown_angle, smallest_covering
from posenc.study import angle_coverage


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


@pytest.mark.parametrize("trained", [2048, 4096])
@pytest.mark.parametrize("stretch", [2, 8, 64])
def test_the_smallest_factor_of_linear_and_ntk(trained, stretch):
    plain, target = rope_inv_freq(128)[0], stretch * trained
    linear = smallest_covering(lambda k: plain / k, plain, trained, target)
    # One position past the trained angles is let through: (L - 1)/k <= L₀.
    assert linear == pytest.approx((target - 1) / trained, rel=2e-6)
    by_base = smallest_covering(
        lambda k: rope_inv_freq(128, 1e4, NTK(k))[0], plain, trained, target
    )
    # The fastest pair that never turned is divided by k^(i/63), and that has to be enough.
    coverage = angle_coverage(plain, trained, target)
    first = int(coverage.full_turn.sum())
    assert by_base >= stretch
    assert by_base == pytest.approx(((target - 1) / trained) ** (63 / first), rel=0.1)
    for factor, is_covered in ((by_base, True), (by_base * 0.9999, False)):
        scaled = rope_inv_freq(128, 1e4, NTK(factor))[0]
        assert bool(angle_coverage(plain, trained, target, scaled).is_new.any()) is not is_covered


def test_no_larger_factor_is_chosen_than_covers():
    plain = rope_inv_freq(128, 5e5)[0]
    for stretch in (16, 1280):  # 1280: a text of 10,485,760 tokens, trained on 8192
        assert smallest_covering(lambda k: plain / k, plain, 8192, stretch * 8192) <= stretch


def test_no_factor_covers_where_none_is_applied():
    plain = rope_inv_freq(128)[0]
    assert smallest_covering(lambda k: plain, plain, 4096, 8192) is None
    assert smallest_covering(lambda k: plain / k, plain, 4096, 4096) == 1.0


def test_pairs_that_turned_all_the_way_are_not_new():
    plain = rope_inv_freq(128)[0]
    assert int(angle_coverage(plain, 4096, 8 * 4096).is_new.sum()) == 18
    assert not angle_coverage(plain, 4096, 4097).is_new.any()


@pytest.mark.parametrize(("base", "trained"), [(1e4, 4096), (1000.0, 16), (5e5, 8192)])
def test_an_angle_is_new_beyond_the_last_shown_one(base, trained):
    plain = rope_inv_freq(128, base)[0]
    last = last_shown_angle(plain, trained)
    for scaled in (plain, plain / 2, rope_inv_freq(128, base, NTK(4.0))[0]):
        for distance in (trained - 1, trained, trained + 1, 2 * trained, 9 * trained + 1):
            is_new = angle_coverage(plain, trained, distance + 1, scaled).is_new
            assert torch.equal(distance * scaled > last, is_new)


def test_an_arc_that_has_gone_past_what_is_new_is_not_new() -> None:
    """Llama 2 at 6,000 apart: pairs 46 and 47 have come round to where training has been."""
    plain = rope_inv_freq(128)[0]
    unfinished = ~angle_coverage(plain, 4096, 6001).full_turn
    new = arc_is_new(6000, plain, 4096)
    assert int(unfinished.sum()) == 18
    assert int(new.sum()) == 16
    assert (unfinished & ~new).nonzero().flatten().tolist() == [46, 47]


def test_within_the_trained_length_no_arc_is_new() -> None:
    plain = rope_inv_freq(64, 100000.0)[0]
    assert not any(bool(arc_is_new(at, plain, 8192).any()) for at in (0, 1, 4095, 8191, 8192))
    assert bool(arc_is_new(8193, plain, 8192).any())

import math

import pytest
import torch

from posenc import rope_inv_freq
from posenc.precision.formula import STAGES, angle_error, cos_sin_error, max_angle_error
from posenc.precision.rounding import (
    round_positions,
)


def test_float64_has_no_error_and_lower_precision_ever_more():
    positions, inv_freq = torch.tensor([1000, 4095]), rope_inv_freq(128)[0]
    assert angle_error(positions, inv_freq, torch.float64).max() == 0
    single, half, brain = (
        max_angle_error(positions, inv_freq, dtype)
        for dtype in (torch.float32, torch.float16, torch.bfloat16)
    )
    assert (single > 0).all()
    assert (single < half).all()
    assert (half < brain).all()
    assert brain.tolist() == pytest.approx([2.1057906675441727, 5.876095840532382], rel=1e-12)


def test_error_of_one_pair_is_the_rounding_of_its_position():
    error = angle_error(torch.tensor([257, 15_962]), torch.tensor([1.0]), torch.bfloat16)
    assert error.flatten().tolist() == [1.0, 26.0]


def test_a_position_out_of_reach_is_infinite():
    assert round_positions(torch.tensor([70_000]), torch.float16).item() == math.inf
    assert max_angle_error(torch.tensor([70_000]), torch.ones(1), torch.float16).item() == math.inf


def test_a_cast_late_costs_little_and_a_cast_of_positions_everything():
    """bfloat16 at position 15 962, read as 15 936: the first pair is 26 radians off."""
    position, one = torch.tensor([15_962]), torch.ones(1)
    late, early = (
        float(cos_sin_error(position, one, torch.bfloat16, {stage}))
        for stage in ("cos_sin", "positions")
    )
    assert early == pytest.approx(2 * abs(math.sin(26 / 2)), rel=1e-12)
    assert late <= 2**-8


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_the_error_of_each_stage(dtype):
    positions, inv_freq = torch.tensor([0, 1, 255, 4095]), rope_inv_freq(64)[0]
    assert cos_sin_error(positions, inv_freq, torch.float64).max() == 0
    assert cos_sin_error(positions, inv_freq, dtype, ()).max() == 0
    all_but_last = cos_sin_error(positions, inv_freq, dtype, STAGES[:3])
    chord = 2 * (angle_error(positions, inv_freq, dtype) / 2).sin().abs()
    torch.testing.assert_close(all_but_last, chord, atol=1e-9, rtol=0)
    frequencies = cos_sin_error(positions, inv_freq, dtype, ["inv_freq"])
    assert frequencies[0].max() == 0
    assert frequencies[1].max() < frequencies[3].max()
    table = cos_sin_error(positions, inv_freq, dtype, ["cos_sin"])
    assert table.max() <= torch.finfo(dtype).eps, "a late cast does not grow with the position"


def test_stages_out_of_reach_and_unknown():
    assert cos_sin_error(torch.tensor([70_000]), torch.ones(1), torch.float16).item() == math.inf
    with pytest.raises(ValueError, match="stages must be one of 'positions', 'inv_freq'"):
        cos_sin_error(torch.arange(3), torch.ones(1), torch.float16, ["sine"])

import math

import pytest
import torch

from posenc import FIRE
from posenc.fire.formula import fire_normalized_distance
from posenc.fire.picture import FIREBias, FIREDistance
from posenc.quantity.view import view


def _slow_distance(i, j, c=0.1, threshold=512.0, eps=1e-6):
    return math.log(c * max(i - j, 0) + 1) / (math.log(c * max(threshold, i) + 1) + eps)


def _encoding(**options):
    torch.manual_seed(0)
    return FIRE(3, mlp_width=8, **options).double()


def test_past_the_threshold_the_first_key_is_at_one():
    positions = torch.arange(20)
    distance = fire_normalized_distance(positions, positions, 0.1, 8.0, eps=0.0)
    assert distance[8:, 0].tolist() == [1.0] * 12
    early = distance[1:8]
    assert bool((early[:, 0] < 1).all())
    diagonal = distance.diagonal(-1)
    assert len(set(diagonal[:8].tolist())) == 1  # one divisor up to the threshold
    assert bool((diagonal[8:].diff() < 0).all())  # then the same distance shrinks


FAR = 100_000_000


@torch.no_grad()
def test_quantities_show_the_functions_and_mark_what_is_hidden():
    rows, cols = torch.tensor([FAR - 1, 7]), torch.tensor([0, 3, 9])
    distance = FIREDistance(FAR).at(rows, cols)
    assert float(distance[0, 1]) == pytest.approx(_slow_distance(FAR - 1, 3), rel=1e-14)
    assert distance.isnan().tolist() == [[False] * 3, [False, False, True]]
    encoding = _encoding()
    bias = FIREBias(encoding, 2, FAR).at(rows, cols)
    expected = encoding.bias(torch.empty(0, dtype=torch.float64), torch.empty(0), rows, cols)[2]
    torch.testing.assert_close(bias[:, :2], expected[:, :2])
    assert bias.isnan().tolist() == [[False] * 3, [False, False, True]]
    assert view(FIREBias(encoding, 2, FAR), cells=(8, 8)).kind == "centre"


@torch.no_grad()
def test_the_bias_is_the_network_of_the_distance():
    encoding, at = _encoding(init_length=3.0), torch.tensor([0, 0, 1, 5, 30])
    distance = fire_normalized_distance(at, at, encoding.c, 3.0)
    bias = encoding.bias(torch.empty(0, dtype=torch.float64), torch.empty(0), at, at)
    torch.testing.assert_close(bias, encoding.mlp(distance[..., None].double()).movedim(-1, 0))

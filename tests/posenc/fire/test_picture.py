import pytest
import torch

from posenc import FIRE, view
from posenc.fire.picture import FIREBias, FIREDistance
from tests.posenc.fire.test_formula import _encoding, _slow_distance

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


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="threshold must be a finite number above 0"):
        FIREDistance(9, threshold=-1)
    with pytest.raises(ValueError, match="head must be an integer from 0 to 1, got 2"):
        FIREBias(FIRE(2), 2, 9)

import math

import pytest
import torch

from posenc import view
from posenc.kerple.picture import KerpleBias

FAR = 100_000_000


def test_quantity_shows_the_function_and_marks_what_is_hidden():
    quantity = KerpleBias(1.5, 0.3, FAR)
    values = quantity.at(torch.tensor([FAR - 1, 7]), torch.tensor([0, 3, 9]))
    assert float(values[0, 0]) == pytest.approx(-1.5 * math.log(1 + 0.3 * (FAR - 1)), rel=1e-14)
    assert float(values[1, 1]) == pytest.approx(-1.5 * math.log(1 + 0.3 * 4), rel=1e-14)
    assert bool(values[1, 2].isnan())
    both = KerpleBias(0.7, 0.5, FAR, "power", symmetric=True)
    assert float(both.at(torch.tensor([3]), torch.tensor([12]))) == pytest.approx(-0.7 * 3)
    assert view(quantity).kind == "centre"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1, 9), "r1 must be a finite number above 0, got 0"),
        ((1, math.nan, 9), "r2 must be a finite number above 0, got nan"),
        ((1, 2.5, 9, "power"), r"r2 must be a finite number above 0 and at most 2, got 2\.5"),
        ((1, 1, 0), "length must be an integer of at least 1, got 0"),
        ((1, 1, 9, "exp"), "variant must be one of 'log', 'power', got 'exp'"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        KerpleBias(*arguments)

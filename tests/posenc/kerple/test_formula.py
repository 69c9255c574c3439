import math

import pytest
import torch

from posenc import Kerple, kerple_bias, view
from posenc.kerple.picture import KerpleBias
from tests.tensors import random


def test_parameters_out_of_range_act_as_the_nearest_limit_and_still_learn():
    encoding = Kerple(2, "power").double()
    with torch.no_grad():
        encoding.r1.copy_(torch.tensor([-1.0, 1.0]))
        encoding.r2.copy_(torch.tensor([1.0, 3.0]))
    q = random(1, 2, 1, 4)
    bias = encoding.bias(q, q, torch.tensor([5]), torch.tensor([0, 2]))
    expected = torch.tensor([[[-0.05, -0.03]], [[-25.0, -9.0]]], dtype=torch.float64)
    torch.testing.assert_close(bias.detach(), expected, atol=1e-14, rtol=0)
    bias.sum().backward()
    assert bool((encoding.r1.grad != 0).all())
    assert bool((encoding.r2.grad != 0).all())


def test_starts_where_the_released_code_starts():
    log, power = Kerple(4000), Kerple(4000, "power")
    for parameter, top in ((log.r1, 2), (log.r2, 1), (power.r1, 1), (power.r2, 2)):
        values = parameter.detach()
        assert 0.01 <= float(values.min()) < 0.02
        assert 0.99 * top < float(values.max()) <= top
        assert float(values.mean()) == pytest.approx(top / 2, rel=0.05)


def test_unknown_variants_are_refused_everywhere():
    with pytest.raises(ValueError, match="variant must be one of"):
        Kerple(2, "linear")
    with pytest.raises(ValueError, match="variant must be one of"):
        kerple_bias(torch.ones(1), torch.ones(1), torch.arange(3), "linear")


def test_quantity_shows_the_function_and_marks_what_is_hidden():
    quantity = KerpleBias(1.5, 0.3, 10**8)
    values = quantity.at(torch.tensor([10**8 - 1, 7]), torch.tensor([0, 3, 9]))
    assert float(values[0, 0]) == pytest.approx(-1.5 * math.log(1 + 0.3 * (10**8 - 1)), rel=1e-14)
    assert float(values[1, 1]) == pytest.approx(-1.5 * math.log(1 + 0.3 * 4), rel=1e-14)
    assert bool(values[1, 2].isnan())
    both = KerpleBias(0.7, 0.5, 10**8, "power", symmetric=True)
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

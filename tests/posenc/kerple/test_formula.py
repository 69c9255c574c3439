import math

import pytest
import torch

from posenc import Kerple
from posenc.kerple.picture import KerpleBias
from posenc.quantity.view import view
from tests.tensors import random


def test_parameters_out_of_range_are_limited_and_learn():
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


def test_quantity_shows_the_function_and_marks_what_is_hidden():
    quantity = KerpleBias(1.5, 0.3, 10**8)
    values = quantity.at(torch.tensor([10**8 - 1, 7]), torch.tensor([0, 3, 9]))
    assert float(values[0, 0]) == pytest.approx(-1.5 * math.log(1 + 0.3 * (10**8 - 1)), rel=1e-14)
    assert float(values[1, 1]) == pytest.approx(-1.5 * math.log(1 + 0.3 * 4), rel=1e-14)
    assert bool(values[1, 2].isnan())
    both = KerpleBias(0.7, 0.5, 10**8, "power", symmetric=True)
    assert float(both.at(torch.tensor([3]), torch.tensor([12]))) == pytest.approx(-0.7 * 3)
    assert view(quantity).kind == "centre"

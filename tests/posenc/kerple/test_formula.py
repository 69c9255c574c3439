import math

import pytest
import torch
from hypothesis import strategies as st

from posenc import Kerple, attend, kerple_bias, view
from posenc.kerple.picture import KerpleBias
from tests.tensors import random

variants = st.sampled_from(["log", "power"])


def _slow(r1, r2, distance, variant):
    return -r1 * math.log(1 + r2 * distance) if variant == "log" else -r1 * distance**r2


def _encoding(variant="log", symmetric=False):
    torch.manual_seed(0)
    return Kerple(3, variant, symmetric=symmetric).double()


@pytest.mark.parametrize("variant", ["log", "power"])
@pytest.mark.parametrize("symmetric", [True, False])
@torch.no_grad()
def test_attention_adds_the_bias_of_each_pair(variant, symmetric):
    encoding = _encoding(variant, symmetric)
    q, k, v = (random(2, 3, 5, 4, seed=seed) for seed in (1, 2, 3))
    positions = torch.tensor([[0, 1, 2, 3, 4], [0, 0, 1, 5, 30]])
    trace = attend(q, k, v, encoding, k_positions=positions, trace=True)
    for b in range(2):
        for h in range(3):
            for i in range(5):
                for j in range(5):
                    distance = int(positions[b, i] - positions[b, j])
                    distance = abs(distance) if symmetric else max(distance, 0)
                    expected = _slow(encoding.r1[h], encoding.r2[h], distance, variant)
                    got = trace.logits[b, h, i, j] - q[b, h, i] @ k[b, h, j] / 2
                    assert float(got) == pytest.approx(float(expected), abs=1e-12)
    fused = attend(q, k, v, encoding, k_positions=positions)
    torch.testing.assert_close(fused, trace.output, atol=1e-12, rtol=0)


@pytest.mark.parametrize("variant", ["log", "power"])
def test_gradients_of_both_parameters(variant):
    encoding = _encoding(variant)
    q, k, v = (random(1, 3, 4, 4, seed=seed) for seed in (1, 2, 3))

    def output(*parameters):
        # gradcheck moves the numbers of the parameters in place
        return attend(q, k, v, encoding, mask="causal")

    assert torch.autograd.gradcheck(output, tuple(encoding.parameters()))


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

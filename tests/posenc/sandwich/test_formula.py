import math

import pytest
import torch

from posenc import Sandwich, attend, sandwich_bias
from posenc.sandwich.formula import sandwich_kernel
from posenc.sandwich.picture import SandwichBias
from tests.tensors import random


def _slow_kernel(distance, d_bar, base=10000.0):
    return sum(math.cos(distance / base ** (2 * i / d_bar)) for i in range(1, d_bar // 2 + 1))


def test_bias_is_zero_at_the_query_and_below_elsewhere():
    bias = sandwich_bias(sandwich_kernel(torch.arange(-500, 501)), 4)
    assert bias[:, 500].tolist() == [0, 0, 0, 0]
    assert bool((bias[:, torch.arange(1001) != 500] < 0).all())


def test_attention_adds_the_bias_of_each_pair():
    encoding = Sandwich(3, 6)
    q, k, v = (random(2, 3, 5, 4, seed=seed) for seed in (1, 2, 3))
    positions = torch.tensor([[0, 1, 2, 3, 4], [0, 0, 1, 5, 30]])
    trace = attend(q, k, v, encoding, k_positions=positions, trace=True)
    for b in range(2):
        for h in range(3):
            for i in range(5):
                for j in range(5):
                    distance = int(positions[b, i] - positions[b, j])
                    expected = 8 * (h + 1) / 3 * (_slow_kernel(distance, 6) - 3)
                    assert float(trace.bias[b, h, i, j]) == pytest.approx(expected, abs=1e-12)
    fused = attend(q, k, v, encoding, k_positions=positions)
    torch.testing.assert_close(fused, trace.output, atol=1e-12, rtol=0)
    plain = attend(q, k, v, encoding, trace=True).bias
    torch.testing.assert_close(plain[..., 1:, 1:], plain[..., :-1, :-1], atol=1e-12, rtol=0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2, 2, 9), "head must be an integer from 0 to 1, got 2"),
        ((0, 0, 9), "num_heads must be an integer of at least 1, got 0"),
        ((0, 1, 0), "length must be an integer of at least 1, got 0"),
        ((0, 1, 9, 7), "d_bar must be an even integer of at least 2, got 7"),
        ((0, 1, 9, 8, 1.0), r"base must be a finite number above 1, got 1\.0"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        SandwichBias(*arguments)

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import TransformerXL, attend
from posenc.transformer_xl.distance_alone import SinusoidalBias
from posenc.transformer_xl.formula import relative_sinusoid
from posenc.transformer_xl.picture import SinusoidalBiasMatrix
from tests.tensors import random


def _qkv(batch=2):
    return (random(batch, 3, 5, 4, seed=seed) for seed in (1, 2, 3))


def _transformer_xl():
    encoding = TransformerXL(3, 4, 6).double()
    with torch.no_grad():
        for seed, parameter in enumerate(encoding.parameters()):
            parameter.copy_(random(*parameter.shape, seed=seed))
    return encoding


POSITIONS = torch.tensor([[0, 1, 2, 3, 4], [0, 0, 1, 5, 30]])


@torch.no_grad()
def test_transformer_xl_has_the_four_terms_of_the_paper():
    encoding = _transformer_xl()
    q, k, v = _qkv()
    trace = attend(q, k, v, encoding, k_positions=POSITIONS, trace=True)
    for b in range(2):
        for h in range(3):
            u, w = encoding.content_bias[h], encoding.position_bias[h]
            for i in range(5):
                for j in range(5):
                    distance = POSITIONS[b, i] - POSITIONS[b, j]
                    r = encoding.projection[h] @ relative_sinusoid(distance[None], 6)[0]
                    content, key = q[b, h, i] @ k[b, h, j], u @ k[b, h, j]
                    score = (content + q[b, h, i] @ r + key + w @ r) / 2
                    assert float(trace.logits[b, h, i, j]) == pytest.approx(float(score))
    fused = attend(q, k, v, encoding, k_positions=POSITIONS)
    torch.testing.assert_close(fused, trace.output, atol=1e-12, rtol=0)


def curves(weight: torch.Tensor, distances: torch.Tensor) -> torch.Tensor:
    encoding = SinusoidalBias(*weight.shape).double()
    with torch.no_grad():
        encoding.weight.copy_(weight)
        return encoding.curve(-distances, torch.float64)


@given(st.integers(-200, 200), st.integers(1, 5))
def test_bias_is_the_weighted_sum_of_sines_and_cosines(distance, half):
    weight = random(3, 2 * half)
    theta = torch.tensor([10000 ** (-i / half) for i in range(half)], dtype=torch.float64)
    sines, cosines = (distance * theta).sin(), (distance * theta).cos()
    expected = weight[:, :half] @ sines + weight[:, half:] @ cosines
    actual = curves(weight, torch.tensor([distance]))
    torch.testing.assert_close(actual[:, 0], expected, atol=1e-12, rtol=0)


def test_bias_of_every_pair_is_the_curve_at_its_distance():
    torch.manual_seed(0)
    encoding = SinusoidalBias(3, 8).double()
    q, k, v = _qkv()
    trace = attend(q, k, v, encoding, k_positions=POSITIONS, trace=True)
    curve = curves(encoding.weight, torch.arange(-30, 31))
    for b in range(2):
        for i in range(5):
            for j in range(5):
                distance = int(POSITIONS[b, i] - POSITIONS[b, j])
                torch.testing.assert_close(trace.bias[b, :, i, j], curve[:, distance + 30])
    fused = attend(q, k, v, encoding, k_positions=POSITIONS)
    torch.testing.assert_close(fused, trace.output, atol=1e-12, rtol=0)
    one = attend(q, k, v, encoding, k_positions=POSITIONS[1], trace=True)
    torch.testing.assert_close(one.bias[0], trace.bias[1])
    contiguous = attend(q, k, v, encoding, trace=True).bias
    assert torch.equal(contiguous[..., 1:, 1:], contiguous[..., :-1, :-1])


def test_quantity_is_the_bias_of_one_head():
    weight, positions = random(3, 8), torch.arange(40)
    curve = curves(weight, torch.arange(-39, 40))[1]
    values = SinusoidalBiasMatrix(weight[1], 40).at(positions, positions)
    expected = curve[positions[:, None] - positions[None, :] + 39]
    torch.testing.assert_close(values, expected, atol=1e-12, rtol=0)

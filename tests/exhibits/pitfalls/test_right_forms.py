"""The right forms are the library's own; the wrong ones have the numbers that the lesson names."""

import json

import pytest
import torch

from exhibits.pitfalls.angles import right_angles, wrong_operator, wrong_precedence
from exhibits.pitfalls.attention import SCALE, right_scale
from exhibits.pitfalls.biases import right_gates, right_slopes, wrong_gates, wrong_slopes
from exhibits.pitfalls.case import normal
from exhibits.pitfalls.rotations import right_switch
from exhibits.pitfalls.tables import right_exponents
from posenc import (
    alibi_slopes,
    apply_rope,
    cope_positions,
    rope_angles,
    rope_inv_freq,
    sinusoidal_table,
)
from posenc.alibi.window import alibi_window
from posenc.attention.formula import attend
from posenc.attention.masks import causal_mask
from posenc.precision.rounding import distinct_positions
from posenc.rope.layouts import inverse_layout_permutation
from tests.conftest import ROOT


def test_right_slopes_and_angles_and_tables():
    assert right_slopes(8).equal(alibi_slopes(8))
    positions = torch.arange(512)
    angles = rope_angles(positions, rope_inv_freq(64)[0])
    assert torch.allclose(right_angles(positions, 64), angles, rtol=1e-14, atol=0)
    assert torch.allclose(right_exponents(64, 33), sinusoidal_table(64, 33), atol=1e-13, rtol=0)


def test_right_layout_is_the_interleaved_rotation():
    x, positions, inv_freq = normal(24, 16), torch.arange(24), rope_inv_freq(16)[0]
    assert right_switch(x, positions, "interleaved").equal(apply_rope(x, positions, inv_freq))
    half = right_switch(x, positions, "half")
    order = inverse_layout_permutation(16)
    turned = apply_rope(x[:, order], positions, inv_freq)
    assert torch.allclose(half[:, order], turned, atol=1e-14, rtol=0)


def test_right_gates_are_copes_positions():
    scores, mask = normal(24, 24), causal_mask(24, 24)
    expected = cope_positions(scores.masked_fill(~mask, -torch.inf), 1000)
    assert torch.allclose(right_gates(scores, mask), expected * mask, atol=1e-14, rtol=0)


def test_wrong_gates_give_the_known_wrong_numbers():
    golden = json.loads((ROOT / "tests" / "golden" / "golden.json").read_text("utf-8"))
    case = next(c for c in golden["cases"] if c["name"] == "trap_cope_mask_after_sigmoid_positions")
    q, k = (torch.tensor(case["params"][name], dtype=torch.float64) for name in "qk")
    found = wrong_gates(q @ k.mT / 2, torch.ones(5, 5, dtype=torch.bool))
    assert torch.allclose(found, torch.tensor(case["expected"], dtype=torch.float64), atol=1e-9)


def test_right_scale_is_attention():
    q, k = normal(32, 64), normal(32, 64, seed=1)
    weights = attend(q[None, None], k[None, None], k[None, None], trace=True).weights[0, 0]
    assert torch.allclose(right_scale(q, k), weights, atol=1e-15)


def test_numbers_of_the_lesson():
    slopes = torch.stack((wrong_slopes(8)[0], right_slopes(8)[0]))
    assert alibi_window(slopes, 1024).tolist() == [3, 5]
    one_step = torch.arange(2)
    assert wrong_operator(one_step, 64)[1, -1].item() == pytest.approx(7499, abs=0.5)
    assert wrong_precedence(one_step, 64)[1, 0] == 64
    assert wrong_precedence(one_step, 64)[1, 1:].max() < 1e-6
    assert [distinct_positions(n, torch.bfloat16) for n in (384, 131072)] == [321, 1409]
    wrong, right = SCALE.pictures()
    shares = [weights.amax(dim=-1).mean().item() for weights in (wrong, right)]
    assert shares == pytest.approx([0.73, 0.14], abs=0.005)

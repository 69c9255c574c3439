import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc import XPos, rope_inv_freq
from posenc.rope.score import rope_score_at_distance
from posenc.xpos.formula import xpos_zeta
from posenc.xpos.score import xpos_score_at_distance
from tests.tensors import random


@given(
    st.integers(0, 3000),
    st.integers(0, 3000),
    st.integers(-2000, 2000),
    st.sampled_from(["interleaved", "half"]),
)
def test_the_centre_cancels(m, n, centre, layout):
    query, key = random(1, 1, 1, 8), random(1, 1, 1, 8, seed=1)

    def score(encoding):
        q, k = encoding.rotate(query, key, torch.tensor([m]), torch.tensor([n]))
        return (q * k).sum()

    plain, moved = XPos(8, layout=layout), XPos(8, layout=layout, centre=centre)
    by_distance = xpos_score_at_distance(
        query.flatten(),
        key.flatten(),
        plain.inv_freq,
        plain.zeta,
        torch.tensor([m - n]),
        layout,
    )[0]
    size = max(1.0, float(by_distance.abs()))
    assert_close(score(plain) / size, by_distance / size, rtol=0, atol=1e-9)
    assert_close(score(moved) / size, by_distance / size, rtol=0, atol=1e-9)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_all_within_reach_is_right_and_beyond_is_refused(dtype):
    far = 50_000_000
    encoding = XPos(8, centre=far)
    reach = encoding.reach(dtype)
    at = torch.tensor([far - reach, far, far + reach])
    x = random(1, 1, 3, 8).to(dtype)
    q, k = encoding.rotate(x, x, at, at)
    scores = q.double() @ k.double().mT
    assert torch.isfinite(q).all()
    assert torch.isfinite(scores.to(torch.float32 if dtype == torch.bfloat16 else dtype)).all()
    vectors = x[0, 0, 1:].double().flip(0)
    value = xpos_score_at_distance(*vectors, encoding.inv_freq, encoding.zeta, at[2:] - at[1:2])
    tolerance = 100 * torch.finfo(dtype).eps
    assert_close(scores[0, 0, 2, 1].item(), value.item(), rtol=tolerance, atol=tolerance)
    with pytest.raises(ValueError, match=f"positions must lie within {reach} of centre {far}"):
        encoding.rotate(x, x, at + 1, at)


def test_a_text_that_fits_around_another_centre_is_told_which():
    x = random(1, 1, 2048, 8).half()
    with pytest.raises(ValueError, match=r"got 0 to 2047\. XPos\(\.\.\., centre=1024\) takes them"):
        XPos(8).rotate(x, x, torch.arange(2048), torch.arange(2048))
    q, k = XPos(8, centre=1024).rotate(x, x, torch.arange(2048), torch.arange(2048))
    assert bool((q @ k.mT).isfinite().all())
    x = random(1, 1, 2, 8).half()
    with pytest.raises(ValueError, match=r"got 0 to 2268\.$"):
        XPos(8).rotate(x, x, torch.tensor([0, 2268]), torch.tensor([0, 2268]))


def test_reach_of_float16_is_as_documented():
    assert XPos(64).reach(torch.float16) == 1133


def test_without_fading_it_is_rope():
    query, key = random(8), random(8, seed=1)
    inv_freq, at = rope_inv_freq(8)[0], torch.arange(20)
    faded = xpos_score_at_distance(query, key, inv_freq, torch.ones(4).double(), at)
    assert_close(faded, rope_score_at_distance(query, key, inv_freq, at), rtol=0, atol=1e-12)


def test_reach_of_float32_is_as_documented():
    # ζ_0 = 0.4 / 1.4, largest float32 3.4e38: 512 · ln(3.4e38) / (4 ln 3.5)
    assert XPos(64).reach(torch.float32) == int(512 * 88.722839 / 4 / math.log(3.5)) == 9_065


def test_moving_the_module_to_bfloat16_leaves_its_numbers():
    encoding = XPos(8).to(torch.bfloat16)
    assert torch.equal(encoding.zeta, xpos_zeta(8))
    assert torch.equal(encoding.inv_freq, rope_inv_freq(8)[0])

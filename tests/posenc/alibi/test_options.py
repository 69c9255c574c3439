"""Slopes that are given, and those of another bias_max."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor

from posenc import ALiBi, HeadSlice, alibi_slopes, attend
from tests.tensors import random

POSITIONS = torch.arange(6)


@given(st.integers(1, 16), st.integers(1, 32))
def test_bias_max_is_mpts(num_heads, bias_max):
    theirs = build_mpt_alibi_tensor(num_heads, 6, alibi_bias_max=bias_max)
    q = torch.zeros(1, num_heads, 1, 4)
    ours = ALiBi(num_heads, bias_max=float(bias_max)).bias(q, q @ q.mT, POSITIONS[-1:], POSITIONS)
    torch.testing.assert_close(ours, theirs.reshape(num_heads, 1, 6).float(), rtol=1e-5, atol=1e-6)


def test_slopes_that_are_given_are_a_slice_of_the_heads():
    q, k, v = random(3, 2, 8, 6, 4).unbind()
    some = slice(2, 5)
    given_slopes = ALiBi(3, slopes=alibi_slopes(8)[some])
    parts = [x[:, some] for x in (q, k, v)]
    got = attend(*parts, given_slopes, mask="causal")
    want = attend(q, k, v, ALiBi(8), mask="causal")[:, some]
    torch.testing.assert_close(got, want)
    torch.testing.assert_close(attend(*parts, HeadSlice(ALiBi(8), 2, 5), mask="causal"), want)
    learned = ALiBi(3, slopes=alibi_slopes(8)[some], learned=True)
    torch.testing.assert_close(learned.slopes.detach().double(), alibi_slopes(8)[some])


@pytest.mark.parametrize(
    ("slopes", "words"),
    [
        (torch.ones(3), "slopes must be 2 floating-point numbers, one for each head"),
        (torch.ones(2).long(), "slopes must be 2 floating-point numbers"),
        (torch.tensor([1.0, torch.nan]), "slopes must hold finite numbers"),
        ([1.0, 2.0], "slopes must be a torch tensor"),
    ],
)
def test_other_slopes_are_refused(slopes, words):
    with pytest.raises(ValueError, match=words):
        ALiBi(2, slopes=slopes)


def test_a_bias_max_out_of_range_is_refused():
    with pytest.raises(ValueError, match="bias_max must be"):
        ALiBi(2, bias_max=0)

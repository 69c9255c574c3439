import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import Shaw, attend
from posenc.shaw.skew import skewed_relative_logits
from tests.tensors import random


def _qkv(length=6):
    return (random(2, 3, length, 4, seed=seed) for seed in (1, 2, 3))


@given(st.integers(1, 9), st.integers(1, 4), st.integers(1, 3))
def test_skew_equals_the_gather_of_distances(length, head_dim, heads):
    query, embedding = random(heads, length, head_dim, seed=1), random(length, head_dim, seed=2)
    skewed = skewed_relative_logits(query, embedding)
    for i in range(length):
        for j in range(length):
            expected = query[:, i] @ embedding[j - i + length - 1] if j <= i else 0 * query[:, 0, 0]
            torch.testing.assert_close(skewed[:, i, j], expected, atol=1e-14, rtol=1e-14)


def test_skew_is_shaw_without_clipping():
    torch.manual_seed(0)
    encoding = Shaw(4, 5, values=False).double()
    q, k, v = _qkv()
    trace = attend(q, k, v, encoding, mask="causal", trace=True)
    skewed = skewed_relative_logits(q, encoding.key_embedding[:6]) / 2
    torch.testing.assert_close(trace.bias.tril(), skewed, atol=1e-14, rtol=0)
    with pytest.raises(ValueError, match=r"embedding must have shape \(6, 4\)"):
        skewed_relative_logits(q, encoding.key_embedding)

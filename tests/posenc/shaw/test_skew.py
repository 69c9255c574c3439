import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.shaw.skew import skewed_relative_logits
from tests.tensors import random


@given(st.integers(1, 9), st.integers(1, 4), st.integers(1, 3))
def test_skew_equals_the_gather_of_distances(length, head_dim, heads):
    query, embedding = random(heads, length, head_dim, seed=1), random(length, head_dim, seed=2)
    skewed = skewed_relative_logits(query, embedding)
    for i in range(length):
        for j in range(length):
            expected = query[:, i] @ embedding[j - i + length - 1] if j <= i else 0 * query[:, 0, 0]
            torch.testing.assert_close(skewed[:, i, j], expected, atol=1e-14, rtol=1e-14)

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc import apply_rope, rope_inv_freq
from posenc.rope.picture import RoPEScore
from posenc.rope.score import (
    rope_decay_bound,
    rope_score_at_distance,
    rope_score_terms,
)


def vectors(head_dim: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(3)
    query, key = torch.randn(2, head_dim, generator=generator, dtype=torch.float64)
    return query, key


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_score_is_that_of_rotated_vectors(layout):
    query, key = vectors(10)
    inv_freq, at = rope_inv_freq(8)[0], torch.tensor([0, 1, 7, 30, 12_345])
    turned_query = apply_rope(query.expand(5, -1), at, inv_freq, layout, 1.1)
    turned_key = apply_rope(key.expand(5, -1), at, inv_freq, layout, 1.1)
    expected = turned_query @ turned_key.mT
    score = RoPEScore(query, key, inv_freq, 20_000, layout, 1.1)
    assert_close(score.at(at, at), expected, rtol=0, atol=1e-11)
    distances = at[:, None] - at[None, :]
    curve = rope_score_at_distance(query, key, inv_freq, distances.flatten(), layout, 1.1)
    assert_close(curve.reshape(5, 5), expected, rtol=0, atol=1e-11)


@given(st.integers(0, 100_000))
def test_score_stays_under_the_papers_bound(distance):
    query, key = vectors(16)
    inv_freq, at = rope_inv_freq(16)[0], torch.tensor([distance])
    products = torch.complex(query[0::2], query[1::2]) * torch.complex(key[0::2], key[1::2]).conj()
    steps = torch.diff(products, append=torch.zeros(1, dtype=products.dtype)).abs().max()
    score = rope_score_at_distance(query, key, inv_freq, at).abs()
    assert score <= steps * rope_decay_bound(inv_freq, at) * len(inv_freq) + 1e-9


def test_unequal_vectors_are_refused():
    with pytest.raises(ValueError, match="query and key must be vectors of the same length"):
        rope_score_at_distance(torch.ones(8), torch.ones(6), torch.ones(2), torch.arange(3))


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_terms_of_the_pairs_are_those_of_rotated_vectors(layout):
    query, key = vectors(10)
    inv_freq, at = rope_inv_freq(8)[0], torch.tensor([37, 5])
    turned = apply_rope(torch.stack((query, key)), at, inv_freq, layout, 1.1)
    products = (turned[0] * turned[1])[:8]
    expected = products.unflatten(0, (4, 2)).sum(1)
    if layout == "half":
        expected = products.unflatten(0, (2, 4)).sum(0)
    terms = rope_score_terms(query, key, inv_freq, torch.tensor([32]), layout, 1.1)
    assert_close(terms[0], expected, rtol=0, atol=1e-12)
    score = rope_score_at_distance(query, key, inv_freq, torch.tensor([32]), layout, 1.1)
    assert_close(terms.sum() + query[8:] @ key[8:], score[0], rtol=0, atol=1e-12)

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc import apply_rope, layout_permutation, rope_inv_freq
from posenc.rope.layouts import inverse_layout_permutation
from posenc.rope.matrix import (
    apply_rope_complex,
    apply_rope_elementwise,
    apply_rope_matrix,
)
from posenc.rope.picture import RoPEScore
from posenc.rope.score import (
    rope_decay_bound,
    rope_score_at_distance,
    rope_score_terms,
)
from posenc.study import rope_rotation_matrix
from tests.tensors import random

LAYOUTS = ("interleaved", "half")


head_dims = st.integers(1, 16).map(lambda pairs: 2 * pairs)


bases = st.floats(2.0, 1e7)


layouts = st.sampled_from(LAYOUTS)


positions = st.integers(-1000, 100_000)


@given(head_dims, bases, positions, layouts)
def test_rotation_is_orthogonal(head_dim, base, position, layout):
    matrix = rope_rotation_matrix(position, rope_inv_freq(head_dim, base)[0], layout)
    identity = torch.eye(head_dim, dtype=torch.float64)
    assert_close(matrix.mT @ matrix, identity, rtol=0, atol=1e-14)


@given(head_dims, bases, positions, positions, layouts)
def test_relative_rotation_is_the_rotation_of_the_difference(head_dim, base, m, n, layout):
    inv_freq = rope_inv_freq(head_dim, base)[0]
    relative = rope_rotation_matrix(m, inv_freq, layout).mT @ rope_rotation_matrix(
        n, inv_freq, layout
    )
    assert_close(relative, rope_rotation_matrix(n - m, inv_freq, layout), rtol=0, atol=1e-10)


@given(head_dims, positions)
def test_layouts_differ_by_a_permutation(head_dim, position):
    inv_freq, order = rope_inv_freq(head_dim)[0], layout_permutation(head_dim)
    assert torch.equal(order[inverse_layout_permutation(head_dim)], torch.arange(head_dim))
    interleaved = rope_rotation_matrix(position, inv_freq, "interleaved")
    half = rope_rotation_matrix(position, inv_freq, "half")
    assert torch.equal(interleaved[order][:, order], half)
    x, at = random(1, head_dim), torch.tensor([position])
    turned = apply_rope(x, at, inv_freq, "interleaved")
    halves = apply_rope(x[:, order], at, inv_freq, "half")
    assert_close(halves, turned[:, order], rtol=0, atol=1e-14)


@given(head_dims, st.integers(0, 3).map(lambda pairs: 2 * pairs), layouts, st.booleans())
def test_the_fast_way_equals_the_three_forms_of_the_books(rotary_dim, passed, layout, per_batch):
    inv_freq = rope_inv_freq(rotary_dim)[0]
    x = random(2, 3, 5, rotary_dim + passed)
    at = torch.tensor([[0, 3, 4, 9, 10_000], [7, 6, 5, 4, -3]]) if per_batch else torch.arange(5)
    turned = apply_rope(x, at, inv_freq, layout, attention_factor=1.2)
    for form in (apply_rope_elementwise, apply_rope_complex, apply_rope_matrix):
        assert_close(form(x, at, inv_freq, layout, 1.2), turned, rtol=0, atol=1e-13)
    assert torch.equal(turned[..., rotary_dim:], x[..., rotary_dim:])


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

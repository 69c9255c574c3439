import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import RoPE, attend
from posenc.attention.measures import attention_moved
from posenc.rope.layouts import convert_projection
from tests.tensors import random

PAIRS, SEEDS = st.integers(1, 8), st.integers(0, 2**31)


@given(st.integers(1, 4), PAIRS, st.integers(1, 9), SEEDS)
def test_rows_move_as_in_the_conversion_of_llama(heads, pairs, width, seed):
    weight = random(heads * 2 * pairs, width, seed=seed)
    theirs = weight.view(heads, pairs, 2, width).transpose(1, 2).reshape(weight.shape)
    assert torch.equal(convert_projection(weight, 2 * pairs), theirs)


@given(st.integers(1, 3), PAIRS, st.integers(0, 4), SEEDS)
def test_there_and_back_and_only_the_rotated_rows_move(heads, pairs, passing, seed):
    head_dim = 2 * (pairs + passing)
    weight = random(heads * head_dim, 3, seed=seed)
    half = convert_projection(weight, head_dim, "half", 2 * pairs)
    assert torch.equal(convert_projection(half, head_dim, "interleaved", 2 * pairs), weight)
    kept = weight.unflatten(0, (heads, head_dim))[:, 2 * pairs :]
    assert torch.equal(half.unflatten(0, (heads, head_dim))[:, 2 * pairs :], kept)
    bias = weight[:, 0]
    assert torch.equal(convert_projection(bias, head_dim, "half", 2 * pairs), half[:, 0])


def attention(weights, layout, x, head_dim, rotary_dim):
    """Two query heads on one key head: grouped-query attention."""
    q, k, v = (
        (x @ w.T).unflatten(-1, (-1, head_dim)).transpose(0, 1)[None].expand(1, 2, -1, -1)
        for w in weights
    )
    rope = RoPE(head_dim, layout=layout, rotary_dim=rotary_dim)
    return attend(q, k, v, rope, mask="causal", trace=True)


@given(st.integers(2, 8), st.integers(0, 4), SEEDS)
def test_weights_converted_to_halves_are_the_trained_model(pairs, passing, seed):
    head_dim, rotary_dim = 2 * (pairs + passing), 2 * pairs
    query, key, value = (random(h * head_dim, 12, seed=seed + i) for i, h in enumerate((2, 1, 1)))
    x = random(20, 12, seed=seed + 3)
    trained = attention((query, key, value), "interleaved", x, head_dim, rotary_dim)
    moved = [convert_projection(w, head_dim, "half", rotary_dim) for w in (query, key)]
    converted = attention((*moved, value), "half", x, head_dim, rotary_dim)
    skipped = attention((query, key, value), "half", x, head_dim, rotary_dim)
    torch.testing.assert_close(converted.logits, trained.logits, atol=1e-11, rtol=1e-11)
    assert attention_moved(trained.weights, converted.weights).max() < 1e-10
    assert attention_moved(trained.weights, skipped.weights).mean() > 0.01
    norms = [t.q.norm(dim=-1) for t in (trained, skipped)]
    torch.testing.assert_close(*norms), "nothing but the scores tells that something is wrong"

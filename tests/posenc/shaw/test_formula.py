import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import Shaw, attend, relative_position_ids
from posenc.shaw.formula import relative_position_ids_at
from posenc.shaw.picture import RelativeIds
from tests.tensors import random


def _qkv(length=6):
    return (random(2, 3, length, 4, seed=seed) for seed in (1, 2, 3))


def _slow(q, k, v, encoding, causal, positions):
    """Shaw's two formulas, one pair of tokens at a time."""
    batch, heads, length, head_dim = q.shape
    output = torch.zeros_like(q)
    limit = encoding.max_distance
    for b in range(batch):
        for h in range(heads):
            for i in range(length):
                keys = range(i + 1) if causal else range(length)
                ids = [
                    min(max(int(positions[j] - positions[i]), -limit), limit) + limit for j in keys
                ]
                scores = torch.stack(
                    [
                        q[b, h, i] @ (k[b, h, j] + encoding.key_embedding[n]) / head_dim**0.5
                        for j, n in zip(keys, ids, strict=True)
                    ]
                )
                weights = scores.softmax(dim=0)
                for j, n in zip(keys, ids, strict=True):
                    term = v[b, h, j]
                    if encoding.value_embedding is not None:
                        term = term + encoding.value_embedding[n]
                    output[b, h, i] += weights[j] * term
    return output


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 12))
def test_ids_equal_the_definition_and_the_other_sign_mirrors_them(q_len, more, k):
    k_len = q_len + more - 1
    ids = relative_position_ids(q_len, k_len, k)
    for row in range(q_len):
        i = k_len - q_len + row
        for j in range(k_len):
            assert int(ids[row, j]) == min(max(j - i, -k), k) + k
    mirrored = relative_position_ids(q_len, k_len, k, "query_minus_key")
    assert torch.equal(mirrored, 2 * k - ids)
    if q_len == k_len:
        assert torch.equal(mirrored, ids.mT)


def test_ids_of_positions_with_gaps_and_batches():
    q, k = torch.tensor([[4], [9]]), torch.tensor([[0, 3, 4], [7, 9, 30]])
    assert relative_position_ids_at(q, k, 2).tolist() == [[[[0, 1, 2]]], [[[0, 2, 4]]]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 2, 1), "q_len must be an integer from 1 to 2, got 3"),
        ((0, 2, 1), "q_len must be an integer from 1 to 2, got 0"),
        ((1, 2, 0), "max_distance must be an integer of at least 1, got 0"),
        ((1, 2, 1, "past"), "convention must be one of 'key_minus_query'"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        relative_position_ids(*arguments)
    with pytest.raises(ValueError, match=message):
        RelativeIds(*arguments)


@pytest.mark.parametrize("values", [True, False])
@pytest.mark.parametrize("causal", [True, False])
def test_attention_equals_explicit_loops(values, causal):
    torch.manual_seed(0)
    encoding = Shaw(4, 2, values=values).double()
    q, k, v = _qkv()
    positions = torch.tensor([0, 1, 2, 5, 6, 20])
    with torch.no_grad():
        expected = _slow(q, k, v, encoding, causal, positions)
        mask = "causal" if causal else None
        for trace in (True, False):
            got = attend(q, k, v, encoding, mask=mask, k_positions=positions, trace=trace)
            got = got.output if trace else got
            torch.testing.assert_close(got, expected, atol=1e-12, rtol=0)

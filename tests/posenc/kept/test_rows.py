"""A row of a batch is what it is alone: no neighbour's length, padding or order reaches it."""

import pytest
import torch

from posenc import RoPE, attend
from posenc.catalogue import CATALOGUE
from posenc.scaling import DynamicNTK, LongRoPE
from tests.posenc.laws import SHAPE
from tests.posenc.traced.cases import NAMES, made
from tests.tensors import random

STARTS = (0, 5, 100)


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_a_row_is_attended_as_if_it_were_alone(name):
    encoding = made(name)
    q, k, v = (random(3, 4, 9, 6, seed=seed) for seed in (1, 2, 3))
    rows = torch.stack([torch.arange(9) + start for start in STARTS])
    together = attend(q, k, v, encoding, mask="causal", k_positions=rows)
    for row, at in enumerate(rows):
        alone = attend(
            *(x[row : row + 1] for x in (q, k, v)), encoding, mask="causal", k_positions=at
        )
        torch.testing.assert_close(together[row], alone[0], atol=1e-13, rtol=0)


@pytest.mark.parametrize(
    "scaling",
    [DynamicNTK(2.0, 16), LongRoPE((1.0,) * 4, (2.0, 3.0, 4.0, 5.0), 16, 4.0)],
    ids=["dynamic NTK", "LongRoPE"],
)
@pytest.mark.parametrize("length", [1, 15, 16, 17, 40])
def test_a_rows_own_length_gives_its_frequencies(scaling, length):
    rope = RoPE(8, scaling=scaling)
    fixed = RoPE(8, scaling=scaling, length=length)
    x = random(2, 3, 1, 8)
    own = torch.tensor([[length - 1], [99]])
    got = rope.rotate(x, x, own, own)[0][:1]
    want = fixed.rotate(x[:1], x[:1], own[:1], own[:1])[0]
    torch.testing.assert_close(got, want, atol=1e-13, rtol=0)
    # One row of positions for all, and rows of keys alone.
    torch.testing.assert_close(
        rope.rotate(x, x, own[:1], own[:1])[0],
        fixed.rotate(x, x, own[0], own[0])[0],
        atol=1e-13,
        rtol=0,
    )
    q, _ = rope.rotate(x, x, own[0], own)
    torch.testing.assert_close(q[:1], want, atol=1e-13, rtol=0)


def test_a_scaling_that_needs_a_length_asks_for_it():
    class Own:
        needs_length = True

        def apply(self, inv_freq, base, length=None):
            return inv_freq / (length or 1), 1.0

    with pytest.raises(ValueError, match="length must be given"):
        RoPE(8, scaling=Own())
    assert RoPE(8, scaling=Own(), length=4).inv_freq[0] == 0.25


@pytest.mark.parametrize("name", ["t5", "fire", "alibi", "kerple", "sandwich"])
@pytest.mark.parametrize("rows", [False, True])
@torch.no_grad()
def test_a_bias_has_its_keys_next_to_one_another(name, rows):
    encoding = CATALOGUE[name].build(SHAPE)
    at = torch.arange(12)
    at = torch.stack((at, at + 3)) if rows else at
    q = torch.zeros(2, 4, 12, 6)
    scores = torch.zeros(2, 4, 12, 12)
    for bias in (encoding.bias(q, scores, at, at), encoding._bias_of_last(q, scores)):
        assert bias.stride()[-2:] == (12, 1)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("batch", "length"), [(2, 0), (2, 1), (0, 5)])
@torch.no_grad()
def test_no_text_and_one_token_are_texts(name, batch, length):
    x = random(batch, 4, length, 6)
    for trace in (False, True):
        got = attend(x, x, x, made(name), mask="causal", trace=trace)
        assert (got.output if trace else got).shape == x.shape

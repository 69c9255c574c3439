"""Jagged batches: each text as when it is alone, and as torch's own kernel takes them."""

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from posenc import RoPE, attend, attend_jagged
from posenc.catalogue import CATALOGUE
from tests.posenc.laws import SHAPE, build
from tests.tensors import random

LENGTHS = [3, 7, 1, 5]
HEADS = SHAPE.num_heads


def jagged(heads, seed, dtype=torch.float64, lengths=LENGTHS):
    rows = [random(n, heads, 6, seed=10 * seed + n, dtype=dtype) for n in lengths]
    return torch.nested.nested_tensor(rows, layout=torch.jagged).transpose(1, 2)


@pytest.mark.parametrize("name", CATALOGUE)
def test_each_text_is_read_as_when_alone(name):
    encoding = build(name)
    parts = [jagged(HEADS, seed) for seed in range(3)]
    got = attend_jagged(*parts, encoding, mask="causal")
    for row, texts in zip(
        got.unbind(), zip(*(p.unbind() for p in parts), strict=True), strict=True
    ):
        want = attend(*(text[None] for text in texts), encoding, mask="causal")
        torch.testing.assert_close(row[None], want, atol=1e-12, rtol=0)


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")  # its kernel on a CPU
def test_it_is_torchs_own_attention_where_there_is_no_encoding():
    parts = [jagged(2, seed, torch.float32) for seed in range(3)]
    want = scaled_dot_product_attention(*parts)  # on a CPU it takes no causal mask
    got = attend_jagged(*parts)
    torch.testing.assert_close(got.values(), want.values(), atol=1e-6, rtol=0)
    assert got.offsets().equal(parts[0].offsets())


def test_gradients_reach_every_text():
    q, k, v = (jagged(2, seed).detach().requires_grad_() for seed in range(3))
    attend_jagged(q, k, v, RoPE(6)).values().square().sum().backward()
    assert all(x.grad is not None and x.grad.values().abs().sum() > 0 for x in (q, k, v))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"k": torch.ones(4, 2, 3, 6)}, "k must be a jagged nested tensor"),
        ({"v": 3}, "v must be a torch tensor"),
        ({"k": jagged(2, 1, lengths=[1, 2, 3, 4])}, "k must have texts as long as those of q"),
        (
            {"mask": torch.ones(3, 3, dtype=torch.bool)},
            "mask must be 'causal' or None for jagged",
        ),
    ],
)
def test_what_is_not_jagged_alike_is_refused(change, words):
    parts = {name: jagged(2, seed) for seed, name in enumerate("qkv")}
    with pytest.raises(ValueError, match=words):
        attend_jagged(**parts | change)

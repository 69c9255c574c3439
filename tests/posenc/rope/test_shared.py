"""One table for all layers, and frequencies that are trained."""

import pytest
import torch
from rotary_embedding_torch import RotaryEmbedding

from posenc import KVCache, RoPE, attend, rotate_pairs
from posenc.scaling import DynamicNTK, Linear, YaRN
from tests.tensors import random

ROWS = torch.tensor([[0, 1, 2, 3, 4], [7, 8, 9, 30, 31]])


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("scaling", [None, YaRN(4.0, 16), DynamicNTK(2.0, 8)])
@pytest.mark.parametrize("positions", [torch.arange(5), ROWS])
def test_a_shared_table_turns_as_the_layer_does(layout, dtype, scaling, positions):
    rope = RoPE(8, layout=layout, scaling=scaling, rotary_dim=6)
    q, k = random(2, 2, 3, 5, 8, dtype=dtype).unbind()
    table = rope.table(positions, dtype)
    want = rope.rotate(q, k, positions, positions)
    for x, turned in zip((q, k), want, strict=True):
        assert rotate_pairs(x, *table, layout).equal(turned)
    for heads in (1, 3):  # as many heads of keys, and one that queries share
        few = k[:, :heads]
        got = rope.rotate_by(q, few, table)
        for turned, x in zip(got, (want[0], want[1][:, :heads]), strict=True):
            assert turned.equal(x)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("shapes", [((2, 3, 1, 8), (2, 1, 1, 8)), ((3, 1, 8), (1, 1, 8))])
def test_turned_together_each_has_its_own_gradient_and_memory(layout, shapes):
    rope, at = RoPE(8, layout=layout), torch.tensor([7])
    parts = [random(*shape).requires_grad_() for shape in shapes]
    together = rope.rotate_by(*parts, rope.table(at, torch.float64))
    for x, turned in zip(parts, together, strict=True):
        alone = rotate_pairs(x, *rope.table(at, torch.float64), layout)
        assert turned.equal(alone)
        (got,), (want,) = (torch.autograd.grad(y.square().sum(), x) for y in (turned, alone))
        assert got.equal(want)
    with torch.no_grad():
        q, k = rope.rotate_by(*parts, rope.table(at, torch.float64))
        before = k.clone()
        q.zero_()
        assert k.equal(before)


def test_layers_share_a_table_through_attention_and_cache():
    layers = [RoPE(8, layout="half") for _ in range(3)]
    caches = [KVCache(rope) for rope in layers]
    for positions in (torch.arange(4), torch.tensor([4])):
        table = layers[0].table(positions, torch.float64)
        for seed, (rope, cache) in enumerate(zip(layers, caches, strict=True)):
            q, k, v = random(3, 1, 2, len(positions), 8, seed=seed).unbind()
            turned = rope.rotate_by(q, k, table)
            if len(positions) > 1:
                got = attend(*turned, v, rope, mask="causal", rotated=True)
                torch.testing.assert_close(got, attend(q, k, v, rope, mask="causal"))
            cache.step(*turned, v, positions, rotated=True)
    assert all(cache.length == 5 for cache in caches)


def test_learned_frequencies_are_lucidrains():
    theirs = RotaryEmbedding(8, learned_freq=True, cache_if_possible=False)
    ours = RoPE(8, learned=True)
    torch.testing.assert_close(ours.inv_freq.data, theirs.freqs.data)
    q, k, v = random(3, 1, 2, 5, 8, dtype=torch.float32).unbind()
    turned = [theirs.rotate_queries_or_keys(x) for x in (q, k)]
    want = attend(*turned, v, mask="causal")
    got = attend(q, k, v, ours, mask="causal")
    torch.testing.assert_close(got, want, atol=1e-6, rtol=0)
    (mine,) = torch.autograd.grad(got.square().sum(), ours.parameters())
    (other,) = torch.autograd.grad(want.square().sum(), theirs.freqs)
    torch.testing.assert_close(mine, other, atol=1e-5, rtol=1e-4)


def test_learned_frequencies_are_saved_moved_and_trained():
    ours = RoPE(8, learned=True, scaling=Linear(2.0))
    assert list(ours.state_dict()) == ["inv_freq"]
    with torch.device("meta"):
        empty = RoPE(8, learned=True)
    assert empty.inv_freq.is_meta
    empty.load_state_dict(ours.state_dict(), assign=True)
    assert empty.inv_freq.equal(ours.inv_freq)
    x = random(1, 1, 4, 8, dtype=torch.float32)
    optimiser = torch.optim.SGD(ours.parameters(), 0.1)
    before = ours.inv_freq.detach().clone()
    attend(x, x, x, ours, mask="causal").square().sum().backward()
    optimiser.step()
    assert not ours.inv_freq.equal(before)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"learned": 1}, "learned must be True or False"),
        ({"learned": True, "scaling": DynamicNTK(2.0, 8)}, "learned must be False for DynamicNTK"),
    ],
)
def test_what_cannot_be_trained_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        RoPE(8, **options)

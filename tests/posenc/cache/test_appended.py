"""Keys and values appended for another attention, masks of a step, a cache that begins anew."""

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from posenc import ALiBi, KVCache, NoPE, RoPE, attend
from posenc.attention.masks import causal_mask
from tests.posenc.laws import LENGTH, qkv, texts
from tests.posenc.traced.cases import NAMES, made
from tests.tensors import random

EXACT = {"atol": 1e-12, "rtol": 0}
AT = torch.arange(LENGTH)
SIZES = (4, 1, 1, 3, 2)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [{}, {"window": 4, "sink_tokens": 1}, {"capacity": LENGTH}])
@torch.no_grad()
def test_what_is_appended_is_what_a_step_attends_to(name, options):
    encoding = made(name)
    q, k, v = qkv(encoding, AT, texts())
    k, v = k[:, :2], v[:, :2]  # shared by the heads of queries
    stepped, appended = KVCache(encoding, **options), KVCache(encoding, **options)
    start = 0
    for size in SIZES:
        new = (..., slice(start, start + size), slice(None))
        start += size
        want = stepped.step(q[new], k[new], v[new])
        keys, values, positions, mask = appended.append(k[new], v[new])
        mine, here = q[new], positions[..., -size:]
        if appended.rotate_on_write:
            mine = encoding.rotate(mine, keys[..., :0, :], here, here[..., :0])[0]
        got = attend(
            mine,
            keys,
            values,
            encoding,
            mask=mask,
            q_positions=here,
            k_positions=positions,
            rotated=appended.rotate_on_write,
        )
        torch.testing.assert_close(got, want, **EXACT)
        assert (appended.length, appended.dropped) == (stepped.length, stepped.dropped)


@torch.no_grad()
def test_torchs_own_attention_takes_what_is_held():
    rope = RoPE(6)
    q, k, v = qkv(rope, AT, texts())
    cache = KVCache(rope)
    cache.append(k[..., :-1, :], v[..., :-1, :])
    keys, values, positions, mask = cache.append(k[..., -1:, :], v[..., -1:, :])
    assert mask is None
    got = scaled_dot_product_attention(rope(q[..., -1:, :], positions[-1:]), keys, values)
    torch.testing.assert_close(got, attend(q, k, v, rope, mask="causal")[..., -1:, :], **EXACT)


@torch.no_grad()
def test_causal_is_said_only_where_torch_means_the_same_by_it():
    """`is_causal` counts from the first key: behind other tokens the mask is a tensor."""
    rope = RoPE(6)
    q, k, v = qkv(rope, AT, texts())
    full = attend(q, k, v, rope, mask="causal")
    for window in (None, LENGTH):
        cache = KVCache(rope, window=window)
        for start, stop in ((0, 4), (4, 7), (7, 8), (8, LENGTH)):
            new = (..., slice(start, stop), slice(None))
            keys, values, positions, mask = cache.append(k[new], v[new])
            first = start == 0
            got = scaled_dot_product_attention(
                rope(q[new], positions[start - stop :]),
                keys,
                values,
                attn_mask=None if first else mask,
                is_causal=first and mask == "causal",
            )
            torch.testing.assert_close(got, full[new], **EXACT)


@pytest.mark.parametrize("rotate_on_write", [True, False])
@torch.no_grad()
def test_a_mask_says_who_sees_whom(rotate_on_write):
    """A prefix that sees all of itself, then two branches of drafts that do not see each other."""
    rope = RoPE(6)
    q, k, v = qkv(rope, AT, texts())
    seen = causal_mask(LENGTH, LENGTH)
    seen[:4, :4] = True
    seen[7:9, 5:7] = False
    full = attend(q, k, v, rope, mask=seen)
    cache = KVCache(rope, rotate_on_write=rotate_on_write)
    parts = [(0, 4, None), (4, 5, "causal"), (5, 9, seen[5:9, :9]), (9, LENGTH, "causal")]
    for start, stop, mask in parts:
        new = (..., slice(start, stop), slice(None))
        got = cache.step(q[new], k[new], v[new], mask=mask)
        torch.testing.assert_close(got, full[new], **EXACT)


@torch.no_grad()
def test_a_mask_hides_nothing_less_than_padding_and_window():
    q, k, v = qkv(NoPE(), AT, texts())
    real = torch.ones(2, LENGTH, dtype=torch.bool)
    real[1, :3] = False
    padded = KVCache(NoPE()).step(q, k, v, attention_mask=real, mask=None)
    want = attend(q, k, v, mask=real[:, None, None].expand(-1, 1, LENGTH, -1))
    torch.testing.assert_close(padded, want, **EXACT)
    near = (AT[:, None] - AT).abs() < 3
    windowed = KVCache(NoPE(), window=3).step(q, k, v, mask=None)
    torch.testing.assert_close(windowed, attend(q, k, v, mask=near), **EXACT)


@torch.no_grad()
def test_a_mask_that_does_not_fit_leaves_the_cache_as_it_was():
    x = random(1, 2, 6, 4)
    cache = KVCache(NoPE())
    cache.step(*[x[..., :4, :]] * 3)
    with pytest.raises(ValueError, match=r"mask must be .* broadcastable to \(1, 2, 2, 6\)"):
        cache.step(*[x[..., 4:, :]] * 3, mask=torch.ones(2, 5, dtype=torch.bool))
    with pytest.raises(ValueError, match="mask must be 'causal', None"):
        cache.step(*[x[..., 4:, :]] * 3, mask="full")
    assert cache.length == 4
    assert cache.keys.shape[-2] == 4


@torch.no_grad()
def test_a_reset_cache_takes_another_batch():
    rope = RoPE(4)
    cache = KVCache(rope, window=2, capacity=8)
    assert repr(cache) == "KVCache(RoPE, capacity=8, window=2): 0 tokens"
    wide = random(2, 1, 5, 4)
    cache.step(wide, wide, wide)
    cache.step(*[wide[..., :1, :]] * 3)
    assert repr(cache) == (
        "KVCache(RoPE, capacity=8, window=2): 6 tokens, keys 2 x 1 x 2 x 4 in torch.float64 on cpu"
    )
    cache.reset()
    assert (cache.length, cache.dropped, cache.keys) == (0, 0, None)
    narrow = random(1, 3, 5, 4).float()
    got = cache.step(narrow[..., :2, :], narrow[..., :2, :], narrow[..., :2, :])
    want = attend(*[narrow[..., :2, :]] * 3, rope, mask="causal")
    torch.testing.assert_close(got, want)


def test_a_cache_that_rotates_on_reading_says_so():
    assert repr(KVCache(ALiBi(2), rotate_on_write=False)) == (
        "KVCache(ALiBi, rotate_on_write=False): 0 tokens"
    )


@torch.no_grad()
def test_beams_may_share_one_row_of_positions():
    rope, x = RoPE(4), random(2, 1, 4, 4)
    cache = KVCache(rope)
    cache.step(*[x[..., :3, :]] * 3, torch.arange(3)[None])
    cache.reorder(torch.tensor([1, 1]))
    got = cache.step(*[x[..., 3:, :]] * 3)
    beam = torch.cat((x[[1, 1], :, :3], x[..., 3:, :]), dim=-2)
    want = attend(x[..., 3:, :], beam, beam, rope)
    torch.testing.assert_close(got, want, **EXACT)

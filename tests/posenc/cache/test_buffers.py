"""The cache's buffers: windows, sinks, drafts taken back, beams, rows of several lengths."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc import KVCache, NoPE, RoPE, attend, rope_cos_sin
from posenc.attention.masks import causal_mask, causal_pairs, padding_mask, window_pairs
from posenc.cache.buffer import LEAST
from posenc.cache.window import WindowCache
from posenc.catalogue import CATALOGUE
from posenc.rope.fast import rotate_pairs
from posenc.scaling import DynamicNTK, LongRoPE
from tests.posenc.laws import BATCH, LENGTH, VARIANTS, build, qkv, texts
from tests.tensors import random

NAMES = [*CATALOGUE, *VARIANTS]
EXACT = {"atol": 1e-12, "rtol": 0}
STEPS = ([1] * LENGTH, [LENGTH], [4, 1, 1, 3, 2], [2, 1, 5, 3])


def step(cache, parts, positions, start, stop, mask=None):
    new = (part[..., start:stop, :] for part in parts)
    return cache.step(*new, positions[..., start:stop], mask)


def decode(cache, parts, positions, steps):
    outputs = []
    for size in steps:
        outputs.append(step(cache, parts, positions, cache.length, cache.length + size))
    return torch.cat(outputs, dim=-2)


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_a_window_is_a_masked_full_pass(name):
    encoding, index = build(name), torch.arange(LENGTH)
    parts = qkv(encoding, index, texts())
    for window, sinks in ((3, 0), (4, 2), (1, 1), (1, 0), (LENGTH, 0), (2, LENGTH)):
        near = window_pairs(index, index, window) | (index < sinks)
        full = attend(*parts, encoding, mask=causal_pairs(index, index) & near)
        for steps in STEPS:
            for capacity in (None, max(steps) + window + sinks - 1):
                cache = KVCache(encoding, window=window, sink_tokens=sinks, capacity=capacity)
                torch.testing.assert_close(decode(cache, parts, index, steps), full, **EXACT)
                assert cache.length == LENGTH
                assert cache.keys.shape[-2] == LENGTH - cache.dropped
                assert cache.keys.shape[-2] <= window + sinks + max(steps) - 1


@torch.no_grad()
def test_a_long_text_needs_room_for_its_window_alone():
    window, sinks, length = 8, 2, 40 * LEAST
    parts, index = random(3, 1, 2, length, 4).double().unbind(), torch.arange(length)
    cache = KVCache(RoPE(4), window=window, sink_tokens=sinks)
    got = decode(cache, parts, index, [1] * length)
    near = window_pairs(index, index, window) | (index < sinks)
    want = attend(*parts, RoPE(4), mask=causal_pairs(index, index) & near)
    torch.testing.assert_close(got, want, **EXACT)
    assert cache.keys.untyped_storage().nbytes() <= 2 * LEAST * 2 * 4 * 8


@torch.no_grad()
def test_a_step_writes_in_place():
    parts, index = random(3, 1, 2, 40, 4).unbind(), torch.arange(40)
    for capacity, allocations in ((40, 1), (None, 1), (64, 1)):
        cache = KVCache(RoPE(4), capacity=capacity)
        places = set()
        for t in range(40):
            step(cache, parts, index, t, t + 1)
            places.add(cache.keys.data_ptr())
        assert len(places) == allocations
    cache = KVCache(RoPE(4))
    decode(cache, parts, index, [40])
    for t in range(5 * LEAST):
        cache.step(*(part[..., :1, :] for part in parts), torch.tensor([40 + t]))
    assert cache.keys.untyped_storage().nbytes() <= 2 * cache.keys.nbytes


@torch.no_grad()
def test_a_full_cache_says_so_and_stays_as_it_was():
    parts, index = random(3, 1, 2, 9, 4).unbind(), torch.arange(9)
    cache = KVCache(RoPE(4), capacity=8)
    decode(cache, parts, index, [6, 1])
    before = cache.keys.clone()
    with pytest.raises(ValueError, match="has room for 8 tokens and would hold 9"):
        step(cache, parts, index, 7, 9)
    assert cache.length == 7
    torch.testing.assert_close(cache.keys, before, rtol=0, atol=0)
    step(cache, parts, index, 7, 8)
    with pytest.raises(ValueError, match="room for 8 tokens and would hold 9"):
        step(cache, parts, index, 8, 9)


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_a_draft_that_is_taken_back_leaves_nothing(name):
    """Speculative decoding: four tokens of a draft are checked at once, and two are kept."""
    encoding, index = build(name), torch.arange(LENGTH)
    parts = qkv(encoding, index, texts())
    draft = qkv(encoding, index[5:9], texts().flip(0)[:, 5:9])
    for options in ({}, {"window": 4}, {"window": 3, "sink_tokens": 2}, {"capacity": LENGTH}):
        plain, cache = KVCache(encoding, **options), KVCache(encoding, **options)
        want = decode(plain, parts, index, [5, 1, 1, 1, 3])
        got = [step(cache, parts, index, 0, 5)]
        cache.step(
            *(
                torch.cat((own[..., 5:7, :], other[..., 2:, :]), dim=-2)
                for own, other in zip(parts, draft, strict=True)
            ),
            index[5:9],
        )
        cache.crop(7)
        assert cache.length == 7
        again = KVCache(encoding, **options)
        got = [decode(again, parts, index, [5, 2]), decode(cache, parts, index, [1, 3])]
        torch.testing.assert_close(torch.cat(got, dim=-2), want, **EXACT)


@torch.no_grad()
def test_what_a_window_has_dropped_cannot_be_seen_again():
    parts, index = random(3, 1, 2, 20, 4).unbind(), torch.arange(20)
    cache = KVCache(RoPE(4), window=4, sink_tokens=1)
    decode(cache, parts, index, [10, 1, 3])
    cache.crop(11)
    with pytest.raises(ValueError, match="length must be at least 11, because the window"):
        cache.crop(10)
    whole = KVCache(RoPE(4))
    decode(whole, parts, index, [10])
    for wrong in (-1, 11, 2.5):
        with pytest.raises(ValueError, match="length must be an integer from 0 to 10"):
            whole.crop(wrong)
    whole.crop(0)
    torch.testing.assert_close(
        decode(whole, parts, index, [10]),
        attend(*(p[..., :10, :] for p in parts), RoPE(4), mask="causal"),
    )


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_rows_that_keep_other_numbers_of_tokens_go_on_alone(name):
    """Each row accepts as much of its draft as is right, and is then as a text of its own."""
    encoding, index, lengths = build(name), torch.arange(LENGTH), [8, 5]
    parts = qkv(encoding, index, texts())
    for options in ({}, {"window": 4}):
        cache = KVCache(encoding, **options)
        decode(cache, parts, index, [5, 3])
        cache.crop(torch.tensor(lengths))
        assert cache.length == 8
        positions = torch.tensor([[length, length + 1] for length in lengths])
        picked = [torch.stack([part[b, :, at] for b, at in enumerate(positions)]) for part in parts]
        got = [
            cache.step(*(p[..., t : t + 1, :] for p in picked), positions[:, t : t + 1])
            for t in range(2)
        ]
        for b, length in enumerate(lengths):
            alone = KVCache(encoding, **options)
            own = [part[b : b + 1] for part in parts]
            want = decode(alone, own, index, [length, 1, 1])[..., -2:, :]
            torch.testing.assert_close(torch.cat(got, dim=-2)[b : b + 1], want, **EXACT)


@torch.no_grad()
def test_rows_accepted_in_turn_need_room_for_the_longest():
    """Drafts of four in a cache that has room for the longest row and one draft."""
    encoding, rounds = RoPE(4), ([4, 1], [0, 4], [3, 0], [1, 4], [4, 2])
    parts = random(3, 2, 1, 40, 4).unbind()
    full = attend(*parts, encoding, mask="causal")
    lengths = torch.tensor([5, 5])
    cache = KVCache(encoding, capacity=17 + 4)
    cache.step(*(part[..., :5, :] for part in parts))
    for accepted in rounds:
        before, at = cache.length, lengths[:, None] + torch.arange(4)
        row = torch.arange(2)[:, None]
        draft = [part[row, 0, at][:, None] for part in parts]
        torch.testing.assert_close(cache.step(*draft), full[row, 0, at][:, None], **EXACT)
        cache.crop(before + torch.tensor(accepted))
        lengths += torch.tensor(accepted)
        assert cache.length == cache.keys.shape[-2] == lengths.max()
        assert cache.attention_mask.sum(dim=-1).tolist() == lengths.tolist()


@torch.no_grad()
def test_beams_take_rows_with_all_that_belongs_to_them():
    encoding = RoPE(6).double()
    real = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    positions = torch.tensor([[0, 0, 0, 1, 2, 3], [0, 1, 2, 3, 4, 5]])
    parts = qkv(encoding, positions, texts()[:, :6])
    rows = torch.tensor([1, 1, 0])
    cache = KVCache(encoding)
    step(cache, parts, positions, 0, 5, real)
    cache.reorder(rows)
    assert cache.attention_mask.tolist() == real.bool()[rows].tolist()
    got = step(cache, [part[rows] for part in parts], positions[rows], 5, 6)
    mask = torch.cat((real, torch.ones(2, 1)), dim=1)
    full = attend(
        *parts, encoding, mask=causal_mask(6, 6) & padding_mask(mask), k_positions=positions
    )
    torch.testing.assert_close(got, full[rows][..., -1:, :], **EXACT)
    for wrong in (torch.tensor([0, 3]), torch.tensor([-1]), torch.tensor([[0]])):
        with pytest.raises(ValueError, match="rows must be integers from 0 to 2"):
            cache.reorder(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_gradients_go_through_every_step(name):
    encoding, index = build(name), torch.arange(LENGTH)
    x = texts().requires_grad_()
    parameters = [x, *encoding.parameters()]
    full = attend(*qkv(encoding, index, x), encoding, mask="causal")
    weights = random(*full.shape, seed=2).double()
    want = torch.autograd.grad((full * weights).sum(), parameters, allow_unused=True)
    cache = KVCache(encoding)
    got = decode(cache, qkv(encoding, index, x), index, [5, 1, 1, 4])
    grads = torch.autograd.grad((got * weights).sum(), parameters, allow_unused=True)
    torch.testing.assert_close(grads, want, atol=1e-9, rtol=1e-9)


@pytest.mark.parametrize(
    "scaling",
    [DynamicNTK(2.0, 8), LongRoPE([1.0] * 3, [4.0] * 3, original_length=8, factor=4.0)],
)
@torch.no_grad()
def test_frequencies_that_change_are_never_kept_in_keys(scaling):
    index = torch.arange(2 * LENGTH)
    q, k, v = random(3, 1, 2, 2 * LENGTH, 6).double().unbind()
    encoding = RoPE(6, scaling=scaling)
    for cache_of in (
        lambda: KVCache(encoding, rotate_on_write=True),
        lambda: WindowCache(encoding, 4, rotate_on_write=True),
    ):
        with pytest.raises(ValueError, match=r"rotate_on_write must be False for this RoPE"):
            cache_of()
    cache = KVCache(encoding)
    assert not cache.rotate_on_write
    got = decode(cache, (q, k, v), index, [3] + [1] * (2 * LENGTH - 3))
    want = attend(q, k, v, encoding, mask="causal")[..., -1, :]
    torch.testing.assert_close(got[..., -1, :], want, **EXACT)
    # A length that is given makes the frequencies constant, and every way is right again.
    fixed = RoPE(6, scaling=scaling, length=2 * LENGTH)
    full = attend(q, k, v, fixed, mask="causal")
    for rotate_on_write in (True, False):
        cache = KVCache(fixed, rotate_on_write=rotate_on_write)
        torch.testing.assert_close(decode(cache, (q, k, v), index, [3] * 7 + [1]), full, **EXACT)


@torch.no_grad()
def test_one_table_serves_all_layers():
    rope, index = RoPE(8), torch.arange(6)
    q, k, v = random(3, 1, 2, 6, 8).double().unbind()
    cos, sin = rope_cos_sin(index, rope.inv_freq)
    cache = KVCache(rope)
    turned = [rotate_pairs(x, cos, sin) for x in (q, k)]
    got = cache.step(*turned, v, index, rotated=True)
    torch.testing.assert_close(got, attend(q, k, v, rope, mask="causal"), **EXACT)
    with pytest.raises(ValueError, match="rotated must be False in a cache that rotates on read"):
        KVCache(rope, rotate_on_write=False).step(*turned, v, index, rotated=True)


@torch.no_grad()
def test_padding_in_front_stays_in_front_of_a_window():
    encoding = RoPE(6).double()
    real = torch.ones(BATCH, LENGTH, dtype=torch.int64)
    real[1, :3] = 0
    positions = (real.cumsum(-1) - 1).clamp(min=0)
    parts = qkv(encoding, positions, texts())
    cache = KVCache(encoding, window=4)
    got = [step(cache, parts, positions, 0, 6, real[:, :6])]
    got += [step(cache, parts, positions, t, t + 1) for t in range(6, LENGTH)]
    index = torch.arange(LENGTH)
    mask = causal_pairs(index, index) & window_pairs(index, index, 4) & padding_mask(real)
    want = attend(*parts, encoding, mask=mask, k_positions=positions)
    torch.testing.assert_close(torch.cat(got, dim=-2), want, **EXACT)
    for options, mask in (({"window": 4}, real.flip(1)), ({"window": 4, "sink_tokens": 1}, real)):
        with pytest.raises(ValueError, match="attention_mask must be given at the first step"):
            step(KVCache(encoding, **options), parts, positions, 0, LENGTH, mask)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"capacity": 0}, "capacity must be an integer of at least 1"),
        (
            {"capacity": 5, "window": 4, "sink_tokens": 2},
            "capacity must be an integer of at least 6",
        ),
        ({"window": 0}, "window must be"),
        ({"sink_tokens": 2}, "sink_tokens must be 0 without a window, got 2"),
        ({"rotate_on_write": 3}, "rotate_on_write must be True or False"),
    ],
)
def test_settings_that_cannot_be_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        KVCache(NoPE(), **options)


@settings(deadline=None, max_examples=60)
@given(st.data())
@torch.no_grad()
def test_any_course_of_steps_and_crops_ends_as_the_full_pass(data):
    window = data.draw(st.none() | st.integers(1, 9))
    sinks = data.draw(st.integers(0, 3)) if window else 0
    rope, index = RoPE(4), torch.arange(400)
    parts = random(3, 1, 2, 400, 4).double().unbind()
    cache = KVCache(rope, window=window, sink_tokens=sinks)
    for _ in range(data.draw(st.integers(1, 12))):
        before, new = cache.length, data.draw(st.integers(1, 30))
        got = step(cache, parts, index, before, before + new)
        back = data.draw(st.integers(0, new))
        cache.crop(before + new - back)
    length = before + new
    near = index[:length] < sinks if window else torch.ones(length, dtype=torch.bool)
    if window:
        near = near | window_pairs(index[:length], index[:length], window)
    mask = causal_pairs(index[:length], index[:length]) & near
    want = attend(*(part[..., :length, :] for part in parts), rope, mask=mask)
    torch.testing.assert_close(got, want[..., before:, :], **EXACT)

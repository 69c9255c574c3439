"""Positions that the cache counts itself, and options of attention that a step takes."""

import pytest
import torch

from posenc import KVCache, NoPE, RoPE, T5Bias, attend, positions_from_mask
from posenc.attention.masks import causal_mask, padding_mask
from tests.posenc.laws import LENGTH, build, qkv, texts
from tests.posenc.traced.cases import NAMES, made
from tests.tensors import random

EXACT = {"atol": 1e-12, "rtol": 0}
AT = torch.arange(LENGTH)
STEPS = ([1] * LENGTH, [LENGTH], [4, 1, 1, 3, 2])


def decode(cache, parts, steps, **options):
    """Outputs of all steps, with positions that the cache counts."""
    outputs, start = [], cache.length
    for size in steps:
        new = (part[..., start : start + size, :] for part in parts)
        outputs.append(cache.step(*new, **options))
        start += size
    return torch.cat(outputs, dim=-2)


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_they_are_those_of_the_full_pass(name):
    encoding = made(name)
    parts = qkv(encoding, AT, texts())
    given = KVCache(encoding)
    for window in (None, 4):
        for steps in STEPS:
            given, counted = (KVCache(encoding, window=window) for _ in range(2))
            want, start = [], 0
            for size in steps:
                new = (part[..., start : start + size, :] for part in parts)
                want.append(given.step(*new, AT[start : start + size]))
                start += size
            got = decode(counted, parts, steps)
            torch.testing.assert_close(got, torch.cat(want, dim=-2), **EXACT)
            assert torch.equal(counted.positions, given.positions)


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_padding_is_not_counted(name):
    encoding = made(name)
    real = torch.ones(2, LENGTH, dtype=torch.int64)
    real[1, :3] = 0
    positions = positions_from_mask(real)
    parts = qkv(encoding, positions, texts())
    cache, outputs = KVCache(encoding), []
    for start, stop, named in ((0, 5, True), (5, 6, False), (6, LENGTH, True)):
        new = (part[..., start:stop, :] for part in parts)
        outputs.append(cache.step(*new, attention_mask=real[:, start:stop] if named else None))
    assert torch.equal(cache.positions, positions)
    mask = causal_mask(LENGTH, LENGTH) & padding_mask(real)
    # A scaling by length sees the text that is there at each step.
    if not encoding.rotates_by_length:
        full = attend(*parts, encoding, mask=mask, k_positions=positions)
        torch.testing.assert_close(torch.cat(outputs, dim=-2), full, **EXACT)


@torch.no_grad()
def test_they_go_on_from_what_is_held():
    x = random(2, 2, 9, 4)
    cache = KVCache(RoPE(4))
    cache.step(*[x[..., :3, :]] * 3, torch.tensor([5, 6, 9]))
    cache.step(*[x[..., 3:5, :]] * 3)
    assert cache.positions.tolist() == [5, 6, 9, 10, 11]
    cache.crop(4)
    cache.step(*[x[..., 4:5, :]] * 3)
    assert cache.positions.tolist() == [5, 6, 9, 10, 11]
    cache.crop(torch.tensor([4, 2]))
    cache.step(*[x[..., 5:7, :]] * 3)
    assert cache.positions[:, -2:].tolist() == [[11, 12], [7, 8]]
    cache.crop(0)
    cache.step(*[x[..., :2, :]] * 3)
    assert cache.positions.tolist() == [[0, 1], [0, 1]]


@torch.no_grad()
def test_no_distance_of_a_prompt_is_computed_twice(monkeypatch):
    """4,096 tokens have 16 million pairs and 8,191 distances."""
    encoding, asked = T5Bias(2), []
    curve = encoding.curve
    monkeypatch.setattr(
        encoding, "curve", lambda at, dtype: asked.append(at.numel()) or curve(at, dtype)
    )
    parts = random(3, 1, 2, 512, 4).unbind()
    cache = KVCache(encoding)
    decode(cache, parts, [400, 100, 12])
    assert asked == [799, 599, 523]


@pytest.mark.parametrize("rotate_on_write", [True, False])
@torch.no_grad()
def test_options_of_attention_go_through_a_step(rotate_on_write):
    encoding = RoPE(6)
    parts = qkv(encoding, AT, texts())
    options = {"scale": 0.7, "softcap": 3.0, "sinks": torch.tensor([0.5, -1.0, 2.0, 0.0])}
    for name, value in options.items():
        cache = KVCache(encoding, rotate_on_write=rotate_on_write)
        full = attend(*parts, encoding, mask="causal", **{name: value})
        got = decode(cache, parts, [4, 1, 6], **{name: value})
        torch.testing.assert_close(got, full, **EXACT)
    cache = KVCache(encoding, rotate_on_write=rotate_on_write)
    stages = cache.traced_step(*parts, **options)
    full = attend(*parts, encoding, mask="causal", **options)
    torch.testing.assert_close(stages.output, full, **EXACT)


@torch.no_grad()
def test_t5_decodes_with_its_own_scale():
    encoding = build("t5")
    parts = qkv(encoding, AT, texts())
    full = attend(*parts, encoding, mask="causal", scale=1.0)
    got = decode(KVCache(encoding), parts, [7, 1, 1, 1, 1], scale=1.0)
    torch.testing.assert_close(got, full, **EXACT)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"softcap": 0.0}, "softcap must be a finite number above 0"),
        ({"scale": float("nan")}, "scale must be a finite number"),
        (
            {"sinks": torch.zeros(3)},
            "sinks must be a floating-point number for each",
        ),
        ({"attention_mask": torch.ones(1, 5)}, r"attention_mask must have shape \(1, 2\), got"),
        ({"positions": torch.arange(2.0)}, "positions must be torch.int64 like those in the cache"),
    ],
)
@torch.no_grad()
def test_a_refused_option_leaves_the_cache_as_it_was(options, words):
    x = random(1, 2, 9, 4)
    cache = KVCache(NoPE(), window=3)
    cache.step(*[x[..., :7, :]] * 3)
    before = cache.dropped, cache.keys.clone(), cache.attention_mask
    with pytest.raises(ValueError, match=words):
        cache.step(*[x[..., 7:, :]] * 3, **options)
    assert (cache.dropped, cache.attention_mask) == (before[0], before[2])
    assert torch.equal(cache.keys, before[1])


@torch.no_grad()
def test_narrow_integers_are_kept_wide():
    """A buffer of the first step's uint8 would hold position 300 as 44."""
    rope, x = RoPE(4), random(1, 2, 302, 4).double()
    cache = KVCache(rope)
    cache.step(*[x[..., :2, :]] * 3, torch.arange(2, dtype=torch.uint8))
    got = cache.step(*[x[..., 2:, :]] * 3, torch.arange(2, 302))
    assert cache.positions.tolist() == list(range(302))
    want = attend(x, x, x, rope, mask="causal")
    torch.testing.assert_close(got, want[..., 2:, :], **EXACT)

"""Decoding through the cache equals the full pass, for every encoding."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import (
    KVCache,
    PositionalEncoding,
    RoPE,
    attend,
    causal_mask,
    padding_mask,
    positions_from_mask,
)
from posenc.cache.policy import CACHE_POLICIES, decode_work
from posenc.cache.stale_keys import rotate_when_written
from posenc.catalogue import CATALOGUE
from posenc.scaling import DynamicNTK
from tests.posenc.laws import BATCH, LENGTH, VARIANTS, build, output, qkv, texts

NAMES = [*CATALOGUE, *VARIANTS]
EXACT = {"atol": 1e-12, "rtol": 0}
STEPS = {
    "one by one": [1] * LENGTH,
    "all at once": [LENGTH],
    "prompt, then tokens": [7, 1, 1, 1, 1],
    "uneven": [2, 1, 5, 3],
}


def _decode(cache, q, k, v, positions, steps, attention_mask=None):
    outputs, start = [], 0
    for size in steps:
        new = slice(start, start + size)
        real = None if attention_mask is None else attention_mask[:, new]
        outputs.append(
            cache.step(q[..., new, :], k[..., new, :], v[..., new, :], positions[..., new], real)
        )
        start += size
    assert start == LENGTH
    return torch.cat(outputs, dim=-2)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rotate_on_write", [True, False])
def test_steps_equal_the_full_pass(name, rotate_on_write):
    encoding, positions = build(name), torch.arange(3, 3 + LENGTH)
    q, k, v = qkv(encoding, positions, texts())
    full = output(encoding, positions, texts())
    for steps in STEPS.values():
        cache = KVCache(encoding, rotate_on_write=rotate_on_write)
        decoded = _decode(cache, q, k, v, positions, steps)
        torch.testing.assert_close(decoded, full, **EXACT)
        assert torch.equal(cache.positions, positions)
        assert torch.equal(cache.values, v)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rotate_on_write", [True, False])
def test_shared_keys_and_values_are_kept_once(name, rotate_on_write):
    encoding, positions = build(name), torch.arange(LENGTH)
    q, k, v = qkv(encoding, positions, texts())
    k, v = k[:, :2], v[:, :2]
    cache = KVCache(encoding, rotate_on_write=rotate_on_write)
    decoded = _decode(cache, q, k, v, positions, STEPS["uneven"])
    torch.testing.assert_close(decoded, attend(q, k, v, encoding, mask="causal"), **EXACT)
    assert cache.keys.shape == k.shape


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rotate_on_write", [True, False])
def test_left_padding_changes_nothing(name, rotate_on_write):
    """The second text is shorter: its row starts with three tokens of padding."""
    encoding, padded, lengths = build(name), 3, [LENGTH, LENGTH - 3]
    real = torch.ones(BATCH, LENGTH, dtype=torch.int64)
    real[1, :padded] = 0
    positions = positions_from_mask(real)
    q, k, v = qkv(encoding, positions, texts())
    cache = KVCache(encoding, rotate_on_write=rotate_on_write)
    decoded = _decode(cache, q, k, v, positions, [5, 1, 3, 2], real)

    mask = causal_mask(LENGTH, LENGTH) & padding_mask(real)
    full = attend(q, k, v, encoding, mask=mask, k_positions=positions)
    torch.testing.assert_close(decoded, full, **EXACT)
    for b, length in enumerate(lengths):
        alone = output(encoding, torch.arange(length), texts()[b : b + 1, LENGTH - length :])
        torch.testing.assert_close(decoded[b : b + 1, :, LENGTH - length :], alone, **EXACT)


@pytest.mark.parametrize("name", NAMES)
def test_positions_may_have_gaps(name):
    encoding = build(name)
    positions = torch.tensor([0, 1, 2, 6, 7, 8, 20, 21, 22, 23, 39])
    q, k, v = qkv(encoding, positions, texts())
    decoded = _decode(KVCache(encoding), q, k, v, positions, STEPS["uneven"])
    torch.testing.assert_close(decoded, output(encoding, positions, texts()), **EXACT)


def test_what_is_cached():
    encoding, positions = build("rope"), torch.arange(LENGTH)
    q, k, v = qkv(encoding, positions, texts())
    turned = encoding.rotate(q, k, positions, positions)[1]
    for rotate_on_write, keys in ((True, turned), (False, k)):
        cache = KVCache(encoding, rotate_on_write=rotate_on_write)
        _decode(cache, q, k, v, positions, [4, 7])
        torch.testing.assert_close(cache.keys, keys, **EXACT)


def test_a_growing_base_spoils_keys_rotated_before():
    """Dynamic NTK past its trained length: the known trap, which the cache does not walk into."""
    encoding = RoPE(6, base=100.0, scaling=DynamicNTK(2.0, original_length=4))
    positions = torch.arange(LENGTH)
    q, k, v = qkv(encoding, positions, texts())
    full = attend(q, k, v, encoding, mask="causal")[..., -1, :]
    stale = (*rotate_when_written(encoding, q, k), v)
    written = _decode(KVCache(PositionalEncoding()), *stale, positions, STEPS["one by one"])
    assert 1e-2 <= (written[..., -1, :] - full).abs().max().item() <= 10.0
    last = _decode(KVCache(encoding), q, k, v, positions, STEPS["one by one"])[..., -1, :]
    torch.testing.assert_close(last, full, **EXACT)


def test_padding_may_be_named_at_some_steps_only():
    positions = torch.arange(LENGTH)
    q, k, v = qkv(PositionalEncoding(), positions, texts())
    real = torch.ones(BATCH, LENGTH, dtype=torch.bool)
    real[0, 4] = False
    cache, outputs = KVCache(PositionalEncoding()), []
    for new, mask in ((slice(0, 3), None), (slice(3, 6), real[:, 3:6]), (slice(6, 11), None)):
        parts = (x[..., new, :] for x in (q, k, v))
        outputs.append(cache.step(*parts, positions[new], mask))
    mask = causal_mask(LENGTH, LENGTH) & padding_mask(real)
    torch.testing.assert_close(torch.cat(outputs, dim=-2), attend(q, k, v, mask=mask), **EXACT)
    assert torch.equal(cache.attention_mask, real)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"positions": torch.arange(3)}, r"^positions must hold 2 positions, got 3\."),
        ({"positions": torch.zeros(2, 2).long()}, r"positions must have 1 dimensions like those"),
        ({"v": torch.zeros(2, 4, 3, 6)}, r"k and v in batch, heads and seq"),
        ({"attention_mask": torch.ones(2, 5)}, r"attention_mask must have shape \(2, 2\), got"),
    ],
)
def test_a_refused_step_leaves_the_cache_as_it_was(change, message):
    q, k, v = (x.float() for x in qkv(PositionalEncoding(), torch.arange(LENGTH), texts()))
    cache = KVCache(PositionalEncoding())
    cache.step(q[..., :3, :], k[..., :3, :], v[..., :3, :], torch.arange(3))
    new = {"q": q[..., 3:5, :], "k": k[..., 3:5, :], "v": v[..., 3:5, :]}
    with pytest.raises(ValueError, match=message):
        cache.step(**{**new, "positions": torch.arange(3, 5), **change})
    assert torch.equal(cache.positions, torch.arange(3))
    assert cache.attention_mask is None
    again = cache.step(**new, positions=torch.arange(3, 5))
    want = attend(q[..., :5, :], k[..., :5, :], v[..., :5, :], mask="causal")[..., 3:, :]
    torch.testing.assert_close(again, want, atol=1e-6, rtol=0)


def _qkv():
    generator = torch.Generator().manual_seed(5)
    return torch.randn(3, 1, 2, 6, 8, dtype=torch.float64, generator=generator).unbind()


@pytest.mark.parametrize("rotate_on_write", [True, False])
def test_a_traced_step_has_the_weights_of_its_row(rotate_on_write):
    q, k, v = _qkv()
    full = attend(q, k, v, RoPE(8), mask="causal", trace=True)
    cache = KVCache(RoPE(8), rotate_on_write=rotate_on_write)
    for t in range(6):
        new = slice(t, t + 1)
        step = cache.traced_step(q[..., new, :], k[..., new, :], v[..., new, :], torch.tensor([t]))
        torch.testing.assert_close(step.weights[..., 0, :], full.weights[..., t, : t + 1])
        torch.testing.assert_close(step.output, full.output[..., new, :])


@given(st.integers(1, 60), st.integers(0, 60), st.integers(1, 120))
def test_work_is_counted(prompt, steps, original):
    length = prompt + steps
    work = {cache: decode_work(cache, prompt, length, original) for cache in CACHE_POLICIES}
    lengths = range(prompt + 1, length + 1)
    again = sum(n if n > original else 1 for n in lengths)
    counts = {c: (w.keys_rotated, w.tokens_run) for c, w in work.items()}
    assert counts == {
        "on_write": (steps, steps),
        "on_read": (sum(lengths), steps),
        "recomputed": (again, again),
    }

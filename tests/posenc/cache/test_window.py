"""A cache that forgets equals a masked full pass, and what renumbering does to the distances."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import ALiBi, RoPE, apply_rope, attend
from posenc.attention.masks import causal_pairs
from posenc.cache.window import WindowCache
from posenc.catalogue import CATALOGUE
from tests.posenc.laws import LENGTH, VARIANTS, build, qkv, texts

EXACT = {"atol": 1e-12, "rtol": 0}
WINDOWS, SINKS = st.integers(1, LENGTH + 1), st.integers(0, LENGTH)


def decode(encoding, window, sinks, **how):
    """Every step's trace and kept tokens, and the queries, keys and values before place 2."""
    parts = qkv(encoding, torch.arange(LENGTH), texts())
    cache, steps = WindowCache(encoding, window, sinks, **how), []
    with torch.no_grad():
        for t in range(LENGTH):
            trace = cache.step(*(part[..., t : t + 1, :] for part in parts))
            steps.append((trace, cache.kept, cache.rotated_at))
    return steps, parts


def outputs(steps):
    return torch.cat([trace.output for trace, *_ in steps], dim=-2)


@pytest.mark.parametrize("name", [*CATALOGUE, *VARIANTS])
@pytest.mark.parametrize("rotate_on_write", [True, False])
def test_under_the_texts_positions_it_is_a_masked_full_pass(name, rotate_on_write):
    encoding, index = build(name), torch.arange(LENGTH)
    for window, sinks in ((3, 0), (4, 2), (1, 1), (LENGTH, 0)):
        steps, (q, k, v) = decode(
            encoding, window, sinks, numbering="text", rotate_on_write=rotate_on_write
        )
        near = (index[:, None] - index < window) | (index < sinks)
        with torch.no_grad():
            full = attend(q, k, v, encoding, mask=causal_pairs(index, index) & near)
        torch.testing.assert_close(outputs(steps), full, **EXACT)


@given(window=WINDOWS, sinks=SINKS)
def test_without_a_gap_renumbering_keeps_all_distances(window, sinks):
    for encoding in (RoPE(6), ALiBi(4)):
        text, _ = decode(encoding.double(), window, 0, numbering="text")
        cache, _ = decode(encoding.double(), window, 0, numbering="cache")
        torch.testing.assert_close(outputs(text), outputs(cache), **EXACT)
        # A window that ends where the first tokens begin leaves no gap either.
        whole, _ = decode(encoding.double(), LENGTH, sinks, numbering="cache")
        all_kept, _ = decode(encoding.double(), LENGTH, 0, numbering="text")
        torch.testing.assert_close(outputs(whole), outputs(all_kept), **EXACT)


@given(window=WINDOWS, sinks=SINKS)
def test_renumbered_keys_are_turned_by_what_they_moved(window, sinks):
    """Turning a cached, rotated key by (new place - old place) is turning it from scratch."""
    rope = RoPE(6).double()
    steps, (_, k, _) = decode(rope, window, sinks, numbering="cache")
    stale, _ = decode(rope, window, sinks, numbering="cache", rotate_on_write=True)
    for (right, kept, places), (wrong, _, written) in zip(steps, stale, strict=True):
        assert torch.equal(places, torch.arange(len(kept)))
        again = apply_rope(wrong.k, places - written, rope.inv_freq, layout=rope.layout)
        torch.testing.assert_close(right.k, again, **EXACT)
        turned = apply_rope(k[..., kept, :], written, rope.inv_freq, layout=rope.layout)
        torch.testing.assert_close(wrong.k, turned, **EXACT)


@given(window=WINDOWS, sinks=SINKS)
def test_distances_within_the_cache_stay_below_its_size(window, sinks):
    steps, _ = decode(RoPE(6).double(), window, sinks)
    for t, (_, kept, places) in enumerate(steps):
        assert kept.tolist() == [j for j in range(t + 1) if j < sinks or j > t - window]
        assert int((places[-1] - places).max()) < min(t + 1, sinks + window)


def test_the_papers_example():
    """Xiao et al. 2023, section 3.2: tokens 0, 1, 2, 3, 6, 7, 8 and the 9th take places 0 to 7."""
    cache = WindowCache(RoPE(6).double(), window=4, sink_tokens=4)
    q, k, v = qkv(cache.encoding, torch.arange(LENGTH), texts())
    for t in range(10):
        cache.step(*(part[..., t : t + 1, :] for part in (q, k, v)))
    assert cache.kept.tolist() == [0, 1, 2, 3, 6, 7, 8, 9]
    assert cache.positions.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert cache.keys.shape[-2] == cache.values.shape[-2] == 8


def test_renumbered_keys_not_turned_lose_their_distance():
    """Once tokens are dropped, all new keys are turned for the last place: distance 0 to each."""
    steps, _ = decode(RoPE(6).double(), 3, 1, rotate_on_write=True)
    *_, rotated_at = steps[-1]
    assert rotated_at.tolist() == [0, 3, 3, 3]


def test_one_token_at_a_time():
    q, k, v = qkv(RoPE(6), torch.arange(LENGTH), texts())
    with pytest.raises(ValueError, match="one token at a time, got 11"):
        WindowCache(RoPE(6), 4).step(q, k, v)

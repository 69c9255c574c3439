"""Steps of the cache and its errors, down to the bits that are drawn."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import RoPE, rope_angles
from posenc.cache.picture import StaleKeys
from posenc.cache.stale_keys import stale_score_error
from posenc.cache.steps import (
    cached_key_steps,
    longrope_list_steps,
    stale_mean_steps,
    stale_score_steps,
    told_distance_steps,
)
from posenc.scaling import DynamicNTK, LongRoPE
from tests.posenc.latex import check_steps


@given(st.integers(2, 24), st.integers(1, 80), st.integers(0, 300), st.data())
def test_the_error_of_a_score_is_followed(pairs, prompt, decoded, data):
    stale = StaleKeys(DynamicNTK(2.0, 64), 2 * pairs, 1e4, prompt, prompt + decoded)
    keys = torch.arange(stale.length)
    drawn = stale_score_error(stale.at(keys, torch.arange(pairs)))
    key = data.draw(st.integers(0, stale.length - 1))
    phase = stale.at(keys[[key]], torch.arange(pairs))[0]
    check_steps(stale_score_steps(phase, stale_score_error(phase).item()), drawn[key])
    check_steps(
        stale_mean_steps(stale.at(keys, torch.arange(pairs)), drawn.mean().item()), drawn.mean()
    )


@given(
    st.sampled_from(["interleaved", "half"]),
    st.sampled_from([None, 8]),
    st.integers(0, 200),
    st.integers(0, 11),
)
def test_a_channel_of_a_cached_key_is_followed(layout, rotary_dim, token, channel):
    rope = RoPE(12, layout=layout, rotary_dim=rotary_dim)
    key = torch.randn(1, 1, 1, 12, generator=torch.Generator().manual_seed(token)).double()
    position = torch.tensor([token])
    cached = rope.rotate(key, key, position, position)[1][0, 0, 0]
    angles = rope_angles(position, rope.inv_freq)[0]
    steps = cached_key_steps(key[0, 0, 0], cached, token, channel, angles, layout)
    check_steps(steps, cached[channel])
    assert steps[0].value == key[0, 0, 0, channel]
    bare = cached_key_steps(key[0, 0, 0], cached, token, channel, None, layout)
    check_steps(bare, cached[channel])


@given(st.integers(0, 99), st.integers(0, 99), st.booleans())
def test_a_told_distance_is_followed(query, key, in_cache):
    check_steps(told_distance_steps(7, 3, (query, key), in_cache=in_cache), query - key)


@given(st.lists(st.tuples(*[st.floats(0.01, 100)] * 2), min_size=1, max_size=8), st.data())
def test_divisors_and_their_ratio_are_followed(lists, data):
    short, long = (list(one) for one in zip(*lists, strict=True))
    pair = data.draw(st.integers(0, len(short) - 1))
    scaling = LongRoPE(short, long, 64, 2.0)
    one, other = (torch.tensor(e, dtype=torch.float64) for e in (short, long))
    for curve, drawn in enumerate((one, other, other / one)):
        check_steps(longrope_list_steps(scaling, curve, pair), drawn[pair])

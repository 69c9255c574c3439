import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc import apply_rope, rope_inv_freq
from posenc.rope.score import rope_score_at_distance
from posenc.study import DualChunk, LeakyReRoPE, ReRoPE, SelfExtend
from tests.posenc.scaling.remapped import remapped_scores

LENGTH = 48
remappings = st.one_of(
    st.builds(ReRoPE, st.integers(1, 60)),
    st.builds(LeakyReRoPE, st.integers(1, 60), st.floats(1, 16)),
    st.builds(SelfExtend, st.integers(1, 60), st.integers(1, 8)),
    st.tuples(st.integers(1, 60), st.floats(0, 1), st.sampled_from(["paper", "code"])).map(
        lambda drawn: DualChunk(drawn[0], max(1, round(drawn[0] * drawn[1])), drawn[2])
    ),
)


def matrix(remapping) -> torch.Tensor:
    positions = torch.arange(LENGTH)
    future = positions[:, None] < positions
    return remapping.distance(positions, positions).masked_fill(future, torch.nan)


@given(remappings)
def test_near_keys_keep_their_distance_and_none_grows(remapping):
    effective = matrix(remapping)
    positions = torch.arange(LENGTH)
    exact = (positions[:, None] - positions[None, :]).double()
    past = exact >= 0
    assert torch.isnan(effective[~past]).all()
    if not isinstance(remapping, DualChunk):
        near = past & (exact < remapping.window)
    else:
        near = past & (exact < remapping.local_window)
    assert torch.equal(effective[near], exact[near])
    assert (effective[past] >= 0).all()
    if not isinstance(remapping, SelfExtend):
        assert (effective[past] <= exact[past]).all()


@given(st.integers(1, 12), st.integers(1, 6), st.integers(0, 20))
def test_self_extend_reaches_its_stated_length_and_no_further(window, group_size, more):
    window = window * group_size  # llama.cpp asks for this; then the bound is exact
    trained = window + more
    remapping = SelfExtend(window, group_size)
    longest = remapping.max_length(trained)
    ends = torch.tensor([longest - 1, longest])
    assert remapping.distance(ends, torch.tensor([0])).flatten().tolist() == [trained - 1, trained]


def test_a_window_larger_than_the_text_is_plain_distance():
    exact = matrix(ReRoPE(LENGTH)).nan_to_num(-1)
    for remapping in (LeakyReRoPE(LENGTH, 4), SelfExtend(LENGTH, 3), DualChunk(LENGTH, 4)):
        assert torch.equal(matrix(remapping).nan_to_num(-1), exact)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_scores_are_those_of_rope_at_the_effective_distance(layout):
    generator = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 1, 2, 9, 10, generator=generator, dtype=torch.float64)
    inv_freq, positions = rope_inv_freq(8)[0], torch.arange(9)
    plain = remapped_scores(q, k, ReRoPE(100), inv_freq, positions, positions, layout)
    turned_query = apply_rope(q, positions, inv_freq, layout)
    turned_key = apply_rope(k, positions, inv_freq, layout)
    assert_close(plain, turned_query @ turned_key.mT, rtol=0, atol=1e-12)
    remapping = DualChunk(3, 2)
    scores = remapped_scores(q, k, remapping, inv_freq, positions, positions, layout)
    distance = remapping.distance(positions, positions).long()
    for i, j in ((8, 0), (8, 5), (5, 4), (2, 2)):
        expected = rope_score_at_distance(
            q[0, 1, i], k[0, 1, j], inv_freq, distance[i, j, None], layout
        )
        assert_close(scores[0, 1, i, j], expected[0], rtol=0, atol=1e-12)


@given(remapping=remappings, length=st.integers(1, 200))
def test_reach_is_the_largest_distance_shown(remapping, length):
    at = torch.arange(length)
    shown = remapping.distance(at, at)[at[:, None] >= at[None, :]]
    assert remapping.reach(length) == pytest.approx(float(shown.max()))

"""Attention under remapped distances, against the two merged passes of the released code."""

import pytest
import torch
from torch.testing import assert_close

from posenc import LeakyReRoPE, ReRoPE, RoPE, SelfExtend, apply_rope, attend, rope_inv_freq
from posenc.scaling.remap.attention import remapped_attention

HEAD_DIM, LENGTH = 8, 40
INV_FREQ = rope_inv_freq(HEAD_DIM)[0]
POSITIONS = torch.arange(LENGTH)


def vectors() -> tuple[torch.Tensor, ...]:
    torch.manual_seed(0)
    return tuple(torch.randn(1, 2, LENGTH, HEAD_DIM, dtype=torch.float64) for _ in range(3))


def merged_passes(near, far, window, v):
    """Near keys from one pass, the others from another, one softmax over both."""
    distance = POSITIONS[:, None] - POSITIONS
    scores = torch.where(distance < window, near, far) * HEAD_DIM**-0.5
    return torch.softmax(scores.masked_fill(distance < 0, -torch.inf), dim=-1) @ v


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_a_window_larger_than_the_text_is_rope(layout):
    q, k, v = vectors()
    ours = remapped_attention(
        q,
        k,
        v,
        ReRoPE(LENGTH),
        INV_FREQ,
        q_positions=POSITIONS,
        k_positions=POSITIONS,
        layout=layout,
    )
    plain = attend(q, k, v, RoPE(HEAD_DIM, layout=layout), mask="causal")
    assert_close(ours, plain, rtol=0, atol=1e-12)


def test_self_extend_is_its_two_passes_merged():
    q, k, v = vectors()
    window, group = 6, 3
    near = apply_rope(q, POSITIONS, INV_FREQ) @ apply_rope(k, POSITIONS, INV_FREQ).mT
    far_q = apply_rope(q, POSITIONS // group + window - window // group, INV_FREQ)
    far = far_q @ apply_rope(k, POSITIONS // group, INV_FREQ).mT
    ours = remapped_attention(
        q, k, v, SelfExtend(window, group), INV_FREQ, q_positions=POSITIONS, k_positions=POSITIONS
    )
    assert_close(ours, merged_passes(near, far, window, v), rtol=0, atol=1e-12)


def test_rerope_sees_far_keys_at_the_window():
    q, k, v = vectors()
    window = 5
    near = apply_rope(q, POSITIONS, INV_FREQ) @ apply_rope(k, POSITIONS, INV_FREQ).mT
    far = apply_rope(q, torch.full((LENGTH,), window), INV_FREQ) @ k.mT
    ours = remapped_attention(
        q, k, v, ReRoPE(window), INV_FREQ, q_positions=POSITIONS, k_positions=POSITIONS
    )
    assert_close(ours, merged_passes(near, far, window, v), rtol=0, atol=1e-12)


def test_leaky_rerope_is_a_second_table_of_slower_frequencies():
    q, k, v = vectors()
    window, factor = 5, 4
    near = apply_rope(q, POSITIONS, INV_FREQ) @ apply_rope(k, POSITIONS, INV_FREQ).mT
    slow = INV_FREQ / factor
    far_q = apply_rope(q, POSITIONS + window * (factor - 1), slow)
    far = far_q @ apply_rope(k, POSITIONS, slow).mT
    ours = remapped_attention(
        q, k, v, LeakyReRoPE(window, factor), INV_FREQ, q_positions=POSITIONS, k_positions=POSITIONS
    )
    assert_close(ours, merged_passes(near, far, window, v), rtol=0, atol=1e-12)


def test_the_last_query_alone_is_the_last_row():
    q, k, v = vectors()
    remapping = SelfExtend(6, 3)
    whole = remapped_attention(
        q, k, v, remapping, INV_FREQ, q_positions=POSITIONS, k_positions=POSITIONS
    )
    last = remapped_attention(
        q[:, :, -1:], k, v, remapping, INV_FREQ, q_positions=POSITIONS[-1:], k_positions=POSITIONS
    )
    assert_close(last, whole[:, :, -1:], rtol=0, atol=1e-14)

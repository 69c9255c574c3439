"""Scores at remapped distances: the definition, one pair of channels at a time."""

from torch import Tensor

from posenc.rope.pairs import Layout, rotated_channels, split_pairs
from posenc.scaling.remap.distances import Remapping


def remapped_scores(
    q: Tensor,
    k: Tensor,
    remapping: Remapping,
    inv_freq: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    layout: Layout = "interleaved",
) -> Tensor:
    """q·k under RoPE with remapped distances, not scaled; the definition, one pair at a time.

    Args:
        q: Queries (..., q_len, head_dim), not rotated.
        k: Keys (..., k_len, head_dim), not rotated.
        remapping: Which distance each pair of positions is seen at.
        inv_freq: θ, (pairs,), radians per position.
        q_positions: Integers (q_len,).
        k_positions: Integers (k_len,).
        layout: Which channels form a pair, "interleaved" or "half".

    Returns:
        (..., q_len, k_len), of q's dtype; meaningless where the key is in the future.
    """
    rotary_dim = rotated_channels(q, len(inv_freq))
    distance = remapping.distance(q_positions, k_positions)
    q_a, q_b = split_pairs(q[..., :rotary_dim], layout)
    k_a, k_b = split_pairs(k[..., :rotary_dim], layout)
    scores = q[..., rotary_dim:] @ k[..., rotary_dim:].mT
    for pair, theta in enumerate(inv_freq.tolist()):
        angle = distance * theta
        cos = angle.cos().to(q)
        sin = angle.sin().to(q)
        a, b = q_a[..., pair, None], q_b[..., pair, None]
        key_a, key_b = k_a[..., None, :, pair], k_b[..., None, :, pair]
        scores = scores + cos * (a * key_a + b * key_b) + sin * (a * key_b - b * key_a)
    return scores

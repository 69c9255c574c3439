"""RoPE's score as a function of the distance alone, and the curves that bound it."""

import torch
from torch import Tensor

from posenc.rope.pairs import Layout, rotated_channels, split_pairs
from posenc.waves import rope_angles, wave_sum, wave_terms


def pair_products(query: Tensor, key: Tensor, pairs: int, layout: Layout) -> tuple[Tensor, float]:
    """q̃_i · conj(k̃_i) of every pair as complex numbers, and q·k of the channels that pass.

    Args:
        query: (head_dim,).
        key: (head_dim,).
        pairs: How many pairs are rotated.
        layout: Which channels form a pair.

    Returns:
        complex128 (pairs,): its real part is (q·k) within the pair, its imaginary part turns into
        score as sin(δθ_i); and a number.
    """
    if query.shape != key.shape or query.dim() != 1:
        raise ValueError(
            f"query and key must be vectors of the same length, got shapes {tuple(query.shape)} "
            f"and {tuple(key.shape)}."
        )
    rotary_dim = rotated_channels(query, pairs)
    query, key = query.to(torch.float64), key.to(torch.float64)
    q = torch.complex(*split_pairs(query[:rotary_dim], layout))
    k = torch.complex(*split_pairs(key[:rotary_dim], layout))
    return q * k.conj(), float(query[rotary_dim:] @ key[rotary_dim:])


def rope_score_at_distance(
    query: Tensor,
    key: Tensor,
    inv_freq: Tensor,
    distances: Tensor,
    layout: Layout = "interleaved",
    attention_factor: float = 1.0,
) -> Tensor:
    """(R_m q)·(R_n k) against the distance δ = m - n: Σ (q·k)_i cos δθ_i + (q×k)_i sin δθ_i.

    (q×k)_i = q_a·k_b - q_b·k_a for the pair (a, b). Not divided by sqrt(head_dim).

    Args:
        query: q, (head_dim,).
        key: k, (head_dim,).
        inv_freq: θ, (pairs,), radians per position.
        distances: δ = query position - key position, integers (n,).
        layout: Which channels form a pair, "interleaved" or "half".
        attention_factor: Factor on the rotated queries and keys.

    Returns:
        float64 (n,).

    Raises:
        ValueError: If query and key are not vectors of one length that holds all pairs.

    Source: Su et al. 2021, section 3.4.3, arXiv:2104.09864.
    """
    product, passed = pair_products(query, key, len(inv_freq), layout)
    rotated = wave_sum(distances, inv_freq, product.real, -product.imag)
    return rotated * attention_factor**2 + passed


def rope_score_terms(
    query: Tensor,
    key: Tensor,
    inv_freq: Tensor,
    distances: Tensor,
    layout: Layout = "interleaved",
    attention_factor: float = 1.0,
) -> Tensor:
    """Each pair's term of the score: |q̃_i||k̃_i| times the cosine of the angle between them.

    Channels that are not rotated add their product besides; see `rope_score_at_distance`, whose
    arguments these are.

    Returns:
        float64 (n, pairs).

    Raises:
        ValueError: If query and key are not vectors of one length that holds all pairs.
    """
    product, _ = pair_products(query, key, len(inv_freq), layout)
    return attention_factor**2 * wave_terms(distances, inv_freq, product.real, -product.imag)


def rope_decay_bound(inv_freq: Tensor, distances: Tensor) -> Tensor:
    """The paper's "long-term decay" curve: the mean of |S_j|, S_j = Σ_{i<j} exp(iδθ_i).

    Factor of a bound: |score| is at most max|h_{i+1} - h_i| · Σ_j |S_j|. The score itself need not
    decay (Barbero et al. 2024, arXiv:2410.06205).

    Args:
        inv_freq: θ, (pairs,).
        distances: δ, integers (n,).

    Returns:
        float64 (n,); (pairs + 1) / 2 at δ = 0.

    Source: Su et al. 2021, section 3.4.3, arXiv:2104.09864.
    """
    angles = rope_angles(distances, inv_freq)
    sums = torch.polar(torch.ones_like(angles), angles).cumsum(dim=-1)
    return sums.abs().mean(dim=-1)

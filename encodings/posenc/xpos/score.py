"""xPos's score as a function of the distance alone."""

import torch
from torch import Tensor

from posenc.checks import check_choice, check_integers, check_number, check_tensors
from posenc.rope.pairs import LAYOUTS, Layout
from posenc.rope.score import pair_products
from posenc.waves import DISTANCES_AT_ONCE, ordered_sum, wave_terms
from posenc.xpos.formula import xpos_decay


def xpos_score_at_distance(
    query: Tensor,
    key: Tensor,
    inv_freq: Tensor,
    zeta: Tensor,
    distances: Tensor,
    layout: Layout = "interleaved",
    scale_base: float = 512.0,
) -> Tensor:
    """q_m·k_n of xPos against the distance δ = m - n; not divided by sqrt(head_dim).

    Args:
        query: q, (head_dim,).
        key: k, (head_dim,).
        inv_freq: θ, (pairs,), radians per position.
        zeta: ζ, (pairs,), of `xpos_zeta`.
        distances: δ, integers (n,).
        layout: Which channels form a pair, "interleaved" or "half".
        scale_base: B.

    Returns:
        float64 (n,).

    Raises:
        ValueError: If an argument is of another kind or out of range.

    Source: Sun et al. 2022, arXiv:2212.10554.
    """
    check_tensors(query=query, key=key, inv_freq=inv_freq, zeta=zeta)
    distances = check_integers("distances", distances)
    check_choice("layout", layout, LAYOUTS)
    check_number("scale_base", scale_base, above=0)
    product, passed = pair_products(query, key, len(inv_freq), layout)
    scores = [torch.zeros(0, dtype=torch.float64)]
    for some in distances.split(DISTANCES_AT_ONCE):
        rotated = wave_terms(some, inv_freq, product.real, -product.imag)
        scores.append(ordered_sum(xpos_decay(some, zeta, scale_base) * rotated))
    return torch.cat(scores) + passed

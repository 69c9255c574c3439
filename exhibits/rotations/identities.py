"""Identities that must hold for rotary positions, measured on the numbers at hand."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.rope.formula import apply_rope
from posenc.rope.layouts import layout_permutation
from posenc.rope.matrix import apply_rope_complex, apply_rope_matrix, rotation_matrix
from posenc.rope.pairs import Layout


@dataclass(frozen=True)
class RoPEChecks:
    """Largest deviations from the identities of RoPE (all would be 0 without rounding)."""

    orthogonal: float
    """R_m R_mᵀ = I."""
    relative: float
    """R_mᵀ R_n = R_{n-m}."""
    forms: float
    """Complex product, elementwise cos/sin form and dense matrix give the same R_m q."""
    layouts: float
    """R_half = P R_interleaved Pᵀ."""
    scores: Tensor
    """(R_{m+s} q)·(R_{n+s} k) for every shift s, float64 (shifts,)."""

    @property
    def spread(self) -> float:
        """Largest difference between the scores of two shifts."""
        return float(self.scores.max() - self.scores.min())


def rope_checks(
    query: Tensor,
    key: Tensor,
    query_angles: Tensor,
    key_angles: Tensor,
    shift_angles: Tensor,
    layout: Layout = "interleaved",
) -> RoPEChecks:
    """Measure the identities of RoPE for one query and one key.

    Args:
        query: q, (head_dim,).
        key: k, (head_dim,).
        query_angles: Angle of every pair at the query, m·θ_i, radians (pairs,).
        key_angles: The same at the key, n·θ_i.
        shift_angles: What a common shift of both adds, s·θ_i, radians (shifts, pairs).
        layout: Which channels form a pair, "interleaved" or "half".

    Returns:
        The `RoPEChecks`, computed in float64.

    Raises:
        ValueError: If query or key have fewer than 2 · pairs channels, or the layout is unknown.

    Source: Su et al. 2021, sections 3.2.2 and 3.4.2, arXiv:2104.09864.
    """
    query, key = query.to(torch.float64), key.to(torch.float64)
    at_query, at_key = rotation_matrix(query_angles, layout), rotation_matrix(key_angles, layout)
    identity = torch.eye(len(at_query), dtype=torch.float64)
    relative = rotation_matrix(key_angles - query_angles, layout)
    forms = torch.stack(
        [
            form(query[None], torch.tensor([1]), query_angles, layout)[0]
            for form in (apply_rope, apply_rope_complex, apply_rope_matrix)
        ]
    )
    order = layout_permutation(len(at_query))
    permuted = rotation_matrix(query_angles)[order][:, order]
    scores = [
        rotate(query, query_angles + shift, layout) @ rotate(key, key_angles + shift, layout)
        for shift in shift_angles
    ]
    return RoPEChecks(
        orthogonal=_largest(at_query @ at_query.mT - identity),
        relative=_largest(at_query.mT @ at_key - relative),
        forms=_largest(forms.amax(dim=0) - forms.amin(dim=0)),
        layouts=_largest(permuted - rotation_matrix(query_angles, "half")),
        scores=torch.stack(scores),
    )


def rotate(x: Tensor, angles: Tensor, layout: Layout = "interleaved") -> Tensor:
    """Rotate the pairs of one vector (head_dim,) by the given angles, radians (pairs,)."""
    # Position 1 with frequencies equal to the angles.
    return apply_rope(x[None], torch.tensor([1]), angles, layout)[0]


def _largest(difference: Tensor) -> float:
    return float(difference.abs().max())

"""Position logits of CoPE the fast way: each query meets each embedding once."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_tensors


def cope_logits(query: Tensor, positions: Tensor, embedding: Tensor) -> Tensor:
    """Position logits by the efficient form: interpolate between z_i[n] = q_i · e[n].

    c_ij = (p - ⌊p⌋) z_i[⌈p⌉] + (1 - (p - ⌊p⌋)) z_i[⌊p⌋]. Each query meets every embedding once,
    so that no vector per pair of tokens is built.

    Args:
        query: Float (..., q_len, head_dim).
        positions: Float (..., q_len, k_len), values in [0, max_positions - 1].
        embedding: Float (head_dim, max_positions), column n belongs to position n.

    Returns:
        Float (..., q_len, k_len), not scaled. Its gradient reaches the gates through the weight
        p - ⌊p⌋ alone: rounding has none.

    Raises:
        ValueError: If shapes do not fit together or a position leaves the table.

    Source: Golovneva et al. 2024, section 4, arXiv:2405.18719.
    """
    return cope_interpolation(query, positions, embedding).logits


@dataclass(frozen=True)
class CoPEInterpolation:
    """Position logits with the steps that lead to them, each (..., q_len, k_len)."""

    low: Tensor
    """⌊p⌋, the whole position below."""
    high: Tensor
    """⌈p⌉, the whole position above."""
    weight: Tensor
    """p - ⌊p⌋, the share of the upper one."""
    z_low: Tensor
    """z_i[⌊p⌋] = q_i · e[⌊p⌋]."""
    z_high: Tensor
    """z_i[⌈p⌉] = q_i · e[⌈p⌉]."""
    logits: Tensor
    """weight · z_high + (1 - weight) · z_low."""


def cope_interpolation(query: Tensor, positions: Tensor, embedding: Tensor) -> CoPEInterpolation:
    """`cope_logits` with every step kept: its arguments, errors and source."""
    check_table(query, positions, embedding)
    return interpolated(query, positions, embedding)


def interpolated(query: Tensor, positions: Tensor, embedding: Tensor) -> CoPEInterpolation:
    """`cope_interpolation` of positions that are in the table; one that is NaN gives NaN."""
    z = query @ embedding  # (..., q_len, max_positions)
    low, high, weight = whole_positions(positions)  # (..., q_len, k_len)
    z_low, z_high = z.gather(-1, low), z.gather(-1, high)
    logits = weight * z_high + (1 - weight) * z_low
    return CoPEInterpolation(low, high, weight, z_low, z_high, logits)


def whole_positions(positions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The two whole positions around each fractional one, and the weight of the upper."""
    known = positions.detach().nan_to_num()  # NaN is no row of a table
    low = known.floor()
    return low.long(), known.ceil().long(), positions - low


def check_table(query: Tensor, positions: Tensor, embedding: Tensor) -> None:
    """Raise a ValueError unless the shapes fit together and every position is in the table."""
    check_tensors(query=query, positions=positions, embedding=embedding)
    head_dim, max_positions = embedding.shape
    if query.shape[-1] != head_dim or query.shape[:-1] != positions.shape[:-1]:
        raise ValueError(
            "query, positions and embedding must have shapes (..., q_len, head_dim), (..., "
            f"q_len, k_len) and (head_dim, max_positions), got {tuple(query.shape)}, "
            f"{tuple(positions.shape)} and {tuple(embedding.shape)}."
        )
    if positions.numel() == 0:
        return
    lowest, highest = torch.aminmax(positions.detach())  # one pass; NaN stays NaN
    if not (lowest >= 0 and highest <= max_positions - 1):
        inside = (positions >= 0) & (positions <= max_positions - 1)
        raise ValueError(
            f"positions must lie between 0 and {max_positions - 1}, got "
            f"{positions[~inside][0].item()}."
        )

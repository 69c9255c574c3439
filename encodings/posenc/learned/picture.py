"""Similarity of the rows of a learned table, which is drawn besides its numbers."""

import torch
from torch import Tensor


def row_similarity(table: Tensor) -> Tensor:
    """Cosine of the angle between each two rows of a table of positions.

    Args:
        table: Float (length, d_model).

    Returns:
        (length, length), float64; 1 on the diagonal, NaN where a row is zero.
    """
    rows = table.to(torch.float64)
    norms = rows.norm(dim=1)
    return rows @ rows.T / (norms[:, None] * norms[None, :])

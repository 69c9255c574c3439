"""What biases of distance share: one number per head, and exact means over blocks of a matrix.

A bias that is piecewise linear in x = column - row is a sum of a line, of ramps max(x - knot, 0)
and of steps [x >= knot]. The mean of each over a block is elementary, so that a block of a matrix
of any size costs what a single cell costs.
"""

import torch
from torch import Tensor


def per_head(values: Tensor, relative_position: Tensor) -> Tensor:
    """Shape one value per head so that it meets every relative position.

    Args:
        values: (heads,).
        relative_position: (distances,), (q_len, k_len) or (batch, 1, q_len, k_len).

    Returns:
        (heads, 1) or (heads, 1, 1): its product with relative_position is (heads, distances),
        (heads, q_len, k_len) or (batch, heads, q_len, k_len).
    """
    return values.reshape(-1, *[1] * min(relative_position.dim(), 2))


def past_distance(relative_position: Tensor, symmetric: bool = False) -> Tensor:
    """Distance i - j of a past key; a future key counts as distance 0, or |i - j| if symmetric.

    Args:
        relative_position: j - i, integers of any shape; the past is negative.
        symmetric: Count the future like the past.

    Returns:
        Integers of the same shape, at least 0.
    """
    return relative_position.abs() if symmetric else -relative_position.clamp(max=0)


def line_mean(row_edges: Tensor, col_edges: Tensor) -> Tensor:
    """Mean of column - row over each block: the difference of the blocks' centres.

    Args:
        row_edges: int64 (row blocks + 1,): block r holds rows row_edges[r] … row_edges[r + 1] - 1.
        col_edges: int64 (column blocks + 1,).

    Returns:
        float64 (row blocks, column blocks).
    """
    row_sums, col_sums = row_edges[:-1] + row_edges[1:], col_edges[:-1] + col_edges[1:]
    return (col_sums[None, :] - row_sums[:, None]).to(torch.float64) / 2


def step_mean(row_edges: Tensor, col_edges: Tensor, knot: int) -> Tensor:
    """Share of each block's cells with column - row >= knot, float64 (row blocks, column blocks).

    Counted in integers: with c(x) = x(x + 1) / 2 for x > 0, a block of rows a … b - 1 and columns
    c … d - 1 holds c(d - a - knot) - c(c - a - knot) - c(d - b - knot) + c(c - b - knot) of them.
    """
    x = _corner_differences(row_edges, col_edges) - knot
    x = x.clamp(min=0)
    count = _second_difference(x * (x + 1) // 2)
    return count.to(torch.float64) / _cells(row_edges, col_edges)


def ramp_mean(row_edges: Tensor, col_edges: Tensor, knot: int) -> Tensor:
    """Mean of max(column - row - knot, 0) over each block, float64 (row blocks, column blocks).

    A block on one side of the knot is a line or zero. Only a block that the knot crosses needs the
    double sum g(x) = (x³ - x) / 6, and there x is no larger than the block: far from the origin
    nothing large is subtracted from something large.
    """
    x = _corner_differences(row_edges, col_edges) - knot
    lowest, highest = x[1:, :-1] + 1, x[:-1, 1:] - 1
    near = x.clamp(min=0).to(torch.float64)
    crossed = _second_difference((near**3 - near) / 6) / _cells(row_edges, col_edges)
    line = line_mean(row_edges, col_edges) - knot
    return torch.where(lowest >= 0, line, torch.where(highest <= 0, 0.0, crossed))


def _corner_differences(row_edges: Tensor, col_edges: Tensor) -> Tensor:
    return col_edges[None, :] - row_edges[:, None]


def _second_difference(corners: Tensor) -> Tensor:
    """Over a block: its (top, right) corner - (top, left) - (bottom, right) + (bottom, left)."""
    across = corners[:, 1:] - corners[:, :-1]
    return across[:-1] - across[1:]


def _cells(row_edges: Tensor, col_edges: Tensor) -> Tensor:
    rows, cols = row_edges.diff().to(torch.float64), col_edges.diff().to(torch.float64)
    return rows[:, None] * cols[None, :]

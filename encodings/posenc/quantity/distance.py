"""What biases of distance share: one value per head and distance, exact means over blocks.

A bias that is piecewise linear in x = column - row is a sum of a line, of ramps max(x - knot, 0)
and of steps [x >= knot]. The mean of each over a block is elementary, so that a block of a matrix
of any size costs what a single cell costs.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from posenc.places import relative_position


def bias_of_distance(
    curve: Callable[[Tensor], Tensor],
    q_positions: Tensor,
    k_positions: Tensor,
    device: torch.device,
) -> Tensor:
    """Spread a function of distance over all pairs, evaluating it once per distance.

    Args:
        curve: From relative positions j - i, integers (n,), to the bias of each head, (heads, n).
        q_positions: i, integers (q_len,) or (batch, q_len).
        k_positions: j, integers (k_len,) or (batch, k_len).
        device: Where the curve is evaluated.

    Returns:
        (heads, q_len, k_len), or (batch, heads, q_len, k_len) if either has a batch.
    """
    if _consecutive(q_positions) and _consecutive(k_positions):
        first = int(k_positions[0] - q_positions[-1])
        count = len(q_positions) + len(k_positions) - 1
        values = curve(torch.arange(first, first + count, device=device))
        # Window s holds j - i = first + s, first + s + 1, …: the row of the query s before last.
        return values.unfold(-1, len(k_positions), 1).flip(-2)
    distances, index = distinct(relative_position(q_positions, k_positions).to(device))
    bias = curve(distances)[:, index]
    return bias if index.dim() == 2 else bias[:, :, 0].movedim(0, 1)


def distinct(distance: Tensor) -> tuple[Tensor, Tensor]:
    """Integers among which are all of `distance`, rising, (n,); and where each is among them."""
    if distance.numel():
        low, high = int(distance.min()), int(distance.max())
        if high - low < distance.numel():  # a table of the whole range is no larger: no sorting
            return torch.arange(low, high + 1, device=distance.device), distance - low
    return torch.unique(distance, return_inverse=True)


def _consecutive(positions: Tensor) -> bool:
    return positions.dim() == 1 and len(positions) > 0 and bool((positions.diff() == 1).all())


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
    """Share of each block's cells with column - row >= knot, float64, shape as in `line_mean`."""
    rows, cols = (row_edges[:-1, None], row_edges[1:, None]), (col_edges[:-1], col_edges[1:])
    return _share(*rows, *cols, knot)


def staircase_mean(row_edges: Tensor, col_edges: Tensor, knots: Tensor, values: Tensor) -> Tensor:
    """Mean over each block of a function of x = column - row that is constant between knots.

    The value at a block's smallest x, and for each knot that the block crosses, the step there
    times the share of cells beyond it. Few blocks cross any.

    Args:
        row_edges: int64 (row blocks + 1,).
        col_edges: int64 (column blocks + 1,).
        knots: int64 (steps,), rising: where a step is taken.
        values: float64 (steps + 1,): values[0] below knots[0], values[n + 1] from knots[n] on.

    Returns:
        float64 (row blocks, column blocks).
    """
    top, bottom, left, right = row_edges[:-1], row_edges[1:], col_edges[:-1], col_edges[1:]
    taken = torch.searchsorted(knots, left - bottom[:, None] + 1, right=True)
    crossed = torch.searchsorted(knots, right - top[:, None] - 1, right=True)
    mean, heights = values[taken], values.diff()
    row, col = torch.nonzero(crossed > taken, as_tuple=True)
    first, count = taken[row, col], (crossed - taken)[row, col]
    # One entry for each crossing: at most (knots) times (blocks along an edge) in all.
    block = torch.repeat_interleave(count)
    step = torch.arange(len(block)) - (count.cumsum(0) - count - first)[block]
    row_of, col_of = row[block], col[block]
    share = _share(top[row_of], bottom[row_of], left[col_of], right[col_of], knots[step])
    stairs = torch.zeros(len(count), dtype=mean.dtype)
    mean[row, col] += stairs.index_add_(0, block, heights[step] * share)
    return mean


def _share(top: Tensor, bottom: Tensor, left: Tensor, right: Tensor, knot: Tensor | int) -> Tensor:
    """Share of the cells of rows top … bottom - 1, columns left … right - 1 at or past the knot.

    Counted in integers, with c(x) = x(x + 1) / 2 for x > 0 at the block's four corners.
    """

    def count(difference: Tensor) -> Tensor:
        x = (difference - knot).clamp(min=0)
        return x * (x + 1) // 2

    cells = count(right - top) - count(left - top) - count(right - bottom) + count(left - bottom)
    return cells.to(torch.float64) / ((bottom - top) * (right - left)).to(torch.float64)


def ramp_mean(row_edges: Tensor, col_edges: Tensor, knot: int) -> Tensor:
    """Mean of max(column - row - knot, 0) over each block, float64 (row blocks, column blocks).

    A block on one side of the knot is a line or zero. Only a block that the knot crosses needs the
    double sum g(x) = (x³ - x) / 6, and there x is no larger than the block: far from the origin
    nothing large is subtracted from something large.
    """
    x = col_edges - row_edges[:, None] - knot
    lowest, highest = x[1:, :-1] + 1, x[:-1, 1:] - 1
    near = x.clamp(min=0).to(torch.float64)
    corners = (near**3 - near) / 6
    across = corners[:, 1:] - corners[:, :-1]
    cells = row_edges.diff()[:, None] * col_edges.diff()
    crossed = (across[:-1] - across[1:]) / cells.to(torch.float64)
    line = line_mean(row_edges, col_edges) - knot
    return torch.where(lowest >= 0, line, torch.where(highest <= 0, 0.0, crossed))

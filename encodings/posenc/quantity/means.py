"""Exact means over the blocks of a matrix of any size, in closed form.

A bias that is piecewise linear in x = column - row is a sum of a line, of ramps max(x - knot, 0)
and of steps [x >= knot]. The mean of each over a block is elementary, and so is the mean of a wave
over a range: a block costs what a single cell costs.
"""

import torch
from torch import Tensor


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
    rows = (row_edges[:-1, None], row_edges[1:, None])
    cols = (col_edges[:-1], col_edges[1:])
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
    top = row_edges[:-1]
    bottom = row_edges[1:]
    left = col_edges[:-1]
    right = col_edges[1:]
    taken = torch.searchsorted(knots, left - bottom[:, None] + 1, right=True)
    crossed = torch.searchsorted(knots, right - top[:, None] - 1, right=True)
    mean = values[taken]
    heights = values.diff()
    row, col = torch.nonzero(crossed > taken, as_tuple=True)
    first = taken[row, col]
    count = (crossed - taken)[row, col]
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
    lowest = x[1:, :-1] + 1
    highest = x[:-1, 1:] - 1
    near = x.clamp(min=0).to(torch.float64)
    corners = (near**3 - near) / 6
    across = corners[:, 1:] - corners[:, :-1]
    cells = row_edges.diff()[:, None] * col_edges.diff()
    crossed = (across[:-1] - across[1:]) / cells.to(torch.float64)
    line = line_mean(row_edges, col_edges) - knot
    return torch.where(lowest >= 0, line, torch.where(highest <= 0, 0.0, crossed))


def mean_cis(inv_freq: Tensor, edges: Tensor) -> Tensor:
    """Mean of exp(i p θ) over the positions p of each block, in closed form.

    A geometric sum: exp(i θ centre) · sin(n θ / 2) / (n sin(θ / 2)) for a block of n positions,
    the second factor being the Dirichlet kernel (its limit where θ is a multiple of 2π is ±1).

    Args:
        inv_freq: θ, float64 (freqs,), radians per position.
        edges: int64 (blocks + 1,).

    Returns:
        complex128 (blocks, freqs). Its real part is the mean of the cosines, its imaginary part
        that of the sines.
    """
    count = (edges[1:] - edges[:-1]).to(torch.float64)[:, None]
    centre = (edges[1:] + edges[:-1] - 1).to(torch.float64)[:, None] / 2
    half = inv_freq.to(torch.float64) / 2
    # remainder keeps a numerator and denominator of equal smallness where θ passes a multiple of 2π
    small = torch.remainder(half + torch.pi / 2, torch.pi) - torch.pi / 2
    flips = torch.round((half - small) / torch.pi)
    sign = torch.where(torch.remainder(flips * (count - 1), 2) == 1, -1.0, 1.0)
    tiny = small.abs() < 1e-12
    safe = torch.where(tiny, torch.ones_like(small), small)
    kernel = torch.where(tiny, 1.0, torch.sin(count * safe) / (count * torch.sin(safe)))
    return torch.polar(torch.ones_like(kernel), centre * inv_freq) * (sign * kernel)

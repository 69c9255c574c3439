"""Which two channels form a pair, and how a table meets vectors that have heads."""

from typing import Literal

import torch
from torch import Tensor

from posenc.checks import check_choice

Layout = Literal["interleaved", "half"]
LAYOUTS = ("interleaved", "half")


def split_pairs(x: Tensor, layout: Layout) -> tuple[Tensor, Tensor]:
    """First and second channel of every pair, each (..., pairs)."""
    check_choice("layout", layout, LAYOUTS)
    if layout == "interleaved":
        return x[..., 0::2], x[..., 1::2]
    pairs = x.shape[-1] // 2
    return x[..., :pairs], x[..., pairs:]


def join_pairs(first: Tensor, second: Tensor, layout: Layout) -> Tensor:
    """The inverse of `split_pairs`."""
    if layout == "interleaved":
        return torch.stack((first, second), dim=-1).flatten(-2)
    return torch.cat((first, second), dim=-1)


def pair_of(channel: int, pairs: int, layout: Layout) -> tuple[int, bool]:
    """The pair of a rotated channel, and whether it is the pair's second."""
    if layout == "interleaved":
        return channel // 2, channel % 2 == 1
    return channel % pairs, channel >= pairs


def rotated_channels(x: Tensor, pairs: int) -> int:
    """How many channels of x rotate: 2 · pairs, if x has as many."""
    if 2 * pairs > x.shape[-1]:
        raise ValueError(
            f"inv_freq must hold at most head_dim / 2 = {x.shape[-1] // 2} frequencies, got "
            f"{pairs}."
        )
    return 2 * pairs


def beside_heads(table: Tensor, x: Tensor, own_dims: int) -> Tensor:
    """Give a table (batch, seq, ...) the axes that x has between batch and seq."""
    if table.shape[-own_dims] != x.shape[-2]:
        raise ValueError(
            f"positions must hold {x.shape[-2]} positions, one per row of x, got "
            f"{table.shape[-own_dims]}."
        )
    if table.dim() == own_dims:
        return table
    if x.dim() < 3:
        shape = tuple(x.shape)
        raise ValueError(f"positions of a batch need x with a batch, got {shape}.")
    rows, batch = table.shape[0], x.shape[0]
    if rows != batch and 1 not in (rows, batch):
        raise ValueError(
            f"positions must have one row for each of the {batch} sequences of the batch, or one "
            f"for all, got {rows} rows."
        )
    return table.reshape(table.shape[0], *[1] * (x.dim() - 3), *table.shape[1:])

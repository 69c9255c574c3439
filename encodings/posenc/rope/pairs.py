"""Turning pairs of channels: which two form a pair, and the fast way to turn them."""

from typing import Literal

import torch
from torch import Tensor

from posenc.checks import check_choice

Layout = Literal["interleaved", "half"]
LAYOUTS = ("interleaved", "half")
BLOCK = 2**18
"""Numbers that a thread turns at a time where x is turned in blocks."""
MANY = 2**22
"""Numbers in x from which blocks pay for the half layout in float32, which takes two passes."""


def rotate_pairs(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout = "interleaved") -> Tensor:
    """Turn each pair (a, b) of channels into (a·cos - b·sin, b·cos + a·sin).

    Args:
        x: (..., seq, head_dim); channels past the 2 · pairs first ones pass unchanged.
        cos: (seq, pairs) or (batch, seq, pairs).
        sin: The same shape.
        layout: Which channels form a pair, "interleaved" or "half".

    Returns:
        The same shape and dtype as x. Products are taken in float32 or better.

    Raises:
        ValueError: If x is narrower than 2 · pairs, or the layout is unknown.
    """
    rotary_dim = rotated_channels(x, cos.shape[-1])
    check_choice("layout", layout, LAYOUTS)
    work = torch.promote_types(x.dtype, torch.float32)
    cos = beside_heads(cos, x, 2).to(x.device, work)
    sin = beside_heads(sin, x, 2).to(x.device, work)
    rotated = x[..., :rotary_dim]
    if _blocks_pay(x, cos, sin, layout):
        turned = _turn_blocks(rotated, cos, sin, layout)
    else:
        turn = _turn_neighbours if layout == "interleaved" else _turn_halves
        turned = turn(rotated.to(work), cos, sin).to(x.dtype)
    return turned if rotary_dim == x.shape[-1] else torch.cat((turned, x[..., rotary_dim:]), dim=-1)


def _blocks_pay(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout) -> bool:
    """On a CPU, for a narrow or a long x; not where a gradient would pass through every block."""
    has_passes = x.dtype != cos.dtype or (layout == "half" and x.numel() >= MANY)
    needs_gradient = torch.is_grad_enabled() and any(t.requires_grad for t in (x, cos, sin))
    return x.device.type == "cpu" and has_passes and not needs_gradient


def _turn_blocks(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout) -> Tensor:
    """Turn some rows at a time: between two passes over them they stay in the CPU's cache."""
    rows = max(1, BLOCK * torch.get_num_threads() * x.shape[-2] // max(x.numel(), 1))
    outer = torch.broadcast_shapes(x.shape[:-1], cos.shape[:-1])
    turned = x.new_empty(*outer, x.shape[-1])
    for start in range(0, x.shape[-2], rows):
        block = (..., slice(start, start + rows), slice(None))
        wide, table = x[block].to(cos.dtype), (cos[block], sin[block])
        if layout == "interleaved":
            turned[block] = _turn_neighbours(wide, *table)
        else:
            _turn_halves_into(turned[block], wide, *table)
    return turned


def _turn_neighbours(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Read neighbours as one complex number: a single product, one pass over memory."""
    outer = (*x.stride()[:-1], x.storage_offset())
    if x.stride(-1) != 1 or any(step % 2 for step in outer):
        x = x.contiguous()
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * torch.complex(cos, sin)).flatten(-2)


def _turn_halves(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Fill one result in place: new memory costs more than the arithmetic."""
    a, b = split_pairs(x, "half")
    turned = x.unflatten(-1, (2, -1)) * cos[..., None, :]
    turned[..., 0, :].addcmul_(b, sin, value=-1)
    turned[..., 1, :].addcmul_(a, sin)
    return turned.flatten(-2)


def _turn_halves_into(turned: Tensor, x: Tensor, cos: Tensor, sin: Tensor) -> None:
    """Round each half once, where it belongs: a whole wide result would be copied again."""
    (a, b), (first, second) = split_pairs(x, "half"), split_pairs(turned, "half")
    if turned.dtype == x.dtype:
        torch.mul(a, cos, out=first).addcmul_(b, sin, value=-1)
        torch.mul(b, cos, out=second).addcmul_(a, sin)
    else:
        first.copy_((a * cos).addcmul_(b, sin, value=-1))
        second.copy_((b * cos).addcmul_(a, sin))


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


def rotated_channels(x: Tensor, pairs: int) -> int:
    """How many channels of x turn: 2 · pairs, if x has as many."""
    if 2 * pairs > x.shape[-1]:
        raise ValueError(
            f"inv_freq must hold at most head_dim / 2 = {x.shape[-1] // 2} frequencies, "
            f"got {pairs}."
        )
    return 2 * pairs


def beside_heads(table: Tensor, x: Tensor, own_dims: int) -> Tensor:
    """Give a table (batch, seq, ...) the axes that x has between batch and seq."""
    if table.shape[-own_dims] != x.shape[-2]:
        raise ValueError(
            f"positions must hold {x.shape[-2]} positions, one per row of x, "
            f"got {table.shape[-own_dims]}."
        )
    if table.dim() == own_dims:
        return table
    if x.dim() < 3:
        raise ValueError(f"positions of a batch need x with a batch, got {tuple(x.shape)}.")
    return table.reshape(table.shape[0], *[1] * (x.dim() - 3), *table.shape[1:])

"""Fast rotation: long tables and narrow or long vectors are handled block by block.

A block of rows stays in the CPU's cache between two passes over it, and results are filled in
place: new memory costs more than the arithmetic. In `torch.compile` the formula stands as it is
written, and the compiler does all that itself; the table alone is kept out of its hands.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from posenc.checks import check_choice, check_tensors
from posenc.rope.pairs import (
    LAYOUTS,
    Layout,
    beside_heads,
    join_pairs,
    rotated_channels,
    split_pairs,
)

BLOCK = 2**18
"""Numbers that a CPU thread computes at a time."""
FEW = 2**16
"""Numbers in x below which calls cost more than passes over memory: one new token of a cache."""
MANY = 2**22
"""Numbers in x from which blocks pay for the half layout in float32, which takes two passes."""


def in_blocks(
    cos_sin: Callable[[Tensor], tuple[Tensor, Tensor]],
    positions: Tensor,
    inv_freq: Tensor,
    dtype: torch.dtype,
) -> tuple[Tensor, Tensor]:
    """`cos_sin(positions)`, for long texts on a CPU some positions at a time.

    Args:
        cos_sin: From positions (..., seq) to two tables (..., seq, pairs) in `dtype`.
        positions: Integers, (seq,), (batch, seq) or (axes, batch, seq).
        inv_freq: θ, (..., pairs): where a gradient goes to them nothing is split.
        dtype: Of the tables.
    """
    on_cpu = positions.device.type == "cpu" and not inv_freq.requires_grad
    if torch.compiler.is_compiling() or not on_cpu or positions.dim() == 0:
        return cos_sin(positions)
    pairs = inv_freq.shape[-1]
    rows = max(1, BLOCK * torch.get_num_threads() // max(pairs, 1))
    if positions.shape[-1] <= rows:
        return cos_sin(positions)
    shape = *positions.shape[-2:], pairs  # positions of several axes have these in front
    cos, sin = (torch.empty(shape, dtype=dtype, device="cpu") for _ in range(2))
    for start in range(0, positions.shape[-1], rows):
        block = (..., slice(start, start + rows))
        cos[*block, :], sin[*block, :] = cos_sin(positions[block])
    return cos, sin


@torch.library.custom_op("posenc::cos_sin", mutates_args=())
def cos_sin_once(angles: Tensor, factor: float, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Cosines and sines times a factor, in an operation that a compiler does not look into.

    It keeps the tables then. The formula it would write into the products and compute for each
    head again.
    """
    cos, sin = angles.cos() * factor, angles.sin() * factor
    return cos.to(dtype), sin.to(dtype)


@cos_sin_once.register_fake
def _(angles: Tensor, factor: float, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    return torch.empty_like(angles, dtype=dtype), torch.empty_like(angles, dtype=dtype)


@cos_sin_once.register_vmap
def _(
    info: object, axes: tuple[int, None, None], angles: Tensor, factor: float, dtype: torch.dtype
) -> tuple[tuple[Tensor, Tensor], tuple[int, int]]:
    return cos_sin_once(angles, factor, dtype), (axes[0], axes[0])


def is_kept(angles: Tensor) -> bool:
    """Whether a compiler is to keep the table of these angles, (..., seq, pairs).

    One position is computed sooner than a call is made. Frequencies that train need the formula,
    and an exported program knows no operation of ours.
    """
    compiles = torch.compiler.is_compiling() and not torch.compiler.is_exporting()
    return compiles and not angles.requires_grad and angles.dim() > 1 and angles.shape[-2] != 1


def rotate_pairs(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout = "interleaved") -> Tensor:
    """Rotate each pair (a, b) of channels to (a·cos - b·sin, b·cos + a·sin).

    Args:
        x: (..., seq, head_dim); channels past the 2 · pairs first ones pass unchanged. Give
            `x.transpose(1, 2)` where heads stand behind seq.
        cos: (seq, pairs) or (batch, seq, pairs).
        sin: The same shape.
        layout: Which channels form a pair, "interleaved" or "half".

    Returns:
        The same shape and dtype as x. Products are taken in float32 or better.

    Raises:
        ValueError: If x holds no floating-point numbers or is narrower than 2 · pairs, positions
            and x do not fit together, or the layout is unknown.
    """
    check_tensors(x=x, cos=cos, sin=sin)
    if not x.is_floating_point():
        raise ValueError(f"x must be a floating-point tensor, got dtype {x.dtype}.")
    rotary_dim = rotated_channels(x, cos.shape[-1])
    check_choice("layout", layout, LAYOUTS)
    work = torch.promote_types(x.dtype, torch.float32)
    cos = beside_heads(cos, x, 2)
    sin = beside_heads(sin, x, 2)
    if cos.dtype != work or sin.dtype != work or cos.device != x.device:
        cos, sin = cos.to(x.device, work), sin.to(x.device, work)
    part = x if rotary_dim == x.shape[-1] else x[..., :rotary_dim]
    if torch.compiler.is_compiling():
        a, b = split_pairs(part.to(work), layout)
        rotated = join_pairs(a * cos - b * sin, b * cos + a * sin, layout).to(x.dtype)
    elif x.numel() < FEW:
        rotate = _rotate_neighbours if layout == "interleaved" else _rotate_few_halves
        rotated = rotate(part.to(work), cos, sin).to(x.dtype)
    elif _blocks_pay(x, cos, sin, layout):
        rotated = _rotate_blocks(part, cos, sin, layout)
    else:
        rotate = _rotate_neighbours if layout == "interleaved" else _rotate_halves
        rotated = rotate(part.to(work), cos, sin).to(x.dtype)
    if rotary_dim == x.shape[-1]:
        return rotated
    return torch.cat((rotated, x[..., rotary_dim:]), dim=-1)


def rotate_both(
    q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, layout: Layout
) -> tuple[Tensor, Tensor]:
    """`rotate_pairs` of queries and keys by one table; few of them go through it as one."""
    if torch.compiler.is_compiling():  # a length may be free there, and is not asked for
        return rotate_pairs(q, cos, sin, layout), rotate_pairs(k, cos, sin, layout)
    alike = q.dim() == k.dim() == 4 and q.dtype == k.dtype and q.device == k.device
    few = q.numel() + k.numel() < FEW
    trained = torch.is_grad_enabled() and (q.requires_grad or k.requires_grad)
    if not (few and alike and q.shape[0] == k.shape[0] and q.shape[2:] == k.shape[2:]) or trained:
        return rotate_pairs(q, cos, sin, layout), rotate_pairs(k, cos, sin, layout)
    both = rotate_pairs(torch.cat((q, k), dim=1), cos, sin, layout)
    heads = q.shape[1]
    return both[:, :heads], both[:, heads:]


def _blocks_pay(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout) -> bool:
    """On a CPU, for a narrow or a long x; not where a gradient would pass through every block."""
    has_passes = x.dtype != cos.dtype or (layout == "half" and x.numel() >= MANY)
    needs_gradient = torch.is_grad_enabled() and any(t.requires_grad for t in (x, cos, sin))
    return x.device.type == "cpu" and has_passes and not needs_gradient


def _rotate_blocks(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout) -> Tensor:
    """Rotate some rows at a time: between two passes over them they stay in the CPU's cache."""
    rows = max(1, BLOCK * torch.get_num_threads() * x.shape[-2] // max(x.numel(), 1))
    outer = torch.broadcast_shapes(x.shape[:-1], cos.shape[:-1])
    rotated = x.new_empty(*outer, x.shape[-1])
    for start in range(0, x.shape[-2], rows):
        block = (..., slice(start, start + rows), slice(None))
        wide = x[block].to(cos.dtype)
        table = (cos[block], sin[block])
        if layout == "interleaved":
            rotated[block] = _rotate_neighbours(wide, *table)
        else:
            _rotate_halves_into(rotated[block], wide, *table)
    return rotated


def _rotate_neighbours(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Read neighbours as one complex number: a single product, one pass over memory."""
    outer = (*x.stride()[:-1], x.storage_offset())
    if x.stride(-1) != 1 or any(step % 2 for step in outer):
        x = x.clone(memory_format=torch.contiguous_format)  # contiguous() keeps an odd offset
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * torch.complex(cos, sin)).flatten(-2)


def _rotate_halves(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Fill one result in place: new memory costs more than the arithmetic."""
    a, b = split_pairs(x, "half")
    rotated = x.unflatten(-1, (2, -1)) * cos[..., None, :]
    rotated[..., 0, :].addcmul_(b, sin, value=-1)
    rotated[..., 1, :].addcmul_(a, sin)
    return rotated.flatten(-2)


def _rotate_few_halves(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Join the halves as the formula has them: few calls."""
    a, b = x.chunk(2, dim=-1)
    first, second = torch.addcmul(a * cos, b, sin, value=-1), torch.addcmul(b * cos, a, sin)
    return torch.cat((first, second), dim=-1)


def _rotate_halves_into(rotated: Tensor, x: Tensor, cos: Tensor, sin: Tensor) -> None:
    """Round each half once, where it belongs: a whole wide result would be copied again."""
    (a, b), (first, second) = split_pairs(x, "half"), split_pairs(rotated, "half")
    if rotated.dtype == x.dtype:
        torch.mul(a, cos, out=first).addcmul_(b, sin, value=-1)
        torch.mul(b, cos, out=second).addcmul_(a, sin)
    else:
        first.copy_((a * cos).addcmul_(b, sin, value=-1))
        second.copy_((b * cos).addcmul_(a, sin))

"""Checks of attention's arguments, and the positions where none are given."""

import torch
from torch import Tensor

from posenc.attention.masks import Mask
from posenc.checks import check_choice, check_positions, check_tensors


def check_shapes(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Batch, heads and widths must fit together."""
    check_tensors(q=q, k=k, v=v)
    shapes = f"{tuple(q.shape)}, {tuple(k.shape)} and {tuple(v.shape)}"
    if not (q.dim() == k.dim() == v.dim() == 4):
        raise ValueError(f"q, k and v must have shape (batch, heads, seq, head_dim), got {shapes}.")
    if q.shape[:2] != k.shape[:2] or q.shape[-1] != k.shape[-1] or k.shape[:3] != v.shape[:3]:
        raise ValueError(
            "q and k must agree in batch, heads and head_dim, k and v in batch, heads and seq; "
            f"got {shapes}."
        )


def positions_of(
    q: Tensor, k: Tensor, q_positions: Tensor | None, k_positions: Tensor | None
) -> tuple[Tensor, Tensor]:
    """The positions given, checked; by default keys count from 0 and queries are the last keys."""
    q_len, k_len = q.shape[-2], k.shape[-2]
    if k_positions is None:
        k_positions = torch.arange(k_len, device=k.device)
    if q_positions is None:
        if q_len > k_len:
            raise ValueError(
                f"q_positions must be given where queries outnumber keys, got {q_len} queries and "
                f"{k_len} keys."
            )
        # The very same tensor where lengths agree: rotations then build one table for both.
        q_positions = k_positions if q_len == k_len else k_positions[..., k_len - q_len :]
    _check_position_shape("k_positions", k_positions, q.shape[0], k_len)
    _check_position_shape("q_positions", q_positions, q.shape[0], q_len)
    return q_positions, k_positions


def _check_position_shape(name: str, positions: Tensor, batch: int, length: int) -> None:
    count = check_positions(name, positions).shape[-1]
    if count != length:
        raise ValueError(f"{name} must hold {length} positions, got {count}.")
    if positions.dim() == 2 and positions.shape[0] not in (1, batch):
        raise ValueError(
            f"{name} must have one row for each of the {batch} sequences of the batch, or one for "
            f"all, got {positions.shape[0]} rows."
        )


def check_mask(mask: Mask, shape: tuple[int, ...]) -> None:
    """A mask must be "causal", None, or bool and broadcastable to (batch, heads, q_len, k_len)."""
    if isinstance(mask, str):
        check_choice("mask", mask, ("causal",))
    elif mask is not None:
        check_tensors(mask=mask)
        sizes = zip(reversed(mask.shape), reversed(shape), strict=False)
        fits = mask.dim() <= len(shape) and all(size in (1, full) for size, full in sizes)
        if mask.dtype != torch.bool or not fits:
            raise ValueError(
                f"mask must be 'causal', None or a bool tensor broadcastable to {shape}, got "
                f"{mask.dtype} of shape {tuple(mask.shape)}."
            )

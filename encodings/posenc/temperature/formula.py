"""Scaling queries by their position."""

import math

import torch
from torch import Tensor

from posenc.checks import check_int, check_number, check_positions


def llama4_temperature(
    positions: Tensor, floor_scale: int = 8192, attn_scale: float = 0.1
) -> Tensor:
    """Factor on the queries of Llama 4's layers without RoPE: ln(1 + ⌊(p+1)/F⌋)·a + 1.

    Args:
        positions: p, integers (seq,) or (batch, seq), counted from 0.
        floor_scale: F, positions between two steps.
        attn_scale: a.

    Returns:
        float64, the same shape; 1 before position F - 1.

    Raises:
        ValueError: If positions are not integers or a number is out of range.

    Source: transformers, models/llama4/modeling_llama4.py, Llama4TextAttention.
    """
    positions = check_positions("positions", positions)
    check_int("floor_scale", floor_scale, 1)
    check_number("attn_scale", attn_scale, 0)
    steps = torch.div(positions + 1, floor_scale, rounding_mode="floor").to(torch.float64)
    return torch.log1p(steps) * attn_scale + 1


def log_n_scale(positions: Tensor, trained_length: int) -> Tensor:
    """Factor on the queries that keeps attention's entropy steady: max(1, ln(p+1) / ln L₀).

    Args:
        positions: p, integers (seq,) or (batch, seq), counted from 0.
        trained_length: L₀, at least 2.

    Returns:
        float64, the same shape; 1 within the trained length.

    Raises:
        ValueError: If positions are not integers or trained_length is below 2.

    Source: Su 2023; Qwen, modeling_qwen.py, use_logn_attn.
    """
    positions = check_positions("positions", positions)
    check_int("trained_length", trained_length, 2)
    seen = positions.clamp(min=0).to(torch.float64)
    return (torch.log1p(seen) / math.log(trained_length)).clamp(min=1)

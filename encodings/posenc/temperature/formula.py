"""Scaling queries by their position, and which layers do without rotation."""

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


def rope_layers(num_layers: int, interval: int = 4) -> list[bool]:
    """Which layers rotate when every `interval`-th does without (Llama 4, SmolLM3).

    The field `no_rope_layers` of their configurations holds this list: 1 where RoPE is used.

    Args:
        num_layers: Layers of the model.
        interval: Every interval-th layer, counted from 1, has no RoPE.

    Returns:
        One bool per layer, True where the layer rotates.

    Raises:
        ValueError: If a number is below 1.

    Source: transformers, models/smollm3/configuration_smollm3.py.
    """
    check_int("num_layers", num_layers, 1)
    check_int("interval", interval, 1)
    return [layer % interval != 0 for layer in range(1, num_layers + 1)]

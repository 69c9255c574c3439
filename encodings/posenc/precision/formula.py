"""Effects of low precision on rotary angles: errors of angles, and of their cosines and sines.

The rest of the library computes angles in float64; here they are computed badly on purpose.
"""

from collections.abc import Collection

import torch
from torch import Tensor

from posenc.checks import check_choice
from posenc.precision.rounding import check_float, round_positions
from posenc.waves import rope_angles

STAGES = ("positions", "inv_freq", "angles", "cos_sin")
"""Where a cast can sit, in the order of the computation."""


def angle_error(positions: Tensor, inv_freq: Tensor, dtype: torch.dtype) -> Tensor:
    """|angle computed in `dtype` - angle computed in float64| for every position and pair.

    In `dtype` means: position and frequency are rounded to it, and so is their product. An error
    of about π or more says that the angle is noise.

    Args:
        positions: Integers, (seq,).
        inv_freq: θ, (pairs,), radians per position.
        dtype: torch.float32, bfloat16, float16 or float64.

    Returns:
        Radians, float64 (seq, pairs); inf where the type does not reach the position.

    Raises:
        ValueError: If positions are not integers or dtype is not one of the four.
    """
    exact = rope_angles(positions, inv_freq)
    rounded = round_positions(positions, dtype).to(dtype)[:, None] * inv_freq.to(dtype)
    return (rounded.to(torch.float64) - exact).abs()


def max_angle_error(positions: Tensor, inv_freq: Tensor, dtype: torch.dtype) -> Tensor:
    """The largest `angle_error` over the pairs, radians, float64 (seq,)."""
    return angle_error(positions, inv_freq, dtype).amax(dim=-1)


def cos_sin_error(
    positions: Tensor, inv_freq: Tensor, dtype: torch.dtype, stages: Collection[str] = STAGES
) -> Tensor:
    """How far (cos, sin) is off when some stages of its computation are cast to `dtype`.

    The four stages: the positions, the frequencies, their product, and cos and sin themselves.
    What is not cast is float64. The distance is that of two hands on a clock of radius 1: 0 where
    the hand stands right, sqrt(2) at a right angle, 2 opposite.

    Args:
        positions: Integers, (seq,).
        inv_freq: θ, (pairs,), radians per position.
        dtype: torch.float32, bfloat16, float16 or float64.
        stages: Which of `STAGES` are cast.

    Returns:
        float64 (seq, pairs); inf where the type does not reach the position or the angle.

    Raises:
        ValueError: If positions are not integers, or dtype or a stage is unknown.
    """
    for stage in stages:
        check_choice("stages", stage, STAGES)
    check_float(dtype)

    def cast(stage: str, x: Tensor) -> Tensor:
        return x.to(dtype).to(torch.float64) if stage in stages else x

    exact = rope_angles(positions, inv_freq)
    places = cast("positions", positions.to(torch.float64))
    angles = cast("angles", places[:, None] * cast("inv_freq", inv_freq.to(torch.float64)))
    cos = cast("cos_sin", angles.cos())
    sin = cast("cos_sin", angles.sin())
    # torch's hypot differs in the last bit between the lanes of a vector and what is left over.
    error = ((cos - exact.cos()) ** 2 + (sin - exact.sin()) ** 2).sqrt()
    return torch.where(angles.isinf(), torch.inf, error)

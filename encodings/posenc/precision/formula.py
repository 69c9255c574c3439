"""What low precision does to rotary angles: rounded positions, rounded frequencies, lost angles.

The rest of the library computes angles in float64; here they are computed badly on purpose.
"""

from collections.abc import Collection

import torch
from torch import Tensor

from posenc.checks import INTEGER_DTYPES, check_choice, check_int
from posenc.waves import rope_angles

FLOAT_DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)
STAGES = ("positions", "inv_freq", "angles", "cos_sin")
"""Where a cast can sit, in the order of the computation."""


def round_positions(positions: Tensor, dtype: torch.dtype) -> Tensor:
    """What the positions become when they are stored in a floating-point type.

    Args:
        positions: Integers, any shape.
        dtype: torch.float32, bfloat16, float16 or float64.

    Returns:
        float64, the same shape; inf where the type does not reach.

    Raises:
        ValueError: If positions are not integers or dtype is not one of the four.
    """
    if positions.dtype not in INTEGER_DTYPES:
        raise ValueError(f"positions must be an integer tensor, got dtype {positions.dtype}.")
    return positions.to(torch.float64).to(_check_dtype(dtype)).to(torch.float64)


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
    _check_dtype(dtype)

    def cast(stage: str, x: Tensor) -> Tensor:
        return x.to(dtype).to(torch.float64) if stage in stages else x

    exact = rope_angles(positions, inv_freq)
    places = cast("positions", positions.to(torch.float64))
    angles = cast("angles", places[:, None] * cast("inv_freq", inv_freq.to(torch.float64)))
    cos, sin = cast("cos_sin", angles.cos()), cast("cos_sin", angles.sin())
    # torch's hypot differs in the last bit between the lanes of a vector and what is left over.
    error = ((cos - exact.cos()) ** 2 + (sin - exact.sin()) ** 2).sqrt()
    return torch.where(angles.isinf(), torch.inf, error)


def positions_rounded_alike(position: int, dtype: torch.dtype) -> tuple[int, int]:
    """First and last of the positions that a floating-point type stores as one number.

    Args:
        position: One of them, at least 0, within the reach of the type.
        dtype: torch.float32, bfloat16, float16 or float64.

    Returns:
        (first, last); 15 962 in bfloat16 shares 15 936 with 15 905 … 15 967.

    Raises:
        ValueError: If position is negative or the type does not reach it.
    """
    check_int("position", position, 0)
    value = float(round_positions(torch.tensor(position), dtype))
    if value == float("inf"):
        raise ValueError(
            f"position must be at most {torch.finfo(dtype).max:g} in "
            f"{str(dtype).removeprefix('torch.')}, got {position}."
        )
    spacing = max(1, round(2 * max(position, 1) * torch.finfo(dtype).eps))
    near = torch.arange(max(position - spacing, 0), position + spacing + 1)
    alike = near[round_positions(near, dtype) == value]
    return int(alike[0]), int(alike[-1])


def first_colliding_position(dtype: torch.dtype) -> int:
    """The first position that a floating-point type cannot tell from the one before.

    Returns:
        257 for bfloat16, 2049 for float16, 16 777 217 for float32.
    """
    return round(2 / torch.finfo(_check_dtype(dtype)).eps) + 1


def distinct_positions(length: int, dtype: torch.dtype) -> int:
    """How many different values the positions 0 … length - 1 have in a floating-point type.

    Args:
        length: At least 1.
        dtype: torch.float32, bfloat16, float16 or float64.

    Returns:
        A number up to `length`; a last position that rounds up counts as one more value.
    """
    check_int("length", length, 1)
    start, step = first_colliding_position(dtype) - 1, 2
    count = min(length, start)
    while start < min(length, torch.finfo(dtype).max):
        # From one power of two to the next the type holds every step-th integer.
        count += -(-(min(2 * start, length) - start) // step)
        start, step = 2 * start, 2 * step
    last = torch.tensor(length - 1)
    return count + int(round_positions(last, dtype) > last)


def _check_dtype(dtype: torch.dtype) -> torch.dtype:
    if dtype not in FLOAT_DTYPES:
        names = ", ".join(str(allowed).removeprefix("torch.") for allowed in FLOAT_DTYPES)
        raise ValueError(f"dtype must be one of {names}, got {dtype}.")
    return dtype

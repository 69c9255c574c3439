"""Integer positions stored in a floating-point type: which of them become the same number."""

from bisect import bisect_left, bisect_right

import torch
from torch import Tensor

from posenc.checks import INTEGER_DTYPES, check_int

FLOAT_DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)


def round_positions(positions: Tensor, dtype: torch.dtype) -> Tensor:
    """Positions as a floating-point type stores them.

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
    return positions.to(torch.float64).to(check_float(dtype)).to(torch.float64)


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
    near = range(max(position - spacing, 0), position + spacing + 1)

    def stored(at: int) -> float:
        return float(round_positions(torch.tensor(at), dtype))

    # Rounding keeps the order, and there may be millions of them.
    first = bisect_left(near, value, key=stored)
    after = bisect_right(near, value, key=stored)
    return near[first], near[after - 1]


def first_colliding_position(dtype: torch.dtype) -> int:
    """The first position that a floating-point type cannot tell from the one before.

    Returns:
        257 for bfloat16, 2049 for float16, 16 777 217 for float32.
    """
    return round(2 / torch.finfo(check_float(dtype)).eps) + 1


def distinct_positions(length: int, dtype: torch.dtype) -> int:
    """How many different values the positions 0 … length - 1 have in a floating-point type.

    Args:
        length: At least 1.
        dtype: torch.float32, bfloat16, float16 or float64.

    Returns:
        A number up to `length`; a last position that rounds up counts as one more value.
    """
    check_int("length", length, 1)
    start = first_colliding_position(dtype) - 1
    step = 2
    count = min(length, start)
    while start < min(length, torch.finfo(dtype).max):
        # From one power of two to the next the type holds every step-th integer.
        count += -(-(min(2 * start, length) - start) // step)
        start, step = 2 * start, 2 * step
    last = torch.tensor(length - 1)
    return count + int(round_positions(last, dtype) > last)


def check_float(dtype: torch.dtype) -> torch.dtype:
    """Return `dtype` if it is one of the four."""
    if dtype not in FLOAT_DTYPES:
        names = ", ".join(str(allowed).removeprefix("torch.") for allowed in FLOAT_DTYPES)
        raise ValueError(f"dtype must be one of {names}, got {dtype}.")
    return dtype

"""Argument checks: each raises a ValueError whose sentence can be shown to a user as it stands."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

INTEGER_DTYPES = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


def check_int(
    name: str, value: object, minimum: int, *, maximum: int | None = None, even: bool = False
) -> int:
    """Return `value` if it is an integer in [minimum, maximum] (and even, if asked)."""
    kind = "an even integer" if even else "an integer"
    span = f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
    if isinstance(value, int) and not isinstance(value, bool):
        inside = value >= minimum and (maximum is None or value <= maximum)
        if inside and not (even and value % 2):
            return value
    raise ValueError(f"{name} must be {kind} {span}, got {value!r}.")


def check_number(
    name: str,
    value: object,
    minimum: float = -math.inf,
    *,
    maximum: float = math.inf,
    above: float = -math.inf,
) -> float:
    """Return `value` as a float if it is finite, in [minimum, maximum] and greater than `above`."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = float(value)
        if math.isfinite(number) and minimum <= number <= maximum and number > above:
            return number
    limits = [f"at least {minimum:g}"] if minimum > -math.inf else []
    limits += [f"above {above:g}"] if above > -math.inf else []
    limits += [f"at most {maximum:g}"] if maximum < math.inf else []
    allowed = "a finite number" + (" " + " and ".join(limits) if limits else "")
    raise ValueError(f"{name} must be {allowed}, got {value!r}.")


def check_choice(name: str, value: object, allowed: Sequence[str]) -> str:
    """Return `value` if it is one of the `allowed` words."""
    if isinstance(value, str) and value in allowed:
        return value
    words = ", ".join(repr(word) for word in allowed)
    raise ValueError(f"{name} must be one of {words}, got {value!r}.")


def check_positions(name: str, positions: Tensor) -> Tensor:
    """Return `positions` if they are integers of shape (seq,) or (batch, seq)."""
    if positions.dtype not in INTEGER_DTYPES:
        raise ValueError(f"{name} must be an integer tensor, got dtype {positions.dtype}.")
    if positions.dim() not in (1, 2):
        shape = tuple(positions.shape)
        raise ValueError(f"{name} must have shape (seq,) or (batch, seq), got {shape}.")
    return positions


def check_embedding(x: Tensor, positions: Tensor, d_model: int) -> None:
    """Raise a ValueError unless x is (batch, seq, d_model) and has one position per token."""
    check_positions("positions", positions)
    if x.dim() != 3 or x.shape[-1] != d_model or x.shape[-2] != positions.shape[-1]:
        raise ValueError(
            f"x must have shape (batch, {positions.shape[-1]}, {d_model}) for {d_model} columns "
            f"and {positions.shape[-1]} positions, got {tuple(x.shape)}."
        )


def check_finite(name: str, tensor: Tensor) -> Tensor:
    """Return `tensor` if it holds neither NaN nor infinity."""
    if bool(torch.isfinite(tensor).all()):
        return tensor
    where = torch.nonzero(~torch.isfinite(tensor))[0].tolist()
    raise ValueError(f"{name} must hold finite numbers, got {tensor[tuple(where)]} at {where}.")

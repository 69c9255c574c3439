"""Argument checks: each raises a ValueError whose sentence can be shown to a user as it stands."""

import math
import numbers
from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor

INTEGER_DTYPES = (
    *(torch.int64, torch.int32, torch.int16, torch.int8),
    *(torch.uint8, torch.uint16, torch.uint32, torch.uint64),
)
LONGEST = 10**12  # tokens of a text
MOST_SHOWN = 60  # letters of a wrong value


def check_int(
    name: str,
    value: object,
    minimum: int | None = None,
    *,
    maximum: int | None = None,
    even: bool = False,
) -> int:
    """Return `value` as an int if it is an integer in [minimum, maximum] (and even, if asked).

    A length that `torch.export` leaves free comes back as it is: it has no number yet.
    """
    if isinstance(value, torch.SymInt):
        return cast(int, value)
    if isinstance(value, (int, numbers.Integral)) and not isinstance(value, bool):  # NumPy's are
        number = int(value)
        above = minimum is None or number >= minimum
        if above and (maximum is None or number <= maximum) and not (even and number % 2):
            return number
    kind = "an even integer" if even else "an integer"
    raise ValueError(f"{name} must be {kind}{_limits(minimum, maximum)}, got {shown(value)}.")


def _limits(minimum: object, maximum: object) -> str:
    """The range of a number in words; None is no limit."""
    if minimum is not None and maximum is not None:
        return f" from {minimum} to {maximum}"
    if minimum is not None:
        return f" of at least {minimum}"
    return "" if maximum is None else f" of at most {maximum}"


def check_bool(name: str, value: object) -> bool:
    """Return `value` if it is True or False."""
    if isinstance(value, bool):
        return value
    raise ValueError(f"{name} must be True or False, got {shown(value)}.")


def check_tensors(**tensors: object) -> None:
    """Raise a ValueError unless all of these are tensors."""
    for name, value in tensors.items():
        if not isinstance(value, Tensor):
            raise ValueError(f"{name} must be a torch tensor, got {shown(value)}.")


def shown(value: object) -> str:
    """A value's repr on one line, cut to at most `MOST_SHOWN` characters."""
    line = " ".join(repr(value).split())
    return line if len(line) <= MOST_SHOWN else line[: MOST_SHOWN - 1] + "…"


def shortened(text: str, most: int = 40) -> str:
    """A text, cut where it has more letters than these."""
    return text if len(text) <= most else f"{text[:most]}…"


def printable(text: str) -> str:
    """A text for a terminal, where a control character is a dot."""
    return "".join(c if c.isprintable() else "·" for c in text)


def check_number(
    name: str,
    value: object,
    minimum: float = -math.inf,
    *,
    maximum: float = math.inf,
    above: float = -math.inf,
) -> float:
    """Return `value` as a float if it is finite, in [minimum, maximum] and greater than `above`."""
    if isinstance(value, (float, int, numbers.Real)) and not isinstance(value, bool):  # NumPy's are
        number = float(value)
        # Neither NaN nor infinite, in comparisons that `torch.compile` follows for any number.
        finite = -math.inf < number < math.inf
        if finite and minimum <= number <= maximum and number > above:
            return number
    least, most = (f"{end:g}" if math.isfinite(end) else None for end in (minimum, maximum))
    limits = _limits(least, most)
    if math.isfinite(above):
        limits = f" above {above:g}" + (f" and at most {most}" if most else "")
    raise ValueError(f"{name} must be a finite number{limits}, got {shown(value)}.")


def check_choice(name: str, value: object, allowed: Sequence[str]) -> str:
    """Return `value` if it is one of the `allowed` words."""
    if isinstance(value, str) and value in allowed:
        return value
    words = ", ".join(repr(word) for word in allowed)
    raise ValueError(f"{name} must be one of {words}, got {shown(value)}.")


def check_positions(name: str, positions: Tensor) -> Tensor:
    """Return `positions` in int64 if they are integers of shape (seq,) or (batch, seq)."""
    positions = check_integers(name, positions)
    return _check_rows(name, positions)


def check_integers(name: str, positions: Tensor) -> Tensor:
    """Return `positions` in int64 if they are integers, of any shape: uint8 has no -1."""
    check_tensors(**{name: positions})
    if positions.dtype in INTEGER_DTYPES:
        return positions.long()
    raise ValueError(f"{name} must be an integer tensor, got dtype {positions.dtype}.")


def check_places(name: str, positions: Tensor, axes: int = 1) -> Tensor:
    """Return `positions` as `check_coordinates` does if their shape is (seq,) or (batch, seq).

    Where an encoding has several axes, (axes, batch, seq) too.
    """
    return _check_rows(name, check_coordinates(name, positions), axes)


def _check_rows(name: str, positions: Tensor, axes: int = 1) -> Tensor:
    several = axes > 1 and positions.dim() == 3 and positions.shape[0] == axes
    if positions.dim() not in (1, 2) and not several:
        shapes = "(seq,) or (batch, seq)"
        if axes > 1:
            shapes = f"(seq,), (batch, seq) or ({axes}, batch, seq)"
        raise ValueError(f"{name} must have shape {shapes}, got {tuple(positions.shape)}.")
    return positions


def check_coordinates(name: str, positions: Tensor) -> Tensor:
    """Return `positions` if they are float32 or float64, and in int64 if they are integers.

    bfloat16 and float16 are refused: they have no 257 and no 2049, so that neighbours would meet.
    """
    check_tensors(**{name: positions})
    if positions.dtype in (torch.float32, torch.float64):
        return positions
    if positions.is_floating_point():
        raise ValueError(
            f"{name} must be integers, float32 or float64, got {positions.dtype}, which does not "
            "hold every position."
        )
    return check_integers(name, positions)


def check_embedding(x: Tensor, positions: Tensor, d_model: int) -> Tensor:
    """Return `positions` in int64 if x is (batch, seq, d_model) and has one for each token.

    Where one row of positions serves all, x may have any axes before seq, or none.
    """
    check_tensors(x=x)
    positions = check_positions("positions", positions)
    axes_fit = x.dim() == 3 or (x.dim() >= 2 and positions.dim() == 1)
    if not axes_fit or x.shape[-1] != d_model or x.shape[-2] != positions.shape[-1]:
        raise ValueError(
            f"x must have shape (batch, {positions.shape[-1]}, {d_model}) for {d_model} columns "
            f"and {positions.shape[-1]} positions, got {tuple(x.shape)}."
        )
    return positions


def can_look(*tensors: Tensor) -> bool:
    """Whether numbers may decide what is computed: not in `torch.compile`, nor on "meta"."""
    return not torch.compiler.is_compiling() and not any(tensor.is_meta for tensor in tensors)


def check_finite(name: str, tensor: Tensor) -> Tensor:
    """Return `tensor` if it holds neither NaN nor infinity."""
    if bool(torch.isfinite(tensor).all()):
        return tensor
    where = torch.nonzero(~torch.isfinite(tensor))[0].tolist()
    raise ValueError(
        f"{name} must hold finite numbers, got {tensor[tuple(where)].item()} at {where}."
    )

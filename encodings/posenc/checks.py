"""Argument checks: each raises a ValueError whose sentence can be shown to a user as it stands."""

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from posenc.words import Sentence, say

INTEGER_DTYPES = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
MOST_SHOWN = 60  # letters of a wrong value


def check_int(
    name: str,
    value: object,
    minimum: int | None = None,
    *,
    maximum: int | None = None,
    even: bool = False,
) -> int:
    """Return `value` if it is an integer in [minimum, maximum] (and even, if asked)."""
    if isinstance(value, int) and not isinstance(value, bool):
        above = minimum is None or value >= minimum
        if above and (maximum is None or value <= maximum) and not (even and value % 2):
            return value
    if minimum is None:
        raise ValueError(
            say("{name} must be an integer, got {value}.", name=name, value=shown(value))
        )
    given = {"name": name, "minimum": minimum, "maximum": maximum, "value": shown(value)}
    raise ValueError(_integer_sentence(given, even, maximum is not None))


def check_bool(name: str, value: object) -> bool:
    """Return `value` if it is True or False."""
    if isinstance(value, bool):
        return value
    raise ValueError(
        say("{name} must be True or False, got {value}.", name=name, value=shown(value))
    )


def check_tensors(**tensors: object) -> None:
    """Raise a ValueError unless all of these are tensors."""
    for name, value in tensors.items():
        if not isinstance(value, Tensor):
            raise ValueError(
                say("{name} must be a torch tensor, got {value}.", name=name, value=shown(value))
            )


def shown(value: object) -> str:
    """What was given, in a line."""
    line = " ".join(repr(value).split())
    return line if len(line) <= MOST_SHOWN else line[: MOST_SHOWN - 1] + "…"


def _integer_sentence(given: dict[str, Any], even: bool, limited: bool) -> Sentence:
    if even and limited:
        return say(
            "{name} must be an even integer from {minimum} to {maximum}, got {value}.", **given
        )
    if even:
        return say("{name} must be an even integer of at least {minimum}, got {value}.", **given)
    if limited:
        return say("{name} must be an integer from {minimum} to {maximum}, got {value}.", **given)
    return say("{name} must be an integer of at least {minimum}, got {value}.", **given)


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
    given = {"name": name, "value": shown(value)}
    limits = {"minimum": minimum, "above": above, "maximum": maximum}
    raise ValueError(
        _number_sentence(given, **{key: n for key, n in limits.items() if math.isfinite(n)})
    )


def _number_sentence(given: dict[str, Any], **limits: float) -> Sentence:
    given = given | limits
    match tuple(limits):
        case ("minimum", "maximum"):
            return say(
                "{name} must be a finite number from {minimum:g} to {maximum:g}, got {value}.",
                **given,
            )
        case ("above", "maximum"):
            return say(
                "{name} must be a finite number above {above:g} and at most {maximum:g}, "
                "got {value}.",
                **given,
            )
        case ("minimum",):
            return say(
                "{name} must be a finite number of at least {minimum:g}, got {value}.", **given
            )
        case ("above",):
            return say("{name} must be a finite number above {above:g}, got {value}.", **given)
        case ("maximum",):
            return say(
                "{name} must be a finite number of at most {maximum:g}, got {value}.", **given
            )
        case _:
            return say("{name} must be a finite number, got {value}.", **given)


def check_choice(name: str, value: object, allowed: Sequence[str]) -> str:
    """Return `value` if it is one of the `allowed` words."""
    if isinstance(value, str) and value in allowed:
        return value
    words = ", ".join(repr(word) for word in allowed)
    raise ValueError(
        say(
            "{name} must be one of {words}, got {value}.",
            name=name,
            words=words,
            value=shown(value),
        )
    )


def check_positions(name: str, positions: Tensor) -> Tensor:
    """Return `positions` if they are integers of shape (seq,) or (batch, seq)."""
    check_tensors(**{name: positions})
    if positions.dim() not in (1, 2):
        check_integers(name, positions)
        raise ValueError(
            say(
                "{name} must have shape (seq,) or (batch, seq), got {shape}.",
                name=name,
                shape=tuple(positions.shape),
            )
        )
    return check_integers(name, positions)


def check_integers(name: str, positions: Tensor) -> Tensor:
    """Return `positions` if they are integers, of any shape."""
    check_tensors(**{name: positions})
    if positions.dtype in INTEGER_DTYPES:
        return positions
    raise ValueError(
        say(
            "{name} must be an integer tensor, got dtype {dtype}.",
            name=name,
            dtype=str(positions.dtype),
        )
    )


def check_embedding(x: Tensor, positions: Tensor, d_model: int) -> None:
    """Raise a ValueError unless x is (batch, seq, d_model) and has one position per token."""
    check_tensors(x=x)
    check_positions("positions", positions)
    if x.dim() != 3 or x.shape[-1] != d_model or x.shape[-2] != positions.shape[-1]:
        raise ValueError(
            say(
                "x must have shape (batch, {seq}, {d_model}) for {d_model} columns and {seq} "
                "positions, got {shape}.",
                seq=positions.shape[-1],
                d_model=d_model,
                shape=tuple(x.shape),
            )
        )


def check_finite(name: str, tensor: Tensor) -> Tensor:
    """Return `tensor` if it holds neither NaN nor infinity."""
    if bool(torch.isfinite(tensor).all()):
        return tensor
    where = torch.nonzero(~torch.isfinite(tensor))[0].tolist()
    raise ValueError(
        say(
            "{name} must hold finite numbers, got {value} at {where}.",
            name=name,
            value=tensor[tuple(where)].item(),
            where=str(where),
        )
    )

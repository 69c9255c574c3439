"""A largest difference followed to its two numbers, or to the several that it is the largest of."""

from collections.abc import Mapping

import torch

from exhibits.two_ways import two_ways
from posenc.quantity.step import Step, number, words


def two_ways_steps(
    name: str,
    seed: int = 0,
    device: torch.device | str = "cpu",
    dtype: torch.dtype = torch.float64,
) -> tuple[Step, ...]:
    """The two numbers that are furthest apart, each with all of its digits, and their difference.

    Args:
        name: Of the pair; a key of `two_ways_differences`.
        seed: Seed of the random numbers.
        device: Where both ways are computed.
        dtype: In which both are computed.
    """
    a, b = two_ways(seed, device, dtype)[name]
    place = int((a - b).abs().argmax())
    one, other = (x.flatten()[place] for x in (a, b))
    ways = name.partition(": ")[2].split(", and ")
    given = [
        Step(symbol, words(way), rf"\text{{{x.item()!r}}}", x.item())
        for symbol, way, x in zip("ab", ways, (one, other), strict=True)
    ]
    numbers = f"{number(one.item())} - {number(other.item())}"
    return (
        *given,
        Step(
            r"\max |a - b|",
            "|a - b|",
            f"|{numbers}|".replace("- -", "+ "),
            float((one - other).abs()),
        ),
    )


def largest_steps(parts: Mapping[str, float]) -> tuple[Step, ...]:
    """The largest of a few differences.

    Args:
        parts: What was compared to the largest difference met there.
    """
    lines = [
        Step(f"d_{{{n}}}", words(what.replace("_", r"\_")), "", value)
        for n, (what, value) in enumerate(parts.items(), 1)
    ]
    if len(lines) == 1:
        return (lines[0],)
    among = ",\\; ".join(number(line.value) for line in lines)
    return (*lines, Step(r"\max_k d_k", "", rf"\max({among})", max(parts.values())))

"""A largest difference followed to its two numbers, or to the several that it is the largest of."""

from collections.abc import Mapping

from exhibits.two_ways.all import TwoWays
from posenc.quantity.step import Step, number, words


def furthest_steps(ways: TwoWays) -> tuple[Step, ...]:
    """The two numbers that are furthest apart, with all of their digits, and the difference."""
    place = int((ways.left - ways.right).abs().argmax())
    one, other = (x.flatten()[place] for x in (ways.left, ways.right))
    numbers = f"{number(one.item())} - {number(other.item())}"
    return (
        Step("a", words(ways.one), rf"\texttt{{{one.item()!r}}}", one.item()),
        Step("b", words(ways.other), rf"\texttt{{{other.item()!r}}}", other.item()),
        Step(
            r"\max |a - b|",
            "|a - b|",
            f"|{numbers}|".replace("- -", "+ "),
            float((one - other).abs()),
        ),
    )


def largest_steps(parts: Mapping[str, float]) -> tuple[Step, ...]:
    """The largest of a few differences."""
    lines = [
        Step(f"d_{{{n}}}", words(what.replace("_", r"\_")), "", value)
        for n, (what, value) in enumerate(parts.items(), 1)
    ]
    if len(lines) == 1:
        return (lines[0],)
    among = ",\\; ".join(number(line.value) for line in lines)
    return (*lines, Step(r"\max_k d_k", "", rf"\max({among})", max(parts.values())))

"""What a screen may cost: checked before anything is computed."""

from posenc.words import say
from ui.words import number

MEMORY_BUDGET = 512 * 2**20
"""Bytes that one picture may need on the server."""


def check_memory(needed: int, what: str, remedy: str) -> None:
    """Refuse a computation that would need more than the budget.

    Args:
        needed: Bytes it would need at its peak.
        what: What it is, as the subject of a sentence.
        remedy: What to do instead, as a sentence.

    Raises:
        ValueError: If `needed` is above the budget, with both numbers.
    """
    if needed > MEMORY_BUDGET:
        raise ValueError(
            say(
                "{what} would need {needed} of memory; the limit here is {limit}. {remedy}",
                what=what,
                needed=readable_bytes(needed),
                limit=readable_bytes(MEMORY_BUDGET),
                remedy=remedy,
            )
        )


def readable_bytes(count: float) -> str:
    """Bytes in the largest unit that leaves at least one: 1536 is '1.5 KiB'."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return number(count, ".0f" if unit == "B" else ".1f") + " " + unit
        count /= 1024
    return number(count, ".1f") + " TiB"

"""Three ways to keep keys under frequencies that change, and the work that each takes."""

from dataclasses import dataclass
from typing import Literal

from posenc.checks import check_choice, check_int

CachePolicy = Literal["on_write", "on_read", "recomputed"]
CACHE_POLICIES = ("on_write", "on_read", "recomputed")


@dataclass(frozen=True)
class DecodeWork:
    """Work of decoding after the prompt."""

    keys_rotated: int
    tokens_run: int
    """Tokens that went through the model; one for each step unless the text is run again."""


def decode_work(cache: CachePolicy, prompt: int, length: int, original_length: int) -> DecodeWork:
    """Count the keys rotated and the tokens run from the end of the prompt to `length` tokens.

    Args:
        cache: See `StaleKeys`.
        prompt: Tokens that were read in one pass, at least 1.
        length: Tokens now, at least prompt.
        original_length: L₀: above it the frequencies change with every token (dynamic NTK).

    Returns:
        The counts of one head of one layer.

    Raises:
        ValueError: If an argument is out of range.
    """
    check_choice("cache", cache, CACHE_POLICIES)
    check_int("prompt", prompt, 1)
    check_int("length", length, prompt)
    steps = length - prompt
    if cache == "on_write":
        return DecodeWork(steps, steps)
    if cache == "on_read":
        return DecodeWork(_sum(prompt, length), steps)
    start = min(max(prompt, original_length), length)  # up to here nothing has to be run again
    run = start - prompt + _sum(start, length)
    return DecodeWork(run, run)


def _sum(start: int, stop: int) -> int:
    """(start + 1) + … + stop."""
    return (stop * (stop + 1) - start * (start + 1)) // 2

"""Keys that lie in a cache under other frequencies than those of the query that meets them now.

A scaling that depends on the length of the text (dynamic NTK, LongRoPE) changes its frequencies
while a text grows. A key that was rotated before it was cached keeps those of its own time.
"""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int
from posenc.quantity.axes import Axis
from posenc.quantity.matrix import value_at
from posenc.quantity.step import Step, number
from posenc.rope.formula import rope_inv_freq
from posenc.rope.scaling import Scaling

CachePolicy = Literal["on write", "on read", "recomputed"]
CACHE_POLICIES = ("on write", "on read", "recomputed")


def written_inv_freq(
    positions: Tensor, prompt: int, head_dim: int, base: float, scaling: Scaling
) -> Tensor:
    """The frequencies under which each key was rotated when it was cached.

    The prompt is read in one pass and rotated for its own length; every later token is rotated
    for the length that ends in it.

    Args:
        positions: Of the keys, integers (n,), at least 0.
        prompt: Tokens in the prompt, at least 1.
        head_dim: Rotated channels d, even.
        base: Base of the frequencies.
        scaling: What changes them with the length.

    Returns:
        Radians per position, float64 (n, head_dim / 2).

    Raises:
        ValueError: If an argument is out of range.
    """
    check_int("prompt", prompt, 1)
    lengths, of_key = (positions + 1).clamp(min=prompt).unique(return_inverse=True)
    rows = [rope_inv_freq(head_dim, base, scaling, length)[0] for length in lengths.tolist()]
    return torch.stack(rows)[of_key]


def stale_phase(positions: Tensor, written: Tensor, now: Tensor) -> Tensor:
    """How much too far the cached keys are turned: n·(θ'_i - θ_i).

    The score of query m then has the angle m·θ - n·θ' where (m - n)·θ belongs. From about π on
    nothing is left of what the pair said.

    Args:
        positions: n, of the keys, integers (n,).
        written: θ', (n, pairs) or (pairs,) for all keys, radians per position.
        now: θ, (pairs,).

    Returns:
        Radians, float64 (n, pairs).
    """
    return positions.to(torch.float64)[:, None] * (written - now).to(torch.float64)


def stale_score_error(phase: Tensor, head_dim: int | None = None) -> Tensor:
    """Root mean square error of a score whose key is turned too far by `phase`.

    For queries and keys of independent standard normal numbers the right score has the root mean
    square 1 (after 1/sqrt(head_dim)), and its error sqrt(8/d · Σ_i sin²(φ_i / 2)): 0 where the key
    is right, sqrt(2) where its angles are noise, 2 where every pair points the opposite way.

    Args:
        phase: φ, radians (..., pairs).
        head_dim: Channels d of the head; default 2 · pairs, all of them rotated.

    Returns:
        In units of the score's own root mean square, float64 (...).
    """
    channels = 2 * phase.shape[-1] if head_dim is None else head_dim
    squares = torch.sin(phase.to(torch.float64) / 2) ** 2
    return (8 / channels * squares.sum(dim=-1)).sqrt()


@dataclass(frozen=True)
class StaleKeys:
    """Cached key × pair: by how much the key is turned wrong for the query that comes now.

    Args:
        scaling: What changes the frequencies with the length.
        head_dim: Rotated channels d, even.
        base: Base of the frequencies.
        prompt: Tokens that were read in one pass.
        length: Tokens now; the newest key stands at length - 1.
        cache: "on write" caches keys after rotation; "on read" before it, and rotates all of
            them at every step; "recomputed" runs the whole text again when the frequencies change.
            The last two leave no error.
    """

    scaling: Scaling
    head_dim: int
    base: float
    prompt: int
    length: int
    cache: CachePolicy = "on write"
    name = "angle error"
    unit = "rad"
    signed = False

    def __post_init__(self) -> None:
        check_int("prompt", self.prompt, 1)
        check_int("length", self.length, self.prompt)
        check_choice("cache", self.cache, CACHE_POLICIES)

    @property
    def rows(self) -> Axis:
        """Positions of the cached keys."""
        return Axis("position of the cached key n", self.length)

    @property
    def cols(self) -> Axis:
        """Pairs, fastest first."""
        return Axis("pair i", self.head_dim // 2)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        if self.cache != "on write":
            return torch.zeros(len(rows), len(cols), dtype=torch.float64)
        now, _ = rope_inv_freq(self.head_dim, self.base, self.scaling, self.length)
        written = written_inv_freq(rows, self.prompt, self.head_dim, self.base, self.scaling)
        return stale_phase(rows, written, now)[:, cols].abs()

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Frequency when the key was cached, frequency now, and the angle between them."""
        symbol, value = rf"|\Delta\varphi_{{{row},{col}}}|", value_at(self, row, col)
        if self.cache != "on write":
            return (Step(symbol, r"\text{turned anew under the frequencies of now}", "", value),)
        scaling, key = (self.head_dim, self.base, self.scaling), torch.tensor([row])
        now = rope_inv_freq(*scaling, self.length)[0][col].item()
        written = written_inv_freq(key, self.prompt, *scaling)[0, col].item()
        difference = f"{number(written)} - {number(now)}"
        at = max(row + 1, self.prompt)
        return (
            Step(rf"\theta'_{{{col}}}", rf"\theta_{{{col}}}(L = {number(at)})", "", written),
            Step(rf"\theta_{{{col}}}", rf"\theta_{{{col}}}(L = {number(self.length)})", "", now),
            Step(r"\Delta\theta", r"\theta' - \theta", difference, written - now),
            Step(symbol, r"n\,|\Delta\theta|", rf"{row}\,|{number(written - now)}|", value),
        )


@dataclass(frozen=True)
class DecodeWork:
    """What decoding took after the prompt."""

    keys_turned: int
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
    if cache == "on write":
        return DecodeWork(steps, steps)
    if cache == "on read":
        return DecodeWork(_sum(prompt, length), steps)
    start = min(max(prompt, original_length), length)  # up to here nothing has to be run again
    run = start - prompt + _sum(start, length)
    return DecodeWork(run, run)


def _sum(start: int, stop: int) -> int:
    """(start + 1) + … + stop."""
    return (stop * (stop + 1) - start * (start + 1)) // 2

"""By how much the keys in a cache are rotated wrong: key × pair, as a quantity."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.cache.policy import CACHE_POLICIES, CachePolicy
from posenc.cache.stale_keys import stale_phase, written_inv_freq
from posenc.checks import check_choice, check_int
from posenc.quantity.matrix import Axis, value_at
from posenc.quantity.step import Step, number, words
from posenc.rope.formula import rope_inv_freq
from posenc.rope.scaling import Scaling
from posenc.words import say


@dataclass(frozen=True)
class StaleKeys:
    """Cached key × pair: by how much the angle of a key is wrong for the query that comes now.

    Args:
        scaling: What changes the frequencies with the length.
        head_dim: Rotated channels d, even.
        base: Base of the frequencies.
        prompt: Tokens that were read in one pass.
        length: Tokens now; the newest key stands at length - 1.
        cache: "on_write" caches keys after rotation; "on_read" before it, and rotates all of
            them at every step; "recomputed" runs the whole text again when the frequencies change.
            The last two leave no error.
    """

    scaling: Scaling
    head_dim: int
    base: float
    prompt: int
    length: int
    cache: CachePolicy = "on_write"
    name = say("angle error")
    unit = "rad"
    signed = False

    def __post_init__(self) -> None:
        check_int("prompt", self.prompt, 1)
        check_int("length", self.length, self.prompt)
        check_choice("cache", self.cache, CACHE_POLICIES)

    @property
    def rows(self) -> Axis:
        """Positions of the cached keys."""
        return Axis(say("position of the cached key n"), self.length)

    @property
    def cols(self) -> Axis:
        """Pairs, fastest first."""
        return Axis(say("pair i"), self.head_dim // 2)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        if self.cache != "on_write":
            return torch.zeros(len(rows), len(cols), dtype=torch.float64)
        now, written = self._frequencies(rows)
        return stale_phase(rows, written, now)[:, cols].abs()

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Frequency when the key was cached, frequency now, and the angle between them."""
        symbol = rf"|\Delta\varphi_{{{row},{col}}}|"
        value = value_at(self, row, col)
        if self.cache != "on_write":
            return (Step(symbol, words("rotated again with the current frequencies"), "", value),)
        now_all, written_all = self._frequencies(torch.tensor([row]))
        now = now_all[col].item()
        written = written_all[0, col].item()
        difference = f"{number(written)} - {number(now)}"
        at = max(row + 1, self.prompt)
        return (
            Step(rf"\theta'_{{{col}}}", rf"\theta_{{{col}}}(L = {number(at)})", "", written),
            Step(rf"\theta_{{{col}}}", rf"\theta_{{{col}}}(L = {number(self.length)})", "", now),
            Step(r"\Delta\theta", r"\theta' - \theta", difference, written - now),
            Step(symbol, r"n\,|\Delta\theta|", rf"{row}\,|{number(written - now)}|", value),
        )

    def _frequencies(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Today's, (pairs,), and those under which the keys were written, (keys, pairs)."""
        now, _ = rope_inv_freq(self.head_dim, self.base, self.scaling, self.length)
        written = written_inv_freq(rows, self.prompt, self.head_dim, self.base, self.scaling)
        return now, written

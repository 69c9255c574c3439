"""LongRoPE: a searched divisor for every pair, one list for short texts and one for long ones."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from posenc.checks import check_int, check_number, shown


def longrope_attention_factor(factor: float, original_length: int) -> float:
    """sqrt(1 + ln(s) / ln(L₀)), and 1 for a factor up to 1.

    Source: Ding et al. 2024, arXiv:2402.13753; transformers, modeling_rope_utils.py,
    _compute_longrope_parameters.
    """
    return 1.0 if factor <= 1 else math.sqrt(1 + math.log(factor) / math.log(original_length))


@dataclass(frozen=True)
class LongRoPE:
    """Every frequency divided by its own searched number, θ_i / e_i; one list to L₀, one beyond.

    Crossing L₀ while decoding changes the frequencies under the keys that are cached already. The
    attention factor acts on both lists.

    Args:
        short_factor: e_i for texts up to original_length, head_dim / 2 numbers.
        long_factor: e_i for longer texts, head_dim / 2 numbers.
        original_length: L₀, the trained length, at least 2.
        factor: s, target length / trained length, for the attention factor.
        attention_factor: Factor on cos and sin; default `longrope_attention_factor`.
        short_mscale: That factor up to original_length, where it is given for both (PhiMoE).
        long_mscale: That factor for longer texts.

    Source: Ding et al. 2024, arXiv:2402.13753; transformers, modeling_rope_utils.py,
    _compute_longrope_parameters.
    """

    short_factor: Sequence[float]
    long_factor: Sequence[float]
    original_length: int
    factor: float
    attention_factor: float | None = None
    short_mscale: float | None = None
    long_mscale: float | None = None
    needs_length: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_int("original_length", self.original_length, 2)
        check_number("factor", self.factor, above=0)
        for name in ("attention_factor", "short_mscale", "long_mscale"):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name), 0)
        for name in ("short_factor", "long_factor"):
            if not isinstance(getattr(self, name), Iterable):
                given = shown(getattr(self, name))
                raise ValueError(f"{name} must be a list of numbers, got {given}.")
            for index, value in enumerate(getattr(self, name)):
                check_number(f"{name}[{index}]", value, above=0)

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return the divided frequencies and the factor on cos and sin."""
        pairs = len(inv_freq)
        for name in ("short_factor", "long_factor"):
            given = len(getattr(self, name))
            if given != pairs:
                raise ValueError(f"{name} must hold {pairs} numbers, one per pair, got {given}.")
        divisors = self.long_factor if self.is_long(length) else self.short_factor
        own = self.long_mscale if self.is_long(length) else self.short_mscale
        factor = self.attention_factor if own is None else own
        if factor is None:
            factor = longrope_attention_factor(self.factor, self.original_length)
        return inv_freq / torch.tensor(divisors, dtype=torch.float64), factor

    def at_lengths(self, lengths: Tensor, base: float, short: Tensor, long: Tensor) -> Tensor:
        """Return the frequencies of each row's own list, float64 (rows, d/2)."""
        return torch.where((lengths > self.original_length)[:, None], long, short)

    def is_long(self, length: int | None) -> bool:
        """Whether a text of this length takes the long list."""
        return length is not None and length > self.original_length

"""Llama 3.1's rule: short waves are kept, long ones divided."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from posenc.checks import check_int, check_number
from posenc.waves import turns_within


@dataclass(frozen=True)
class Llama3:
    """Llama 3.1's rule: keep short waves, divide long ones by `factor`, blend between.

    A wave longer than L₀ / low_freq_factor is divided, one shorter than L₀ / high_freq_factor is
    kept; between them the weight is linear in L₀ / λ. With both factors equal (Llama 4) nothing
    lies between and the rule is a step.

    Args:
        factor: What long waves are divided by, at least 1.
        low_freq_factor: Turns within L₀ below which a pair is divided.
        high_freq_factor: Turns within L₀ above which it is kept, at least low_freq_factor.
        original_length: L₀, the trained length.

    Source: meta-llama/llama-models, models/llama3/model.py, apply_scaling.
    """

    factor: float = 8.0
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    original_length: int = 8192
    needs_length: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_number("factor", self.factor, 1)
        check_number("low_freq_factor", self.low_freq_factor, above=0)
        check_number("high_freq_factor", self.high_freq_factor, self.low_freq_factor)
        check_int("original_length", self.original_length, 1)

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return the blended frequencies and 1."""
        if self.low_freq_factor == self.high_freq_factor:
            is_long = turns_within(self.original_length, inv_freq) < self.low_freq_factor
            return torch.where(is_long, inv_freq / self.factor, inv_freq), 1.0
        keep = self.keep(inv_freq)
        return (1 - keep) * inv_freq / self.factor + keep * inv_freq, 1.0

    def keep(self, inv_freq: Tensor) -> Tensor:
        """γ, 1 where a pair is kept and 0 where it is divided, float64 (d/2,); two bounds."""
        turns = turns_within(self.original_length, inv_freq)
        low = self.low_freq_factor
        high = self.high_freq_factor
        return ((turns - low) / (high - low)).clamp(0, 1)

"""NTK-by-parts: pairs that turn often are kept, those that hardly turn are interpolated."""

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from posenc.checks import check_int, check_number
from posenc.waves import turns_within


@dataclass(frozen=True)
class NTKByParts:
    """Keep pairs that turn often within the trained length, interpolate those that hardly turn.

    With r_i = L₀ / λ_i turns: θ'_i = (1 - γ)·θ_i / s + γ·θ_i, γ = clamp((r_i - α)/(β - α), 0, 1).
    This is the paper's ramp, linear in the number of turns; every released implementation uses
    that of `YaRN`.

    Args:
        factor: s, target length / trained length, at least 1.
        original_length: L₀, the trained length.
        alpha: α, turns at and below which a pair is interpolated.
        beta: β, turns at and above which it is kept.
        attention_factor: Factor on cos and sin; with `yarn_mscale(factor)` this is YaRN as the
            paper writes it.

    Source: Peng et al. 2023, section 3.2, arXiv:2309.00071.
    """

    factor: float
    original_length: int
    alpha: float = 1.0
    beta: float = 32.0
    attention_factor: float = 1.0
    needs_length: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_number("factor", self.factor, 1)
        check_int("original_length", self.original_length, 1)
        check_number("alpha", self.alpha, 0)
        check_number("beta", self.beta, above=self.alpha)
        check_number("attention_factor", self.attention_factor, 0)

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return the blended frequencies and the factor on cos and sin."""
        keep = self.keep(inv_freq)
        scaled = (1 - keep) * inv_freq / self.factor + keep * inv_freq
        return scaled, self.attention_factor

    def keep(self, inv_freq: Tensor) -> Tensor:
        """γ, 1 where a pair is kept and 0 where it is interpolated, float64 (d/2,)."""
        turns = turns_within(self.original_length, inv_freq)
        return ((turns - self.alpha) / (self.beta - self.alpha)).clamp(0, 1)

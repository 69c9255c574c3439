"""Position interpolation: every position divided by the same number."""

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from posenc.checks import check_number


@dataclass(frozen=True)
class Linear:
    """Position interpolation: every frequency divided by `factor`, θ_i / s.

    Args:
        factor: s, target length / trained length, at least 1. (One below 1, as the `scale=2` that
            mlx takes, moves neighbours apart: `apply_rope(x, 2 * positions, inv_freq)` does.)

    Source: Chen et al. 2023, section 2.3, arXiv:2306.15595.
    """

    factor: float
    needs_length: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_number("factor", self.factor, 1)

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return θ_i / s and 1."""
        return inv_freq / self.factor, 1.0

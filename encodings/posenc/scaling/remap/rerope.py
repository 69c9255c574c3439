"""ReRoPE: no distance is larger than a window."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.scaling.remap.distances import difference


@dataclass(frozen=True)
class ReRoPE:
    """Every distance from `window` on is seen as `window`.

    Args:
        window: w, distances below it are kept.

    Source: Su 2023, github.com/bojone/rerope, rerope_patch.py.
    """

    window: int

    def __post_init__(self) -> None:
        check_int("window", self.window, 1)

    def distance(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return min(i - j, w)."""
        return difference(q_positions, k_positions).clamp(max=self.window).to(torch.float64)

    def written(self, query: int, key: int) -> tuple[str, str]:
        """Return the formula and its numbers."""
        return r"\min(\delta, w)", rf"\min({query - key}, {self.window})"

    def reach(self, length: int) -> float:
        """Return min(length - 1, w)."""
        return min(check_int("length", length, 1) - 1, self.window)

"""ReRoPE: no distance is larger than a window."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_int, check_number
from posenc.quantity.step import number
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


@dataclass(frozen=True)
class LeakyReRoPE:
    """Distances from `window` on grow `factor` times more slowly.

    Args:
        window: w, distances below it are kept.
        factor: k, at least 1.

    Source: Su 2023, github.com/bojone/rerope, leaky_rerope_patch.py.
    """

    window: int
    factor: float

    def __post_init__(self) -> None:
        check_int("window", self.window, 1)
        check_number("factor", self.factor, 1)

    def distance(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return i - j below w, w + (i - j - w) / k from there on."""
        exact = difference(q_positions, k_positions).to(torch.float64)
        slower = self.window + (exact - self.window) / self.factor
        return torch.where(exact < self.window, exact, slower)

    def written(self, query: int, key: int) -> tuple[str, str]:
        """Return the formula and its numbers."""
        delta = query - key
        w = self.window
        if delta < w:
            return r"\delta\quad(\delta < w)", rf"{delta}\quad({delta} < {w})"
        return r"w + (\delta - w)/k", f"{w} + ({delta} - {w})/{number(self.factor)}"

    def reach(self, length: int) -> float:
        """Return length - 1 up to w, w + (length - 1 - w) / k beyond."""
        exact = check_int("length", length, 1) - 1
        return exact if exact < self.window else self.window + (exact - self.window) / self.factor

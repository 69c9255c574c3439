"""Self-Extend: beyond a window, positions are counted in groups."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.quantity.step import number
from posenc.scaling.remap.distances import difference


@dataclass(frozen=True)
class SelfExtend:
    """Distances from `window` on are counted in groups of positions.

    The floor is taken of each position, not of the distance, so that along a row an effective
    distance may come twice or be left out.

    Args:
        window: W, distances below it are kept.
        group_size: G, positions per group.

    Source: Jin et al. 2024, section 3, arXiv:2401.01325.
    """

    window: int
    group_size: int

    def __post_init__(self) -> None:
        check_int("window", self.window, 1)
        check_int("group_size", self.group_size, 1)

    def distance(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return i - j below W, ⌊i/G⌋ + W - ⌊W/G⌋ - ⌊j/G⌋ from there on."""
        exact = difference(q_positions, k_positions)
        grouped = difference(q_positions // self.group_size, k_positions // self.group_size)
        grouped = grouped + self.window - self.window // self.group_size
        return torch.where(exact < self.window, exact, grouped).to(torch.float64)

    def written(self, query: int, key: int) -> tuple[str, str]:
        """Return the formula and its numbers."""
        delta = query - key
        w = self.window
        g = self.group_size
        if delta < w:
            return r"\delta\quad(\delta < W)", rf"{delta}\quad({delta} < {w})"
        numbers = [rf"\lfloor {number(x)}/{g} \rfloor" for x in (query, w, key)]
        return (
            r"\lfloor i/G \rfloor + W - \lfloor W/G \rfloor - \lfloor j/G \rfloor",
            f"{numbers[0]} + {w} - {numbers[1]} - {numbers[2]}",
        )

    def reach(self, length: int) -> float:
        """Return the larger of min(length, W) - 1 and ⌊(length - 1)/G⌋ + W - ⌊W/G⌋."""
        last = check_int("length", length, 1) - 1
        if last < self.window:
            return last
        grouped = last // self.group_size + self.window - self.window // self.group_size
        return max(self.window - 1, grouped)

    def max_length(self, trained_length: int) -> int:
        """The longest text whose effective distances were all seen in training: (L₀-W)·G + W."""
        check_int("trained_length", trained_length, self.window)
        return (trained_length - self.window) * self.group_size + self.window

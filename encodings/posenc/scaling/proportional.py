"""p-RoPE: slow pairs at rest."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from posenc.checks import check_number


@dataclass(frozen=True)
class Proportional:
    """p-RoPE: only the fastest pairs turn; the others have frequency zero and carry no position.

    Not partial rotary: the exponent is over the full d, and in the half layout the channels at
    rest are not a contiguous tail.

    Args:
        proportion: p, share of the pairs that turn, 0 (no position) to 1 (RoPE).
        factor: Every frequency is divided by it besides, at least 1.

    Source: Barbero et al. 2024, arXiv:2410.06205; transformers, modeling_rope_utils.py,
    _compute_proportional_rope_parameters.
    """

    proportion: float
    factor: float = 1.0
    needs_length: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_number("proportion", self.proportion, 0, maximum=1)
        check_number("factor", self.factor, 1)

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return the first int(p·d // 2) frequencies, zeros after them, and 1."""
        turns = torch.arange(len(inv_freq)) < self.turning(len(inv_freq))
        return torch.where(turns, inv_freq / self.factor, 0.0), 1.0

    def turning(self, pairs: int) -> int:
        """How many pairs turn."""
        return int(self.proportion * 2 * pairs // 2)

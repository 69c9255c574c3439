"""NTK-aware scaling that grows with the text."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from posenc.checks import check_int, check_number
from posenc.scaling.ntk import ntk_base
from posenc.waves import geometric


@dataclass(frozen=True)
class DynamicNTK:
    """NTK-aware scaling that grows with the text: k = L / L₀ and α = `factor`, no effect to L₀.

    Keys that were rotated and cached at a shorter length carry another base than new queries.
    transformers keeps the largest base met so far until a text is shorter than L₀ again; this
    follows the length it is given.

    Args:
        factor: α of the base, base · (α·L/L₀ - α + 1)^(d/(d-2)), at least 1.
        original_length: L₀, the trained length.

    Source: emozilla 2023; transformers, modeling_rope_utils.py,
    _compute_dynamic_ntk_parameters.
    """

    factor: float
    original_length: int
    needs_length: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_number("factor", self.factor, 1)
        check_int("original_length", self.original_length, 1)

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return the frequencies of the base for this length, and 1."""
        pairs = len(inv_freq)
        return geometric(self.new_base(pairs, base, length), pairs), 1.0

    def new_base(self, pairs: int, base: float, length: int | None = None) -> float:
        """The base for a text of this length."""
        return ntk_base(2 * pairs, base, self.stretch(length), alpha=self.factor)

    def at_lengths(self, lengths: Tensor, base: float, short: Tensor, long: Tensor) -> Tensor:
        """Return the frequencies of each row's own base, float64 (rows, d/2)."""
        pairs = short.shape[-1]
        stretch = lengths.clamp(min=self.original_length).to(torch.float64) / self.original_length
        power = 2 * pairs / (2 * pairs - 2)
        bases = base * (self.factor * stretch - self.factor + 1) ** power
        steps = torch.arange(pairs, dtype=torch.float64, device=lengths.device)
        return bases[:, None] ** (-steps / pairs)

    def stretch(self, length: int | None) -> float:
        """k = L / L₀, 1 up to the trained length."""
        return max(length or 0, self.original_length) / self.original_length

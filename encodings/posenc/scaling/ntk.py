"""NTK-aware scaling: a larger base, so that slow pairs are stretched and fast ones kept."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int, check_number
from posenc.waves import geometric

NTKVariant = Literal["aware", "base", "fixed", "mixed"]
NTK_VARIANTS = ("aware", "base", "fixed", "mixed")


def ntk_base(head_dim: int, base: float, factor: float, alpha: float = 1.0) -> float:
    """The larger base of NTK-aware scaling: base · (α·k - α + 1)^(d/(d-2)).

    The fastest pair keeps its frequency; with α = 1 the slowest is divided by exactly k.

    Args:
        head_dim: Rotated channels d, even, at least 4.
        base: Base of the trained model.
        factor: k, target length / trained length, at least 1.
        alpha: α; 1 is NTK-aware scaling as published, `DynamicNTK` uses its `factor`.

    Returns:
        The new base.

    Raises:
        ValueError: If an argument is out of range.

    Source: bloc97 2023, formalised in Peng et al. 2023, section 3.1, arXiv:2309.00071.
    """
    head_dim = check_int("head_dim", head_dim, 4, even=True)
    base = check_number("base", base, above=1)
    factor = check_number("factor", factor, 1)
    alpha = check_number("alpha", alpha, above=0)
    return base * (alpha * factor - alpha + 1) ** (head_dim / (head_dim - 2))


@dataclass(frozen=True)
class NTK:
    """NTK-aware scaling: a larger base, so that slow pairs are stretched and fast ones kept.

    Variants:
        "aware": base · (α·k - α + 1)^(d/(d-2)); with α = 1 this is base · k^(d/(d-2)).
        "base": base · k, the plain change of base.
        "fixed": base · k and every frequency divided by k^(2/d) besides.
        "mixed": θ_i · exp(-a·(i+1)^β) with a = ln k / (d/2)^β: every pair is stretched, the slowest
            by k.

    Args:
        factor: k, target length / trained length, at least 1.
        variant: Which of the four.
        alpha: α of "aware"; must stay 1 with the others.
        beta: β of "mixed"; the others do not read it.

    Source: bloc97 2023, in Peng et al. 2023, section 3.1, arXiv:2309.00071; "fixed" and "mixed":
    Su 2023, github.com/bojone/rerope, ntk_patch.py.
    """

    factor: float
    variant: NTKVariant = "aware"
    alpha: float = 1.0
    beta: float = 0.75
    needs_length: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_number("factor", self.factor, 1)
        check_choice("variant", self.variant, NTK_VARIANTS)
        check_number("alpha", self.alpha, above=0)
        check_number("beta", self.beta, above=0)
        if self.variant != "aware" and self.alpha != 1:
            raise ValueError(f"alpha must be 1 unless variant is 'aware', got {self.alpha}.")

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return the frequencies of the new base (or their stretched forms) and 1."""
        pairs = len(inv_freq)
        if self.variant == "mixed":
            order = torch.arange(1, pairs + 1, dtype=torch.float64)
            return inv_freq * torch.exp(-self.strength(pairs) * order**self.beta), 1.0
        scaled = geometric(self.new_base(pairs, base), pairs)
        if self.variant == "fixed":
            scaled = scaled / float(self.factor) ** (1 / pairs)
        return scaled, 1.0

    def new_base(self, pairs: int, base: float) -> float:
        """The base that it changes to; "mixed" keeps the base and slows the pairs one by one."""
        if self.variant == "mixed":
            return base
        if self.variant == "aware":
            return ntk_base(2 * pairs, base, self.factor, self.alpha)
        return base * float(self.factor)

    def strength(self, pairs: int) -> float:
        """a of "mixed"."""
        return math.log(self.factor) / pairs ** float(self.beta)

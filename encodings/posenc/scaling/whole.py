"""Rescaled rotary frequencies: what lets a model read further than it was trained to.

A scaling is a small frozen object with one method, `apply`, that turns the plain frequencies into
the scaled ones and says by how much cos and sin are multiplied (`attention_factor`).
"""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int, check_number

NTKVariant = Literal["aware", "base", "fixed", "mixed"]
NTK_VARIANTS = ("aware", "base", "fixed", "mixed")


class Scaling(Protocol):
    """What every scaling has."""

    needs_length: ClassVar[bool]
    """True where the frequencies depend on the length of the text being read."""

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return the scaled frequencies and the attention factor.

        Args:
            inv_freq: Plain frequencies θ_i = base^(-2i/d), float64 (d/2,), radians per position.
            base: The base they were made with.
            length: Tokens in the text being read; None is "not longer than in training".

        Returns:
            Scaled frequencies, float64 (d/2,), and the factor on cos and sin (the scores change
            by its square).
        """
        ...


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
    check_int("head_dim", head_dim, 4, even=True)
    check_number("base", base, above=1)
    check_number("factor", factor, 1)
    check_number("alpha", alpha, above=0)
    return base * (alpha * factor - alpha + 1) ** (head_dim / (head_dim - 2))


@dataclass(frozen=True)
class Linear:
    """Position interpolation: every frequency divided by `factor`, θ_i / s.

    Args:
        factor: s, target length / trained length, at least 1.

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
        if self.variant == "aware":
            new_base = ntk_base(2 * pairs, base, self.factor, self.alpha)
            return geometric(new_base, pairs), 1.0
        if self.variant == "base":
            return geometric(base * self.factor, pairs), 1.0
        if self.variant == "fixed":
            return geometric(base * self.factor, pairs) / self.factor ** (1 / pairs), 1.0
        order = torch.arange(1, pairs + 1, dtype=torch.float64)
        return inv_freq * torch.exp(-self.strength(pairs) * order**self.beta), 1.0

    def strength(self, pairs: int) -> float:
        """a of "mixed"."""
        return math.log(self.factor) / pairs**self.beta


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
        pairs, stretch = len(inv_freq), self.stretch(length)
        return geometric(ntk_base(2 * pairs, base, stretch, alpha=self.factor), pairs), 1.0

    def stretch(self, length: int | None) -> float:
        """k = L / L₀, 1 up to the trained length."""
        return max(length or 0, self.original_length) / self.original_length


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


def geometric(base: float, pairs: int) -> Tensor:
    """θ_i = base^(-2i/d) for i = 0 … d/2 - 1, float64 (d/2,)."""
    return base ** (-torch.arange(pairs, dtype=torch.float64) / pairs)

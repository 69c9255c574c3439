"""Scalings that judge each pair by itself: by its turns, its wavelength, its index, or a list."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from posenc.checks import check_int, check_number


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


def turns_within(length: int, inv_freq: Tensor) -> Tensor:
    """r_i = L·θ_i / 2π, full turns that each pair makes within a length, float64 (d/2,)."""
    return length * inv_freq / (2 * torch.pi)


def yarn_correction_dims(
    head_dim: int,
    base: float,
    original_length: int,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
) -> tuple[float, float]:
    """Pair indices (real numbers) of the pairs that make β_fast and β_slow turns within L₀.

    dim(r) = d · ln(L₀ / (2πr)) / (2 ln base).

    Source: jquesnelle/yarn, scaled_rope/LlamaYaRNScaledRotaryEmbedding.py, find_correction_dim.
    """
    low, high = (
        head_dim * math.log(original_length / (turns * 2 * math.pi)) / (2 * math.log(base))
        for turns in (beta_fast, beta_slow)
    )
    return low, high


def yarn_mscale(factor: float, mscale: float = 1.0) -> float:
    """0.1 · mscale · ln(factor) + 1, and 1 for a factor up to 1.

    Source: Peng et al. 2023, section 3.4, arXiv:2309.00071 (mscale: DeepSeek-V2).
    """
    return 1.0 if factor <= 1 else 0.1 * mscale * math.log(factor) + 1.0


@dataclass(frozen=True)
class YaRN:
    """NTK-by-parts with the ramp of the released code, and a softer softmax.

    γ falls from 1 to 0 linearly in the pair index between `yarn_correction_dims`, so linearly in
    the logarithm of the turns. It acts on short texts too.

    Args:
        factor: s, target length / trained length, at least 1.
        original_length: L₀, the trained length.
        beta_fast: Turns within L₀ from which on a pair is kept.
        beta_slow: Turns within L₀ up to which it is interpolated.
        truncate: Round the bounds of the ramp outwards to whole pairs (gpt-oss does not).
        attention_factor: Factor on cos and sin; default 0.1·ln(s) + 1, or what `mscale` says.
        mscale: With mscale_all_dim, both not zero: the factor is g(s, mscale) / g(s,
            mscale_all_dim), g being `yarn_mscale`.
        mscale_all_dim: See `mscale` and `softmax_multiplier`.

    Source: Peng et al. 2023, arXiv:2309.00071; transformers, modeling_rope_utils.py,
    _compute_yarn_parameters.
    """

    factor: float
    original_length: int
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    truncate: bool = True
    attention_factor: float | None = None
    mscale: float | None = None
    mscale_all_dim: float | None = None
    needs_length: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_number("factor", self.factor, 1)
        check_int("original_length", self.original_length, 1)
        check_number("beta_slow", self.beta_slow, above=0)
        check_number("beta_fast", self.beta_fast, self.beta_slow)
        for name in ("attention_factor", "mscale", "mscale_all_dim"):
            value = getattr(self, name)
            if value is not None:
                check_number(name, value, 0)

    @property
    def cos_sin_factor(self) -> float:
        """Factor on cos and sin: the scores change by its square."""
        if self.attention_factor is not None:
            return self.attention_factor
        if self.mscale and self.mscale_all_dim:
            above = yarn_mscale(self.factor, self.mscale)
            return above / yarn_mscale(self.factor, self.mscale_all_dim)
        return yarn_mscale(self.factor)

    @property
    def softmax_multiplier(self) -> float:
        """Factor on the softmax scale 1/sqrt(head_dim): g(s, mscale_all_dim)², 1 without it.

        DeepSeek's attention applies it; generic attention does not.
        """
        if not self.mscale_all_dim:
            return 1.0
        return yarn_mscale(self.factor, self.mscale_all_dim) ** 2

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return the blended frequencies and the factor on cos and sin."""
        keep = self.keep(len(inv_freq), base)
        scaled = (1 - keep) * inv_freq / self.factor + keep * inv_freq
        return scaled, self.cos_sin_factor

    def bounds(self, pairs: int, base: float) -> tuple[float, float]:
        """Pair indices between which γ falls from 1 to 0, the second above the first."""
        low, high = yarn_correction_dims(
            2 * pairs, base, self.original_length, self.beta_fast, self.beta_slow
        )
        if self.truncate:
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, 2 * pairs - 1)
        return low, high + 0.001 if low == high else high

    def keep(self, pairs: int, base: float) -> Tensor:
        """γ, 1 where a pair is kept and 0 where it is interpolated, float64 (pairs,)."""
        low, high = self.bounds(pairs, base)
        ramp = (torch.arange(pairs, dtype=torch.float64) - low) / (high - low)
        return 1 - ramp.clamp(0, 1)


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
        low, high = self.low_freq_factor, self.high_freq_factor
        return ((turns - low) / (high - low)).clamp(0, 1)


def longrope_attention_factor(factor: float, original_length: int) -> float:
    """sqrt(1 + ln(s) / ln(L₀)), and 1 for a factor up to 1.

    Source: Ding et al. 2024, arXiv:2402.13753; transformers, modeling_rope_utils.py,
    _compute_longrope_parameters.
    """
    return 1.0 if factor <= 1 else math.sqrt(1 + math.log(factor) / math.log(original_length))


@dataclass(frozen=True)
class LongRoPE:
    """Every frequency divided by its own searched number, θ_i / e_i; one list to L₀, one beyond.

    Crossing L₀ while decoding changes the frequencies under the keys that are cached already. The
    attention factor acts on both lists.

    Args:
        short_factor: e_i for texts up to original_length, head_dim / 2 numbers.
        long_factor: e_i for longer texts, head_dim / 2 numbers.
        original_length: L₀, the trained length, at least 2.
        factor: s, target length / trained length, for the attention factor.
        attention_factor: Factor on cos and sin; default `longrope_attention_factor`.

    Source: Ding et al. 2024, arXiv:2402.13753; transformers, modeling_rope_utils.py,
    _compute_longrope_parameters.
    """

    short_factor: Sequence[float]
    long_factor: Sequence[float]
    original_length: int
    factor: float
    attention_factor: float | None = None
    needs_length: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_int("original_length", self.original_length, 2)
        check_number("factor", self.factor, above=0)
        if self.attention_factor is not None:
            check_number("attention_factor", self.attention_factor, 0)
        for name in ("short_factor", "long_factor"):
            for index, value in enumerate(getattr(self, name)):
                check_number(f"{name}[{index}]", value, above=0)

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return the divided frequencies and the factor on cos and sin."""
        name, divisors = (
            ("long_factor", self.long_factor)
            if self.is_long(length)
            else ("short_factor", self.short_factor)
        )
        if len(divisors) != len(inv_freq):
            raise ValueError(
                f"{name} must hold {len(inv_freq)} numbers, one per pair, got {len(divisors)}."
            )
        factor = self.attention_factor
        if factor is None:
            factor = longrope_attention_factor(self.factor, self.original_length)
        return inv_freq / torch.tensor(divisors, dtype=torch.float64), factor

    def is_long(self, length: int | None) -> bool:
        """Whether a text of this length takes the long list."""
        return length is not None and length > self.original_length

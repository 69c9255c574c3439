"""YaRN: NTK-by-parts with the ramp of the released code, and a sharper softmax."""

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from posenc.checks import check_bool, check_int, check_number


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
    """NTK-by-parts with the ramp of the released code, and a sharper softmax.

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
        check_bool("truncate", self.truncate)
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
            low = math.floor(low)
            high = math.ceil(high)
        low = max(low, 0)
        high = min(high, 2 * pairs - 1)
        return low, high + 0.001 if low == high else high

    def keep(self, pairs: int, base: float) -> Tensor:
        """γ, 1 where a pair is kept and 0 where it is interpolated, float64 (pairs,)."""
        low, high = self.bounds(pairs, base)
        ramp = (torch.arange(pairs, dtype=torch.float64) - low) / (high - low)
        return 1 - ramp.clamp(0, 1)

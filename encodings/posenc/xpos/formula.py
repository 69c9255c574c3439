"""xPos: rotary positions whose pairs fade with distance."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int, check_number
from posenc.places import PositionalEncoding
from posenc.quantity.axes import Axis
from posenc.quantity.matrix import value_at
from posenc.quantity.step import SHOWN_TERMS, Step, distance_step, factor, masked, number, total
from posenc.rope.fast import rotate_pairs
from posenc.rope.formula import rope_cos_sin, rope_inv_freq
from posenc.rope.pairs import LAYOUTS, Layout
from posenc.rope.score import pair_products
from posenc.waves import DISTANCES_AT_ONCE, ordered_sum, over_pairs, wave_terms


def xpos_zeta(head_dim: int, gamma: float = 0.4) -> Tensor:
    """What each pair keeps after scale_base positions: ζ_i = (2i/d + γ) / (1 + γ).

    Args:
        head_dim: Rotated channels d, even.
        gamma: γ, above 0; larger fades less.

    Returns:
        float64 (head_dim / 2,), rising towards 1: fast pairs fade first.

    Raises:
        ValueError: If head_dim is odd or gamma is not above 0.

    Source: Sun et al. 2022, arXiv:2212.10554.
    """
    check_int("head_dim", head_dim, 2, even=True)
    check_number("gamma", gamma, above=0)
    return (torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim + gamma) / (1 + gamma)


def xpos_decay(distances: Tensor, zeta: Tensor, scale_base: float = 512.0) -> Tensor:
    """The factor ζ_i^(δ/B) on each pair's part of the score, float64 (n, pairs).

    Args:
        distances: δ = query position - key position, integers (n,). A key in the future (δ < 0)
            is amplified: xPos is for causal attention.
        zeta: ζ, float64 (pairs,).
        scale_base: B, positions over which a pair fades by ζ.
    """
    check_number("scale_base", scale_base, above=0)
    return zeta ** (distances.to(torch.float64)[:, None] / scale_base)


def xpos_score_at_distance(
    query: Tensor,
    key: Tensor,
    inv_freq: Tensor,
    zeta: Tensor,
    distances: Tensor,
    layout: Layout = "interleaved",
    scale_base: float = 512.0,
) -> Tensor:
    """q_m·k_n of xPos against the distance δ = m - n; not divided by sqrt(head_dim).

    Args:
        query: q, (head_dim,).
        key: k, (head_dim,).
        inv_freq: θ, (pairs,), radians per position.
        zeta: ζ, (pairs,), of `xpos_zeta`.
        distances: δ, integers (n,).
        layout: Which channels form a pair, "interleaved" or "half".
        scale_base: B.

    Returns:
        float64 (n,).

    Source: Sun et al. 2022, arXiv:2212.10554.
    """
    product, passed = pair_products(query, key, len(inv_freq), layout)
    scores = [torch.zeros(0, dtype=torch.float64)]
    for some in distances.split(DISTANCES_AT_ONCE):
        turned = wave_terms(some, inv_freq, product.real, -product.imag)
        scores.append(ordered_sum(xpos_decay(some, zeta, scale_base) * turned))
    return torch.cat(scores) + passed


@dataclass(frozen=True)
class XPosScore:
    """Query position m × key position n: q_m·k_n of xPos, not divided by sqrt(head_dim).

    The future (n > m) is NaN: there xPos grows without bound, and causal attention never looks.

    Args:
        query: q, (head_dim,), the same at every position.
        key: k, (head_dim,).
        inv_freq: θ, (pairs,), radians per position.
        zeta: ζ, (pairs,), of `xpos_zeta`.
        length: Positions 0 … length - 1 on both axes.
        layout: Which channels form a pair, "interleaved" or "half".
        scale_base: B.
    """

    query: Tensor
    key: Tensor
    inv_freq: Tensor
    zeta: Tensor
    length: int
    layout: Layout = "interleaved"
    scale_base: float = 512.0
    name = "score qₘ·kₙ of xPos"
    unit = ""
    signed = True

    @property
    def rows(self) -> Axis:
        """Positions of the query."""
        return Axis("query position m", self.length)

    @property
    def cols(self) -> Axis:
        """Positions of the key."""
        return Axis("key position n", self.length)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols)); NaN where n > m."""
        return over_pairs(self._at_distance, rows, cols)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, what the first pair adds and keeps, and the sum over the pairs."""
        distance, symbol = distance_step(row, col, names="mn"), r"q_m \cdot k_n"
        if col > row:
            return distance, masked(symbol, "n > m")
        delta = torch.tensor([row - col])
        product, passed = pair_products(self.query, self.key, len(self.inv_freq), self.layout)
        turned = wave_terms(delta, self.inv_freq, product.real, -product.imag)[0].tolist()
        kept = xpos_decay(delta, self.zeta, self.scale_base)[0].tolist()
        both = list(zip(kept, turned, strict=True))[:SHOWN_TERMS]
        terms = [rf"{number(one)} \cdot {factor(score)}" for one, score in both]
        numbers = f"{number(self.zeta[0].item())}^{{{row - col} / {number(self.scale_base)}}}"
        formula = r"\sum_i \zeta_i^{\delta/B} s_i" + (
            r" + \text{channels that pass}" if passed else ""
        )
        summed = total(terms, len(kept)) + (f" + {factor(passed)}" if passed else "")
        return (
            distance,
            Step("s_0", r"(q \cdot k)_0 \cos \delta\theta_0 + (q \times k)_0 \sin \delta\theta_0",
                 "", turned[0]),
            Step(r"\zeta_0^{\delta/B}", "", numbers, kept[0]),
            Step(symbol, formula, summed, value_at(self, row, col)),
        )  # fmt: skip

    def _at_distance(self, distances: Tensor) -> Tensor:
        past = distances >= 0
        curve = torch.full(distances.shape, torch.nan, dtype=torch.float64)
        curve[past] = xpos_score_at_distance(
            self.query,
            self.key,
            self.inv_freq,
            self.zeta,
            distances[past],
            self.layout,
            self.scale_base,
        )
        return curve


class XPos(PositionalEncoding):
    """Rotary positions with decay: queries times ζ^((m-c)/B), keys times ζ^(-(n-c)/B).

    The centre c cancels in every score, so it is free; it only keeps the powers in the range of
    the numbers. It must be the same for the keys of one cache.

    Args:
        head_dim: Channels of a head.
        base: Base of the frequencies.
        layout: Which channels form a pair, "interleaved" or "half".
        scale_base: B, positions over which pair i fades by ζ_i.
        gamma: γ of ζ.
        centre: c, best in the middle of the positions in use.

    Raises:
        ValueError: If head_dim is odd or a number is out of range.

    Source: Sun et al. 2022, arXiv:2212.10554; microsoft/torchscale,
    component/xpos_relative_position.py.
    """

    def __init__(
        self,
        head_dim: int,
        base: float = 10000.0,
        *,
        layout: Layout = "interleaved",
        scale_base: float = 512.0,
        gamma: float = 0.4,
        centre: int = 0,
    ) -> None:
        super().__init__()
        self.head_dim = check_int("head_dim", head_dim, 2, even=True)
        check_choice("layout", layout, LAYOUTS)
        self.scale_base = check_number("scale_base", scale_base, above=0)
        self.base, self.layout, self.centre = base, layout, centre
        # Plain attributes, not buffers, so that module.to(bfloat16) does not round them.
        self.inv_freq, _ = rope_inv_freq(head_dim, base)
        self.zeta = xpos_zeta(head_dim, gamma)

    def reach(self, dtype: torch.dtype) -> int:
        """How far from the centre positions may lie in this floating-point type.

        A product of two scales takes at most half of the exponent range, so that scores stay
        finite even where a key is in the future and only the mask removes it.
        """
        fade = -math.log(float(self.zeta[0])) / self.scale_base
        return int(math.log(torch.finfo(dtype).max) / 4 / fade)

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the turned and scaled queries and keys; shapes (batch, heads, seq, head_dim)."""
        return self._rotate(q, q_positions, 1), self._rotate(k, k_positions, -1)

    def _rotate(self, x: Tensor, positions: Tensor, sign: int) -> Tensor:
        offsets = positions - self.centre
        reach = self.reach(x.dtype)
        if offsets.numel() and int(offsets.abs().max()) > reach:
            raise ValueError(
                f"positions must lie within {reach} of centre {self.centre} for xPos in {x.dtype}, "
                f"got {int(positions.min())} to {int(positions.max())}."
            )
        cos, sin = rope_cos_sin(positions, self.inv_freq)
        zeta = self.zeta.to(cos.device)
        scale = zeta ** (sign * offsets.to(cos.device, torch.float64)[..., None] / self.scale_base)
        return rotate_pairs(x, cos * scale, sin * scale, self.layout)

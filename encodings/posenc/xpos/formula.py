"""xPos: rotary positions whose pairs fade with distance."""

import math

import torch
from torch import Tensor
from torch.nn.functional import embedding

from posenc.checks import check_choice, check_int, check_number, check_positions
from posenc.places import PositionalEncoding
from posenc.rope.fast import rotate_pairs
from posenc.rope.formula import rope_cos_sin, rope_inv_freq
from posenc.rope.pairs import LAYOUTS, Layout


def xpos_zeta(head_dim: int, gamma: float = 0.4) -> Tensor:
    """Each pair's decay over scale_base positions: ζ_i = (2i/d + γ) / (1 + γ).

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
    gamma = check_number("gamma", gamma, above=0)
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


class XPos(PositionalEncoding):
    """Rotary positions with decay: queries times ζ^((m-c)/B), keys times ζ^(-(n-c)/B).

    The centre c cancels in every score, so it is free; it only keeps the powers in the range of
    the numbers. It must be the same for the keys of one cache: torchscale takes the middle of each
    text anew, which moves as a text grows, so here it is yours to say. Half of the longest text is
    right. Positions may lie `reach(dtype)` from it, with the usual B and γ 1,133 in float16: from
    centre 0 that is 1,134 tokens, from the middle 2,266.

    Args:
        head_dim: Channels of a head.
        base: Base of the frequencies.
        layout: Which channels form a pair, "interleaved" or "half".
        scale_base: B, positions over which pair i fades by ζ_i.
        gamma: γ of ζ.
        centre: c, best in the middle of the positions in use: for L tokens L // 2.

    Raises:
        ValueError: If head_dim is odd or a number is out of range; in `rotate`, if a position is
            out of reach.

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
        self.base = check_number("base", base, above=1)
        self.layout = layout
        self.centre = check_int("centre", centre)
        with torch.device("cpu"):
            self.inv_freq, _ = rope_inv_freq(head_dim, base)
            self.zeta = xpos_zeta(head_dim, gamma)
        self._fade = math.log((1 + gamma) / gamma) / scale_base  # of the pair that fades first

    def reach(self, dtype: torch.dtype) -> int:
        """How far from the centre positions may lie in this floating-point type.

        A product of two scales takes at most half of the exponent range, so that scores stay
        finite even where a key is in the future and only the mask removes it.
        """
        return int(math.log(torch.finfo(dtype).max) / 4 / self._fade)

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the rotated and scaled queries and keys; shapes (batch, heads, seq, head_dim)."""
        return self._rotate(q, q_positions, 1), self._rotate(k, k_positions, -1)

    def _rotate(self, x: Tensor, positions: Tensor, sign: int) -> Tensor:
        positions = check_positions("positions", positions).to(x.device)
        cos, sin = rope_cos_sin(positions, self.inv_freq)
        offsets = self._offsets(positions, self.reach(x.dtype), x.dtype).to(cos.device)
        scale = self.zeta.to(cos.device) ** (sign * offsets[..., None] / self.scale_base)
        return rotate_pairs(x, cos * scale, sin * scale, self.layout)

    def _offsets(self, positions: Tensor, reach: int, dtype: torch.dtype) -> Tensor:
        """Position - centre, float64 (float32 on MPS); one out of reach has no number."""
        wide = torch.float32 if positions.device.type == "mps" else torch.float64
        offsets = torch.arange(-reach, reach + 1, dtype=wide, device=positions.device)
        try:
            return embedding(positions - self.centre + reach, offsets[:, None])[..., 0]
        except IndexError:  # looked at only now: a look beforehand would stop a GPU at every call
            low, high = int(positions.min()), int(positions.max())
        middle = (low + high + 1) // 2
        advice = f" XPos(..., centre={middle}) takes them." if middle - low <= reach else ""
        raise ValueError(
            f"positions must lie within {reach} of centre {self.centre} for xPos in {dtype}, got "
            f"{low} to {high}.{advice}"
        )

"""Transformer-XL: sinusoids of the relative distance, projected per head.

Its term of distance alone, as a bias of its own, stands in `distance_alone.py`.
"""

import torch
from torch import Tensor, nn

from posenc.checks import check_int, check_number
from posenc.places import PositionalEncoding
from posenc.sinusoidal.formula import sinusoidal_at, sinusoidal_inv_freq, sinusoidal_waves

INIT_STD = 0.02
"""Standard deviation with which Transformer-XL starts all of its weights."""


def relative_sinusoid(distances: Tensor, d_model: int, base: float = 10000.0) -> Tensor:
    """R_δ = [sin δθ_0, …, sin δθ_n, cos δθ_0, …, cos δθ_n], the sinusoid of a distance.

    Args:
        distances: δ = i - j, integers (n,) or (batch, n); the past is positive, any sign will do.
        d_model: Width, even.
        base: Base of the geometric series, above 1.

    Returns:
        float64 (..., n, d_model).

    Raises:
        ValueError: If an argument is out of range.

    Source: Dai et al. 2019, section 3.3, arXiv:1901.02860.
    """
    check_int("d_model", d_model, 2, even=True)
    return sinusoidal_at(distances, d_model, base, "concatenated")


class TransformerXL(PositionalEncoding):
    """Transformer-XL's relative attention: content and distance, each with a bias per head.

    Score [(q_i + u)·k_j + (q_i + v)·W_R R_{i-j}] / sqrt(head_dim), the four terms of the paper.
    `rotate` adds u, which carries no position, to every query; the rest is the bias at place 3.
    All of it is scaled alike: `attend` refuses another scale.

    Args:
        num_heads: Number of heads.
        head_dim: Width of a head.
        d_model: Number of sinusoids, even (in the paper the width of the model).
        base: Base of the geometric series, above 1.

    Source: Dai et al. 2019, section 3.3, arXiv:1901.02860.
    """

    def __init__(self, num_heads: int, head_dim: int, d_model: int, base: float = 10000.0) -> None:
        super().__init__()
        self.num_heads = check_int("num_heads", num_heads, 1)
        self.head_dim = check_int("head_dim", head_dim, 1)
        self.scale: float = head_dim**-0.5
        self.d_model = check_int("d_model", d_model, 2, even=True)
        self.base = check_number("base", base, above=1)
        with torch.device("cpu"):
            self.inv_freq = sinusoidal_inv_freq(d_model, base)
        self.content_bias = nn.Parameter(torch.empty(num_heads, head_dim))
        self.position_bias = nn.Parameter(torch.empty(num_heads, head_dim))
        self.projection = nn.Parameter(torch.empty(num_heads, head_dim, d_model))
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=INIT_STD)

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return q + u and k: u·k_j is thereby in the score."""
        return q + self.content_bias[:, None].to(q.dtype), k

    def bias(self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return (q_i + v)·W_R R_{i-j} / sqrt(head_dim), (batch, heads, q_len, k_len).

        `q` arrives with u added, which is taken off again. By sin(i - j) = sin i cos j -
        cos i sin j no distance has to be looked at.
        """
        swap = (self.position_bias - self.content_bias)[:, None].to(q.dtype)
        # (batch, heads, q_len, d_model / 2) each
        s, c = ((q + swap) @ self.projection.to(q.dtype) * self.scale).chunk(2, dim=-1)
        sin, cos = self._waves(q, q_positions).chunk(2, dim=-1)
        rotated = torch.cat((c * sin - s * cos, s * sin + c * cos), dim=-1)
        return rotated @ self._waves(q, k_positions).mT

    def _bias_of_last(self, q: Tensor, scores: Tensor, causal: bool = False) -> Tensor | None:
        """Return the same; each distance, which many pairs share, is projected once."""
        q_len, k_len = scores.shape[-2:]
        if q_len == 0:
            return super()._bias_of_last(q, scores, causal)
        keys = torch.arange(k_len, device=q.device)
        queries = keys[k_len - q_len :]
        # δ = i - j from the first query and the last key to the last query and the first key.
        sinusoids = self._waves(q, torch.arange(q_len + k_len - 1, device=q.device) - q_len + 1)
        # (distances, d_model) · (heads, d_model, head_dim)
        projected = sinusoids @ self.projection.to(q.dtype).mT  # (heads, distances, head_dim)
        swap = (self.position_bias - self.content_bias)[:, None].to(q.dtype)
        # (batch, heads, q_len, distances)
        by_distance = (q + swap) @ projected.mT * self.scale
        index = queries[:, None] - keys + (q_len - 1)
        bias = by_distance.gather(-1, index.expand(*q.shape[:-1], k_len))
        if not causal:
            return bias
        return torch.where(keys <= queries[:, None], bias, -torch.inf)

    def _waves(self, q: Tensor, positions: Tensor) -> Tensor:
        """Sines and cosines of positions (seq, d_model), or (batch, 1, seq, d_model)."""
        waves = sinusoidal_waves(
            positions.to(q.device), self.inv_freq, self.d_model, "concatenated"
        ).to(q.device, q.dtype)
        return waves if waves.dim() == 2 else waves[:, None]

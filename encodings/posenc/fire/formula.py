"""FIRE: a small network reads the distance as a share of the query's position."""

import torch
from torch import Tensor, nn

from posenc.checks import check_int, check_number
from posenc.places import BiasOfLengths, relative_position
from posenc.quantity.distance import past_distance


def fire_normalized_distance(
    q_positions: Tensor,
    k_positions: Tensor,
    c: Tensor | float = 0.1,
    threshold: Tensor | float = 512.0,
    eps: float = 1e-6,
) -> Tensor:
    """ψ(i - j) / ψ(max(T, i)) with ψ(x) = ln(c·x + 1): 0 at the query, 1 at the first key.

    The query's position divides, so that equal distances differ from row to row; up to the
    threshold T all rows share one divisor. Future keys get 0, and the causal mask hides them.

    Args:
        q_positions: i, integers (q_len,) or (batch, q_len).
        k_positions: j, integers (k_len,) or (batch, k_len).
        c: How early the logarithm bends; its absolute value counts.
        threshold: T, in tokens; its absolute value counts.
        eps: Added to the divisor, as the published listing does.

    Returns:
        Float64 (float32 on MPS), (q_len, k_len) or (batch, 1, q_len, k_len).

    Raises:
        ValueError: If positions are not integers.

    Source: Li et al. 2023, with the listing in its appendix, arXiv:2310.04418.
    """
    dtype = torch.float32 if q_positions.device.type == "mps" else torch.float64
    # (q_len, k_len), or (batch, 1, q_len, k_len) if positions have rows
    distance = past_distance(relative_position(q_positions, k_positions)).to(dtype)
    c = torch.as_tensor(c, dtype=dtype, device=distance.device).abs()
    limit = torch.as_tensor(threshold, dtype=dtype, device=distance.device).abs()
    query = q_positions[..., :, None].to(dtype)  # (q_len, 1)
    query = query if query.dim() == 2 else query[:, None]
    divisor = torch.log1p(c * torch.maximum(query, limit)) + eps
    return torch.log1p(c * distance) / divisor


class FIRE(BiasOfLengths):
    """Bias f(ψ(i - j) / ψ(max(T, i))), f a network 1 → mlp_width → heads with one ReLU.

    Trained: the network, c, and a factor on the threshold T = init_length.

    Args:
        num_heads: Number of heads.
        mlp_width: Width of the hidden layer.
        init_c: Start of c, above 0.
        init_length: T before training, above 0.
        eps: Added to the divisor.

    Source: Li et al. 2023, with the listing in its appendix, arXiv:2310.04418.
    """

    def __init__(
        self,
        num_heads: int,
        *,
        mlp_width: int = 32,
        init_c: float = 0.1,
        init_length: float = 512.0,
        eps: float = 1e-6,
    ) -> None:
        super().__init__()
        self.num_heads = check_int("num_heads", num_heads, 1)
        check_int("mlp_width", mlp_width, 1)
        self.init_length = check_number("init_length", init_length, above=0)
        self.eps = check_number("eps", eps, 0)
        self.mlp = nn.Sequential(
            nn.Linear(1, mlp_width), nn.ReLU(), nn.Linear(mlp_width, num_heads)
        )
        self.c = nn.Parameter(torch.tensor(check_number("init_c", init_c, above=0)))
        self.threshold_factor = nn.Parameter(torch.tensor(1.0))

    def bias(self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return (heads, q_len, k_len), or (batch, heads, q_len, k_len) if positions have rows."""
        threshold = self.init_length * self.threshold_factor
        distance = fire_normalized_distance(
            q_positions.to(q.device), k_positions.to(q.device), self.c, threshold, self.eps
        )
        bias = self.mlp(distance[..., None].to(self.c.dtype)).to(q.dtype)
        # (q_len, k_len, heads) -> (heads, q_len, k_len); with rows (batch, heads, q_len, k_len).
        # Heads first in memory too, as attention reads them.
        bias = bias.movedim(-1, 0) if bias.dim() == 3 else bias[:, 0].movedim(-1, 1)
        return bias.contiguous()

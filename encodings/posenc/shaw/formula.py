"""Shaw's relative positions: a clipped distance looks up an embedding for keys and for values.

`skew.py` is another way to the same scores, for tables that have one embedding per distance.
"""

from typing import Literal

import torch
from torch import Tensor, nn

from posenc.checks import check_bool, check_choice, check_int
from posenc.places import PositionalEncoding, relative_position

Convention = Literal["key_minus_query", "query_minus_key"]
CONVENTIONS: tuple[Convention, ...] = ("key_minus_query", "query_minus_key")


def relative_position_ids_at(
    q_positions: Tensor,
    k_positions: Tensor,
    max_distance: int,
    convention: Convention = "key_minus_query",
) -> Tensor:
    """Row of the relative embedding table for any positions: clip(j - i, -k, k) + k.

    Args:
        q_positions: i, integers (q_len,) or (batch, q_len).
        k_positions: j, integers (k_len,) or (batch, k_len).
        max_distance: k, at least 1: everything further away shares an id.
        convention: "key_minus_query" (Shaw, tensor2tensor): id 0 is the far past, 2k the far
            future. "query_minus_key" mirrors it: clip(i - j, -k, k) + k.

    Returns:
        int64 in [0, 2k], (q_len, k_len) or (batch, 1, q_len, k_len).

    Raises:
        ValueError: If an argument is out of range or positions are not integers.

    Source: Shaw et al. 2018, section 3.2, arXiv:1803.02155.
    """
    check_int("max_distance", max_distance, 1)
    check_choice("convention", convention, CONVENTIONS)
    distance = relative_position(q_positions, k_positions).to(torch.int64)
    if convention == "query_minus_key":
        distance = -distance
    return distance.clamp(-max_distance, max_distance) + max_distance


def relative_position_ids(
    q_len: int, k_len: int, max_distance: int, convention: Convention = "key_minus_query"
) -> Tensor:
    """Ids clip(j - i, -k, k) + k of a whole matrix, the queries being the last q_len positions.

    Args:
        q_len: Queries, 1 to k_len; fewer than keys when the earlier ones are in a cache.
        k_len: Keys, at positions 0 … k_len - 1.
        max_distance: k, at least 1.
        convention: Sign, see `relative_position_ids_at`.

    Returns:
        int64 (q_len, k_len), values in [0, 2k].

    Raises:
        ValueError: If an argument is out of range.

    Source: Shaw et al. 2018, section 3.2, arXiv:1803.02155; tensor2tensor,
        layers/common_attention.py, _generate_relative_positions_matrix.
    """
    check_int("k_len", k_len, 1)
    check_int("q_len", q_len, 1, maximum=k_len)
    positions = torch.arange(k_len)
    return relative_position_ids_at(positions[k_len - q_len :], positions, max_distance, convention)


class Shaw(PositionalEncoding):
    """Relative position embeddings of keys and of values.

    Score (q_i·k_j + q_i·a^K[id_ij]) / sqrt(head_dim), output Σ_j α_ij (v_j + a^V[id_ij]). The
    second term of the score is scaled like the first: `attend` refuses another scale.

    The embeddings are shared by all heads. No vector per pair of tokens is built: each query meets
    each of the 2k + 1 embeddings once, and weights that share an id are summed before they meet
    the value embedding.

    Args:
        head_dim: Width of a head.
        max_distance: k, at least 1 (the paper uses 16).
        values: Also embed positions on the value side; then attention cannot take a fused kernel.

    Source: Shaw et al. 2018, section 3, arXiv:1803.02155.
    """

    def __init__(self, head_dim: int, max_distance: int, *, values: bool = True) -> None:
        super().__init__()
        self.head_dim = check_int("head_dim", head_dim, 1)
        self.scale: float = head_dim**-0.5
        self.max_distance = check_int("max_distance", max_distance, 1)
        self.reads_scores = check_bool("values", values)
        shape = (2 * max_distance + 1, head_dim)
        self.key_embedding = nn.Parameter(nn.init.xavier_uniform_(torch.empty(shape)))
        self.value_embedding = (
            nn.Parameter(nn.init.xavier_uniform_(torch.empty(shape))) if values else None
        )

    def bias(self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return q_i·a^K[id_ij] / sqrt(head_dim), (batch, heads, q_len, k_len)."""
        ids = self._ids(q_positions, k_positions, q.device)
        # (batch, heads, q_len, 2k + 1)
        by_id = q @ self.key_embedding.to(q.dtype).mT * self.scale
        return by_id.gather(-1, ids.expand(*q.shape[:-1], ids.shape[-1]))

    def mix(
        self, weights: Tensor, v: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return Σ_j α_ij a^V[id_ij], (batch, heads, q_len, head_dim); None without values."""
        if self.value_embedding is None:
            return None
        if v.shape[-1] != self.head_dim:
            raise ValueError(
                f"Shaw's embeddings of values have {self.head_dim} channels, but v has "
                f"{v.shape[-1]}."
            )
        ids = self._ids(q_positions, k_positions, weights.device)
        # (batch, heads, q_len, 2k + 1)
        by_id = weights.new_zeros(*weights.shape[:-1], 2 * self.max_distance + 1)
        by_id = by_id.scatter_add(-1, ids.expand(weights.shape), weights)
        return by_id @ self.value_embedding.to(weights.dtype)

    def _ids(self, q_positions: Tensor, k_positions: Tensor, device: torch.device) -> Tensor:
        return relative_position_ids_at(
            q_positions.to(device), k_positions.to(device), self.max_distance
        )

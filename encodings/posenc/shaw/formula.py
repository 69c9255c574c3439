"""Shaw's relative positions: a clipped distance looks up an embedding for keys and for values."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from posenc.checks import check_choice, check_int
from posenc.places import PositionalEncoding, relative_position
from posenc.quantity.axes import Axis
from posenc.quantity.matrix import value_at
from posenc.quantity.means import ramp_mean
from posenc.quantity.step import Step, dot_step, number

Convention = Literal["key_minus_query", "query_minus_key"]
CONVENTIONS = ("key_minus_query", "query_minus_key")


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


def skewed_relative_logits(query: Tensor, embedding: Tensor) -> Tensor:
    """q_i·e_{j-i} of all past keys without looking up a vector per pair: the skew trick.

    query @ embeddingᵀ has one column per distance. One column of zeros in front and a reshape to
    (length + 1, length) slide row i by length - 1 - i, so that columns become keys.

    Args:
        query: Float (..., length, head_dim).
        embedding: Float (length, head_dim); row r belongs to j - i = r - (length - 1), so that the
            last row is distance 0.

    Returns:
        (..., length, length); zeros above the diagonal, where the trick gives no meaning.

    Raises:
        ValueError: If there is not one embedding per position.

    Source: Huang et al. 2018, section 3.4.1, arXiv:1809.04281.
    """
    length = query.shape[-2]
    if embedding.shape != query.shape[-2:]:
        raise ValueError(
            f"embedding must have shape {tuple(query.shape[-2:])}, one row per position, got "
            f"{tuple(embedding.shape)}."
        )
    by_distance = query @ embedding.mT
    padded = torch.nn.functional.pad(by_distance, (1, 0))  # (..., length, length + 1)
    rows = padded.reshape(*query.shape[:-2], length + 1, length)
    return rows[..., 1:, :].tril()


class Shaw(PositionalEncoding):
    """Relative position embeddings of keys and of values.

    Score (q_i·k_j + q_i·a^K[id_ij]) / sqrt(head_dim), output Σ_j α_ij (v_j + a^V[id_ij]). The
    second term of the score is scaled like the first: by 1 / sqrt(head_dim), attention's default.

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
        self.max_distance = check_int("max_distance", max_distance, 1)
        self.reads_scores = values
        shape = (2 * max_distance + 1, head_dim)
        self.key_embedding = nn.Parameter(nn.init.xavier_uniform_(torch.empty(shape)))
        self.value_embedding = (
            nn.Parameter(nn.init.xavier_uniform_(torch.empty(shape))) if values else None
        )

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return q_i·a^K[id_ij] / sqrt(head_dim), (batch, heads, q_len, k_len)."""
        ids = self._ids(q_positions, k_positions, q.device)
        by_id = q @ self.key_embedding.to(q.dtype).mT * self.head_dim**-0.5
        return by_id.gather(-1, ids.expand(*q.shape[:-1], ids.shape[-1]))

    def mix(
        self, weights: Tensor, v: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return Σ_j α_ij a^V[id_ij], (batch, heads, q_len, head_dim); None without values."""
        if self.value_embedding is None:
            return None
        ids = self._ids(q_positions, k_positions, weights.device)
        by_id = weights.new_zeros(*weights.shape[:-1], 2 * self.max_distance + 1)
        by_id = by_id.scatter_add(-1, ids.expand(weights.shape), weights)
        return by_id @ self.value_embedding.to(weights.dtype)

    def _ids(self, q_positions: Tensor, k_positions: Tensor, device: torch.device) -> Tensor:
        return relative_position_ids_at(
            q_positions.to(device), k_positions.to(device), self.max_distance
        )


@dataclass(frozen=True)
class RelativeIds:
    """Query × key: the id clip(j - i, -k, k) + k, the queries being the last q_len positions.

    Args:
        q_len: Queries, 1 to k_len.
        k_len: Keys.
        max_distance: k, at least 1.
        convention: Sign, see `relative_position_ids_at`.
    """

    q_len: int
    k_len: int
    max_distance: int
    convention: Convention = "key_minus_query"
    name = "relative position id"
    unit = ""
    signed = False

    def __post_init__(self) -> None:
        check_int("k_len", self.k_len, 1)
        check_int("q_len", self.q_len, 1, maximum=self.k_len)
        check_int("max_distance", self.max_distance, 1)
        check_choice("convention", self.convention, CONVENTIONS)

    @property
    def rows(self) -> Axis:
        """Queries; row 0 is at position k_len - q_len."""
        return Axis("query", self.q_len)

    @property
    def cols(self) -> Axis:
        """Keys."""
        return Axis("key", self.k_len)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact ids, as float64 (len(rows), len(cols))."""
        first = self.k_len - self.q_len
        ids = relative_position_ids_at(rows + first, cols, self.max_distance, self.convention)
        return ids.to(torch.float64)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, clipped, counted from 0."""
        first, k = self.k_len - self.q_len, self.max_distance
        before = (
            (Step("i", r"\text{row} + \text{cached keys}", f"{row} + {first}", row + first),)
            if first
            else ()
        )
        value = value_at(self, row, col)
        return before + id_steps(row + first, col, k, self.convention, value)

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean id over blocks: a clipped line is the difference of two ramps."""
        edges, k = (row_edges + self.k_len - self.q_len, col_edges), self.max_distance
        ids = ramp_mean(*edges, -k) - ramp_mean(*edges, k)
        return ids if self.convention == "key_minus_query" else 2 * k - ids


def id_steps(
    query: int, key: int, max_distance: int, convention: Convention, value: float
) -> tuple[Step, ...]:
    """Distance, clipped, counted from 0: the id of one pair."""
    k, (i, j) = max_distance, (number(query), number(key))
    forward = convention == "key_minus_query"
    symbols, numbers = ("j - i", f"{j} - {i}") if forward else ("i - j", f"{i} - {j}")
    distance = key - query if forward else query - key
    return (
        Step("x", symbols, numbers, distance),
        Step(
            rf"\text{{id}}_{{{query},{key}}}",
            r"\text{clip}(x, -k, k) + k",
            rf"\text{{clip}}({number(distance)}, -{number(k)}, {number(k)}) + {number(k)}",
            value,
        ),
    )


def shaw_key_steps(shaw: Shaw, query: Tensor, row: int, col: int, value: float) -> tuple[Step, ...]:
    """What the key embedding adds to the score of one pair: its id, the product, the scale.

    Args:
        shaw: The encoding.
        query: q_i of the row, (head_dim,).
        row: i.
        col: j.
        value: q_i·a^K[id] / sqrt(head_dim) as it was computed.
    """
    clipped = max(-shaw.max_distance, min(col - row, shaw.max_distance))
    ids = id_steps(row, col, shaw.max_distance, "key_minus_query", clipped + shaw.max_distance)
    dot = dot_step("q_i \\cdot a^K", query, shaw.key_embedding[int(ids[-1].value)], "q", "a")
    numbers = rf"{number(dot.value)} / \sqrt{{{shaw.head_dim}}}"
    symbol = f"b_{{{row},{col}}}"
    return (*ids, dot, Step(symbol, r"q_i \cdot a^K / \sqrt d", numbers, value))

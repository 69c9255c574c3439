"""Reading further by remapping distances: the frequencies stay, the distances shrink.

A remapping says which distance RoPE should see for a query at i and a key at j. No table of cos
and sin expresses it; released code merges two or three attention passes by distance.
"""

from dataclasses import dataclass
from typing import Literal, Protocol

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int, check_number
from posenc.quantity.matrix import QueryByKey, value_at
from posenc.quantity.step import Step, distance_step, masked, number
from posenc.rope.pairs import Layout, rotated_channels, split_pairs


class Remapping(Protocol):
    """What every remapping has."""

    def distance(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Effective distance, float64 (q_len, k_len), for positions (q_len,) and (k_len,).

        It is zero or more where the key is not in the future; what stands elsewhere means nothing.
        """
        ...

    def reach(self, length: int) -> float:
        """Largest effective distance in a text of `length` tokens, at least 1."""
        ...

    def written(self, query: int, key: int) -> tuple[str, str]:
        """The formula of one distance in LaTeX, and the same with its numbers; key <= query."""
        ...


@dataclass(frozen=True)
class ReRoPE:
    """Every distance from `window` on is seen as `window`.

    Args:
        window: w, distances below it are kept.

    Source: Su 2023, github.com/bojone/rerope, rerope_patch.py.
    """

    window: int

    def __post_init__(self) -> None:
        check_int("window", self.window, 1)

    def distance(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return min(i - j, w)."""
        return _difference(q_positions, k_positions).clamp(max=self.window).to(torch.float64)

    def written(self, query: int, key: int) -> tuple[str, str]:
        """Return the formula and its numbers."""
        return r"\min(\delta, w)", rf"\min({query - key}, {self.window})"

    def reach(self, length: int) -> float:
        """Return min(length - 1, w)."""
        return min(check_int("length", length, 1) - 1, self.window)


@dataclass(frozen=True)
class LeakyReRoPE:
    """Distances from `window` on grow `factor` times more slowly.

    Args:
        window: w, distances below it are kept.
        factor: k, at least 1.

    Source: Su 2023, github.com/bojone/rerope, leaky_rerope_patch.py.
    """

    window: int
    factor: float

    def __post_init__(self) -> None:
        check_int("window", self.window, 1)
        check_number("factor", self.factor, 1)

    def distance(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return i - j below w, w + (i - j - w) / k from there on."""
        exact = _difference(q_positions, k_positions).to(torch.float64)
        slower = self.window + (exact - self.window) / self.factor
        return torch.where(exact < self.window, exact, slower)

    def written(self, query: int, key: int) -> tuple[str, str]:
        """Return the formula and its numbers."""
        delta, w = query - key, self.window
        if delta < w:
            return r"\delta\quad(\delta < w)", rf"{delta}\quad({delta} < {w})"
        return r"w + (\delta - w)/k", f"{w} + ({delta} - {w})/{number(self.factor)}"

    def reach(self, length: int) -> float:
        """Return length - 1 up to w, w + (length - 1 - w) / k beyond."""
        exact = check_int("length", length, 1) - 1
        return exact if exact < self.window else self.window + (exact - self.window) / self.factor


@dataclass(frozen=True)
class SelfExtend:
    """Distances from `window` on are counted in groups of positions.

    The floor is taken of each position, not of the distance, so that along a row an effective
    distance may come twice or be left out.

    Args:
        window: W, distances below it are kept.
        group_size: G, positions per group.

    Source: Jin et al. 2024, section 3, arXiv:2401.01325.
    """

    window: int
    group_size: int

    def __post_init__(self) -> None:
        check_int("window", self.window, 1)
        check_int("group_size", self.group_size, 1)

    def distance(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return i - j below W, ⌊i/G⌋ + W - ⌊W/G⌋ - ⌊j/G⌋ from there on."""
        exact = _difference(q_positions, k_positions)
        grouped = _difference(q_positions // self.group_size, k_positions // self.group_size)
        grouped = grouped + self.window - self.window // self.group_size
        return torch.where(exact < self.window, exact, grouped).to(torch.float64)

    def written(self, query: int, key: int) -> tuple[str, str]:
        """Return the formula and its numbers."""
        delta, w, g = query - key, self.window, self.group_size
        if delta < w:
            return r"\delta\quad(\delta < W)", rf"{delta}\quad({delta} < {w})"
        numbers = [rf"\lfloor {number(x)}/{g} \rfloor" for x in (query, w, key)]
        return (
            r"\lfloor i/G \rfloor + W - \lfloor W/G \rfloor - \lfloor j/G \rfloor",
            f"{numbers[0]} + {w} - {numbers[1]} - {numbers[2]}",
        )

    def reach(self, length: int) -> float:
        """Return the larger of min(length, W) - 1 and ⌊(length - 1)/G⌋ + W - ⌊W/G⌋."""
        last = check_int("length", length, 1) - 1
        if last < self.window:
            return last
        grouped = last // self.group_size + self.window - self.window // self.group_size
        return max(self.window - 1, grouped)

    def max_length(self, trained_length: int) -> int:
        """The longest text whose effective distances were all seen in training: (L₀-W)·G + W."""
        check_int("trained_length", trained_length, self.window)
        return (trained_length - self.window) * self.group_size + self.window


@dataclass(frozen=True)
class DualChunk:
    """Dual Chunk Attention: positions start anew in every chunk of keys.

    With c the chunk length and M the largest query position: within a chunk the true distance; to
    the chunk before, min(i mod c + c, M) - j mod c; to those farther back, M - j mod c.

    Args:
        chunk_length: c.
        local_window: w, how far the true distance reaches into the chunk before.
        form: "paper" has M = c + w - 1, the last trained position; "code" (ChunkLlama, vLLM) has
            M = c + w, one more.

    Source: An et al. 2024, section 3, arXiv:2402.17463.
    """

    chunk_length: int
    local_window: int
    form: Literal["paper", "code"] = "code"

    def __post_init__(self) -> None:
        check_int("chunk_length", self.chunk_length, 1)
        check_int("local_window", self.local_window, 1)
        check_choice("form", self.form, ("paper", "code"))

    def distance(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return the distance by how many chunks lie between query and key."""
        c, largest = self.chunk_length, self._largest()
        chunks = _difference(q_positions // c, k_positions // c)
        query, key = (q_positions % c)[:, None], (k_positions % c)[None, :]
        before = (query + c).clamp(max=largest) - key
        distance = torch.where(chunks == 0, query - key, before)
        return torch.where(chunks > 1, largest - key, distance).to(torch.float64)

    def written(self, query: int, key: int) -> tuple[str, str]:
        """Return the formula and its numbers."""
        c, largest = self.chunk_length, self._largest()
        chunks, i, j = query // c - key // c, query % c, key % c
        if chunks == 0:
            return r"\delta\quad\text{(one chunk)}", f"{query - key}"
        if chunks == 1:
            formula = r"\min(i \bmod c + c,\, M) - j \bmod c"
            return formula, rf"\min({i} + {c},\, {largest}) - {j}"
        return r"M - j \bmod c", f"{largest} - {j}"

    def reach(self, length: int) -> float:
        """Return length - 1 in the first chunk, min(length - 1, M) in the second, then M."""
        last, c = check_int("length", length, 1) - 1, self.chunk_length
        if last < c:
            return last
        return min(last, self._largest()) if last < 2 * c else self._largest()

    def _largest(self) -> int:
        """M, the largest query position."""
        return self.chunk_length + self.local_window - (1 if self.form == "paper" else 0)


@dataclass(frozen=True)
class EffectiveDistance(QueryByKey):
    """Query position × key position: the distance that RoPE is shown. The future is NaN.

    Args:
        remapping: `ReRoPE`, `LeakyReRoPE`, `SelfExtend` or `DualChunk`.
        length: Positions 0 … length - 1 on both axes.
    """

    remapping: Remapping
    length: int
    name = "effective distance"
    unit = "positions"
    signed = False

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols)); NaN where j > i."""
        distance = self.remapping.distance(rows, cols)
        return distance.masked_fill(_difference(rows, cols) < 0, torch.nan)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """True distance, and what the remapping makes of it."""
        distance, symbol = distance_step(row, col), rf"\delta'_{{{row},{col}}}"
        if col > row:
            return distance, masked(symbol)
        return distance, Step(symbol, *self.remapping.written(row, col), value_at(self, row, col))


def remapped_scores(
    q: Tensor,
    k: Tensor,
    remapping: Remapping,
    inv_freq: Tensor,
    q_positions: Tensor,
    k_positions: Tensor,
    layout: Layout = "interleaved",
) -> Tensor:
    """q·k under RoPE with remapped distances, not scaled; the definition, one pair at a time.

    Args:
        q: Queries (..., q_len, head_dim), not rotated.
        k: Keys (..., k_len, head_dim), not rotated.
        remapping: Which distance each pair of positions is seen at.
        inv_freq: θ, (pairs,), radians per position.
        q_positions: Integers (q_len,).
        k_positions: Integers (k_len,).
        layout: Which channels form a pair, "interleaved" or "half".

    Returns:
        (..., q_len, k_len), of q's dtype; meaningless where the key is in the future.
    """
    rotary_dim = rotated_channels(q, len(inv_freq))
    distance = remapping.distance(q_positions, k_positions)
    q_a, q_b = split_pairs(q[..., :rotary_dim], layout)
    k_a, k_b = split_pairs(k[..., :rotary_dim], layout)
    scores = q[..., rotary_dim:] @ k[..., rotary_dim:].mT
    for pair, theta in enumerate(inv_freq.tolist()):
        angle = distance * theta
        cos, sin = angle.cos().to(q), angle.sin().to(q)
        a, b = q_a[..., pair, None], q_b[..., pair, None]
        key_a, key_b = k_a[..., None, :, pair], k_b[..., None, :, pair]
        scores = scores + cos * (a * key_a + b * key_b) + sin * (a * key_b - b * key_a)
    return scores


def remapped_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    remapping: Remapping,
    inv_freq: Tensor,
    *,
    q_positions: Tensor,
    k_positions: Tensor,
    layout: Layout = "interleaved",
) -> Tensor:
    """Causal attention under RoPE with remapped distances: what the merged passes compute.

    Args:
        q: Queries (..., q_len, head_dim), not rotated.
        k: Keys (..., k_len, head_dim), not rotated.
        v: Values (..., k_len, value_dim).
        remapping: Which distance each pair of positions is seen at.
        inv_freq: θ, (pairs,), radians per position.
        q_positions: Integers (q_len,).
        k_positions: Integers (k_len,); every query needs a key at or before its position.
        layout: Which channels form a pair, "interleaved" or "half".

    Returns:
        (..., q_len, value_dim), of q's dtype.
    """
    scores = remapped_scores(q, k, remapping, inv_freq, q_positions, k_positions, layout)
    future = _difference(q_positions, k_positions) < 0
    logits = (scores * q.shape[-1] ** -0.5).masked_fill(future, -torch.inf)
    return torch.softmax(logits, dim=-1) @ v


def _difference(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    return q_positions[:, None] - k_positions[None, :]

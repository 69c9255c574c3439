"""Dual Chunk Attention: positions start anew in every chunk of keys."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int
from posenc.scaling.remap.distances import difference


@dataclass(frozen=True)
class DualChunk:
    """Dual Chunk Attention: positions start anew in every chunk of keys.

    With c the chunk length and M the largest query position: within a chunk the true distance; to
    the chunk before, min(i mod c + c, M) - j mod c; to those farther back, M - j mod c.

    Args:
        chunk_length: c.
        local_window: w, how far the true distance reaches into the chunk before; at most c, as
            a larger one would make distances grow.
        form: "paper" has M = c + w - 1, the last trained position; "code" (ChunkLlama, vLLM) has
            M = c + w, one more.

    Source: An et al. 2024, section 3, arXiv:2402.17463.
    """

    chunk_length: int
    local_window: int
    form: Literal["paper", "code"] = "code"

    def __post_init__(self) -> None:
        check_int("chunk_length", self.chunk_length, 1)
        check_int("local_window", self.local_window, 1, maximum=self.chunk_length)
        check_choice("form", self.form, ("paper", "code"))

    def distance(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return the distance by how many chunks lie between query and key."""
        c = self.chunk_length
        largest = self._largest()
        chunks = difference(q_positions // c, k_positions // c)
        query = (q_positions % c)[:, None]
        key = (k_positions % c)[None, :]
        before = (query + c).clamp(max=largest) - key
        distance = torch.where(chunks == 0, query - key, before)
        return torch.where(chunks > 1, largest - key, distance).to(torch.float64)

    def written(self, query: int, key: int) -> tuple[str, str]:
        """Return the formula and its numbers."""
        c = self.chunk_length
        largest = self._largest()
        chunks = query // c - key // c
        i = query % c
        j = key % c
        if chunks == 0:
            return r"\delta\quad\text{(one chunk)}", f"{query - key}"
        if chunks == 1:
            formula = r"\min(i \bmod c + c,\, M) - j \bmod c"
            return formula, rf"\min({i} + {c},\, {largest}) - {j}"
        return r"M - j \bmod c", f"{largest} - {j}"

    def reach(self, length: int) -> float:
        """Return length - 1 in the first chunk, min(length - 1, M) in the second, then M."""
        last = check_int("length", length, 1) - 1
        c = self.chunk_length
        if last < c:
            return last
        return min(last, self._largest()) if last < 2 * c else self._largest()

    def _largest(self) -> int:
        """M, the largest query position."""
        return self.chunk_length + self.local_window - (1 if self.form == "paper" else 0)

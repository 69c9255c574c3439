"""Interface of the remappings: a distance for each query and key.

A remapping says which distance RoPE should see for a query at i and a key at j. No table of cos
and sin expresses it; released code merges two or three attention passes by distance.
"""

from typing import Protocol

from torch import Tensor


class Remapping(Protocol):
    """Interface of a remapping."""

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


def difference(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    """i - j, integers (q_len, k_len)."""
    return q_positions[:, None] - k_positions[None, :]

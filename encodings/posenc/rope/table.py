"""A table of cosines and sines that many calls share."""

import torch
from torch import Tensor

from posenc.checks import check_int, check_positions
from posenc.rope.formula import rope_cos_sin


class RopeCache:
    """Cosines and sines of positions 0 … length - 1, built once and looked up for any positions.

    Args:
        inv_freq: θ, (pairs,), radians per position.
        length: Positions in the table.
        attention_factor: Factor on cos and sin.
        dtype: Of the table.
    """

    def __init__(
        self,
        inv_freq: Tensor,
        length: int,
        attention_factor: float = 1.0,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        self.length = check_int("length", length, 1)
        positions = torch.arange(length, device=inv_freq.device)
        self.cos, self.sin = rope_cos_sin(positions, inv_freq, attention_factor, dtype)

    def at(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Return cos and sin (..., seq, pairs) of `positions` (seq,) or (batch, seq)."""
        check_positions("positions", positions)
        if (
            positions.numel()
            and not 0 <= int(positions.min()) <= int(positions.max()) < self.length
        ):
            low = int(positions.min())
            high = int(positions.max())
            raise ValueError(
                f"positions must lie between 0 and {self.length - 1}, the end of the table, got "
                f"{low} to {high}."
            )
        index = positions.to(self.cos.device)
        return self.cos[index], self.sin[index]

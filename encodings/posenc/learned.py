"""Learned absolute positions: one trained vector per position, and how a table is made longer."""

import torch
from torch import Tensor, nn
from torch.nn.functional import interpolate

from posenc.base import PositionalEncoding
from posenc.checks import check_int, check_positions

INIT_STD = 0.02
"""Standard deviation with which BERT and GPT-2 start their tables."""


class Learned(PositionalEncoding):
    """A trained vector for each position, added to the token embeddings.

    Args:
        length: Number of positions, at least 1 (BERT 512, GPT-2 1024).
        d_model: Width of the token embeddings.
        offset: Rows in front of position 0 that no position uses: 0 in BERT and GPT-2, 2 in
            RoBERTa and OPT, where they belong to padding.

    Raises:
        ValueError: If an argument is out of range; in `embed`, if a position has no row.

    Source: Devlin et al. 2018, arXiv:1810.04805; Radford et al. 2019 (GPT-2); offset: transformers,
        models/opt/modeling_opt.py, OPTLearnedPositionalEmbedding.
    """

    def __init__(self, length: int, d_model: int, *, offset: int = 0) -> None:
        super().__init__()
        self.length = check_int("length", length, 1)
        self.d_model = check_int("d_model", d_model, 1)
        self.offset = check_int("offset", offset, 0)
        self.table = nn.Parameter(torch.empty(length + offset, d_model))
        nn.init.normal_(self.table, std=INIT_STD)

    def embed(self, x: Tensor, positions: Tensor) -> Tensor:
        """Return x + table[positions + offset], (batch, seq, d_model)."""
        check_embedding(x, positions, self.d_model)
        if positions.numel():
            low, high = int(positions.min()), int(positions.max())
            if low < 0 or high >= self.length:
                raise ValueError(
                    f"positions must lie between 0 and {self.length - 1}, the last row of the "
                    f"learned table, got {low if low < 0 else high}."
                )
        return x + self.table[positions.to(self.table.device) + self.offset].to(x.dtype)


def check_embedding(x: Tensor, positions: Tensor, d_model: int) -> None:
    """Raise a ValueError unless x is (batch, seq, d_model) and has one position per token."""
    check_positions("positions", positions)
    if x.dim() != 3 or x.shape[-1] != d_model or x.shape[-2] != positions.shape[-1]:
        raise ValueError(
            f"x must have shape (batch, {positions.shape[-1]}, {d_model}) for {d_model} columns "
            f"and {positions.shape[-1]} positions, got {tuple(x.shape)}."
        )


def interpolate_table(table: Tensor, new_length: int, *, align_corners: bool = False) -> Tensor:
    """Stretch a table of positions to another length by linear interpolation.

    Row o of the result is read at x = (o + 0.5)·L/L' - 0.5 (half-pixel centres, clamped at the
    first and last row), or at x = o·(L - 1)/(L' - 1) with `align_corners`.

    Args:
        table: Float (length, d_model).
        new_length: L', at least 1.
        align_corners: Keep the first and the last row as they are.

    Returns:
        (new_length, d_model), dtype of the table; interpolated in float64.

    Raises:
        ValueError: If the table is not a matrix or new_length is below 1.

    Source: torch.nn.functional.interpolate, mode "linear".
    """
    check_int("new_length", new_length, 1)
    if table.dim() != 2:
        raise ValueError(f"table must have shape (length, d_model), got {tuple(table.shape)}.")
    columns = table.to(torch.float64).mT[None]  # (1, d_model, length)
    longer = interpolate(columns, size=new_length, mode="linear", align_corners=align_corners)
    return longer[0].mT.to(table.dtype)

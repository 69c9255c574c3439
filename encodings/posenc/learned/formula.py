"""Learned absolute positions: one trained vector per position.

A table that was trained for one length is stretched to another in `longer.py`.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding

from posenc.checks import check_embedding, check_int, check_tensors
from posenc.places import PositionalEncoding

INIT_STD = 0.02
"""Standard deviation with which BERT and GPT-2 start their tables."""


class Learned(PositionalEncoding):
    """A trained vector for each position, added to the token embeddings.

    A position without a row is an error on the CPU; on a GPU torch's own
    assertion fails, because a look at the positions would stop the GPU at every call.

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

    def forward(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return `embed(x, positions)`; positions are 0 … seq - 1 by default."""
        check_tensors(x=x)
        if positions is None:
            positions = torch.arange(x.shape[-2], device=x.device)
        return self.embed(x, positions)

    def embed(self, x: Tensor, positions: Tensor) -> Tensor:
        """Return x + table[positions + offset], (batch, seq, d_model)."""
        positions = check_embedding(x, positions, self.d_model)
        positions = positions.to(self.table.device)
        try:
            rows = embedding(positions, self.table[self.offset :])  # (..., seq, d_model)
        except IndexError:  # looked at only now: a look beforehand would stop a GPU at every call
            wrong = positions[(positions < 0) | (positions >= self.length)][0]
            raise ValueError(
                f"positions must lie between 0 and {self.length - 1}, the last row of the "
                f"learned table, got {wrong}."
            ) from None
        return x + rows.to(x.dtype)

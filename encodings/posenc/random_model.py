"""Seeded random numbers in place of trained ones: embeddings, projections, learned tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from posenc.checks import check_int, check_number
from posenc.places import PositionalEncoding

Encoding = TypeVar("Encoding", bound=PositionalEncoding)

EMBEDDING = 1  # which stream of random numbers, beside the seed
PROJECTION = 2
SMALL = 1 << 14  # numbers of a draw that is kept, so that all kept are at most 64 MB
LARGE = 1 << 19  # numbers that are drawn at a time


@dataclass(frozen=True)
class RandomProjections:
    """Token embeddings and query, key and value projections, all drawn from one seed.

    Nothing is trained and nothing is stored: every number is a function of the seed and of the
    token's id, so that equal tokens have equal embeddings wherever they stand. The numbers come
    from numpy's PCG64 on the CPU and are the same on every machine and device.

    With unit-variance embeddings and projections of variance 1 / d_model, entries of q, k and v
    have variance 1 and so have the scaled scores of different tokens.

    Args:
        seed: 0 to 2³² - 1.
        d_model: Width of the embeddings, at least 1.
        num_heads: Heads, at least 1.
        head_dim: Width of a head, at least 1.

    Raises:
        ValueError: If an argument is out of range.
    """

    seed: int
    d_model: int
    num_heads: int
    head_dim: int

    def __post_init__(self) -> None:
        """Check the arguments."""
        check_int("seed", self.seed, 0, maximum=2**32 - 1)
        check_int("d_model", self.d_model, 1)
        check_int("num_heads", self.num_heads, 1)
        check_int("head_dim", self.head_dim, 1)

    def embed(self, ids: Sequence[int]) -> Tensor:
        """Embeddings of tokens.

        Args:
            ids: Token ids, integers from 0 to 2⁶³ - 1, at least one.

        Returns:
            Float32 (1, seq, d_model) on the CPU, standard normal, equal for equal ids.

        Raises:
            ValueError: If there is no id or one is out of range.
        """
        if len(ids) == 0:
            raise ValueError("ids must hold at least one token, got none.")
        rows = {
            token: self._normal((EMBEDDING, check_int("ids", token, 0, maximum=2**63 - 1)), 1)
            for token in dict.fromkeys(ids)
        }
        return torch.cat([rows[token] for token in ids])[None]

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values of embeddings: x times one random matrix for each.

        Args:
            x: Float (batch, seq, d_model).

        Returns:
            q, k and v, each (batch, num_heads, seq, head_dim), of x's dtype and device.

        Raises:
            ValueError: If x has another shape.
        """
        if x.dim() != 3 or x.shape[-1] != self.d_model:
            raise ValueError(
                f"x must have shape (batch, seq, {self.d_model}), got {tuple(x.shape)}."
            )
        width = self.num_heads * self.head_dim
        # A row for each channel of q, then of k, then of v; * d_model^-0.5 keeps the variance of x.
        parts = [
            x @ (some * self.d_model**-0.5).to(x).T
            for some in self._parts((PROJECTION,), 3 * width)
        ]
        # (batch, seq, 3 * heads * head_dim) -> (3, batch, heads, seq, head_dim)
        split = torch.cat(parts, dim=-1).unflatten(-1, (3, self.num_heads, self.head_dim))
        q, k, v = split.permute(2, 0, 3, 1, 4)
        return q, k, v

    def _parts(self, stream: tuple[int, ...], rows: int) -> Iterator[Tensor]:
        """The rows of `_normal`, some at a time: all those of a wide model take 100 MB."""
        if rows * self.d_model <= SMALL:
            yield self._normal(stream, rows)
            return
        draw = np.random.default_rng((self.seed, *stream))
        most = max(1, LARGE // self.d_model)
        for first in range(0, rows, most):
            some = draw.standard_normal((min(most, rows - first), self.d_model))
            yield torch.from_numpy(some).float()

    def _normal(self, stream: tuple[int, ...], rows: int) -> Tensor:
        """Standard normal float32 (rows, d_model), a function of the seed and the stream alone."""
        draw = _drawn if rows * self.d_model <= SMALL else _drawn.__wrapped__
        return draw((self.seed, *stream), rows, self.d_model)


@lru_cache(maxsize=1024)
def _drawn(seed: tuple[int, ...], rows: int, columns: int) -> Tensor:
    """Standard normal float32 (rows, columns); not to be written to."""
    drawn = np.random.default_rng(seed).standard_normal((rows, columns))
    return torch.from_numpy(drawn).float()


def randomise(encoding: Encoding, seed: int, std: float = 1.0) -> Encoding:
    """Fill what an encoding learns with seeded random numbers, in place: a demonstration's start.

    Published starts are zero (CoPE, which then adds nothing) or drawn anew each time. Tables and
    matrices become normal; vectors (decay rates, slopes, the biases of a network) uniform in
    (0, 1); single numbers keep their start.

    Args:
        encoding: Any encoding.
        seed: 0 to 2³² - 1. Numbers come from numpy's PCG64, the same on every machine.
        std: Standard deviation of the normal numbers, at least 0.

    Returns:
        The encoding.

    Raises:
        ValueError: If seed or std is out of range.
    """
    generator = np.random.default_rng(check_int("seed", seed, 0, maximum=2**32 - 1))
    check_number("std", std, 0)
    with torch.no_grad():
        for parameter in encoding.parameters():
            shape = tuple(parameter.shape)
            if parameter.dim() >= 2:
                parameter.copy_(torch.from_numpy(generator.standard_normal(shape) * std))
            elif parameter.dim() == 1:
                parameter.copy_(torch.from_numpy(generator.uniform(size=shape)))
    return encoding

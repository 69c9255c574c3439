"""Attention of long texts: any stage of any pair, computed a few query rows at a time.

Nothing of size length × length is ever held, so that the picture of 4096 tokens costs the memory
of a strip of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from posenc.attention.formula import attend, attention_weights, capped
from posenc.attention.masks import causal_pairs
from posenc.attention.measures import attention_surplus
from posenc.attention.trace import Trace
from posenc.places import PositionalEncoding, scale_of
from posenc.transformer_xl.formula import TransformerXL

COPIES = 20
"""Matrices of one head alive at once in a trace: measured 9 (NoPE) to 18.3 (CoPE)."""
STRIP_BYTES = 128 * 2**20
ROUNDINGS = 16
"""So many roundings of the largest score of a row are no part of position."""
BEFORE_MASK = ("content", "dot", "scaled")

Pairs = Callable[[Tensor, Tensor], Tensor]
"""From indices of queries (q_len,) and keys (k_len,) to bool (q_len, k_len), see `masks`."""


@dataclass(frozen=True)
class AttentionRows:
    """One attention of one text, with every stage of any rows on demand.

    Args:
        q: Queries before place 2, (1, heads, length, head_dim).
        k: Keys before place 2, the same shape.
        v: Values, (1, heads, length, value_dim).
        encoding: Where position enters.
        pairs: Which queries may attend to which keys; None is all.
        positions: Integers (length,); default 0 … length - 1.
        content: Queries and keys without any position, where positions were added to the
            embeddings; default q and k.
        scale: Factor on q·k, see `attend`.
        softcap: Bound of the scaled scores, see `attend`.
    """

    q: Tensor
    k: Tensor
    v: Tensor
    encoding: PositionalEncoding
    pairs: Pairs | None = None
    positions: Tensor | None = None
    content: tuple[Tensor, Tensor] | None = None
    scale: float | None = None
    softcap: float | None = None

    @property
    def length(self) -> int:
        """Tokens."""
        return self.q.shape[-2]

    @property
    def heads(self) -> int:
        """Heads."""
        return self.q.shape[1]

    @property
    def strip(self) -> int:
        """Rows that are computed at once."""
        return max(1, min(self.length, STRIP_BYTES // self._row_bytes))

    @property
    def strip_bytes(self) -> int:
        """Bytes that the stages of a strip need at the peak, about."""
        return self.strip * self._row_bytes

    @property
    def _row_bytes(self) -> int:
        return COPIES * self.heads * self.length * self.q.element_size()

    def strips(self) -> Iterator[Tensor]:
        """All rows, a strip at a time: indices (rows,)."""
        yield from torch.arange(self.length, device=self.q.device).split(self.strip)

    def places(self) -> tuple[Tensor, Tensor]:
        """Indices and positions of the keys, (length,) each."""
        keys = torch.arange(self.length, device=self.q.device)
        return keys, keys if self.positions is None else self.positions.to(keys.device)

    def trace(self, rows: Tensor) -> Trace:
        """Every stage of some rows; `content` is without any position.

        Args:
            rows: Indices of queries, (rows,).

        Returns:
            The trace of these queries over all keys.
        """
        keys, positions = self.places()
        rows = rows.to(keys.device)
        whole = len(rows) == self.length and torch.equal(rows, keys)
        with torch.no_grad():
            return attend(
                self.q if whole else self.q[..., rows, :],
                self.k,
                self.v,
                self.encoding,
                mask=None if self.pairs is None else self.pairs(rows, keys),
                q_positions=positions if whole else positions[rows],
                k_positions=positions,
                scale=self.scale,
                softcap=self.softcap,
                trace=True,
            )

    @property
    def rotates(self) -> bool:
        """Whether position enters by rotating queries and keys; Transformer-XL adds to queries."""
        kind = type(self.encoding)
        return kind.rotate is not PositionalEncoding.rotate and kind is not TransformerXL

    @cached_property
    def rotated(self) -> tuple[Tensor, Tensor]:
        """Queries and keys after place 2, the shapes of q and k."""
        _, positions = self.places()
        with torch.no_grad():
            return self.encoding.rotate(self.q, self.k, positions, positions)

    def weights(self, rows: Tensor, head: int | None = None) -> Tensor:
        """The attention of some rows, without the other stages.

        Args:
            rows: Indices of queries, (rows,).
            head: From 0; all without.

        Returns:
            (heads, rows, length); one head is (1, rows, length).
        """
        keys, positions = self.places()
        rows = rows.to(keys.device)
        q, k = self.rotated
        every = slice(None)
        one = slice(None) if head is None else slice(head, head + 1)
        no_bias = type(self.encoding).bias is PositionalEncoding.bias
        early, late = (one, every) if no_bias else (every, one)  # a bias is made for all heads
        with torch.no_grad():
            return attention_weights(
                q[:, early, rows],
                k[:, early],
                self.encoding,
                None if self.pairs is None else self.pairs(rows, keys),
                positions[rows],
                positions,
                scale_of(self.encoding, q.shape[-1], self.scale),
                self.softcap,
            )[0][late]

    def output(self) -> Tensor:
        """The attention's output, (1, heads, length, value_dim).

        The causal mask needs nothing of size length × length in torch's fused kernel; any other
        attention is computed a strip at a time.
        """
        keys, positions = self.places()
        q, k = self.rotated
        causal = self.pairs is causal_pairs and not self.encoding.reads_scores and not self.softcap
        with torch.no_grad():
            strips = [
                attend(
                    q[..., rows, :],
                    k,
                    self.v,
                    self.encoding,
                    mask="causal" if causal else self.pairs and self.pairs(rows, keys),
                    q_positions=positions[rows],
                    k_positions=positions,
                    scale=self.scale,
                    softcap=self.softcap,
                    rotated=True,
                )
                for rows in ([keys] if causal else self.strips())
            ]
        return torch.cat(strips, dim=-2)

    def stage(self, name: str, rows: Tensor) -> Tensor:
        """One stage of some rows in every head; NaN where the mask forbids attention.

        Args:
            name: A stage of `Trace`, or "position" (scaled + bias - content, zero where the two
                differ by no more than rounding), or "surplus".
            rows: Indices of queries, (rows,).

        Returns:
            (heads, rows, length).
        """
        return self.stage_of(self.trace(rows), name, rows)

    def stage_of(self, trace: Trace, name: str, rows: Tensor) -> Tensor:
        """`stage` from a trace of these rows that is there already."""
        if name == "content":
            return self.without_position(trace, rows)
        if name == "position":
            content = self.without_position(trace, rows)
            values = _beyond_rounding(trace.scaled[0] + trace.bias[0] - content, content)
        elif name == "surplus":
            values = attention_surplus(trace.logits[0])
        else:
            values = getattr(trace, name)[0]
        if name in BEFORE_MASK:
            return values
        return values.masked_fill(trace.masked[0] == -torch.inf, torch.nan)

    def without_position(self, trace: Trace, rows: Tensor) -> Tensor:
        """q·k · scale of these rows without any position, (heads, rows, length)."""
        if self.content is None:
            return trace.content[0]
        q, k = self.content
        return capped((q[0][:, rows.to(q.device)] @ k[0].mT) * trace.scale, trace.softcap)


def _beyond_rounding(difference: Tensor, content: Tensor) -> Tensor:
    """Differences to scores (heads, rows, keys), zero where they are no more than rounding."""
    largest = content.abs().amax(-1, keepdim=True)
    noise = ROUNDINGS * torch.finfo(difference.dtype).eps * largest
    return difference.masked_fill(difference.abs() <= noise, 0.0)


def add_blocks(
    sums: Tensor, counts: Tensor, values: Tensor, rows: Tensor, row_edges: Tensor, col_edges: Tensor
) -> None:
    """Add a strip of rows to the sums and counts of the blocks it lies in; NaN is left out.

    Args:
        sums: float64 (..., row blocks, col blocks), changed.
        counts: The same shape, changed.
        values: (..., len(rows), length).
        rows: Indices of the strip's rows, (len(rows),).
        row_edges: (row blocks + 1,).
        col_edges: (col blocks + 1,).
    """
    allowed = ~values.isnan()
    edges = col_edges.to(values.device)
    block = (torch.searchsorted(row_edges, rows.to(row_edges.device), right=True) - 1).to("cpu")
    for total, part in ((sums, values.nan_to_num(nan=0.0)), (counts, allowed)):
        running = torch.nn.functional.pad(part.to(torch.float64).cumsum(-1), (1, 0))
        by_column = running[..., edges[1:]] - running[..., edges[:-1]]
        total.index_add_(-2, block, by_column.cpu())

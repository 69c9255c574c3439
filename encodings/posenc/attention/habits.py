"""The habits of a head on a text: which of a few simple ones its attention has.

Each habit is a share of the attention, mean over queries: what goes to the token before, to the
first token, to the query itself, to earlier copies of the query's token, to what came after those
copies; and how evenly the attention is spread.
"""

from dataclasses import dataclass, field

import torch
from torch import Tensor

from posenc.attention.measures import attention_entropy
from posenc.words import say

HABITS = {
    "previous": say("the token before"),
    "first": say("the first token"),
    "itself": say("itself"),
    "copy": say("an earlier copy of the token"),
    "after_copy": say("what followed an earlier copy"),
    "even": say("all tokens evenly"),
}
"""Descriptions of the habits by id: the tokens that attention goes to."""
MIXED = "mixed"
FROM = 2
"""First query that counts: before it the first token is the query or the token before."""
CLEAR = 0.4
"""Share from which on a habit is said to be what the head does,"""
CLEARLY_EVEN = 0.85
"""and evenness from which on it is said to be even: entropy over that of an even spread."""


@dataclass(frozen=True)
class Queries:
    """Some queries of a text, and which keys are copies of them: the same for every layer.

    Attributes:
        rows: Indices of the queries that count, (rows,).
        counted: Which of the given queries they are, bool.
        copies: True where an earlier key is the same token, bool (rows, length).
        behind: True where a key follows such a copy, bool (rows, length).
    """

    rows: Tensor
    counted: Tensor
    copies: Tensor
    behind: Tensor

    @classmethod
    def of(cls, ids: Tensor, rows: Tensor) -> "Queries":
        """The queries in these rows of a text.

        Args:
            ids: Of the tokens, integers (length,).
            rows: Indices of the queries, (rows,).
        """
        counted = rows >= FROM
        rows = rows[counted]
        before = torch.arange(len(ids), device=rows.device) < rows[:, None]
        copies = (ids[rows][:, None] == ids) & before
        behind = copies.roll(1, -1) & before
        behind[:, 0] = False
        return cls(rows, counted, copies, behind)


@dataclass
class Habits:
    """Adds up the habits of all heads of a layer, some rows at a time."""

    sums: dict[str, Tensor] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, weights: Tensor, queries: Queries) -> None:
        """Count the attention of some queries, (heads, rows, length)."""
        rows = queries.rows
        weights = weights[:, queries.counted]
        copies = queries.copies
        behind = queries.behind
        seen = (weights > 0).sum(-1).clamp(min=2)
        each = torch.arange(len(rows), device=rows.device)
        found = {
            "previous": weights[:, each, rows - 1],
            "first": weights[..., 0],
            "itself": weights[:, each, rows],
            "copy": (weights * copies).sum(-1)[:, copies.any(-1)],
            "after_copy": (weights * behind).sum(-1)[:, behind.any(-1)],
            "even": attention_entropy(weights) / seen.log(),
        }
        for name, shares in found.items():
            self.sums[name] = self.sums.get(name, 0) + shares.sum(-1).double().cpu()
            self.counts[name] = self.counts.get(name, 0) + shares.shape[-1]

    def shares(self) -> Tensor:
        """The mean share of each habit in the order of `HABITS`, float64 (habits, heads).

        NaN where no query could have the habit.
        """
        return torch.stack([self.sums[name] / self.counts[name] for name in HABITS])


def habit_of(shares: Tensor) -> str:
    """Id of a head's clearest habit, or `MIXED`.

    Args:
        shares: Of the habits in the order of `HABITS`, (habits,).
    """
    *to_some, even = shares.nan_to_num(nan=0.0).tolist()
    largest = max(to_some)
    if largest >= CLEAR:
        return list(HABITS)[to_some.index(largest)]
    return "even" if even >= CLEARLY_EVEN else MIXED

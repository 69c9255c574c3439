"""The whole model at a glance: every head of every layer as a small picture, and what it does."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from models.change import Change
from models.forward import Seen, forward
from models.opened import Model
from posenc.attention.habits import Habits, Queries
from posenc.attention.rows import AttentionRows, add_blocks

CELLS = 24
"""Most blocks of a small picture each way."""
MOST_SIDE = 500
"""Cells of all small pictures beside one another, each way, with a cell between them."""
MOST_QUERIES = 128
"""Queries that are looked at; of longer texts that many, evenly spread."""


@dataclass(frozen=True, eq=False)
class Glance:
    """A text that was read, with all heads at a glance.

    Attributes:
        seen: What the model made of the text.
        views: Block means of every head's attention, float32 (layers, heads, cells, cells); NaN
            where the mask forbids attention.
        shares: Of the habits in the order of `HABITS`, float64 (layers, heads, habits).
        queries: How many queries were looked at.
    """

    seen: Seen
    views: Tensor
    shares: Tensor
    queries: int


def glance(
    model: Model,
    ids: list[int],
    change: Change | None = None,
    progress: Callable[[float], None] = lambda part: None,
) -> Glance:
    """Read a text once, looking at every head as the pass comes by.

    Args:
        model: The model.
        ids: The text, at least one token.
        change: What is changed about positions; nothing when None.
        progress: Gets the part that is done. It may raise, which ends the pass.

    Raises:
        ValueError: If the text is empty, or the model cannot be read so.
    """
    length = len(ids)
    layers = len(model.layers)
    cells = min(CELLS, length, max(2, MOST_SIDE // max(layers, model.heads) - 1))
    step = -(-length // cells)
    edges = torch.cat((torch.arange(0, length, step), torch.tensor([length])))
    rows = torch.linspace(0, length - 1, min(length, MOST_QUERIES)).round().long()
    device = model.device
    tokens = torch.tensor(ids, device=device)
    keys = torch.arange(length, device=device)
    parts: list[tuple[Tensor, Queries]] = []
    views: list[Tensor] = []
    shares: list[Tensor] = []

    def watch(layer: int, attention: AttentionRows) -> None:
        if not parts:  # strips are alike in every layer
            strips = rows.to(device).split(attention.strip)
            parts.extend((part, Queries.of(tokens, part)) for part in strips)
        sums = torch.zeros(attention.heads, len(edges) - 1, len(edges) - 1, dtype=torch.float64)
        counts = torch.zeros_like(sums)
        habits = Habits()
        for part, queries in parts:
            weights = attention.weights(part)
            habits.add(weights, queries)
            if attention.pairs is not None:
                weights = weights.masked_fill(~attention.pairs(part, keys), torch.nan)
            add_blocks(sums, counts, weights, part, edges, edges)
            progress((layer + float(part[-1] + 1) / length) / layers)
        views.append((sums / counts).float())
        shares.append(habits.shares().mT if length > 2 else torch.zeros(attention.heads, 6))

    seen = forward(model, ids, change, watch=watch)
    return Glance(seen, torch.stack(views), torch.stack(shares), len(rows))

"""All heads of one attention at a glance, in one pass over its rows."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.attention.measures import attended_distance, attention_entropy
from posenc.attention.rows import AttentionRows, add_blocks


@dataclass(frozen=True)
class Survey:
    """All heads of one attention at a glance."""

    views: Tensor
    """float64 (heads, row blocks, col blocks): block means of one stage."""
    edges: Tensor
    """Block borders of both axes."""
    entropy: Tensor
    """(heads, length): entropy of every query's attention, nats."""
    distance: Tensor
    """(heads, length): mean distance that it reaches, tokens."""


def survey(
    attention: AttentionRows,
    stage: str,
    cells: int = 64,
    progress: Callable[[float], None] = lambda part: None,
) -> Survey:
    """Go once over all rows of an attention.

    Args:
        attention: The attention.
        stage: What the views show, see `AttentionRows.stage`.
        cells: Most blocks each way.
        progress: Told the part that is done, after every strip.
    """
    length = attention.length
    heads = attention.heads
    step = -(-length // cells)
    edges = torch.cat((torch.arange(0, length, step), torch.tensor([length])))
    sums = torch.zeros(heads, len(edges) - 1, len(edges) - 1, dtype=torch.float64)
    counts = torch.zeros_like(sums)
    entropy = []
    distance = []
    index = torch.arange(length, device=attention.q.device)
    for rows in attention.strips():
        trace = attention.trace(rows)
        add_blocks(sums, counts, attention.stage_of(trace, stage, rows), rows, edges, edges)
        entropy.append(attention_entropy(trace.weights[0]).cpu())
        distance.append(attended_distance(trace.weights, rows, index)[0].cpu())
        progress((int(rows[-1]) + 1) / length)
    return Survey(sums / counts, edges, torch.cat(entropy, -1), torch.cat(distance, -1))

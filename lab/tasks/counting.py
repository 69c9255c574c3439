"""Counting since the last reset: what CoPE was made for.

Tokens are `reset`, `count` and others. At every token the answer is how many `count` tokens have
come since the last reset, at most `CAP`.
"""

import torch
from torch import Tensor

from lab.tasks.batch import Batch, generator

RESET, COUNT = 0, 1
OTHERS = 4
VOCAB = 2 + OTHERS
CAP = 10
ANSWERS = CAP + 1
# Chances of `reset` and of `count`: as trained, with more tokens between, with rare resets.
MIXES = {"as trained": (0.1, 0.5), "diluted": (0.05, 0.15), "rare reset": (0.02, 0.1)}


def counts(tokens: Tensor) -> Tensor:
    """Counts since the last reset, capped; integers (batch, seq) to the same shape."""
    total = (tokens == COUNT).long().cumsum(-1)
    at_reset = torch.where(tokens == RESET, total, 0).cummax(-1).values
    return (total - at_reset).clamp(max=CAP)


def batch(seed: int, update: int, length: int, rows: int, mix: str = "as trained") -> Batch:
    """Random sequences; every token counts."""
    random = generator(seed, update)
    reset, count = MIXES[mix]
    drawn = torch.rand(rows, length, generator=random)
    tokens = 2 + torch.randint(OTHERS, (rows, length), generator=random)
    tokens = torch.where(drawn < reset + count, COUNT, tokens)
    tokens = torch.where(drawn < reset, RESET, tokens)
    return Batch(
        inputs=tokens,
        targets=counts(tokens),
        weights=torch.ones(rows, length),
        positions=torch.arange(length),
    )

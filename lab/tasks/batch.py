"""The batch that one update of the weights reads."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Batch:
    """Tokens with what should follow each, and how much each counts."""

    inputs: Tensor
    """Integers (batch, seq)."""
    targets: Tensor
    """Integers (batch, seq): the answer at every token."""
    weights: Tensor
    """Float (batch, seq): 1 where the answer counts, 0 where it cannot be known."""
    positions: Tensor
    """Integers (seq,), or (batch, seq) where sequences start at different places."""


def generator(*numbers: int) -> torch.Generator:
    """A stream of random numbers of its own for these numbers (seed, update, …).

    Every update draws from its own stream, so that a resumed run sees the same data.
    """
    state = 0
    for number in numbers:
        # One round of splitmix64 for each number, so that near seeds give far streams.
        state = (state + number + 0x9E3779B97F4A7C15) % 2**64
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) % 2**64
        state ^= state >> 31
    return torch.Generator().manual_seed(state)

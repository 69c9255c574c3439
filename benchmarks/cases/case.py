"""One row of the benchmark: a task at one size."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

Function = Callable[[], object]
MOST_NUMBERS = 2**24
"""Numbers in one tensor of queries or one bias: 64 MiB in float32."""
HEADS = 8


@dataclass
class Case:
    """One row: a task at one size."""

    task: str
    setting: str
    ours: Function
    peers: dict[str, Function | None]
    """By name; None where the peer is not installed."""
    moved: int
    """Bytes that must be read and written, whoever computes."""


@dataclass(frozen=True)
class Size:
    head_dim: int
    length: int
    dtype: torch.dtype
    device: torch.device

    def __str__(self) -> str:
        return f"head_dim {self.head_dim}, length {self.length:,}, {str(self.dtype)[6:]}"


def when(module: object, function: Function) -> Function | None:
    """The function, if its library is here."""
    return function if module is not None else None


def heads_of(size: Size) -> int:
    """As many heads as the largest tensor allows, at most HEADS."""
    return max(1, min(HEADS, MOST_NUMBERS // (size.length * size.head_dim)))

"""Every task at every size that fits."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import torch

from benchmarks.cases.biases import (
    alibi_prefill,
    alibi_row,
    alibi_square,
    cope,
    shaw,
    t5,
    t5_prefill,
)
from benchmarks.cases.caches import decoding
from benchmarks.cases.case import MOST_NUMBERS, Case, Size
from benchmarks.cases.rotations import (
    apply_half,
    apply_interleaved,
    rope_from_positions,
    rope_table,
)
from benchmarks.cases.tables import sinusoidal

LONG = (rope_table, apply_half, apply_interleaved, rope_from_positions, alibi_row, decoding)
ROTATIONS = (apply_half, apply_interleaved, rope_from_positions)
SQUARE = (alibi_square, t5, shaw, cope)
PREFILLS = (alibi_prefill, t5_prefill)
PROMPT = 1024
"""Tokens of a prompt that is attended, if so long a text is measured."""
MOST_PAIRS = 2048
"""Length of the tasks whose result grows with its square."""


@dataclass(frozen=True)
class Extent:
    lengths: tuple[int, ...]
    dtypes: tuple[torch.dtype, ...] = (torch.float32, torch.bfloat16)
    head_dims: tuple[int, ...] = (64, 128)
    threads: tuple[int, ...] = (1, 2)
    """On the CPU."""
    seconds: float = 0.02
    """About how long each turn of a function takes."""
    pictures: tuple[str, ...] | None = None
    """Quantities that are drawn; all when None."""


def cases(extent: Extent, device: torch.device) -> Iterator[Callable[[], Case]]:
    """Every task at every size that fits, as what makes the case."""
    for dtype in extent.dtypes:
        for head_dim in extent.head_dims:
            for length in extent.lengths:
                size = Size(head_dim, length, dtype, device)
                makers = LONG + (SQUARE if length <= MOST_PAIRS else ())
                yield from (partial(make, size) for make in makers)
            token = Size(head_dim, 1, dtype, device)  # one new token of a cache
            yield from (partial(make, token) for make in ROTATIONS)
            prompt = Size(head_dim, min(PROMPT, max(extent.lengths)), dtype, device)
            yield from (partial(make, prompt) for make in PREFILLS)
    for length in extent.lengths:
        if device.type == "cpu" and length * 512 <= 2 * MOST_NUMBERS:
            size = Size(64, length, torch.float32, device)
            yield partial(sinusoidal, size)

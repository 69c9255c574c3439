"""Every task at every size that fits."""

from collections.abc import Iterator

import torch

from benchmarks.cases.biases import alibi_row, alibi_square, cope, shaw, t5
from benchmarks.cases.case import MOST_NUMBERS, Case, Size
from benchmarks.cases.rotations import (
    apply_half,
    apply_interleaved,
    rope_from_positions,
    rope_table,
)
from benchmarks.cases.tables import sinusoidal

LONG = (rope_table, apply_half, apply_interleaved, rope_from_positions, alibi_row)
SQUARE = (alibi_square, t5, shaw, cope)
MOST_PAIRS = 2048
"""Length of the tasks whose result grows with its square."""


def cases(device: torch.device, lengths: tuple[int, ...]) -> Iterator[Case]:
    """Every task at every size that fits."""
    for dtype in (torch.float32, torch.bfloat16):
        for head_dim in (64, 128):
            for length in lengths:
                size = Size(head_dim, length, dtype, device)
                yield from (make(size) for make in LONG)
                if length <= MOST_PAIRS:
                    yield from (make(size) for make in SQUARE)
    for length in lengths:
        if device.type == "cpu" and length * 512 <= 2 * MOST_NUMBERS:
            yield sinusoidal(Size(64, length, torch.float32, device))

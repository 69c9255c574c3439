"""The edge of each base: how far back a like word scores more than a random one.

A minute of sums, so `python -m course.chapters.learned_or_none.edge` keeps them in `edge.json`.
"""

import json
from pathlib import Path

from posenc import rope_inv_freq
from posenc.rope.reach import likeness_reach

EDGE = Path(__file__).with_name("edge.json")
CHANNELS = 128
LOWEST, HIGHEST = 3, 8  # log10 of the bases
EACH = 40  # bases from one power of ten to the next


def bases() -> list[float]:
    """Bases of the edge, evenly apart on a logarithmic scale, of three digits as they are told."""
    return [float(f"{10 ** (LOWEST + i / EACH):.3g}") for i in range(EACH * (HIGHEST - LOWEST) + 1)]


def edge(base: float) -> int | None:
    """The first distance at which the sum of cosines is below zero, within 2^20."""
    return likeness_reach(rope_inv_freq(CHANNELS, base)[0])


if __name__ == "__main__":
    EDGE.write_text(json.dumps([edge(base) for base in bases()]) + "\n", "utf-8")

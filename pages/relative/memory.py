"""The memory that relative positions take, counted from shapes."""

from dataclasses import dataclass
from typing import ClassVar

import torch

from pages.relative import settings
from pages.relative.counted import relative_bytes, relative_bytes_steps
from plots.lines import Series
from posenc.words import say
from ui import screen
from ui.screen.budget import readable_bytes
from ui.words import _, translate

LABELS = {
    "scores": say("scores"),
    "ids": say("ids"),
    "gathered": say("Shaw, gathered"),
    "by_id": say("Shaw, by id"),
    "skew": say("skew"),
    "t5_bias": say("T5 bias"),
    "t5_table": say("T5 table"),
}
"""Names of what is counted, by the ids of `relative_bytes`."""
LENGTH = 4096
"""Whose bytes are read out."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("num_heads", "max_distance")

    num_heads: int = settings.num_heads(8)
    head_dim: int = settings.head_dim()
    max_distance: int = settings.max_distance()
    num_buckets: int = settings.num_buckets()


def picture(s: Settings) -> screen.Picture:
    """Bytes against length."""
    lengths = 2 ** torch.arange(4, 21)
    sizes = (s.num_heads, s.head_dim, s.max_distance, s.num_buckets)
    counts = relative_bytes(lengths, *sizes)
    methods = list(counts)
    memory = screen.LinesFigure(
        key="memory",
        alt=_("Bytes against length on logarithmic axes"),
        x=lengths,
        series=[Series(translate(LABELS[method]), y) for method, y in counts.items()],
        title=_("Memory of one layer, counted from shapes"),
        x_title=_("length L (tokens)"),
        y_title=_("bytes"),
        log_x=True,
        log_y=True,
        steps=lambda curve, length: relative_bytes_steps(methods[curve], length, *sizes),
        x_name=_("length"),
        point=(0, LENGTH),
        table=say("bytes"),
        unit=_("bytes"),
        settings=screen.only(s, "num_heads", "head_dim", "max_distance", "num_buckets"),
        height=360,
        caption=_(
            "In float32. In a long text the skewed products and T5's bias are about as large as "
            "the scores, and their curves lie on that of the scores."
        ),
    )
    at = lengths.tolist().index(LENGTH)
    return screen.Picture(
        figures=[memory],
        readouts={
            _("{method}, L = 4096", method=LABELS[method]): readable_bytes(
                float(counts[method][at])
            )
            for method in ("scores", "gathered", "by_id", "t5_table")
        },
    )

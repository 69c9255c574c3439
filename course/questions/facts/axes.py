"""Facts about positions of several axes: pictures, video, and texts with pictures in them."""

from collections.abc import Callable, Mapping
from functools import cache

import torch
from torch import Tensor

from course.questions.draw.bars import Bar, bars
from course.questions.draw.cells import Cell, Row, cells
from course.questions.draw.heatmap import Map, heatmaps
from course.questions.facts.draws import DRAWS, bound, drawn, median, spread
from course.questions.facts.models import documented_factor, fields
from posenc.attention.formula import attend
from posenc.places import PositionalEncoding
from posenc.rope.axes import apply_angles, axial_angles, mrope_positions
from posenc.rope.formula import apply_rope, rope_inv_freq

Labels = Mapping[str, str]

HEAD = 64
"""Channels of a head."""
SIDE = 9
"""Patches along each side of a small picture."""
MERGED = 32
"""Places along each side of a picture in a text."""


class QueryOnly(PositionalEncoding):
    """A rotation of the queries alone, or of both."""

    def __init__(self, both: bool) -> None:
        super().__init__()
        self.both = both

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Turn the queries, and the keys where both are turned."""
        inv_freq = rope_inv_freq(HEAD)[0]
        turned = apply_rope(k, k_positions, inv_freq) if self.both else k
        return apply_rope(q, q_positions, inv_freq), turned


@cache
def reordered(both: bool) -> Tensor:
    """Largest change of an output when the other sequence is put in another order, (draws,)."""
    q = drawn(DRAWS, 1, 6, HEAD)
    k, v = drawn(2, DRAWS, 1, 10, HEAD, seed=1)
    order = drawn(DRAWS, 1, 10, seed=2).argsort(-1)[..., None]
    encoding = QueryOnly(both)
    queries, keys = torch.arange(6), torch.arange(10)
    here = attend(q, k, v, encoding, q_positions=queries, k_positions=keys)
    k, v = (x.take_along_dim(order, -2) for x in (k, v))
    there = attend(q, k, v, encoding, q_positions=queries, k_positions=keys)
    return (here - there).abs().amax((1, 2, 3))


def cross_attention(labels: Labels) -> str:
    """Change of the output when the keys' order changes."""
    both, query = (median(reordered(way)) for way in (True, False))
    return bars(
        [
            Bar(labels["both"], both, f"{both:.2f}"),
            Bar(labels["query"], query, f"{query:.2f}", "k"),
        ],
        labels["alt"],
    )


@cache
def patch_scores() -> Tensor:
    """Scores of the middle patch with every patch, all of equal content, over their size."""
    ones = torch.ones(SIDE * SIDE, HEAD, dtype=torch.float64)
    turned = apply_angles(ones, axial_angles(SIDE, SIDE, HEAD, base=100.0))
    middle = SIDE * SIDE // 2
    return ((turned @ turned[middle]) / HEAD).reshape(SIDE, SIDE)


@cache
def patches_moved() -> float:
    """Largest change of a score when two patches move three rows down and five columns right."""
    rows = axial_angles(16, 16, HEAD).reshape(16, 16, -1)
    q, k = drawn(2, DRAWS, 1, HEAD)
    scores = []
    for row, column in ((0, 0), (3, 5)):
        query = apply_angles(q, rows[row + 4, column + 2][None])
        key = apply_angles(k, rows[row + 1, column + 7][None])
        scores.append((query * key).sum(-1))
    return bound(scores[0] - scores[1])


def rope_for_pictures(labels: Labels) -> str:
    """A patch among its neighbours."""
    return heatmaps([Map("", patch_scores().tolist())], labels["alt"], largest=1.0)


def advance() -> int:
    """Positions by which a text goes on after a square picture."""
    positions = mrope_positions([1, (1, MERGED, MERGED), 1])
    return int(positions[0, -1]) - int(positions[0, 0]) - 1


def image_tokens(labels: Labels) -> str:
    """Three words, a picture of two by three places, and two more words."""
    positions = mrope_positions([3, (1, 2, 3), 2])
    kinds = ["q"] * 3 + ["k"] * 6 + ["q"] * 2
    rows = []
    for name, axis in zip(("time", "height", "width"), positions.tolist(), strict=True):
        told = [Cell(str(at), kind) for at, kind in zip(axis, kinds, strict=True)]
        rows.append(Row(labels[name], told))
    return cells(rows, labels["alt"], widest=32)


def share_of_positions(pictures: int) -> float:
    """Positions over tokens of a text of 1,000 words with so many pictures in it."""
    segments: list[int | tuple[int, int, int]] = []
    for _ in range(pictures):
        segments += [1000 // pictures, (1, MERGED, MERGED)]
    positions = mrope_positions(segments)
    return (int(positions.max()) + 1) / positions.shape[1]


def vl_factor(labels: Labels) -> str:
    """Tokens and positions of a text with pictures."""
    rows = []
    for pictures in (1, 4):
        segments: list[int | tuple[int, int, int]] = []
        for _ in range(pictures):
            segments += [1000 // pictures, (1, MERGED, MERGED)]
        positions = mrope_positions(segments)
        tokens, last = positions.shape[1], int(positions.max()) + 1
        rows.append(Bar(labels[f"tokens_{pictures}"], tokens, f"{tokens:,}", "soft"))
        rows.append(Bar(labels[f"positions_{pictures}"], last, f"{last:,}"))
    return bars(rows, labels["alt"])


NUMBERS: Mapping[str, Callable[[], float]] = {
    "reordered_query": lambda: bound(reordered(False)),
    **spread("reordered_both", lambda: reordered(True)),
    "patches_moved": patches_moved,
    "patch_neighbour": lambda: float(patch_scores()[SIDE // 2, SIDE // 2 + 1]),
    "patch_corner": lambda: float(patch_scores()[0, 0]),
    "axis_pairs": lambda: HEAD // 4,
    "axis_head": lambda: HEAD,
    "image_side": lambda: MERGED,
    "image_count": lambda: MERGED * MERGED,
    "image_advance": advance,
    "share_of_one": lambda: share_of_positions(1),
    "share_of_four": lambda: share_of_positions(4),
    "vl_trained": lambda: fields("Qwen3-VL-4B")["text_config"]["max_position_embeddings"],
    "vl_factor": lambda: documented_factor("Qwen3-VL-4B"),
    "vl_usual": lambda: documented_factor("Qwen3-Next-80B-A3B"),
    "vl_later": lambda: documented_factor("Qwen3.5-27B"),
    "vl_ratio": lambda: 1_000_000 / fields("Qwen3-VL-4B")["text_config"]["max_position_embeddings"],
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "rope-in-cross-attention": cross_attention,
    "rope-for-pictures": rope_for_pictures,
    "positions-of-image-tokens": image_tokens,
    "qwen3-vl-factor": vl_factor,
}

"""Facts about biases on scores, and about relative rows."""

import math
from collections.abc import Callable, Mapping
from functools import cache

import torch
from torch import Tensor

from course.questions.draw.cells import Cell, Row, cells
from course.questions.draw.heatmap import Map, heatmaps
from course.questions.draw.lines import Axis, Series, lines
from course.questions.facts.draws import DRAWS, bound, drawn, projected, spread
from posenc.alibi.formula import alibi_bias, alibi_slopes
from posenc.alibi.other_slopes import alibi_slopes_one_series
from posenc.attention.formula import attend
from posenc.attention.masks import causal_mask
from posenc.places import PositionalEncoding, relative_position
from posenc.shaw.skew import skewed_relative_logits
from posenc.t5.edges import t5_bucket_lower_edges
from posenc.t5.formula import t5_bucket

Labels = Mapping[str, str]

HEADS = 12
"""Heads, no power of two."""
SHOWN = 6
"""Tokens of the small pictures."""
LENGTH, CHANNELS = 1024, 64
"""Tokens of a usual text, and channels of a head."""


def alibi_slopes_of(labels: Labels) -> str:
    """Slopes of twelve heads: the released list and the paper's sentence."""
    released, series = alibi_slopes(HEADS), alibi_slopes_one_series(HEADS)
    return lines(
        [
            Series(labels["released"], list(enumerate(released.tolist(), 1)), "k", "dots"),
            Series(labels["series"], list(enumerate(series.tolist(), 1)), "q", "dots"),
        ],
        Axis(labels["x"], [(1, "1"), (4, "4"), (8, "8"), (12, "12")]),
        Axis(labels["y"], [(1 / 512, "1/512"), (1 / 32, "1/32"), (0.5, "1/2"), (1, "1")], log=True),
        labels["alt"],
    )


def both_biases() -> tuple[Tensor, Tensor]:
    """The bias by distance, and the one that depends on the key alone."""
    places = torch.arange(SHOWN)
    by_distance = alibi_bias(torch.tensor([0.5]), relative_position(places, places))[0]
    by_key = (0.5 * (places - (SHOWN - 1))).expand(SHOWN, SHOWN)
    return by_distance.double(), by_key.double()


@cache
def weights_difference() -> float:
    """Largest difference of the weights under both."""
    scores = drawn(DRAWS, SHOWN, SHOWN)
    hidden = ~causal_mask(SHOWN, SHOWN)
    softened = [
        (scores + bias).masked_fill(hidden, -math.inf).softmax(-1) for bias in both_biases()
    ]
    return bound(softened[0] - softened[1])


def alibi_by_key(labels: Labels) -> str:
    """Both biases below the mask, and how they differ row by row."""
    shown = causal_mask(SHOWN, SHOWN)
    maps = []
    for name, bias in zip(("distance", "key"), both_biases(), strict=True):
        told = [[f"{v:g}".replace("-", "−") if s else "" for v, s in zip(row, seen, strict=True)]
                for row, seen in zip(bias.tolist(), shown.tolist(), strict=True)]  # fmt: skip
        maps.append(Map(labels[name], (bias * shown).tolist(), words=told))
    return heatmaps(maps, labels["alt"], across=2)


@cache
def mirrored(symmetric: bool) -> Tensor:
    """Largest change of an output, put back in order, of a text read from its end, (draws,).

    Args:
        symmetric: The same slope to both sides; otherwise half of it for what comes after.
    """

    class Encoder(PositionalEncoding):
        """ALiBi without a mask."""

        def bias(
            self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
        ) -> Tensor:
            """Minus the slope for each step, and half as much ahead."""
            away = relative_position(q_positions, k_positions).double()
            steep = torch.where(away > 0, 1.0 if symmetric else 0.5, 1.0)
            return -alibi_slopes(4)[:, None, None] * steep * away.abs()

    x = drawn(DRAWS, 12, 32)
    outputs = [attend(*projected(words, heads=4), Encoder()) for words in (x, x.flip(1))]
    return (outputs[0] - outputs[1].flip(2)).abs().amax((1, 2, 3))


def alibi_in_encoders(labels: Labels) -> str:
    """Three ways to penalise both sides, one head."""
    steps = list(range(-8, 9))
    ways = {
        "symmetric": ([(s, -0.5 * abs(s)) for s in steps], "q"),
        "asymmetric": ([(s, -0.5 * abs(s) * (0.5 if s > 0 else 1)) for s in steps], "k"),
    }
    return lines(
        [Series(labels[name], points, kind) for name, (points, kind) in ways.items()],
        Axis(labels["x"], [(-8, "−8"), (0, "0"), (8, "8")]),
        Axis(labels["y"], [(-4, "−4"), (-2, "−2"), (0, "0")]),
        labels["alt"],
    )


def t5_buckets(labels: Labels) -> str:
    """Bucket of every distance back, in the decoder."""
    back = torch.arange(0, 161)
    found = t5_bucket(-back, bidirectional=False)
    return lines(
        [
            Series(
                labels["bucket"], list(zip(back.tolist(), found.tolist(), strict=True)), "k", "dots"
            )
        ],
        Axis(labels["x"], [(0, "0"), (40, "40"), (80, "80"), (120, "120"), (160, "160")]),
        Axis(labels["y"], [(0, "0"), (15, "15"), (31, "31")]),
        labels["alt"],
    )


@cache
def skew_error() -> float:
    """Largest difference of the skewed scores and those looked up pair by pair."""
    away = torch.arange(32)[:, None] - torch.arange(32)

    def error(query: Tensor, rows: Tensor) -> Tensor:
        looked_up = (query[:, None] * rows[(31 - away).clamp(max=31)]).sum(-1).tril()
        return skewed_relative_logits(query, rows) - looked_up

    return bound(torch.stack([error(*both) for both in drawn(DRAWS, 2, 32, CHANNELS)]))


def rel_shift(labels: Labels) -> str:
    """Four queries against four distances: padded, read in rows of four, first row dropped."""
    rows = [[f"{q}{3 - d}" for d in range(4)] for q in "abcd"]
    padded = [["0", *row] for row in rows]
    flat = [one for row in padded for one in row]
    moved = [flat[i : i + 4] for i in range(0, 20, 4)][1:]

    def kind(words: str, row: int, column: int) -> str:
        return "none" if words == "0" or column > row else "q"

    parts = []
    for at, row in enumerate(rows):
        parts.append(Row(labels["before"] if at == 0 else "", [Cell(one, "q") for one in row]))
    for at, row in enumerate(padded):
        title = labels["padded"] if at == 0 else ""
        parts.append(Row(title, [Cell(one, "none" if one == "0" else "q") for one in row]))
    for at, row in enumerate(moved):
        title = labels["after"] if at == 0 else ""
        parts.append(Row(title, [Cell(one, kind(one, at, c)) for c, one in enumerate(row)]))
    return cells(parts, labels["alt"])


NUMBERS: Mapping[str, Callable[[], float]] = {
    "twelve": lambda: HEADS,
    "eight": lambda: 8,
    "ninth_slope": lambda: float(alibi_slopes(HEADS)[8]),
    "first_slope": lambda: float(alibi_slopes(HEADS)[0]),
    "series_first_slope": lambda: float(alibi_slopes_one_series(HEADS)[0]),
    "weights_difference": weights_difference,
    "alibi_square": lambda: LENGTH * LENGTH,
    "alibi_row": lambda: LENGTH,
    "mirrored_symmetric": lambda: bound(mirrored(True)),
    **spread("mirrored_asymmetric", lambda: mirrored(False)),
    "t5_count": lambda: 32,
    "t5_exact": lambda: 16,
    "t5_last": lambda: int(t5_bucket_lower_edges(bidirectional=False)[-1]),
    "t5_named": lambda: 128,
    "t5_last_encoder": lambda: int(t5_bucket_lower_edges(bidirectional=True)[-1]),
    "t5_width": lambda: (
        int(t5_bucket_lower_edges(bidirectional=False)[-1])
        - int(t5_bucket_lower_edges(bidirectional=False)[-2])
    ),
    "skew_error": skew_error,
    "skew_length": lambda: LENGTH,
    "gathered": lambda: LENGTH * LENGTH * CHANNELS,
    "skewed": lambda: LENGTH * CHANNELS,
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "alibi-slopes": alibi_slopes_of,
    "alibi-by-key": alibi_by_key,
    "alibi-in-encoders": alibi_in_encoders,
    "t5-buckets": t5_buckets,
    "rel-shift": rel_shift,
}

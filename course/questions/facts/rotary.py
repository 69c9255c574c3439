"""Facts about rotation: what it changes, what it leaves alone."""

from collections.abc import Callable, Mapping
from functools import cache

import torch
from torch import Tensor

from course.questions.draw.bars import Bar, bars
from course.questions.draw.dials import Dial, dials
from course.questions.draw.lines import Axis, Series, lines
from posenc.attention.formula import attend
from posenc.random_model import RandomProjections
from posenc.rope.formula import RoPE, apply_rope, rope_inv_freq
from posenc.rope.score import pair_products, rope_score_at_distance
from posenc.waves import rope_angles

Labels = Mapping[str, str]

HEAD = 128
"""Channels of a head, as in Llama."""
MOVED = 1000
"""Positions by which a whole text is moved."""
QUERY, KEY = 7, 3
"""Positions of a query and a key."""


def drawn(*shape: int) -> Tensor:
    """Standard normal numbers, float64, always the same."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


@cache
def score_moved() -> float:
    """Change of a score when query and key both move on."""
    q, k = drawn(2, 1, HEAD)
    inv_freq = rope_inv_freq(HEAD)[0]
    scores = []
    for start in (0, MOVED):
        query = apply_rope(q, torch.tensor([QUERY + start]), inv_freq)
        key = apply_rope(k, torch.tensor([KEY + start]), inv_freq)
        scores.append(float((query * key).sum()))
    return abs(scores[0] - scores[1])


def rope_absolute_or_relative(labels: Labels) -> str:
    """A pair of query 7 and key 3, and the same two moved on."""
    theta = rope_inv_freq(8, 100.0)[0][1]
    row = []
    for start, name in ((0, "before"), (MOVED, "after")):
        query, key = (float((place + start) * theta) for place in (QUERY, KEY))
        row.append(Dial((labels[name], labels[f"{name}_places"]), [(query, "q"), (key, "k")]))
    return dials(row, labels["alt"])


@cache
def outputs(values: str, start: int) -> Tensor:
    """Outputs of random attention over twelve tokens from a position on.

    Args:
        values: "plain", "rotated", or "turned back": rotated, and the output turned back by the
            position of its query.
        start: Position of the first token.
    """
    model = RandomProjections(seed=0, d_model=64, num_heads=4, head_dim=16)
    q, k, v = model.project(model.embed(range(12)).double())
    rope = RoPE(16)
    places = torch.arange(12) + start
    if values != "plain":
        v = apply_rope(v, places, rope.inv_freq)
    found = attend(q, k, v, rope, mask="causal", q_positions=places, k_positions=places)
    return apply_rope(found, places, -rope.inv_freq) if values == "turned back" else found


@cache
def output_moved(values: str) -> float:
    """Change of the outputs when the text moves on, over their size."""
    here, there = outputs(values, 0), outputs(values, MOVED)
    return float((here - there).norm() / here.norm())


def values_not_rotated(labels: Labels) -> str:
    """Change of the output when the text moves on."""
    ways = {"plain": "q", "rotated": "k", "turned back": "good"}
    return bars(
        [
            Bar(labels[way.replace(" ", "_")], output_moved(way), f"{output_moved(way):.0%}", kind)
            for way, kind in ways.items()
        ],
        labels["alt"],
    )


@cache
def scores(kind: str) -> Tensor:
    """Scores over √d at every distance from 0 to `MOVED`.

    Args:
        kind: "ones": query and key of ones; "typical": root mean square over 200 random pairs.
    """
    inv_freq = rope_inv_freq(HEAD)[0]
    distances = torch.arange(MOVED + 1)
    if kind == "ones":
        ones = torch.ones(HEAD, dtype=torch.float64)
        return rope_score_at_distance(ones, ones, inv_freq, distances) / HEAD**0.5
    pairs = [pair_products(q, k, HEAD // 2, "interleaved")[0] for q, k in drawn(200, 2, HEAD)]
    products, angles = torch.stack(pairs).T, rope_angles(distances, inv_freq)
    found = angles.cos() @ products.real - angles.sin() @ products.imag
    return found.square().mean(-1).sqrt() / HEAD**0.5


def scores_at(distance: int, kind: str) -> float:
    """A score at a distance."""
    return float(scores(kind)[distance])


def rope_decay(labels: Labels) -> str:
    """Two scores against the distance."""
    distances = [*range(0, 40, 2), *range(40, 1000, 24)]
    return lines(
        [
            Series(labels["ones"], [(d, scores_at(d, "ones")) for d in distances], "q"),
            Series(labels["typical"], [(d, scores_at(d, "typical")) for d in distances], "k"),
        ],
        Axis(labels["x"], [(0, "0"), (500, "500"), (1000, "1,000")]),
        Axis(labels["y"], [(0, "0"), (4, "4"), (8, "8"), (12, "12")]),
        labels["alt"],
    )


NUMBERS: Mapping[str, Callable[[], float]] = {
    "moved": lambda: MOVED,
    "head": lambda: HEAD,
    "query_place": lambda: QUERY,
    "key_place": lambda: KEY,
    "query_later": lambda: QUERY + MOVED,
    "key_later": lambda: KEY + MOVED,
    "distance": lambda: QUERY - KEY,
    "score_moved": score_moved,
    "output_moved_plain": lambda: output_moved("plain"),
    "output_moved_rotated": lambda: output_moved("rotated"),
    "output_moved_back": lambda: output_moved("turned back"),
    "ones_near": lambda: scores_at(0, "ones"),
    "ones_far": lambda: scores_at(MOVED, "ones"),
    "typical_near": lambda: scores_at(1, "typical"),
    "typical_far": lambda: scores_at(MOVED, "typical"),
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "rope-absolute-or-relative": rope_absolute_or_relative,
    "values-not-rotated": values_not_rotated,
    "rope-decay": rope_decay,
}

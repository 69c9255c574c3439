"""Facts about rotation: what it changes, what it leaves alone."""

from collections.abc import Callable, Mapping
from functools import cache, partial

import numpy as np
import torch
from torch import Tensor

from course.questions.draw.bars import Bar, bars
from course.questions.draw.dials import Dial, dials
from course.questions.draw.lines import Axis, Series, lines
from course.questions.facts.draws import DRAWS, bound, change, drawn, median, projected, spread
from models.measuring.orders import drawn as measured
from models.measuring.orders.drawn import BASES, CHANNELS, LEADS
from models.measuring.orders.heads import ENDS, KEYS, TOKENS
from models.measuring.orders.rates import LENGTHS, Rates
from models.results.orders import Heads, of_drawn, of_heads
from models.results.tables import load
from posenc.attention.formula import attend
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
ORDER_LEAD = 2
"""Lead of the random keys whose orders are drawn, in standard deviations."""
LARGE_LEAD = 4
LARGE_BASE = 5e6
SCORED = 2000
"""Random queries, each with a random key, whose scores are measured."""
FAR = 65536
"""Tokens, eight times as many as the small language model was trained on."""


@cache
def score_moved() -> float:
    """Largest change of a score when query and key both move on."""
    q, k = drawn(2, DRAWS, 1, HEAD)
    inv_freq = rope_inv_freq(HEAD)[0]
    scores = []
    for start in (0, MOVED):
        query = apply_rope(q, torch.tensor([QUERY + start]), inv_freq)
        key = apply_rope(k, torch.tensor([KEY + start]), inv_freq)
        scores.append((query * key).sum(-1))
    return bound(scores[0] - scores[1])


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
    """Outputs of random attention over twelve tokens from a position on, in each draw.

    Args:
        values: "plain", "rotated", or "turned back": rotated, and the output turned back by the
            position of its query.
        start: Position of the first token.
    """
    q, k, v = projected(drawn(DRAWS, 12, 64), heads=4)
    rope = RoPE(16)
    places = torch.arange(12) + start
    if values != "plain":
        v = apply_rope(v, places, rope.inv_freq)
    found = attend(q, k, v, rope, mask="causal", q_positions=places, k_positions=places)
    return apply_rope(found, places, -rope.inv_freq) if values == "turned back" else found


def output_moved(values: str) -> Tensor:
    """Change of the outputs when the text moves on, over their size, (draws,)."""
    return change(outputs(values, 0), outputs(values, MOVED))


def values_not_rotated(labels: Labels) -> str:
    """Change of the output when the text moves on."""
    ways = {"plain": "q", "rotated": "k", "turned back": "good"}
    return bars(
        [
            Bar(labels[way.replace(" ", "_")], share, f"{share:.0%}", kind)
            for way, kind in ways.items()
            for share in [median(output_moved(way))]
        ],
        labels["alt"],
    )


@cache
def scores(kind: str) -> Tensor:
    """Scores over √d at every distance from 0 to `MOVED`.

    Args:
        kind: "ones": query and key of ones; "typical": root mean square over `SCORED` random pairs.
    """
    inv_freq = rope_inv_freq(HEAD)[0]
    distances = torch.arange(MOVED + 1)
    if kind == "ones":
        ones = torch.ones(HEAD, dtype=torch.float64)
        return rope_score_at_distance(ones, ones, inv_freq, distances) / HEAD**0.5
    pairs = [pair_products(q, k, HEAD // 2, "interleaved")[0] for q, k in drawn(SCORED, 2, HEAD)]
    products, angles = torch.stack(pairs).T, rope_angles(distances, inv_freq)
    found = angles.cos() @ products.real - angles.sin() @ products.imag
    return found.square().mean(-1).sqrt() / HEAD**0.5


def scores_at(distance: int, kind: str) -> float:
    """A score at a distance."""
    return float(scores(kind)[distance])


def rope_decay(labels: Labels) -> str:
    """Two scores against the distance."""
    distances = [*range(0, 40, 2), *range(40, MOVED + 1, 5)]
    return lines(
        [
            Series(labels["ones"], [(d, scores_at(d, "ones")) for d in distances], "q"),
            Series(labels["typical"], [(d, scores_at(d, "typical")) for d in distances], "k"),
        ],
        Axis(labels["x"], [(0, "0"), (500, "500"), (1000, "1,000")]),
        Axis(labels["y"], [(0, "0"), (4, "4"), (8, "8"), (12, "12")]),
        labels["alt"],
    )


def heads(rate: str, length: int, keys: str = "any") -> Heads:
    """A rate of the small language model's heads, by text."""
    return of_heads(load(), rate, keys, length)


def median_head(rate: str, length: int, keys: str = "any") -> float:
    """A rate of the median head, mean over texts."""
    return float(heads(rate, length, keys).median.mean())


def random_order(rate: str, base: float, length: int) -> float:
    """A rate of random vectors as wide as Llama's, with a large lead."""
    return of_drawn(rate, HEAD, base, LARGE_LEAD, length)


def trained() -> int:
    """Tokens that the small language model was trained on."""
    return load().about.trained


def texts_apart() -> float:
    """Largest difference of two texts in a rate of the median head."""
    return max(
        float(np.ptp(of_heads(load(), rate, keys, length).median))
        for rate in Rates._fields
        for keys in KEYS
        for length in LENGTHS
    )


def widths_apart() -> float:
    """Largest difference of two widths of a head in a rate of random vectors."""
    return max(
        float(np.ptp([of_drawn(rate, channels, base, lead, length) for channels in CHANNELS]))
        for rate in Rates._fields
        for base in BASES
        for lead in LEADS
        for length in LENGTHS
    )


def rope_in_long_texts(labels: Labels) -> str:
    """How often scores are in order, by the length of the text: heads of a model, and random."""
    about = load().about
    series = []
    for rate, kind in (("nearer", "q"), ("flipped", "k")):
        found = {length: heads(rate, length) for length in LENGTHS}
        points = [(length, median_head(rate, length)) for length in LENGTHS]
        band = [(n, float(one.low.mean()), float(one.high.mean())) for n, one in found.items()]
        series.append(Series(labels[rate], points, kind, "", band))
    for rate, kind in (("nearer", "q"), ("flipped", "k")):
        points = [(n, of_drawn(rate, about.head_dim, about.base, ORDER_LEAD, n)) for n in LENGTHS]
        series.append(Series(labels[f"{rate}_drawn"], points, kind, "5 4"))
    return lines(
        series,
        Axis(
            labels["x"],
            [(64, "64"), (512, "512"), (8192, "8,192"), (65536, "65,536"), (2**20, "1 M")],
            log=True,
        ),
        Axis(labels["y"], [(0, "0"), (0.25, "25%"), (0.5, "50%"), (0.75, "75%"), (1, "100%")]),
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
    "draws": lambda: DRAWS,
    "output_moved_plain": lambda: bound(output_moved("plain")),
    **spread("output_moved_rotated", lambda: output_moved("rotated")),
    "output_moved_back": lambda: bound(output_moved("turned back")),
    "scored": lambda: SCORED,
    "ones_near": lambda: scores_at(0, "ones"),
    "ones_far": lambda: scores_at(MOVED, "ones"),
    "typical_near": lambda: scores_at(1, "typical"),
    "typical_far": lambda: scores_at(MOVED, "typical"),
    "orders_base": lambda: load().about.base,
    "orders_channels": lambda: load().about.head_dim,
    "orders_heads": lambda: int(load().orders[0]["heads"]),
    "orders_texts": lambda: len(heads("nearer", FAR).median),
    "orders_read": lambda: TOKENS,
    "orders_draws": lambda: measured.DRAWS,
    "orders_low": lambda: ENDS[0],
    "orders_high": lambda: ENDS[1],
    "orders_lead": lambda: ORDER_LEAD,
    "orders_far": lambda: FAR,
    "orders_points": lambda: 100 * texts_apart(),
    "widths_points": lambda: 100 * widths_apart(),
    "large_base": lambda: LARGE_BASE,
    "large_lead": lambda: LARGE_LEAD,
    **{
        f"{start}{rate}_{name}": partial(median_head, rate, length, keys)
        for start, keys in (("", "any"), ("most_", "most"))
        for rate in Rates._fields
        for name, length in (("trained", 8192), ("twice", 16384), ("far", FAR))
    },
    "nearer_trained_low": lambda: float(heads("nearer", trained()).low.mean()),
    "nearer_trained_high": lambda: float(heads("nearer", trained()).high.mean()),
    "nearer_short": lambda: min(median_head("nearer", n) for n in LENGTHS if n < trained()),
    **{
        f"drawn_{name}_{base}{length}": partial(random_order, rate, of, tokens)
        for name, rate in (("near", "nearer"), ("led", "flipped"))
        for base, of in (("small", 1e4), ("large", LARGE_BASE))
        for length, tokens in (("", 8192), ("_far", FAR))
    },
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "rope-absolute-or-relative": rope_absolute_or_relative,
    "values-not-rotated": values_not_rotated,
    "rope-decay": rope_decay,
    "rope-in-long-texts": rope_in_long_texts,
}

"""Facts about positions that are added to the embeddings, and about having none."""

import math
from collections.abc import Callable, Mapping
from functools import cache

import torch
from safetensors.torch import load_file
from torch import Tensor

from course.questions.draw.bars import Bar, bars
from course.questions.draw.heatmap import Map, heatmaps
from course.questions.draw.lines import Axis, Series, lines
from course.questions.facts.draws import bound, drawn
from course.questions.facts.models import fields
from lab.results.curves import text_by_length
from lab.results.tables import load as load_lab
from lab.training.checkpoints import DATA
from posenc.attention.formula import attend
from posenc.learned.steps import row_similarity
from posenc.rope.formula import rope_wavelengths
from posenc.sinusoidal.formula import sinusoidal_at, sinusoidal_inv_freq, sinusoidal_table
from posenc.sinusoidal.shift import sinusoidal_shift

Labels = Mapping[str, str]

PAPER = 512
"""Width of the first transformer's base model."""
LAB = 128
"""Trained length of the lab's models, and the width of their tables."""
NARROW, WIDE = 4, 64
"""Channels of a head; GPT-2 has the wide one."""
SOME_KEYS = 16
QUERIES = 5000
"""Random queries, each with keys of its own, whose weights are averaged."""


def row_length() -> float:
    """Length of a row of the sinusoidal table, the same at every position."""
    return float(sinusoidal_at(torch.tensor([7]), PAPER).norm())


def shared_token_length() -> float:
    """Root mean square length of a token whose channels are drawn with variance 1/d."""
    return math.sqrt(PAPER * (1 / PAPER))


def scaled_token_length() -> float:
    """That, times √d."""
    return shared_token_length() * math.sqrt(PAPER)


def sqrt_d(labels: Labels) -> str:
    """Lengths of what is added."""
    return bars(
        [
            Bar(labels["position"], row_length(), f"{row_length():.1f}", "k"),
            Bar(labels["plain"], shared_token_length(), f"{shared_token_length():.1f}"),
            Bar(labels["scaled"], scaled_token_length(), f"{scaled_token_length():.1f}"),
        ],
        labels["alt"],
    )


def scores(width: int) -> Tensor:
    """Products of random queries with random keys, (queries, keys)."""
    q, k = drawn(QUERIES, width), drawn(QUERIES, SOME_KEYS, width, seed=1)
    return torch.einsum("nd,nkd->nk", q, k)


@cache
def spread(width: int) -> float:
    """Standard deviation of `scores`."""
    return float(scores(width).std())


@cache
def largest(width: int, divisor: float = 1.0) -> float:
    """Mean of the largest weight of each query, after a division of its scores."""
    return float((scores(width) / divisor).softmax(-1).amax(-1).mean())


@cache
def slope(width: int, divisor: float = 1.0) -> float:
    """Mean change of a weight with its score, after a division of the scores."""
    weights = (scores(width) / divisor).softmax(-1)
    return float((weights - weights.square()).mean())


def divide_by_sqrt_d(labels: Labels) -> str:
    """Shares of the key with the largest score."""
    shares = {
        "narrow": (largest(NARROW), "soft"),
        "wide": (largest(WIDE), "k"),
        "divided": (largest(WIDE, math.sqrt(WIDE)), "q"),
    }
    return bars(
        [Bar(labels[name], share, f"{share:.0%}", kind) for name, (share, kind) in shares.items()],
        labels["alt"],
    )


@cache
def projected_difference() -> float:
    """Largest difference between projecting [x; p] and adding two projections."""
    x = drawn(16, PAPER)
    weight = drawn(2 * PAPER, PAPER, seed=1) / math.sqrt(PAPER)
    rows = sinusoidal_table(16, PAPER)
    joined = torch.cat((x, rows), dim=1) @ weight
    summed = x @ weight[:PAPER] + rows @ weight[PAPER:]
    return bound(joined - summed)


@cache
def overlap() -> float:
    """Root mean square cosine of the angle between random tokens and rows of the table."""
    tokens = drawn(10_000, PAPER)
    rows = sinusoidal_table(100, PAPER)
    cosines = (tokens @ rows.T) / tokens.norm(dim=1)[:, None] / rows.norm(dim=1)
    return float(cosines.square().mean().sqrt())


def projection(times: int) -> int:
    """Parameters of a projection of `times` embeddings side by side to one width."""
    return times * PAPER * PAPER


def add_or_concatenate(labels: Labels) -> str:
    """Parameters of one projection."""
    return bars(
        [
            Bar(labels["add"], projection(1), f"{projection(1):,}"),
            Bar(labels["concatenate"], projection(2), f"{projection(2):,}", "k"),
        ],
        labels["alt"],
    )


def wavelength(pair: int, base: float = 10000.0) -> float:
    """Positions in which a pair of the paper's table turns once."""
    return float(rope_wavelengths(sinusoidal_inv_freq(PAPER, base))[pair])


def sine_twin() -> int:
    """First position past 0 whose fastest sine comes within 0.01 of that of position 0."""
    sines = torch.arange(1, 1000, dtype=torch.float64).sin().abs()
    return int((sines < 0.01).nonzero()[0]) + 1


def why_10000(labels: Labels) -> str:
    """Wavelengths of all pairs, by base."""
    kinds = {100.0: "gold", 10000.0: "q", 1000000.0: "k"}
    return lines(
        [
            Series(
                f"{labels['base']} {base:,.0f}",
                [(pair, wavelength(pair, base)) for pair in range(0, PAPER // 2, 5)],
                kind,
            )
            for base, kind in kinds.items()
        ],
        Axis(labels["x"], [(0, "0"), (128, "128"), (255, "255")]),
        Axis(
            labels["y"],
            [(1, "1"), (100, "100"), (10000, "10,000"), (1000000, "1 M"), (10**7, "10 M")],
            log=True,
        ),
        labels["alt"],
    )


@cache
def shift_error() -> float:
    """Largest difference of M_k PE(p) and PE(p + k) at 1,000 positions, k = 7."""
    table = sinusoidal_table(1007, PAPER)
    moved = table[:1000] @ sinusoidal_shift(7, PAPER).T
    return float((moved - table[7:]).abs().max())


def shift_is_linear(labels: Labels) -> str:
    """The matrix that moves by one position, of eight channels."""
    return heatmaps(
        [Map("", sinusoidal_shift(1, 8, base=100.0).tolist())], labels["alt"], largest=1.0
    )


@cache
def learned_rows() -> Tensor:
    """Cosine between each two rows of the lab's learned table."""
    return row_similarity(load_file(DATA / "text-learned-s0.safetensors")["encoding.table"])


def learned_neighbours() -> float:
    """Mean cosine of rows that are neighbours."""
    return float(learned_rows().diagonal(1).mean())


def learned_far() -> float:
    """Mean cosine of rows that are 64 apart."""
    return float(learned_rows().diagonal(64).mean())


def gpt2_table() -> int:
    """Parameters of GPT-2's table of positions."""
    return int(fields("GPT-2")["n_positions"] * fields("GPT-2")["n_embd"])


def gpt2_without_sines(labels: Labels) -> str:
    """How alike rows of a learned table are, every eighth position."""
    every = learned_rows()[::8, ::8]
    return heatmaps([Map("", every.tolist(), columns=labels["x"])], labels["alt"], largest=1.0)


def bits(encoding: str, length: int, method: str = "none") -> float:
    """Bits per byte of the last 64 bytes in a context, mean of the lab's seeds."""
    curve = text_by_length(load_lab(), f"text-{encoding}", method, against_window=False)
    assert curve is not None
    return float(curve.values[:, curve.x == length].mean())


def longer_than_the_table(labels: Labels) -> str:
    """Bits per byte against the length of the context."""
    sizes = [LAB, 2 * LAB, 4 * LAB, 8 * LAB]
    shown = {
        "learned": ("learned", "none", "gold"),
        "interpolate": ("learned", "interpolate", "other"),
        "sinusoidal": ("sinusoidal", "none", "sky"),
        "alibi": ("alibi", "none", "k"),
    }
    return lines(
        [
            Series(labels[name], [(n, bits(encoding, n, method)) for n in sizes], kind)
            for name, (encoding, method, kind) in shown.items()
        ],
        Axis(labels["x"], [(n, f"{n:,}") for n in sizes], log=True),
        Axis(labels["y"], [(1, "1"), (3, "3"), (5, "5"), (7, "7")]),
        labels["alt"],
    )


@cache
def first_tokens(count: int) -> float:
    """Attention of token `count` to each of the tokens up to it, where all are equal: 1 / count."""
    same = torch.zeros(1, 1, count, 4, dtype=torch.float64)
    return float(attend(same, same, same, mask="causal", trace=True).weights[0, 0, -1, 0])


def decoder_without_positions(labels: Labels) -> str:
    """Bits per byte at the trained length."""
    rows = {"nope": "soft", "learned": "gold", "rope": "q"}
    return bars(
        [Bar(labels[name], bits(name, LAB), f"{bits(name, LAB):.2f}", kind)
         for name, kind in rows.items()],
        labels["alt"],
    )  # fmt: skip


NUMBERS: Mapping[str, Callable[[], float]] = {
    "paper_width": lambda: PAPER,
    "row_length": row_length,
    "shared_token_length": shared_token_length,
    "scaled_token_length": scaled_token_length,
    "twice_scaled_length": lambda: scaled_token_length() * math.sqrt(PAPER),
    "narrow_head": lambda: NARROW,
    "wide_head": lambda: WIDE,
    "some_keys": lambda: SOME_KEYS,
    "queries": lambda: QUERIES,
    "wide_spread": lambda: spread(WIDE),
    "narrow_undivided": lambda: largest(NARROW),
    "wide_undivided": lambda: largest(WIDE),
    "wide_divided": lambda: largest(WIDE, math.sqrt(WIDE)),
    "undivided_slope": lambda: slope(WIDE),
    "divided_slope": lambda: slope(WIDE, math.sqrt(WIDE)),
    "projected_difference": projected_difference,
    "overlap": overlap,
    "projection": lambda: projection(1),
    "joined_projection": lambda: projection(2),
    "fastest_wave": lambda: wavelength(0),
    "slowest_wave": lambda: wavelength(-1),
    "slowest_wave_of_100": lambda: wavelength(-1, 100.0),
    "usual_base": lambda: 10000,
    "small_base": lambda: 100,
    "sine_twin": sine_twin,
    "shift_error": shift_error,
    "shift_step": lambda: 7,
    "gpt2_rows": lambda: int(fields("GPT-2")["n_positions"]),
    "gpt2_width": lambda: int(fields("GPT-2")["n_embd"]),
    "gpt2_table": gpt2_table,
    "bert_rows": lambda: int(fields("BERT-base")["max_position_embeddings"]),
    "lab_length": lambda: LAB,
    "lab_double": lambda: 2 * LAB,
    "learned_neighbours": learned_neighbours,
    "learned_far": learned_far,
    "learned_at_trained": lambda: bits("learned", LAB),
    "learned_at_double": lambda: bits("learned", 2 * LAB),
    "stretched_at_double": lambda: bits("learned", 2 * LAB, "interpolate"),
    "alibi_at_double": lambda: bits("alibi", 2 * LAB),
    "tenth_share": lambda: first_tokens(10),
    "nope_at_trained": lambda: bits("nope", LAB),
    "rope_at_trained": lambda: bits("rope", LAB),
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "divide-by-sqrt-d": divide_by_sqrt_d,
    "sqrt-d": sqrt_d,
    "add-or-concatenate": add_or_concatenate,
    "why-10000": why_10000,
    "shift-is-linear": shift_is_linear,
    "gpt2-without-sines": gpt2_without_sines,
    "longer-than-the-table": longer_than_the_table,
    "decoder-without-positions": decoder_without_positions,
}

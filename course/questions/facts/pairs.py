"""Facts about pairs of channels: which belong together, how many turn, in which precision."""

import math
from collections.abc import Callable, Mapping
from functools import cache

import torch
from torch import Tensor

from course.questions.draw.bars import Bar, bars
from course.questions.draw.cells import Cell, Row, cells
from course.questions.draw.heatmap import Map, heatmaps
from course.questions.draw.lines import Axis, Series, lines
from course.questions.facts.draws import DRAWS, bound, drawn, spread
from course.questions.facts.models import fields, layer
from models.results.prices import prices
from models.results.tables import load as load_model
from posenc.precision.rounding import (
    distinct_positions,
    first_colliding_position,
    positions_rounded_alike,
)
from posenc.rope.formula import apply_rope, rope_inv_freq, rope_wavelengths
from posenc.rope.layouts import layout_permutation
from posenc.rope.matrix import rope_rotation_matrix

Labels = Mapping[str, str]

HEADS, HEAD = 32, 64
"""Heads of a video model, and channels of each."""
INDEXER = 64
"""Rotated channels of DeepSeek's indexer."""


def price(mistake: str, wrong: bool = True) -> float:
    """Bits per token of the small language model with a mistake, or without it; mean of texts."""
    found = prices(load_model())[mistake]
    return float((found.wrong if wrong else found.right).mean())


@cache
def layouts_difference(permuted: bool) -> Tensor:
    """Largest difference of scores between the layouts, over 20 places, (draws,).

    Args:
        permuted: Whether queries and keys are put into the other order first.
    """
    q, k = drawn(2, DRAWS, 20, HEAD)
    inv_freq = rope_inv_freq(HEAD)[0]
    places = torch.arange(20)
    order = layout_permutation(HEAD) if permuted else torch.arange(HEAD)
    neighbours = [apply_rope(x, places, inv_freq, "interleaved") for x in (q, k)]
    halves = [apply_rope(x[..., order], places, inv_freq, "half") for x in (q, k)]
    return (neighbours[0] @ neighbours[1].mT - halves[0] @ halves[1].mT).abs().amax((1, 2))


def interleaved_or_half(labels: Labels) -> str:
    """The rotation matrix of one position in both layouts."""
    inv_freq = rope_inv_freq(8, 100.0)[0]
    return heatmaps(
        [
            Map(labels["interleaved"], rope_rotation_matrix(1, inv_freq, "interleaved").tolist()),
            Map(labels["half"], rope_rotation_matrix(1, inv_freq, "half").tolist()),
        ],
        labels["alt"],
        across=2,
        largest=1.0,
    )


def two_layouts(labels: Labels) -> str:
    """Partners of the first channels in the attention and in the indexer."""
    shown = 8
    partner = {
        "attention": [i + 1 - 2 * (i % 2) for i in range(shown)],
        "indexer": [i + INDEXER // 2 for i in range(shown)],
    }
    rows = [Row(labels["channel"], [Cell(str(i), "q") for i in range(shown)])]
    rows += [
        Row(labels[name], [Cell(str(other), kind) for other in others])
        for (name, others), kind in zip(partner.items(), ("good", "k"), strict=True)
    ]
    return cells(rows, labels["alt"])


def slowest_turn(channels: int) -> float:
    """Positions in which the slowest of so many channels turns once."""
    return float(rope_wavelengths(rope_inv_freq(channels)[0])[-1])


def slice_of(head: int) -> tuple[float, float]:
    """Shortest and longest wave of a head where the whole width is rotated at once."""
    waves = rope_wavelengths(rope_inv_freq(HEADS * HEAD)[0]).unflatten(0, (HEADS, -1))[head]
    return float(waves[0]), float(waves[-1])


def width_or_head(labels: Labels) -> str:
    """The waves that each head has, both ways."""
    own = rope_wavelengths(rope_inv_freq(HEAD)[0]).tolist()
    each = [(head, slice_of(head)) for head in range(HEADS)]
    return lines(
        [
            Series(labels["own_short"], [(0, own[0]), (HEADS - 1, own[0])], "q"),
            Series(labels["own_long"], [(0, own[-1]), (HEADS - 1, own[-1])], "q", "6 4"),
            Series(labels["short"], [(head, ends[0]) for head, ends in each], "k", "dots"),
            Series(labels["long"], [(head, ends[1]) for head, ends in each], "gold", "dots"),
        ],
        Axis(labels["x"], [(0, "0"), (15, "15"), (31, "31")]),
        Axis(labels["y"], [(1, "1"), (100, "100"), (10000, "10,000"), (10**5, "")], log=True),
        labels["alt"],
    )


def rotated_of(name: str) -> tuple[int, int]:
    """Rotated channels of a model's head, and all of them."""
    found = layer(name)
    return found.rotary_dim, found.head_dim


def partial_rotary(labels: Labels) -> str:
    """Rotated channels, and those that pass."""
    rows = []
    for name in ("GPT-J-6B", "GPT-NeoX-20B", "Llama-2-7B"):
        rotated, width = rotated_of(name)
        rows.append(Bar(f"{name}, {labels['all']}", width, str(width), "soft"))
        rows.append(Bar(f"{name}, {labels['rotated']}", rotated, str(rotated)))
    return bars(rows, labels["alt"])


def positions_in_bfloat16(labels: Labels) -> str:
    """Positions that are told apart, of the first so many."""
    counts = [256, 1024, 4096, 16384]
    return bars(
        [
            Bar(f"{labels['first']} {count:,}", distinct_positions(count, torch.bfloat16) / count,
                f"{distinct_positions(count, torch.bfloat16):,}")
            for count in counts
        ],
        labels["alt"],
    )  # fmt: skip


NUMBERS: Mapping[str, Callable[[], float]] = {
    "small_head": lambda: HEAD,
    "layouts_permuted": lambda: bound(layouts_difference(True)),
    **spread("layouts_plain", lambda: layouts_difference(False)),
    "layout_right": lambda: price("layout", wrong=False),
    "layout_wrong": lambda: price("layout"),
    "heads": lambda: HEADS,
    "whole_width": lambda: HEADS * HEAD,
    "own_fastest": lambda: 2 * math.pi,
    "own_slowest": lambda: slowest_turn(HEAD),
    "first_head_slowest": lambda: slice_of(0)[1],
    "last_head_fastest": lambda: slice_of(-1)[0],
    "gptj_rotated": lambda: rotated_of("GPT-J-6B")[0],
    "gptj_head": lambda: rotated_of("GPT-J-6B")[1],
    "neox_rotated": lambda: rotated_of("GPT-NeoX-20B")[0],
    "neox_head": lambda: rotated_of("GPT-NeoX-20B")[1],
    "gptj_slowest": lambda: slowest_turn(rotated_of("GPT-J-6B")[0]),
    "qwen35_rotated": lambda: (
        fields("Qwen3.5-27B")["text_config"]["rope_parameters"]["partial_rotary_factor"]
        * fields("Qwen3.5-27B")["text_config"]["head_dim"]
    ),
    "qwen35_head": lambda: fields("Qwen3.5-27B")["text_config"]["head_dim"],
    "indexer_heads": lambda: fields("DeepSeek-V3.2")["index_n_heads"],
    "indexer_kept": lambda: fields("DeepSeek-V3.2")["index_topk"],
    "indexer_rotated": lambda: fields("DeepSeek-V3.2")["qk_rope_head_dim"],
    "bfloat16_collides": lambda: first_colliding_position(torch.bfloat16),
    "bfloat16_before": lambda: first_colliding_position(torch.bfloat16) - 1,
    "far_position": lambda: 15962,
    "far_first": lambda: positions_rounded_alike(15962, torch.bfloat16)[0],
    "far_last": lambda: positions_rounded_alike(15962, torch.bfloat16)[1],
    "bfloat16_distinct": lambda: distinct_positions(16384, torch.bfloat16),
    "bfloat16_of": lambda: 16384,
    "rounded_wrong": lambda: price("bfloat16"),
    "rounded_last": lambda: price("rounded_cos_sin"),
    "rounded_right": lambda: price("bfloat16", wrong=False),
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "interleaved-or-half": interleaved_or_half,
    "two-layouts": two_layouts,
    "width-or-head": width_or_head,
    "partial-rotary": partial_rotary,
    "positions-in-bfloat16": positions_in_bfloat16,
}

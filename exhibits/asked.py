"""Numbers that the homework asks for, computed."""

import math
from collections.abc import Callable
from functools import partial

import torch

from advisor.comparing.layer import RopeLayer
from advisor.comparing.outcome import outcome
from advisor.comparing.task import Task
from exhibits.cache_sizes import KEPT
from exhibits.stretched import BASE, FACTOR, STRETCHED, TARGET, TRAINED
from posenc.alibi.formula import ALiBi
from posenc.attention.masks import causal_mask
from posenc.cope.formula import CoPE, cope_positions
from posenc.rope.formula import rope_inv_freq
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.methods import METHODS
from posenc.scaling.ntk import NTK
from posenc.shaw.formula import relative_position_ids
from posenc.sinusoidal.formula import sinusoidal_inv_freq

CIRCLE = 2 * math.pi
HUNDRED = 100
THREE_BACK = 3
MODEL_DIM = 128  # Llama 2
QWEN = 32_768  # trained length of Qwen2.5
GATE_DIM = 64  # of a head
PRODUCT = 4  # q·k of one key
WRONG_SCALE = 8  # a frequency scale that was meant as a factor
SENTENCES = [
    "Sam",
    "sat",
    "down",
    ".",
    "Ann",
    "left",
    ".",
    "Then",
    "it",
    "rained",
    ".",
    "Who",
]


def _round_again() -> int:
    """The place below 100 where the fastest wave is nearest to its start."""
    return min(range(1, HUNDRED), key=lambda place: abs(place / CIRCLE - round(place / CIRCLE)))


def _diagonal() -> int:
    """Cells of a causal matrix of 100 tokens that hold the id of the distance three back."""
    ids = relative_position_ids(HUNDRED, HUNDRED, HUNDRED)
    return int((ids == HUNDRED - THREE_BACK).tril().sum())


def _ntk_new_pairs() -> int:
    """Pairs of Llama 2 with new angles under NTK-aware scaling by just what is read."""
    theta = rope_inv_freq(MODEL_DIM, BASE)[0]
    scaled, _factor = NTK(FACTOR).apply(theta, BASE)
    return int(angle_coverage(theta, TRAINED, TARGET, scaled).is_new.sum())


def _ntk_needed() -> float:
    """Factor with which NTK-aware scaling leaves Llama 2 no new angle at 16 times the length."""
    layer = RopeLayer(
        head_dim=MODEL_DIM,
        rotary_dim=MODEL_DIM,
        base=BASE,
        layout="half",
        scaling=None,
        original_length=TRAINED,
        max_length=TRAINED,
    )
    found = outcome(METHODS["ntk"], Task(layer, TRAINED, 16 * TRAINED, 16.0)).smallest
    assert found is not None
    return found


def _too_fast(pair: int) -> float:
    """By how much a pair turns too fast where a base of a million is read as ten thousand."""
    right, wrong = (rope_inv_freq(MODEL_DIM, base)[0][pair] for base in (1e6, BASE))
    return float(wrong / right)


def _slowest(columns: int) -> float:
    """Positions for a turn of the slowest wave of a sinusoidal table, in percent of 2π · base."""
    return 100 / float(BASE * sinusoidal_inv_freq(columns, BASE)[-1])


def _ann() -> float:
    """Position of Ann from the last word, where gates open at full stops."""
    stops = torch.tensor([word == "." for word in SENTENCES])
    logits = torch.where(stops, torch.inf, -torch.inf)[None]
    return float(cope_positions(logits, 64)[0, SENTENCES.index("Ann")])


def _gate(is_scaled: bool) -> float:
    """How far a product of query and key opens a gate: as the code has it, or as the paper."""
    cope = CoPE(GATE_DIM, 2, scale_gates=is_scaled)
    return float(cope.positions(torch.tensor([[PRODUCT * cope.scale]], dtype=torch.float64)))


def _shared_from() -> int:
    """Distance from which keys share a position, with six vectors and all gates open."""
    logits = torch.full((12, 12), torch.inf).masked_fill(~causal_mask(12, 12), -torch.inf)
    by_distance = cope_positions(logits, 6)[-1].flip(0)
    return int((by_distance == by_distance[-1]).nonzero()[0, 0])


ASKED: dict[str, Callable[[], float]] = {
    "round_again": _round_again,
    "round_turns": lambda: round(_round_again() / CIRCLE),
    "opposite": lambda: _round_again() / 2,
    "slowest_of_16": partial(_slowest, 16),
    "slowest_of_64": partial(_slowest, 64),
    "diagonal_cells": _diagonal,
    "alibi_fade_4": lambda: math.exp(-4 * float(ALiBi(8).slopes[0])),
    "alibi_ten": lambda: 10 * float(ALiBi(8).slopes[0]),
    "alibi_flattest": lambda: float(ALiBi(8).slopes[-1]),
    "alibi_first_of_16": lambda: float(ALiBi(16).slopes[0]),
    "ntk_new_pairs": _ntk_new_pairs,
    "yarn_twice": lambda: 2 * STRETCHED["yarn_factor"](),
    "ntk_needed": _ntk_needed,
    "yarn_reach": lambda: QWEN * FACTOR,
    "yarn_reach_down": lambda: QWEN / FACTOR,
    "used_up": lambda: TRAINED / WRONG_SCALE,
    "lost_base": partial(_too_fast, -1),
    "lost_base_middle": partial(_too_fast, MODEL_DIM // 4),
    "cope_ann": _ann,
    "cope_ann_tokens": lambda: len(SENTENCES) - 1 - SENTENCES.index("Ann"),
    "cope_shared_from": _shared_from,
    "cope_width": lambda: GATE_DIM,
    "cope_product": lambda: PRODUCT,
    "cope_paper_gate": partial(_gate, False),
    "cope_code_gate": partial(_gate, True),
    "kv_half": lambda: KEPT["kv_llama2"]() / 2,
    "kv_group_twice": lambda: KEPT["kv_llama2"]() / KEPT["group_llama3"]() ** 2,
}
"""Name to what computes it."""

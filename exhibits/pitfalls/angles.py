"""Mistakes in angles: how fast each pair rotates, in which type, for which trained length."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from exhibits.pitfalls.case import Pitfall
from posenc.quantity.step import Step, number
from posenc.rope.formula import rope_inv_freq
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.yarn import YaRN
from posenc.words import say

TRAINED = 64
FACTOR = 4
ROTARY_DIM = 32

# Angles: positions, width -> (positions, d / 2)


def right_angles(positions: Tensor, d: int) -> Tensor:
    """p / base^(2i/d)."""
    i = torch.arange(d // 2, dtype=torch.float64)
    p = positions.to(torch.float64)  # exact
    div_term = 10000.0 ** (2 * i / d)  # the division belongs to the exponent
    return p[:, None] / div_term  # positions are divided


def wrong_precedence(positions: Tensor, d: int) -> Tensor:
    """Leave out the brackets: the power is taken before the division."""
    i = torch.arange(d // 2, dtype=torch.float64)
    p = positions.to(torch.float64)
    div_term = 10000.0 ** (2 * i) / d  # (base ** 2i) / d
    return p[:, None] / div_term


def wrong_operator(positions: Tensor, d: int) -> Tensor:
    """Multiply by the divisor."""
    i = torch.arange(d // 2, dtype=torch.float64)
    p = positions.to(torch.float64)
    div_term = 10000.0 ** (2 * i / d)
    return p[:, None] * div_term  # the slow pairs become the fastest


def wrong_precision(positions: Tensor, d: int) -> Tensor:
    """Hold positions in bfloat16, which has 8 significant bits."""
    i = torch.arange(d // 2, dtype=torch.float64)
    p = positions.to(torch.bfloat16)  # 257 becomes 256
    div_term = 10000.0 ** (2 * i / d)
    return p[:, None] / div_term


Angles = Callable[[Tensor, int], Tensor]


def first_pair_turns_one_radian(angles: Angles) -> float:
    """Angle of pair 0 at position 1 is 1."""
    return float((angles(torch.arange(2), 64)[1, 0] - 1).abs())


def later_pairs_are_slower(angles: Angles) -> float:
    """Pairs that rotate as fast as the one before, or faster."""
    return float((angles(torch.arange(2), 64)[1].diff() >= 0).sum())


def steps_are_equal(angles: Angles) -> float:
    """From each position to the next every pair rotates by the same angle (share of that angle)."""
    at = angles(torch.arange(512), 64)
    return float((at.diff(dim=0) / at[1] - 1).abs().max())


def _waves(angles: Angles) -> Tensor:
    return angles(torch.arange(64), 64).sin()


def _sine(position: int, pair: int, held: int | None = None) -> Step:
    """The right line; of a position that is held as another one where `held` says so."""
    p = position if held is None else held
    return Step(
        "",
        r"\sin(p/b^{2i/d})" if held is None else r"\sin(\text{bfloat16}(p)/b^{2i/d})",
        rf"\sin({p}/10000^{{2 \cdot {pair}/64}})",
        math.sin(p / 10000 ** (2 * pair / 64)),
    )


def _power_lines(position: int, pair: int) -> tuple[Step, Step]:
    wrong = Step(
        "",
        r"\sin(p/(b^{2i}/d))",
        rf"\sin({position}/(10000^{{2 \cdot {pair}}}/64))",
        math.sin(position / (10000.0 ** (2 * pair) / 64)),
    )
    return wrong, _sine(position, pair)


def _times_lines(position: int, pair: int) -> tuple[Step, Step]:
    wrong = Step(
        "",
        r"\sin(p \cdot b^{2i/d})",
        rf"\sin({position} \cdot 10000^{{2 \cdot {pair}/64}})",
        math.sin(position * 10000 ** (2 * pair / 64)),
    )
    return wrong, _sine(position, pair)


def _rounded_lines(position: int, pair: int) -> tuple[Step, Step]:
    held = int(torch.tensor(position).to(torch.bfloat16))
    return _sine(position, pair, held), _sine(position, pair)


POWER = Pitfall(
    say("Power before division"),
    wrong=wrong_precedence,
    right=right_angles,
    check=first_pair_turns_one_radian,
    others=(
        later_pairs_are_slower,
        steps_are_equal,
    ),
    draw=_waves,
    lines=_power_lines,
    rows=say("position p"),
    cols=say("pair i"),
    value=say("sin pθ"),
)

TIMES = Pitfall(
    say("Multiplied, not divided"),
    wrong=wrong_operator,
    right=right_angles,
    check=later_pairs_are_slower,
    others=(
        first_pair_turns_one_radian,
        steps_are_equal,
    ),
    draw=_waves,
    lines=_times_lines,
    rows=say("position p"),
    cols=say("pair i"),
    value=say("sin pθ"),
)

PRECISION = Pitfall(
    say("Positions in bfloat16"),
    wrong=wrong_precision,
    right=right_angles,
    check=steps_are_equal,
    others=(
        first_pair_turns_one_radian,
        later_pairs_are_slower,
    ),
    draw=lambda angles: angles(torch.arange(384), 64).sin(),
    lines=_rounded_lines,
    rows=say("position p"),
    cols=say("pair i"),
    value=say("sin pθ"),
)


# YaRN's trained length: trained length, factor -> frequencies (d / 2,)


def wrong_original_length(trained: int, factor: int) -> Tensor:
    """Take the new length for the trained one."""
    scaling = YaRN(factor, original_length=factor * trained)  # max_position_embeddings
    return rope_inv_freq(ROTARY_DIM, scaling=scaling)[0]


def right_original_length(trained: int, factor: int) -> Tensor:
    """Tell YaRN how far training went."""
    scaling = YaRN(factor, original_length=trained)  # original_max_position_embeddings
    return rope_inv_freq(ROTARY_DIM, scaling=scaling)[0]


Frequencies = Callable[[int, int], Tensor]


def no_angle_is_unseen(frequencies: Frequencies) -> float:
    """Pairs that meet an angle at the new length which training never showed them."""
    plain = rope_inv_freq(ROTARY_DIM)[0]
    scaled = frequencies(TRAINED, FACTOR)
    coverage = angle_coverage(plain, TRAINED, FACTOR * TRAINED, scaled)
    return float((coverage.unseen > plain).sum())  # more than one position's step


def slowest_pair_is_divided(frequencies: Frequencies) -> float:
    """The slowest pair is slower by the factor."""
    ratio = rope_inv_freq(ROTARY_DIM)[0][-1] / frequencies(TRAINED, FACTOR)[-1]
    return float((ratio - FACTOR).abs())


def _scaled_waves(frequencies: Frequencies) -> Tensor:
    positions = torch.arange(FACTOR * TRAINED, dtype=torch.float64)
    return (positions[:, None] * frequencies(TRAINED, FACTOR)).sin()


def _length_lines(position: int, pair: int) -> tuple[Step, Step]:
    return (
        _yarn_line(position, pair, original=FACTOR * TRAINED),
        _yarn_line(position, pair, original=TRAINED),
    )


def _yarn_line(position: int, pair: int, original: int) -> Step:
    kept = YaRN(FACTOR, original_length=original).keep(ROTARY_DIM // 2, 10000.0)[pair].item()
    theta = rope_inv_freq(ROTARY_DIM)[0][pair].item()
    gamma, plain = number(kept), number(theta)
    return Step(
        "",
        rf"\sin(p\,((1 - \gamma)\,\theta_i/s + \gamma\,\theta_i))\quad(L_0 = {original})",
        rf"\sin({position} \cdot ((1 - {gamma}) \cdot {plain}/{FACTOR} + {gamma} \cdot {plain}))",
        math.sin(position * ((1 - kept) * theta / FACTOR + kept * theta)),
    )


LENGTH = Pitfall(
    say("Wrong trained length"),
    wrong=wrong_original_length,
    right=right_original_length,
    check=no_angle_is_unseen,
    others=(slowest_pair_is_divided,),
    draw=_scaled_waves,
    lines=_length_lines,
    rows=say("position p"),
    cols=say("pair i"),
    value=say("sin pθ′"),
)

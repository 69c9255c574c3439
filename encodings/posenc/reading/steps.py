"""A reading followed: how alike two tokens look at one distance, and how far a logit moves.

Arguments are those of the curves in `formula`; a distance δ is one of theirs, followed.
"""

import torch
from torch import Tensor

from posenc.quantity.lines import distance_step
from posenc.quantity.step import SHOWN_TERMS, Step, factor, number, number_sum, total, words
from posenc.reading.formula import (
    Reading,
    decay_bound,
    logit_change,
    mean_cosine,
    neighbour_change,
    rms_change,
)
from posenc.rope.pairs import Layout, rotated_channels, split_pairs
from posenc.rope.scaling import Scaling
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN


def mean_cosine_steps(reading: Reading, distance: int, length: int) -> tuple[Step, ...]:
    """The mean cosine of the pairs at the distance that is shown: see `mean_cosine`."""
    at = torch.tensor([distance])
    cosines = [
        rf"\cos({number(angle)})" for angle in reading.angles(at, length)[0, :SHOWN_TERMS].tolist()
    ]
    value = mean_cosine(reading, at, length).item()
    return (
        *_remapped(reading, distance, length),
        _mean(rf"\cos {_delta(reading)}\theta_i", "i", cosines, len(reading.inv_freq), value),
    )


def decay_bound_steps(reading: Reading, distance: int, length: int) -> tuple[Step, ...]:
    """The second partial sum of unit hands, and the mean length of all: see `decay_bound`."""
    at = torch.tensor([distance])
    angles = reading.angles(at, length)[0]
    sums = torch.polar(torch.ones_like(angles), angles).cumsum(dim=-1).abs().tolist()
    second: tuple[Step, ...] = ()
    if len(sums) > 1:
        first, after = (number(angle) for angle in angles[:2].tolist())
        hands = (rf"e^{{\mathrm{{i}}{_delta(reading)}\theta_{i}}}" for i in (0, 1))
        formula = f"|{' + '.join(hands)}|"
        second = (Step("|S_2|", formula, rf"2\,|\cos(({after} - {first})/2)|", sums[1]),)
    value = decay_bound(reading, at, length).item()
    return (
        *_remapped(reading, distance, length),
        *second,
        _mean("|S_j|", "j", [number(one) for one in sums[:SHOWN_TERMS]], len(sums), value),
    )


def neighbour_change_steps(
    reading: Reading, distance: int, length: int, *, width: int
) -> tuple[Step, ...]:
    """How far the angles go from δ to δ + 1, and what it moves a logit: see `neighbour_change`."""
    two = torch.tensor([distance, distance + 1])
    delta = _delta(reading)
    here, there = reading.seen_distances(two, length).tolist()
    squares = ((there - here) * reading.inv_freq / 2).sin() ** 2
    summed = squares.sum().item()
    value = neighbour_change(reading, two[:1], length, width=width).item()
    half = rf"{number(there - here)} \cdot {number(reading.inv_freq[0].item())}/2"
    return (
        Step(
            rf"\Delta{delta}",
            rf"{delta}(\delta + 1) - {delta}(\delta)" if reading.remapping else "",
            f"{number(there)} - {number(here)}",
            there - here,
        ),
        Step("s_0", rf"\sin^2(\Delta{delta}\,\theta_0/2)", rf"\sin({half})^2", squares[0].item()),
        Step("S", r"\textstyle\sum_i s_i", number_sum(squares.tolist()), summed),
        Step(
            r"\Delta",
            r"A^2 m\,\sqrt{8S/d}",
            rf"{number(reading.gain)} \cdot \sqrt{{8 \cdot {number(summed)}/{width}}}",
            value,
        ),
    )


def logit_change_steps(
    before: Reading, after: Reading, distance: int, length: int, *, width: int
) -> tuple[Step, ...]:
    """The first pair's term, and how far the logit moves: see `logit_change`."""
    at = torch.tensor([distance])
    angles = (after.angles(at, length) - before.angles(at, length))[0]
    gains = (after.gain - before.gain) ** 2, 4 * after.gain * before.gain
    terms = gains[0] + gains[1] * (angles / 2).sin() ** 2
    summed = terms.sum().item()
    value = logit_change(before, after, at, length, width=width).item()
    g = number(after.gain)
    old = number(before.gain)
    angle = factor(angles[0].item())
    first = rf"({g} - {old})^2 + 4 \cdot {g} \cdot {old} \cdot \sin({angle}/2)^2"
    formula = "2T"
    numbers = rf"2 \cdot {number(summed)}"
    passed = width - 2 * len(terms)
    if passed and after.softmax_multiplier != before.softmax_multiplier:
        m = number(after.softmax_multiplier)
        other = number(before.softmax_multiplier)
        formula = "2T + d_0 (m' - m)^2"
        numbers += f" + {passed}({m} - {other})^2"
    return (
        Step(r"\alpha_0", r"\text{angle of pair 0, after} - \text{before}", "", angles[0].item()),
        Step("t_0", r"(g' - g)^2 + 4g'g \sin^2(\alpha_0/2)", first, terms[0].item()),
        Step("T", r"\textstyle\sum_i t_i", number_sum(terms.tolist()), summed),
        Step(r"\Delta", rf"\sqrt{{({formula})/d}}", rf"\sqrt{{({numbers})/{width}}}", value),
    )


def rms_change_steps(
    before: Reading, after: Reading, distances: Tensor, length: int, *, width: int
) -> tuple[Step, ...]:
    """How far the logits of a text move over its distances: see `rms_change`."""
    squares = logit_change(before, after, distances, length, width=width) ** 2
    low, high = (number(at.item()) for at in (distances[0], distances[-1]))
    count = len(squares)
    summed = squares.sum().item()
    return (
        Step("n", words("distances, evenly spread from {0} to {1}", low, high), "", count),
        Step("S", r"\textstyle\sum_\delta \Delta_\delta^2", number_sum(squares.tolist()), summed),
        Step(
            r"\Delta_\text{RMS}",
            r"\sqrt{S/n}",
            rf"\sqrt{{{number(summed)}/{count}}}",
            rms_change(before, after, distances, length, width=width),
        ),
    )


def mean_logit_steps(
    reading: Reading,
    query: Tensor,
    key: Tensor,
    distance: int,
    length: int,
    *,
    width: int,
    layout: Layout,
    logits: Tensor,
    value: float,
) -> tuple[Step, ...]:
    """The logit of the first draw from its pairs, and the mean over the draws: `logit_draws`.

    Args:
        reading: How queries and keys are compared.
        query: q, (draws, channels).
        key: k, (draws, channels).
        distance: δ.
        length: Tokens in the text; the query is the last.
        width: Channels of the head.
        layout: Which channels form a pair.
        logits: Of every draw at this distance, as they were computed, (draws,).
        value: Their mean as it was computed.
    """
    turning = rotated_channels(query, len(reading.inv_freq))
    q, k = (
        torch.complex(*split_pairs(vectors[0, :turning].to(torch.float64), layout))
        for vectors in (query, key)
    )
    angles = reading.angles(torch.tensor([distance]), length)[0]
    delta = _delta(reading)
    product = q * k.conj()
    terms = (product.real * angles.cos() - product.imag * angles.sin()).tolist()
    dot = product.real[0].item()
    cross = -product.imag[0].item()
    angle = number(angles[0].item())
    summed = number_sum(terms)
    steps = (
        *_remapped(reading, distance, length),
        Step(
            "s_0",
            rf"(q \cdot k)_0 \cos {delta}\theta_0 + (q \times k)_0 \sin {delta}\theta_0",
            rf"{number(dot)} \cos({angle}) + {factor(cross)} \sin({angle})",
            terms[0],
        ),
        Step(
            "l_1",
            r"A^2 m\,\textstyle\sum_i s_i/\sqrt d",
            rf"{number(reading.gain)} \cdot ({summed})/\sqrt{{{width}}}",
            logits[0].item() if len(logits) > 1 else value,
        ),
    )
    if len(logits) == 1:
        return steps
    drawn = [number(logit) for logit in logits[:SHOWN_TERMS].tolist()]
    return (*steps, _mean("l_r", "r", drawn, len(logits), value))


def gain_steps(reading: Reading, scaling: Scaling | None) -> tuple[Step, ...]:
    """The factors on the logits of the rotated channels.

    Args:
        reading: What has the factors.
        scaling: What asks for them; None for none.
    """
    formula, numbers = _attention_factor(scaling)
    a = reading.attention_factor
    m = reading.softmax_multiplier
    multiplier = Step("m", "", "", m)
    if m != 1 and isinstance(scaling, YaRN) and scaling.mscale_all_dim:
        c = number(scaling.mscale_all_dim)
        s = number(scaling.factor)
        multiplier = Step("m", r"(0.1\,c \ln s + 1)^2", rf"(0.1 \cdot {c} \cdot \ln({s}) + 1)^2", m)
    return (
        Step("A", formula, numbers, a),
        multiplier,
        Step("A^2 m", "", rf"{number(a)}^2 \cdot {number(m)}", reading.gain),
    )


def _delta(reading: Reading) -> str:
    """The distance that RoPE is shown."""
    return r"\delta" if reading.remapping is None else r"\delta'"


def _remapped(reading: Reading, distance: int, length: int) -> tuple[Step, ...]:
    """The distance to the last token as the remapping changes it; () without a remapping."""
    if reading.remapping is None:
        return ()
    last = length - 1
    key = length - 1 - distance
    seen = reading.seen_distances(torch.tensor([distance]), length).item()
    return distance_step(last, key), Step(r"\delta'", *reading.remapping.written(last, key), seen)


def _attention_factor(scaling: Scaling | None) -> tuple[str, str]:
    """The formula of the factor on cos and sin, and its numbers; empty where it is given."""
    if not isinstance(scaling, YaRN | LongRoPE) or scaling.attention_factor is not None:
        return "", ""
    s = number(scaling.factor)
    if scaling.factor <= 1:
        return r"1\quad(s \le 1)", rf"1\quad({s} \le 1)"
    if isinstance(scaling, LongRoPE):
        length = number(scaling.original_length)
        return r"\sqrt{1 + \ln s/\ln L_0}", rf"\sqrt{{1 + \ln({s})/\ln({length})}}"
    if scaling.mscale and scaling.mscale_all_dim:
        above, below = (
            rf"(0.1 \cdot {number(c)} \cdot \ln({s}) + 1)"
            for c in (scaling.mscale, scaling.mscale_all_dim)
        )
        return r"(0.1\,c_1 \ln s + 1)/(0.1\,c_2 \ln s + 1)", f"{above}/{below}"
    return r"0.1 \ln s + 1", rf"0.1 \cdot \ln({s}) + 1"


def _mean(term: str, index: str, terms: list[str], count: int, value: float) -> Step:
    symbol = rf"\tfrac{{1}}{{n}}\textstyle\sum_{index} {term}"
    return Step(symbol, "", f"({total(terms, count)})/{count}", value)

"""RoPE followed: angles, entries of the rotation, and scores with the numbers of one cell."""

import math

import torch
from torch import Tensor

from posenc.quantity.step import Step, factor, fraction, number, number_sum, words
from posenc.rope.formula import rope_wavelengths
from posenc.rope.matrix import rope_freqs_cis, rotation_matrix
from posenc.rope.pairs import Layout, pair_of
from posenc.waves import rope_angles, wave_sum, wave_terms


def angle_steps(position: int, pair: int, inv_freq: Tensor) -> tuple[Step, ...]:
    """Frequency of a pair and its angle at a position."""
    theta = inv_freq[pair].item()
    angle = rope_angles(torch.tensor([position]), inv_freq)[0, pair].item()
    numbers = rf"{number(position)} \cdot {number(theta)}"
    return (
        Step(rf"\theta_{{{pair}}}", "", "", theta),
        Step(rf"p\,\theta_{{{pair}}}", "", numbers, angle),
    )


def tip_steps(position: int, pair: int, inv_freq: Tensor) -> tuple[Step, ...]:
    """The tip of a pair's hand at a position, exp(i p θ): the angle, real and imaginary part."""
    tip = rope_freqs_cis(torch.tensor([position]), inv_freq)[0, pair].item()
    *given, angle = angle_steps(position, pair, inv_freq)
    whole = number(angle.value)
    return (
        *given,
        angle,
        Step(r"\mathrm{Re}", rf"\cos(p\,\theta_{{{pair}}})", rf"\cos({whole})", tip.real),
        Step(r"\mathrm{Im}", rf"\sin(p\,\theta_{{{pair}}})", rf"\sin({whole})", tip.imag),
    )


def arc_steps(
    positions: tuple[int, int],
    pair: int,
    inv_freq: Tensor,
    product: Tensor,
    attention_factor: float = 1.0,
) -> tuple[Step, ...]:
    """Query and key of one pair: both angles, the arc between them, and what it adds to the score.

    Args:
        positions: m of the query and n of the key.
        pair: i.
        inv_freq: θ as they are used, (pairs,).
        product: q̃·conj(k̃) of every pair, complex128 (pairs,), of `pair_products`.
        attention_factor: Factor on rotated queries and keys.
    """
    m, n = positions
    theta = inv_freq[pair].item()
    delta = torch.tensor([m - n])
    turned = rope_angles(torch.tensor([m, n, m - n]), inv_freq)[:, pair].tolist()
    q, k, arc = turned
    name = rf"\theta_{{{pair}}}"
    dot = product.real
    cross = -product.imag
    terms = attention_factor**2 * wave_terms(delta, inv_freq, dot, cross)
    cosine, sine = rf"\cos((m - n)\,{name})", rf"\sin((m - n)\,{name})"
    formula = rf"(q \cdot k)_{{{pair}}} {cosine}"
    numbers = f"{number(dot[pair].item())} "
    numbers += rf"\cos({number(arc)})"
    if cross[pair] != 0:
        formula += rf" + (q \times k)_{{{pair}}} {sine}"
        numbers += rf" + {factor(cross[pair].item())} \sin({number(arc)})"
    if attention_factor != 1:
        formula = f"a^2 ({formula})"
        numbers = rf"{number(attention_factor)}^2 ({numbers})"
    return (
        Step(name, "", "", theta),
        Step(rf"m\,{name}", "", rf"{number(m)} \cdot {number(theta)}", q),
        Step(rf"n\,{name}", "", rf"{number(n)} \cdot {number(theta)}", k),
        Step(rf"(m - n)\,{name}", "", rf"{number(m - n)} \cdot {number(theta)}", arc),
        Step(cosine, "", rf"\cos({number(arc)})", math.cos(arc)),
        Step(f"s_{{{pair}}}", formula, numbers, terms[0, pair].item()),
    )


def wavelength_steps(pair: int, inv_freq: Tensor) -> tuple[Step, ...]:
    """Frequency of a pair and the positions that it takes to rotate once."""
    theta = inv_freq[pair].item()
    value = rope_wavelengths(inv_freq[[pair]]).item()
    return (
        Step(rf"\theta_{{{pair}}}", "", "", theta),
        Step(rf"\lambda_{{{pair}}}", r"2\pi/\theta", fraction(r"2\pi", theta), value),
    )


def rotation_steps(angles: Tensor, layout: Layout, row: int, col: int) -> tuple[Step, ...]:
    """An entry of `rotation_matrix`: cosine or sine of its pair's angle, or 0 between pairs.

    Args:
        angles: Radians, (pairs,).
        layout: Which channels form a pair.
        row: Channel out.
        col: Channel in.

    Returns:
        The angle and the entry; the entry alone where the channels are of different pairs.
    """
    (pair, second), (other, second_in) = (pair_of(at, len(angles), layout) for at in (row, col))
    symbol = f"R_{{{row},{col}}}"
    if pair != other:
        reason = words("channel {0} is of pair {1}, channel {2} of pair {3}", row, pair, col, other)
        return (Step(symbol, reason, "", 0.0),)
    angle = angles[pair].item()
    value = rotation_matrix(angles, layout)[row, col].item()
    function = r"\cos" if row == col else r"\sin" if second > second_in else r"-\sin"
    return (
        Step(rf"\varphi_{{{pair}}}", "", "", angle),
        Step(symbol, rf"{function} \varphi_{{{pair}}}", f"{function}({number(angle)})", value),
    )


def permutation_steps(order: Tensor, row: int, col: int) -> tuple[Step, ...]:
    """An entry of the matrix that puts channels into another order."""
    source = int(order[row])
    reason = words("place {0} takes channel {1}", row, source)
    return (Step(f"P_{{{row},{col}}}", reason, "", float(source == col)),)


def score_steps(
    distance: int,
    product: Tensor,
    passed: float,
    inv_freq: Tensor,
    attention_factor: float,
    value: float,
) -> tuple[Step, ...]:
    """The score at one distance: what the first pair adds, the sum, and what comes after it.

    Args:
        distance: δ = m - n.
        product: q̃·conj(k̃) of every pair, complex128 (pairs,), of `pair_products`.
        passed: q·k of the channels that are not rotated.
        inv_freq: θ, (pairs,).
        attention_factor: Factor on rotated queries and keys.
        value: The score as it was computed.
    """
    delta = torch.tensor([distance])
    weights = (product.real, -product.imag)
    angle = rope_angles(delta, inv_freq)[0, 0].item()
    terms = wave_terms(delta, inv_freq, *weights)[0].tolist()
    dot, cross = (weight[0].item() for weight in weights)
    first = Step(
        "s_0",
        r"(q \cdot k)_0 \cos \delta\theta_0 + (q \times k)_0 \sin \delta\theta_0",
        rf"{number(dot)} \cos({number(angle)}) + {factor(cross)} \sin({number(angle)})",
        terms[0],
    )
    symbol = r"(R_m q) \cdot (R_n k)"
    pairs = r"\textstyle\sum_i s_i"
    summed = number_sum(terms)
    if attention_factor == 1 and not passed:
        return first, Step(symbol, pairs, summed, value)
    all_pairs = Step(pairs, "", summed, wave_sum(delta, inv_freq, *weights).item())
    formula = pairs
    numbers = number(all_pairs.value)
    if attention_factor != 1:
        formula = rf"a^2 {formula}"
        numbers = rf"{number(attention_factor)}^2 \cdot {numbers}"
    if passed:
        formula += r" + \text{channels that pass}"
        numbers += f" + {factor(passed)}"
    return first, all_pairs, Step(symbol, formula, numbers, value)

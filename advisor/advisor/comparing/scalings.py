"""Scalings followed: the frequency of one pair under each of them, with its numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from posenc.quantity.step import Step, fraction, no_value, number, words
from posenc.rope.formula import rope_inv_freq, rope_wavelengths
from posenc.rope.scaling import Scaling
from posenc.scaling.by_parts import NTKByParts
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.ntk import NTK, ntk_base
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN, yarn_correction_dims
from posenc.waves import turns_within

Written = tuple[tuple[Step, ...], str, str]
"""Steps on the way; then the formula of θ'_i in symbols, and with numbers."""


@dataclass(frozen=True)
class _Pair:
    """A pair of channels before the scaling."""

    index: int
    rotary_dim: int
    base: float
    length: int | None
    inv_freq: Tensor
    """θ of all pairs."""

    @property
    def theta(self) -> float:
        return self.inv_freq[self.index].item()


def frequency_steps(
    scaling: Scaling | None, rotary_dim: int, base: float, length: int | None, pair: int
) -> tuple[Step, ...]:
    """The frequency of a pair under a scaling: see `rope_inv_freq`.

    Args:
        scaling: How the frequencies are stretched; None for not at all.
        rotary_dim: Rotated channels d, even.
        base: b, base of the geometric series.
        length: Tokens in the text, for the scalings that depend on it.
        pair: i.

    Returns:
        θ_i, what the scaling works out, and θ'_i; θ_i alone without a scaling.
    """
    at = _Pair(pair, rotary_dim, base, length, rope_inv_freq(rotary_dim, base)[0])
    plain = Step(rf"\theta_{{{pair}}}", "b^{-2i/d}", _power(base, at), at.theta)
    if scaling is None:
        return (plain,)
    value = rope_inv_freq(rotary_dim, base, scaling, length)[0][pair].item()
    between, formula, numbers = WRITERS.get(type(scaling), _unwritten)(scaling, at)
    return plain, *between, Step(rf"\theta'_{{{pair}}}", formula, numbers, value)


def scaled_wavelength_steps(
    scaling: Scaling | None, rotary_dim: int, base: float, length: int | None, pair: int
) -> tuple[Step, ...]:
    """`frequency_steps`, and the positions that the pair takes for a full turn; ∞ at rest."""
    steps = frequency_steps(scaling, rotary_dim, base, length, pair)
    theta = steps[-1].value
    value = rope_wavelengths(torch.tensor([theta], dtype=torch.float64)).item()
    symbol = r"2\pi/\theta" if scaling is None else r"2\pi/\theta'"
    numbers = fraction(r"2\pi", theta) if theta else ""
    return *steps, Step(rf"\lambda_{{{pair}}}", symbol, numbers, value)


def slowed_step(pair: int, plain: float, scaled: float, value: float) -> Step:
    """How much a pair is slowed: its frequency before over that after."""
    symbol = rf"\theta_{{{pair}}}/\theta'_{{{pair}}}"
    if not scaled:
        return no_value(symbol, "nothing, because the pair does not turn")
    return Step(symbol, "", fraction(number(plain), scaled), value)


def _unwritten(_scaling: Scaling, _at: _Pair) -> Written:
    """The value alone, of a scaling that is not written out."""
    return (), words("by the rule of this method"), ""


def _linear(scaling: Linear, at: _Pair) -> Written:
    return (), r"\theta/k", fraction(number(at.theta), scaling.factor)


def _ntk(scaling: NTK, at: _Pair) -> Written:
    b = number(at.base)
    k = number(scaling.factor)
    pairs = at.rotary_dim // 2
    if scaling.variant == "aware":
        return _raised(at, scaling.factor, scaling.alpha)
    if scaling.variant == "mixed":
        beta = number(scaling.beta)
        strength = scaling.strength(pairs)
        step = Step("a", r"\ln k/(d/2)^\beta", rf"\ln({k})/{pairs}^{{{beta}}}", strength)
        power = rf"-{number(strength)} \cdot ({at.index} + 1)^{{{beta}}}"
        numbers = rf"{number(at.theta)} \cdot \exp({power})"
        return (step,), r"\theta\,\exp(-a(i+1)^\beta)", numbers
    base = Step("b'", "b k", rf"{b} \cdot {k}", at.base * scaling.factor)
    power = _power(base.value, at)
    if scaling.variant == "base":
        return (base,), "b'^{-2i/d}", power
    return (base,), "b'^{-2i/d}/k^{2/d}", f"{power}/{k}^{{2/{at.rotary_dim}}}"


def _dynamic(scaling: DynamicNTK, at: _Pair) -> Written:
    stretch = scaling.stretch(at.length)
    length = number(at.length or 0)
    original = number(scaling.original_length)
    numbers = rf"\max({length}, {original})/{original}"
    step = Step("k", r"\max(L, L_0)/L_0", numbers, stretch)
    between, formula, numbers = _raised(at, stretch, scaling.factor)
    return (step, *between), formula, numbers


def _raised(at: _Pair, stretch: float, alpha: float) -> Written:
    """The larger base of `ntk_base`."""
    d = at.rotary_dim
    k = number(stretch)
    a = number(alpha)
    base = Step(
        "b'",
        r"b\,(\alpha k - \alpha + 1)^{d/(d-2)}",
        rf"{number(at.base)} \cdot ({a} \cdot {k} - {a} + 1)^{{{d}/({d} - 2)}}",
        ntk_base(d, at.base, stretch, alpha),
    )
    return (base,), "b'^{-2i/d}", _power(base.value, at)


def _proportional(scaling: Proportional, at: _Pair) -> Written:
    turning = scaling.turning(at.rotary_dim // 2)
    pairs = at.rotary_dim // 2
    # All digits: a rounded share may come to one pair less.
    numbers = rf"\lfloor {scaling.proportion!r} \cdot {pairs} \rfloor"
    step = Step("n", r"\lfloor p\,d/2 \rfloor", numbers, turning)
    if at.index >= turning:
        return (step,), r"0\quad(i \ge n)", rf"0\quad({at.index} \ge {turning})"
    theta = number(at.theta)
    if scaling.factor == 1:
        return (step,), r"\theta\quad(i < n)", rf"{theta}\quad({at.index} < {turning})"
    return (step,), r"\theta/k\quad(i < n)", fraction(theta, scaling.factor)


def _by_parts(scaling: NTKByParts, at: _Pair) -> Written:
    turns = _turns(scaling.original_length, at)
    kept = scaling.keep(at.inv_freq)[at.index].item()
    low, high = number(scaling.alpha), number(scaling.beta)
    ramp = rf"\text{{clip}}(({number(turns.value)} - {low})/({high} - {low}), 0, 1)"
    gamma = Step(r"\gamma", r"\text{clip}((r - \alpha)/(\beta - \alpha), 0, 1)", ramp, kept)
    return (turns, gamma), *_blended(at, kept, scaling.factor)


def _yarn(scaling: YaRN, at: _Pair) -> Written:
    pairs = at.rotary_dim // 2
    original = scaling.original_length
    fast, slow = yarn_correction_dims(
        at.rotary_dim, at.base, original, scaling.beta_fast, scaling.beta_slow
    )
    low, high = scaling.bounds(pairs, at.base)
    kept = scaling.keep(pairs, at.base)[at.index].item()
    floor, ceil = (r"\lfloor ", r"\rfloor"), (r"\lceil ", r"\rceil")
    if not scaling.truncate:
        floor = ceil = ("", "")
    apart = " + 0.001" if high == low + 0.001 else ""  # bounds that fell together
    names = r"\beta_\text{fast}", r"\beta_\text{slow}"
    ramp = f"({at.index} - {number(low)})/({number(high)} - {number(low)})"
    return (
        _turning_pair(names[0], scaling.beta_fast, fast, at, original),
        _turning_pair(names[1], scaling.beta_slow, slow, at, original),
        Step(
            r"i_\text{low}",
            rf"\max({f'i({names[0]})'.join(floor)}, 0)",
            rf"\max({number(fast).join(floor)}, 0)",
            low,
        ),
        Step(
            r"i_\text{high}",
            rf"\min({f'i({names[1]})'.join(ceil)}, d - 1){apart}",
            rf"\min({number(slow).join(ceil)}, {at.rotary_dim} - 1){apart}",
            high,
        ),
        Step(
            r"\gamma",
            r"1 - \text{clip}((i - i_\text{low})/(i_\text{high} - i_\text{low}), 0, 1)",
            rf"1 - \text{{clip}}({ramp}, 0, 1)",
            kept,
        ),
    ), *_blended(at, kept, scaling.factor)


def _turning_pair(name: str, turns: float, value: float, at: _Pair, original: int) -> Step:
    """The index, a real number, of the pair that makes so many turns within L₀."""
    inside = rf"{number(original)}/(2\pi \cdot {number(turns)})"
    return Step(
        f"i({name})",
        rf"d \ln(L_0/(2\pi {name}))/(2 \ln b)",
        rf"{at.rotary_dim} \cdot \ln({inside})/(2 \ln({number(at.base)}))",
        value,
    )


def _llama3(scaling: Llama3, at: _Pair) -> Written:
    turns = _turns(scaling.original_length, at)
    low, high = number(scaling.low_freq_factor), number(scaling.high_freq_factor)
    theta = number(at.theta)
    r = number(turns.value)
    if scaling.low_freq_factor == scaling.high_freq_factor:
        if turns.value < scaling.low_freq_factor:
            return (turns,), rf"\theta/k\quad(r < {low})", fraction(theta, scaling.factor)
        return (turns,), rf"\theta\quad(r \ge {low})", theta
    kept = scaling.keep(at.inv_freq)[at.index].item()
    bounds = r"f_\text{low}", r"f_\text{high}"
    gamma = Step(
        r"\gamma",
        rf"\text{{clip}}((r - {bounds[0]})/({bounds[1]} - {bounds[0]}), 0, 1)",
        rf"\text{{clip}}(({r} - {low})/({high} - {low}), 0, 1)",
        kept,
    )
    return (turns, gamma), *_blended(at, kept, scaling.factor)


def _longrope(scaling: LongRoPE, at: _Pair) -> Written:
    is_long = scaling.is_long(at.length)
    divisor = (scaling.long_factor if is_long else scaling.short_factor)[at.index]
    name = r"\text{long list, as }L >" if is_long else r"\text{short list, as }L \le"
    where = f"{name} L_0 = {number(scaling.original_length)}"
    step = Step(f"e_{{{at.index}}}", where, "", divisor)
    return (step,), rf"\theta/e_{{{at.index}}}", fraction(number(at.theta), divisor)


WRITERS: dict[type, Callable[[Any, _Pair], Written]] = {
    Linear: _linear,
    NTK: _ntk,
    DynamicNTK: _dynamic,
    Proportional: _proportional,
    NTKByParts: _by_parts,
    YaRN: _yarn,
    Llama3: _llama3,
    LongRoPE: _longrope,
}
"""How each scaling is written; of one that is not here the value is shown alone."""


def _turns(original: int, at: _Pair) -> Step:
    numbers = rf"{number(original)} \cdot {number(at.theta)}/(2\pi)"
    value = turns_within(original, at.inv_freq)[at.index].item()
    return Step("r", r"L_0\,\theta/2\pi", numbers, value)


def _blended(at: _Pair, kept: float, divisor: float) -> tuple[str, str]:
    """Interpolated and kept frequency, weighted."""
    theta = number(at.theta)
    gamma = number(kept)
    numbers = rf"(1 - {gamma}) \cdot {theta}/{number(divisor)} + {gamma} \cdot {theta}"
    return r"(1 - \gamma)\,\theta/k + \gamma\,\theta", numbers


def _power(base: float, at: _Pair) -> str:
    written = number(base)
    written = f"({written})" if "^" in written else written
    return rf"{written}^{{-2 \cdot {at.index}/{at.rotary_dim}}}"

"""xPos followed: the score at one distance, pair by pair."""

import torch
from torch import Tensor

from posenc.quantity.step import SHOWN_TERMS, Step, factor, number, total
from posenc.waves import wave_terms
from posenc.xpos.formula import xpos_decay

SCORE = r"q_m \cdot k_n"


def xpos_score_steps(
    distance: int,
    product: Tensor,
    passed: float,
    inv_freq: Tensor,
    zeta: Tensor,
    scale_base: float,
    value: float,
) -> tuple[Step, ...]:
    """The score at one distance: what the first pair adds, what it keeps, and the sum.

    Args:
        distance: δ = m - n, at least 0.
        product: q̃·conj(k̃) of every pair, complex128 (pairs,), of `pair_products`.
        passed: q·k of the channels that are not rotated.
        inv_freq: θ, (pairs,).
        zeta: ζ, (pairs,).
        scale_base: B.
        value: The score as it was computed.
    """
    delta = torch.tensor([distance])
    rotated = wave_terms(delta, inv_freq, product.real, -product.imag)[0].tolist()
    kept = xpos_decay(delta, zeta, scale_base)[0].tolist()
    both = list(zip(kept, rotated, strict=True))[:SHOWN_TERMS]
    terms = [rf"{number(one)} \cdot {factor(score)}" for one, score in both]
    power = f"{number(zeta[0].item())}^{{{distance} / {number(scale_base)}}}"
    formula = r"\sum_i \zeta_i^{\delta/B} s_i"
    numbers = total(terms, len(kept))
    if passed:
        formula += r" + \text{channels that pass}"
        numbers += f" + {factor(passed)}"
    first = r"(q \cdot k)_0 \cos \delta\theta_0 + (q \times k)_0 \sin \delta\theta_0"
    return (
        Step("s_0", first, "", rotated[0]),
        Step(r"\zeta_0^{\delta/B}", "", power, kept[0]),
        Step(SCORE, formula, numbers, value),
    )

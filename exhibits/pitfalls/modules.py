"""Mistakes in a module of frequencies: it is built without memory, or runs under autocast."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from exhibits.pitfalls.case import Pitfall
from posenc.quantity.step import Step, number
from posenc.words import say

WIDTH = 64
POSITIONS = torch.arange(320)

# Angles under autocast: positions (n,), width -> (n, d / 2)


def wrong_autocast(positions: Tensor, d: int) -> Tensor:
    """Multiply position and frequency as matrices, as autocast finds them."""
    inv_freq = 10000.0 ** -(torch.arange(0, d, 2, dtype=torch.float32) / d)
    with torch.autocast("cpu", torch.bfloat16):  # takes products of matrices in bfloat16
        return positions[:, None].float() @ inv_freq[None]


def right_autocast(positions: Tensor, d: int) -> Tensor:
    """Switch autocast off for the angles."""
    inv_freq = 10000.0 ** -(torch.arange(0, d, 2, dtype=torch.float32) / d)
    with torch.autocast("cpu", enabled=False):  # leaves float32 as it is
        return positions[:, None].float() @ inv_freq[None]


Angles = Callable[[Tensor, int], Tensor]


def the_first_pair_counts_positions(angles: Angles) -> float:
    """The angle of pair 0, whose frequency is 1, is the position."""
    return float((angles(POSITIONS, WIDTH)[:, 0].double() - POSITIONS).abs().max())


def angles_grow(angles: Angles) -> float:
    """Pairs whose angle falls from one position to the next, on the first 128."""
    return float((angles(POSITIONS[:128], WIDTH).diff(dim=0) < 0).sum())


def _autocast_lines(position: int, pair: int) -> tuple[Step, Step]:
    at = torch.tensor([position])
    wrong, right = (form(at, WIDTH)[0, pair].item() for form in (wrong_autocast, right_autocast))
    return (
        Step("", r"\sin(\text{bfloat16}(p\,\theta_i))", rf"\sin({number(wrong)})", math.sin(wrong)),
        Step(
            "",
            r"\sin(p/b^{2i/d})",
            rf"\sin({position}/10000^{{2 \cdot {pair}/{WIDTH}}})",
            math.sin(right),
        ),
    )


AUTOCAST = Pitfall(
    say("Angles under autocast"),
    wrong=wrong_autocast,
    right=right_autocast,
    check=the_first_pair_counts_positions,
    others=(angles_grow,),
    draw=lambda angles: angles(POSITIONS, WIDTH).double().sin(),
    lines=_autocast_lines,
    rows=say("position p"),
    cols=say("pair i"),
    value=say("sin pθ"),
)


# Angles of a module that is built without memory: positions (n,), width -> (n, d / 2)


def wrong_meta(positions: Tensor, d: int) -> Tensor:
    """Build the frequencies like the weights: shapes first, and memory later."""
    with torch.device("meta"):  # shapes without numbers
        inv_freq = 10000.0 ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)
    inv_freq = torch.zeros_like(inv_freq, device="cpu")  # new memory, which no checkpoint fills
    return positions[:, None] * inv_freq


def right_meta(positions: Tensor, d: int) -> Tensor:
    """Keep the frequencies on the CPU, wherever the weights are built."""
    with torch.device("cpu"):  # numbers from the first on
        inv_freq = 10000.0 ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)
    return positions[:, None] * inv_freq


def the_first_pair_turns_one_radian(angles: Angles) -> float:
    """Angle of pair 0 at position 1 is 1."""
    return float((angles(torch.arange(2), WIDTH)[1, 0] - 1).abs())


def the_first_position_is_not_rotated(angles: Angles) -> float:
    """Angles at position 0 are 0."""
    return float(angles(torch.arange(2), WIDTH)[0].abs().max())


def _meta_lines(position: int, pair: int) -> tuple[Step, Step]:
    angle = position * 10000.0 ** (-2 * pair / WIDTH)
    return (
        Step("", r"\sin(p \cdot 0)", rf"\sin({position} \cdot 0)", 0.0),
        Step(
            "",
            r"\sin(p/b^{2i/d})",
            rf"\sin({position}/10000^{{2 \cdot {pair}/{WIDTH}}})",
            math.sin(angle),
        ),
    )


META = Pitfall(
    say('Frequencies left on "meta"'),
    wrong=wrong_meta,
    right=right_meta,
    check=the_first_pair_turns_one_radian,
    others=(the_first_position_is_not_rotated,),
    draw=lambda angles: angles(torch.arange(64), WIDTH).sin(),
    lines=_meta_lines,
    rows=say("position p"),
    cols=say("pair i"),
    value=say("sin pθ"),
)

"""How far back a key like the query scores more than a random one."""

import torch
from torch import Tensor

from posenc.checks import check_int, check_tensors
from posenc.waves import DISTANCES_AT_ONCE, wave_sum


def likeness_reach(inv_freq: Tensor, within: int = 2**20) -> int | None:
    """First distance at which a key like the query scores no more than a random one.

    The mean difference of the two scores is proportional to Σ cos(sθ_i); this is the first s at
    which the sum is below zero.

    Args:
        inv_freq: θ, (pairs,), radians per position.
        within: Distances below this are tried.

    Returns:
        The distance, or None where no distance that was tried is one.

    Raises:
        ValueError: If `within` is below 1.

    Source: Men et al. 2024, section 4, arXiv:2405.14591.
    """
    check_tensors(inv_freq=inv_freq)
    check_int("within", within, 1)
    for start in range(0, within, DISTANCES_AT_ONCE):
        distances = torch.arange(start, min(within, start + DISTANCES_AT_ONCE))
        below = (wave_sum(distances, inv_freq) < 0).nonzero()
        if len(below):
            return start + int(below[0])
    return None

"""Other lists of ALiBi slopes that are in use, and one that is a mistake.

Each takes what `alibi_slopes` takes, gives float64 (num_heads,) and raises ValueError likewise.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from posenc.alibi.formula import alibi_slopes
from posenc.checks import check_int, check_number


def alibi_slopes_from_above(num_heads: int, bias_max: float = 8.0) -> Tensor:
    """The list of `alibi_slopes`, built from the power of two above.

    Every second of its slopes from the second on, then those between, cut at num_heads.

    Source: transformers, models/mpt/modeling_mpt.py, build_mpt_alibi_tensor.
    """
    check_int("num_heads", num_heads, 1)
    above = 2 ** (num_heads - 1).bit_length()
    slopes = alibi_slopes(above, bias_max)
    return slopes if above == num_heads else torch.cat((slopes[1::2], slopes[::2]))[:num_heads]


def alibi_slopes_one_series(num_heads: int, bias_max: float = 8.0) -> Tensor:
    """One geometric series for any head count, 2^(-8(h+1)/n): the sentence of the paper.

    Equal to `alibi_slopes` for powers of two only; released models follow `alibi_slopes`.

    Source: Press et al. 2021, section 3, arXiv:2108.12409.
    """
    return _series(1, num_heads, bias_max)


def alibi_slopes_from_one(num_heads: int, bias_max: float = 8.0) -> Tensor:
    """A mistake: the series counted from h = 0, so that the first slope is 1."""
    return _series(0, num_heads, bias_max)


def _series(start: int, num_heads: int, bias_max: float) -> Tensor:
    check_int("num_heads", num_heads, 1)
    check_number("bias_max", bias_max, above=0)
    heads = torch.arange(start, start + num_heads, dtype=torch.float64)
    return 2.0 ** (-bias_max * heads / num_heads)


SLOPE_SCHEMES: dict[str, Callable[[int], Tensor]] = {
    "authors": alibi_slopes,
    "mpt": alibi_slopes_from_above,
    "one_series": alibi_slopes_one_series,
    "from_zero": alibi_slopes_from_one,
}
"""Lists of slopes by id; the last is a mistake."""

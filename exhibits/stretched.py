"""Numbers of the course on reading further: eight pairs, four times the trained length."""

from collections.abc import Callable
from functools import partial

from torch import Tensor

from posenc.rope.formula import rope_inv_freq
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.yarn import YaRN, yarn_mscale

TRAINED = 4096
FACTOR = 4
HEAD_DIM = 16
BASE = 10000.0
TARGET = FACTOR * TRAINED


def _theta() -> Tensor:
    return rope_inv_freq(HEAD_DIM, BASE)[0]


def _turns(pair: int) -> float:
    return float(angle_coverage(_theta(), TRAINED, TARGET).turns[pair])


def _yarn_slows(pair: int) -> float:
    scaled, _factor = YaRN(FACTOR, TRAINED).apply(_theta(), BASE)
    return float(_theta()[pair] / scaled[pair])


STRETCHED: dict[str, Callable[[], float]] = {
    "factor_of_8": lambda: FACTOR,
    **{f"turns_of_8_{pair}": partial(_turns, pair) for pair in (2, 7)},
    "yarn_of_8_7": partial(_yarn_slows, 7),
    "yarn_factor": lambda: yarn_mscale(FACTOR),
    "yarn_squared": lambda: yarn_mscale(FACTOR) ** 2,
}
"""Name to what computes it."""

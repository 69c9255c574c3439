"""Numbers of the course on reading further: eight pairs, four times the trained length."""

import math
from collections.abc import Callable
from functools import partial

from torch import Tensor

from posenc.config.layers import RopeLayer
from posenc.reading.outcome import cost
from posenc.reading.task import Task
from posenc.rope.formula import rope_inv_freq
from posenc.scaling.by_parts import NTKByParts
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.methods import METHODS
from posenc.scaling.ntk import ntk_base
from posenc.scaling.yarn import YaRN, yarn_mscale

TRAINED, FACTOR, HEAD_DIM, BASE = 4096, 4, 16, 10000.0
TARGET = FACTOR * TRAINED
CIRCLE = 2 * math.pi
AHEAD = 5.0  # by how much a score is above all others
SHORT = 100  # tokens of a short text


def _theta() -> Tensor:
    return rope_inv_freq(HEAD_DIM, BASE)[0]


def _slow() -> float:
    """Radians per position of the slowest pair."""
    return float(_theta()[-1])


def _turns(pair: int) -> float:
    return float(angle_coverage(_theta(), TRAINED, TARGET).turns[pair])


def _yarn_slows(pair: int) -> float:
    scaled, _factor = YaRN(FACTOR, TRAINED).apply(_theta(), BASE)
    return float(_theta()[pair] / scaled[pair])


def _parts_slows(pair: int) -> float:
    """As `_yarn_slows`, with the paper's ramp, which counts turns."""
    scaled, _factor = NTKByParts(FACTOR, TRAINED).apply(_theta(), BASE)
    return float(_theta()[pair] / scaled[pair])


def _share(keys: int, gain: float = 1.0) -> float:
    """Attention of a key whose score is ahead of all others, which are equal."""
    one = math.exp(gain * AHEAD)
    return one / (one + keys - 1)


def _short_cost(name: str, with_factors: bool = True) -> float:
    """Root mean square change of a short text's scores, in standard deviations of a score."""
    layer = RopeLayer(HEAD_DIM, HEAD_DIM, BASE, "half", None, TRAINED, TRAINED)
    task = Task(layer, TRAINED, TARGET, float(FACTOR))
    return cost(task.rule(METHODS[name]), task, SHORT, with_factors)


STRETCHED: dict[str, Callable[[], float]] = {
    "stretched": lambda: TARGET,
    "slow_seen": lambda: (TRAINED - 1) * _slow() / CIRCLE,
    "slow_reached": lambda: (TARGET - 1) * _slow() / CIRCLE,
    "slow_score_far": lambda: 2 * math.cos((TRAINED - 1) * _slow()),
    "slow_half_turn": lambda: math.pi / _slow(),
    "base_of_8": lambda: BASE,
    "factor_of_8": lambda: FACTOR,
    "ntk_base_of_8": lambda: ntk_base(HEAD_DIM, BASE, FACTOR),
    **{f"turns_of_8_{pair}": partial(_turns, pair) for pair in range(HEAD_DIM // 2)},
    **{f"yarn_of_8_{pair}": partial(_yarn_slows, pair) for pair in range(HEAD_DIM // 2)},
    "parts_of_8_3": partial(_parts_slows, 3),
    "yarn_fast": lambda: YaRN(FACTOR, TRAINED).beta_fast,
    "share_trained": lambda: _share(TRAINED),
    "share_stretched": lambda: _share(TARGET),
    "share_sharpened": lambda: _share(TARGET, yarn_mscale(FACTOR) ** 2),
    "yarn_factor": lambda: yarn_mscale(FACTOR),
    "yarn_squared": lambda: yarn_mscale(FACTOR) ** 2,
    "yarn_factor_32": lambda: yarn_mscale(8 * FACTOR),
    "short_linear": lambda: _short_cost("linear"),
    "short_ntk": lambda: _short_cost("ntk"),
    "short_yarn": lambda: _short_cost("yarn"),
    "short_yarn_turned": lambda: _short_cost("yarn", with_factors=False),
}
"""Name to what computes it."""

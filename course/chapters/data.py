"""Parts of the data of several chapters: short numbers, the model, curves of the lab."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from lab.results.curves import Curve, text_by_length
from lab.results.judging import LEARNED
from lab.results.tables import Results
from models.files.find import installed
from models.opened import Model, open_model


def rounded(values: Tensor | NDArray[Any], digits: int) -> Any:
    """As lists, with as many digits as are drawn."""
    if values.ndim:
        return [rounded(value, digits) for value in values]
    return round(float(values), digits)


def language_model() -> Model:
    """The installed one."""
    found = installed()
    assert found is not None, "the language model is not installed"
    return open_model(found)


def text_bits(results: Results, names: Sequence[str]) -> dict[str, dict[int, float]]:
    """Bits a byte of the end of a program text, by model and length."""
    found = {}
    for name in names:
        curve = known(text_by_length(results, f"text-{name}", "none", against_window=False))
        lengths = zip(curve.x, curve.mean, strict=True)
        found[name] = {int(x): round(float(y), 2) for x, y in lengths}
    return found


def known(curve: Curve | None) -> Curve:
    """A curve that was measured."""
    assert curve is not None
    return curve


def learned(near: Curve) -> NDArray[np.bool_]:
    """Which runs learned the task, in texts of the trained length."""
    runs: NDArray[np.bool_] = near.values[:, 0] >= LEARNED
    return runs

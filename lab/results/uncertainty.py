"""How sure a measured number is: standard errors, by one formula wherever they are drawn."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def share(part: Any, whole: Any) -> tuple[Any, Any]:
    """Per cent and its binomial standard error; of numbers, arrays or columns.

    For the error alone, one more of either outcome is counted, so that it is never 0.
    """
    smooth = (part + 1) / (whole + 2)
    return 100 * part / whole, 100 * np.sqrt(smooth * (1 - smooth) / (whole + 2))


def mean_and_error(values: Numbers) -> tuple[float, float]:
    """Mean and its standard error; NaN for that of a single value."""
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return float(values.mean()), float(error)

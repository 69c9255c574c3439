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

"""How many heads copy, and how many look at the token before."""

from models.results.tables import Measured, Way, way
from posenc.attention.habits import CLEAR


def heads(measured: Measured, its: Way, habit: str) -> int:
    """How many heads give at least `CLEAR` of their attention to this habit, read this way.

    Args:
        measured: The rows.
        its: How the model is read.
        habit: One of `models.measuring.induction.SHOWN`.

    Raises:
        KeyError: If that was not measured.
    """
    rows = [row for row in measured.induction if way(row) == its]
    if not rows:
        raise KeyError(its)
    return sum(float(row[habit]) >= CLEAR for row in rows)

"""The bias of an encoding followed, where a formula of the two positions gives it."""

import math

from posenc.catalogue import CATALOGUE
from posenc.places import PositionalEncoding
from posenc.quantity.step import Step


def bias_steps(encoding: PositionalEncoding, head: int, query: int, key: int) -> tuple[Step, ...]:
    """From two positions to the bias of a head, as its entry in the catalogue follows it.

    Args:
        encoding: Any encoding.
        head: Head h.
        query: Position i, at least 0.
        key: Position j, at least 0.

    Returns:
        Steps in float64; none where the catalogue has no picture of the bias (there is none, or it
        reads the tokens too), or where its formula is for past keys and this one is not.
    """
    entries = [entry for entry in CATALOGUE.values() if entry.kind is type(encoding)]
    pictures = [entry.bias_picture for entry in entries if entry.bias_picture is not None]
    if not pictures:
        return ()
    steps = pictures[0](encoding, head, max(query, key) + 1).steps(query, key)
    return () if math.isnan(steps[-1].value) else steps

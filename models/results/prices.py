"""Prices of mistakes with positions in a real model, paired by text."""

from dataclasses import dataclass

import numpy as np

from models.results.losses import Difference, Numbers
from models.results.tables import Measured, text, whole


@dataclass(frozen=True, eq=False)
class Price:
    """Price of one mistake.

    Args:
        texts: Ids.
        length: Tokens of each text.
        tokens: Tokens whose bits count, of all texts.
        wrong: (texts,) bits per token with the mistake.
        right: (texts,) without it.
    """

    texts: tuple[str, ...]
    length: int
    tokens: int
    wrong: Numbers
    right: Numbers

    @property
    def difference(self) -> Difference:
        """Bits per token lost."""
        return Difference(self.wrong - self.right)


def prices(measured: Measured) -> dict[str, Price]:
    """The price of every mistake that was measured, by its id."""
    rows: dict[str, list[tuple[str, int, int, float, float]]] = {}
    for row in measured.prices:
        found = (
            text(row, "text"),
            whole(row, "length"),
            whole(row, "tokens"),
            float(row["wrong_bits"]),
            float(row["right_bits"]),
        )
        rows.setdefault(text(row, "mistake"), []).append(found)
    return {
        mistake: Price(
            texts=tuple(one[0] for one in found),
            length=found[0][1],
            tokens=sum(one[2] for one in found),
            wrong=np.array([one[3] for one in found]),
            right=np.array([one[4] for one in found]),
        )
        for mistake, found in rows.items()
    }

"""The measured rows that ship in data/models, read and checked once."""

import math
from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from models.measuring import induction, loss, passkey, prices
from models.measuring.cache import moved, quantised
from models.measuring.orders import heads as orders
from models.measuring.table import Row, Table
from posenc.scaling.methods import METHODS

DATA = Path(__file__).parent.parent.parent / "data" / "models"


class About(NamedTuple):
    """Facts about a measured model."""

    title: str
    parameters: int
    layers: int
    heads: int
    key_heads: int
    head_dim: int
    base: float
    trained: int
    """Tokens that it was trained on."""


ABOUT = {
    "smollm2-135m-instruct": About("SmolLM2-135M-Instruct", 134_515_008, 30, 9, 3, 64, 1e5, 8192)
}
"""By id, from each model's config.json: the tables hold what was measured, and no more."""


class Way(NamedTuple):
    """How a model was read."""

    method: str
    factor: float


PLAIN = Way("none", 1.0)
SLIDE = Way(loss.SLIDE, 1.0)
"""As trained, and by the sliding window."""


@dataclass(frozen=True, eq=False)
class Measured:
    """All rows of one model.

    Args:
        model: Its id.
        losses: Columns of `models.measuring.loss.COLUMNS`.
        passkeys: Those of `models.measuring.passkey.COLUMNS`.
        prices: Those of `models.measuring.prices.COLUMNS`.
        induction: Those of `models.measuring.induction.COLUMNS`.
        moved: Those of `models.measuring.cache.moved.COLUMNS`.
        quantised: Those of `models.measuring.cache.quantised.COLUMNS`.
        orders: Those of `models.measuring.orders.heads.COLUMNS`.
    """

    model: str
    losses: tuple[Row, ...]
    passkeys: tuple[Row, ...]
    prices: tuple[Row, ...]
    induction: tuple[Row, ...] = ()
    moved: tuple[Row, ...] = ()
    quantised: tuple[Row, ...] = ()
    orders: tuple[Row, ...] = ()

    @property
    def about(self) -> About:
        """Facts about the model."""
        return ABOUT[self.model]


def text(row: Row, column: str) -> str:
    """A cell that holds a word."""
    return str(row[column])


def whole(row: Row, column: str) -> int:
    """A cell that holds a whole number."""
    return int(row[column])


def way(row: Row) -> Way:
    """How the model of a row was read."""
    return Way(text(row, "method"), float(row["factor"]))


def lengths(rows: Iterable[Row]) -> list[int]:
    """Lengths of the passes, rising."""
    return sorted({whole(row, "length") for row in rows})


def usual_length(rows: Iterable[Row]) -> int:
    """Tokens of the passes that most texts were read in; the longest of these."""
    texts: dict[int, set[str]] = {}
    for row in rows:
        texts.setdefault(whole(row, "length"), set()).add(text(row, "text"))
    return max(texts, key=lambda length: (len(texts[length]), length))


def factors(rows: Iterable[Row], length: int) -> list[float]:
    """Factors of the methods that have one, in passes of a length, rising."""
    return sorted(
        {
            float(row["factor"])
            for row in rows
            if whole(row, "length") == length and has_factor(text(row, "method"))
        }
    )


def steadiest(ways: Container[Way]) -> Way:
    """The way that others are paired with: the window where it was measured, as it never breaks."""
    return SLIDE if SLIDE in ways else PLAIN


def has_alpha(method: str) -> bool:
    """Whether the factor of a method is its α, which is not by how much it stretches."""
    return method in METHODS and METHODS[method].parameter == "alpha"


def has_factor(method: str) -> bool:
    """Whether a method is told a factor, or α."""
    return method in METHODS and bool(METHODS[method].parameter)


def depends_on_length(method: str) -> bool:
    """Whether a method reads the first tokens of a longer text otherwise."""
    return method in METHODS and "length" in METHODS[method].needs


def ways(rows: Iterable[Row], length: int, factor: float) -> list[Way]:
    """How passes of a length were read: by this factor, or by a method that has none."""
    there = dict.fromkeys(way(row) for row in rows if whole(row, "length") == length)
    return [one for one in there if not has_factor(one.method) or one.factor == factor]


@cache
def load(folder: Path = DATA) -> Measured:
    """Read and check what ships.

    Raises:
        ValueError: If it is missing or damaged; the message says which file and line.
    """
    losses = _rows(loss.table(folder))
    if not losses:
        raise ValueError(
            f"There are no losses of a real model in {folder.name}; 'python -m models losses' "
            "measures them."
        )
    model = text(losses[0], "model")
    if model not in ABOUT:
        raise ValueError(f"{loss.FILE}: {model!r:.80} is not known.")
    passkeys = _rows(passkey.table(folder))
    costs = _rows(prices.table(folder))
    heads = _rows(induction.table(folder))
    passages = _rows(moved.table(folder))
    rounded = _rows(quantised.table(folder))
    ordered = _rows(orders.table(folder))

    def of_model(rows: list[Row]) -> tuple[Row, ...]:
        return tuple(row for row in rows if row["model"] == model)

    return Measured(
        model,
        losses=of_model(losses),
        passkeys=of_model(passkeys),
        prices=of_model(costs),
        induction=of_model(heads),
        moved=of_model(passages),
        quantised=of_model(rounded),
        orders=of_model(ordered),
    )


def _rows(table: Table) -> list[Row]:
    rows = table.rows()
    for line, row in enumerate(rows, 2):
        for name, value in row.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{table.path.name}, line {line}: {name} is {value:g}.")
    return rows

"""Heads that copy: random tokens twice, and how much each head attends to where they came before.

An induction head finds the earlier copy of a token and attends to what followed the copy; it works
with a head that attends to the token before. Nothing else tells the second half of such a text.

Source: Olsson et al. 2022, "In-context Learning and Induction Heads", arXiv:2209.11895.
"""

import random
import time

import torch
from torch import Tensor

from models.change import Change
from models.forward import forward
from models.measuring.table import MEASURED, Row, measured, tables
from models.opened import Model
from posenc.attention.habits import CLEAR, HABITS, Habits, Queries
from posenc.attention.rows import AttentionRows

TOKENS = 256
"""Random tokens, which then come once more."""
SHOWN = ("previous", "after_copy")
"""Habits that are written down: of a head that copies, and of the one that it works with."""
COLUMNS = {
    "model": str,
    "method": str,
    "factor": float,
    "texts": int,
    "layer": int,
    "head": int,
    "previous": float,
    "after_copy": float,
} | MEASURED
"""A row: one head, and the shares of its attention, means over the queries of the second half.
"""
KEY = ("model", "method", "factor", "texts")
FILE = "induction.csv"
table = tables(FILE, COLUMNS, KEY)
"""Heads that copy, in a folder."""


def twice(model: Model, number: int) -> list[int]:
    """The start of a text, then random tokens twice; another number, other tokens."""
    rng = random.Random(number)
    once = [rng.randrange(model.net.config.vocab_size) for _ in range(TOKENS)]
    return [*model.tokens("").ids, *once, *once]


def shares(model: Model, ids: list[int], change: Change) -> Tensor:
    """The habits of every head in the second half of a text, float64 (layers, heads, habits).

    Args:
        model: The model.
        ids: See `twice`.
        change: How it is read.

    Raises:
        ValueError: If the model cannot be read so.
    """
    rows = torch.arange(len(ids) - TOKENS, len(ids), device=model.device)
    queries = Queries.of(torch.tensor(ids, device=model.device), rows)
    layers = []

    def watch(layer: int, attention: AttentionRows) -> None:
        habits = Habits()
        habits.add(attention.weights(rows), queries)
        layers.append(habits.shares().mT)

    forward(model, ids, change, watch=watch, kept_bytes=0)
    return torch.stack(layers)


def induction_rows(model: Model, texts: int, method: str, factor: float) -> list[Row]:
    """Measure every head under one method, mean over as many texts: a row for each head.

    Raises:
        ValueError: If the model cannot be read so.
    """
    begin = time.perf_counter()
    change = Change(method=method, factor=factor)
    found = [shares(model, twice(model, number), change) for number in range(texts)]
    of = torch.stack(found).mean(0)[..., [list(HABITS).index(name) for name in SHOWN]]
    same = measured(model, begin, method=method, factor=factor, texts=texts)
    return [
        same
        | {"layer": layer, "head": head}
        | {name: round(share, 4) for name, share in zip(SHOWN, one, strict=True)}
        for layer, heads in enumerate(of.tolist())
        for head, one in enumerate(heads)
    ]


def summary(rows: list[Row]) -> str:
    """A pass in a few words."""
    return f"{sum(float(row['after_copy']) >= CLEAR for row in rows)} of {len(rows)} heads copy"

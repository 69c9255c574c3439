"""Random queries and keys: how often scores are in order, by base, head and lead."""

import time
from functools import partial
from itertools import product

import torch

from models.measuring.orders.rates import LENGTHS, rates
from models.measuring.run import Pass
from models.measuring.table import MEASURED, Row, tables
from posenc import RoPE

DRAWS = 20_000
CHANNELS = (64, 128)
BASES = (1e4, 1e5, 5e5, 1e6, 5e6)
LEADS = (0, 1, 2, 4)
"""By how much the moved key scores more than another before the rotation, mean over the draws, in
standard deviations of a random key's score: its numbers correlate with the query's by the lead over
the root of the channels."""
COLUMNS = {
    "channels": int,
    "base": float,
    "lead": int,
    "length": int,
    "draws": int,
    "nearer": float,
    "flipped": float,
} | MEASURED
"""A row: shares of the draws, see `rates`."""
KEY = ("channels", "base", "lead")
FILE = "orders_drawn.csv"
table = tables(FILE, COLUMNS, KEY)
"""Rates of random vectors, in a folder."""


def drawn_rows(channels: int, base: float, lead: int) -> list[Row]:
    """Draw queries and keys from a normal distribution: a row for each length."""
    begin = time.perf_counter()
    draw = torch.Generator().manual_seed(0)
    q, noise, other = torch.randn(3, DRAWS, channels, generator=draw, dtype=torch.float64)
    alike = lead / channels**0.5
    key = alike * q + (1 - alike**2) ** 0.5 * noise
    rope = RoPE(channels, base)
    found = {length: rates(rope, q, key, other, length, draw) for length in LENGTHS}
    same: Row = {
        "channels": channels,
        "base": base,
        "lead": lead,
        "draws": DRAWS,
        "seconds": round(time.perf_counter() - begin, 2),
        "versions": f"torch {torch.__version__}",
    }
    return [
        same
        | {"length": length, "nearer": round(float(nearer), 4), "flipped": round(float(flipped), 4)}
        for length, (nearer, flipped) in found.items()
    ]


def drawn_passes() -> list[Pass]:
    """Every head, base and lead."""
    return [
        Pass(
            title=f"{channels} channels, base {base:,.0f}, a lead of {lead}",
            key=(channels, base, lead),
            cost=1.0,
            measure=partial(drawn_rows, channels, base, lead),
            summary=summary,
        )
        for channels, base, lead in product(CHANNELS, BASES, LEADS)
    ]


def summary(rows: list[Row]) -> str:
    """A pass in a few words."""
    last = rows[-1]
    return f"nearer {last['nearer']:.3f}, flipped {last['flipped']:.3f} at {last['length']:,}"

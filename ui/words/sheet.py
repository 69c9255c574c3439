"""A table as a file for spreadsheets, which compute a cell that begins like a formula."""

import re

import pandas as pd

FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d.]+$)")
"""How a formula begins; a number with its sign is none."""


def csv(frame: pd.DataFrame, *, index: bool = True) -> bytes:
    """The table; what somebody typed stays text, by a mark that spreadsheets do not show."""
    told = frame.map(_plain).rename(index=_plain, columns=_plain)
    return told.to_csv(index=index).encode()


def _plain(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell

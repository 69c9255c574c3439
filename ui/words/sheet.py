"""Tables as files: for spreadsheets, which compute a cell that begins like a formula, and NumPy."""

import io
import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d.]+$)")
"""How a formula begins; a number with its sign is none."""


def csv(frame: pd.DataFrame, *, index: bool = True) -> bytes:
    """The table; what somebody typed stays text, by a mark that spreadsheets do not show."""
    told = frame.map(_plain).rename(index=_plain, columns=_plain)
    return told.to_csv(index=index).encode()


def npz(frames: Mapping[str, pd.DataFrame]) -> bytes:
    """Tables by name as arrays: the values, and what their rows and columns are."""
    arrays: dict[str, np.ndarray] = {}
    for name, frame in frames.items():
        arrays[name] = frame.to_numpy()
        arrays[f"{name} rows"] = frame.index.to_numpy()
        arrays[f"{name} columns"] = frame.columns.to_numpy().astype("U")
    plain = {n: its.astype("U") if its.dtype == object else its for n, its in arrays.items()}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **plain)
    return buffer.getvalue()


def _plain(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell

"""A screen's view: the data and program that it hands to the tabs under its pictures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

Frames = Mapping[str, pd.DataFrame]
"""Name to table: what the figures of a screen show, with positions as index and columns."""


@dataclass(frozen=True)
class ScreenView:
    """A screen as numbers and as a program."""

    tables: Callable[[], Frames]
    """Makes the tables of what the figures show; called when the reader looks at them."""
    code: str = ""
    """Python against `posenc` with the settings filled in, where no program of `notebooks/`
    computes the first figure (below an overview). It leaves its data in `values`."""

"""Which classes hold to sliding_window where a file names no kinds of layers.

window_read.json, beside this file, was observed by reference/sweep/windows.py on tiny models:
whether the mask of a class cuts at the window, and whether its cache does.
"""

from collections.abc import Mapping
from functools import cache

from advisor.tables import table

COMPARED = ("mixtral", "ministral", "phimoe", "moshi")
"""Types whose cache tests/parity/test_memory.py compares with that of the class."""


@cache
def _observed() -> Mapping[str, Mapping[str, bool]]:
    return dict(table("families/window_read.json"))


def is_read(model_type: str) -> bool:
    """Whether the mask of the class's layers cuts at sliding_window."""
    return model_type in COMPARED or _observed().get(model_type, {}).get("mask", False)


def cuts_cache_alone(model_type: str) -> bool:
    """Whether its cache drops what its mask would show: a decoded token then loses it."""
    row = _observed().get(model_type, {})
    return row.get("cache", False) and not row.get("mask", False)

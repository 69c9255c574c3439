"""Golden cases of tables and biases: formula name -> the value to compare with `expected`."""

from collections.abc import Callable
from typing import Any

FORMULAS: dict[str, Callable[[dict], Any]] = {}

"""Lines that many calculations share: a masked cell, a distance, a dot product."""

import math

import torch
from torch import Tensor

from posenc.quantity.step import SHOWN_TERMS, Step, factor, number, total, words


def masked(symbol: str, reason: str = "j > i") -> Step:
    """The last step of a cell that the mask hides; the reason in LaTeX, see also `no_value`."""
    return Step(symbol, words("masked, because {0}", reason), "", math.nan)


def distance_step(row: int, col: int, *, symmetric: bool = False, names: str = "ij") -> Step:
    """δ = i - j of a query and a key (or |i - j|)."""
    i, j = tuple(names)
    bars = ("|", "|") if symmetric else ("", "")
    value = abs(row - col) if symmetric else row - col
    return Step(
        r"\delta", f"{i} - {j}".join(bars), f"{number(row)} - {number(col)}".join(bars), value
    )


def dot_step(symbol: str, left: Tensor, right: Tensor, a: str, b: str) -> Step:
    """A dot product of two vectors (d,), the first terms written out; its value in float64.

    Args:
        symbol: LaTeX of the product.
        left: (d,).
        right: (d,).
        a: Letter of an entry of the left one.
        b: Letter of an entry of the right one.
    """
    left, right = (x.detach().to("cpu", torch.float64) for x in (left, right))
    pairs = list(zip(left.tolist(), right.tolist(), strict=True))
    terms = [rf"{number(x)} \cdot {factor(y)}" for x, y in pairs[:SHOWN_TERMS]]
    value = (left * right).sum().item()
    return Step(symbol, rf"\sum_c {a}_c {b}_c", total(terms, len(pairs)), value)

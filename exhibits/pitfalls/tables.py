"""Mistakes in a table of positions: its columns, how it is added, what is compared."""

import math
from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from exhibits.pitfalls.case import Pitfall, normal
from posenc.quantity.lines import dot_step
from posenc.quantity.step import Step
from posenc.words import say

# A sinusoidal table: length, width -> (length, d)


def wrong_exponents(length: int, d: int) -> Tensor:
    """Give every column its own exponent."""
    p = torch.arange(length, dtype=torch.float64)
    column = torch.arange(d, dtype=torch.float64)
    exponent = column / d  # a cosine is slower than its sine
    angles = p[:, None] / 10000.0**exponent
    return torch.where(column % 2 == 0, angles.sin(), angles.cos())


def right_exponents(length: int, d: int) -> Tensor:
    """Give both columns of a pair the exponent of the sine."""
    p = torch.arange(length, dtype=torch.float64)
    column = torch.arange(d, dtype=torch.float64)
    exponent = (column - column % 2) / d  # 2i for the columns 2i and 2i + 1
    angles = p[:, None] / 10000.0**exponent
    return torch.where(column % 2 == 0, angles.sin(), angles.cos())


Table = Callable[[int, int], Tensor]


def pairs_lie_on_the_circle(table: Table) -> float:
    """sin² + cos² = 1 for each pair of columns."""
    squares = table(64, 16).square()
    return float((squares[:, 0::2] + squares[:, 1::2] - 1).abs().max())


def position_0_is_0_and_1(table: Table) -> float:
    """Row 0 holds sin 0 = 0 and cos 0 = 1."""
    first = table(64, 16)[0]
    return float(torch.maximum(first[0::2].abs(), (first[1::2] - 1).abs()).max())


def _wave(symbol: str, position: int, column: int, exponent: int, formula: str) -> Step:
    """The sine or cosine of a column; d = 32."""
    name, wave = (r"\cos", math.cos) if column % 2 else (r"\sin", math.sin)
    return Step(
        "",
        rf"{name}({symbol}/b^{{{formula}/d}})",
        rf"{name}({position}/10000^{{{exponent}/32}})",
        wave(position / 10000 ** (exponent / 32)),
    )


def wave_line(symbol: str, position: int, column: int) -> Step:
    """The right entry of a sinusoidal table of width 32, whose position has this letter."""
    formula = "(c - 1)" if column % 2 else "c"
    return _wave(symbol, position, column, column - column % 2, formula)


def _exponent_lines(position: int, column: int) -> tuple[Step, Step]:
    wrong = _wave("p", position, column, column, "c")
    return wrong, wave_line("p", position, column)


EXPONENTS = Pitfall(
    say("Cosines with their own exponent"),
    wrong=wrong_exponents,
    right=right_exponents,
    check=pairs_lie_on_the_circle,
    others=(position_0_is_0_and_1,),
    draw=lambda table: table(48, 32),
    lines=_exponent_lines,
    rows=say("position p"),
    cols=say("dimension"),
    value=say("PE"),
)


# Adding a table: embeddings (1, n, d), table (1, length, d) -> (1, n, d)


def wrong_slice(x: Tensor, pe: Tensor) -> Tensor:
    """Take one row, which broadcasting adds to every token."""
    n = x.shape[1]
    return x + pe[:, n]  # row n alone


def right_slice(x: Tensor, pe: Tensor) -> Tensor:
    """Take the first n rows."""
    n = x.shape[1]
    return x + pe[:, :n]  # rows 0 … n - 1


Add = Callable[[Tensor, Tensor], Tensor]


def equal_tokens_become_different(add: Add) -> float:
    """Tokens of a text of one repeated word that equal the token before them."""
    x = add(normal(1, 1, 16).expand(1, 48, 16), right_exponents(64, 16)[None])[0]
    return float((x.diff(dim=0).abs().amax(dim=-1) < 1e-12).sum())


def addition_keeps_the_embedding(add: Add) -> float:
    """The added table does not depend on the embedding."""
    x = normal(1, 48, 16)
    y = normal(1, 48, 16, seed=1)
    pe = right_exponents(64, 16)[None]
    return float(((add(x, pe) - x) - (add(y, pe) - y)).abs().max())


def _added(add: Add) -> Tensor:
    return add(torch.zeros(1, 48, 32, dtype=torch.float64), right_exponents(64, 32)[None])[0]


def _row_lines(position: int, column: int) -> tuple[Step, Step]:
    return wave_line("n", 48, column), wave_line("p", position, column)


ROW = Pitfall(
    say("One row for all"),
    wrong=wrong_slice,
    right=right_slice,
    check=equal_tokens_become_different,
    others=(addition_keeps_the_embedding,),
    draw=_added,
    lines=_row_lines,
    rows=say("position p"),
    cols=say("dimension"),
    value=say("added to the embedding"),
)


# Similarity of positions: table (n, d) -> one number for each pair of positions


def wrong_gram(pe: Tensor) -> Tensor:
    """Compare the columns with each other; where n = d the shape gives nothing away."""
    return pe.T @ pe  # (d, d)


def right_gram(pe: Tensor) -> Tensor:
    """Compare the rows with each other."""
    return pe @ pe.T  # (n, n)


Gram = Callable[[Tensor], Tensor]


def similarity_follows_distance(gram: Gram) -> float:
    """Every diagonal holds one value."""
    s = gram(right_exponents(64, 64))
    return float((s[1:, 1:] - s[:-1, :-1]).abs().max())


def similarity_is_symmetric(gram: Gram) -> float:
    """s_mn = s_nm."""
    s = gram(right_exponents(64, 64))
    return float((s - s.mT).abs().max())


def _gram_lines(m: int, n: int) -> tuple[Step, Step]:
    pe = right_exponents(64, 64)
    wrong = dot_step("", pe[:, m], pe[:, n], "", "")
    right = dot_step("", pe[m], pe[n], "", "")
    return (
        replace(wrong, formula=r"\textstyle\sum_p \mathrm{PE}_{p,m}\,\mathrm{PE}_{p,n}"),
        replace(right, formula=r"\textstyle\sum_c \mathrm{PE}_{m,c}\,\mathrm{PE}_{n,c}"),
    )


GRAM = Pitfall(
    say("Gram matrix of the columns"),
    wrong=wrong_gram,
    right=right_gram,
    check=similarity_follows_distance,
    others=(similarity_is_symmetric,),
    draw=lambda gram: gram(right_exponents(64, 64)),
    lines=_gram_lines,
    rows=say("position m"),
    cols=say("position n"),
    value=say("similarity"),
)

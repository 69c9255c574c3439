"""Definition of a pitfall: a wrong form, the right one, the check that tells them apart, a picture.

A `wrong_` function differs from the `right_` one in the lines with a comment. A check takes any
form of the function, wrong or right, and measures by how much its invariant is broken; 0 (or a
rounding) says that it holds.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from posenc.attention.masks import causal_mask
from posenc.quantity.lines import masked
from posenc.quantity.step import Step, factor, fraction, number, words
from posenc.words import Sentence

Form = Callable[..., Tensor]
Check = Callable[[Any], float]
Lines = Callable[[int, int], tuple[Step, Step]]
"""From row and column to how the cell is computed in the wrong form and in the right one."""
TOLERANCE = 1e-9
SAMPLED = 0.1  # tolerance of a check on a sample of random numbers


@dataclass(frozen=True)
class Pitfall:
    """One mistake."""

    title: Sentence
    wrong: Form
    right: Form
    check: Check
    """Breaks on the wrong form: how far from the invariant it is, 0 where it holds."""
    others: tuple[Check, ...]
    """Hold for both forms: why such a mistake goes unseen."""
    draw: Callable[[Form], Tensor]
    """Draws the result of a form, float64 (rows, cols); NaN where there is nothing to see."""
    lines: Lines
    """Formula, numbers and value of a cell that is drawn, for both forms; without symbols."""
    rows: Sentence
    cols: Sentence
    value: Sentence
    """Name of a cell's value."""
    tolerance: float = TOLERANCE

    def pictures(self) -> tuple[Tensor, Tensor]:
        """The matrix of the wrong form and that of the right one."""
        return self.draw(self.wrong), self.draw(self.right)

    def first_difference(self) -> int | None:
        """The first row in which the two matrices differ by more than rounding."""
        wrong, right = self.pictures()
        rows = ((wrong - right).nan_to_num().abs() > TOLERANCE).any(dim=-1).nonzero()
        return int(rows[0]) if len(rows) else None

    def largest_difference(self) -> tuple[int, int]:
        """Row and column in which the two matrices differ most."""
        wrong, right = self.pictures()
        place = int((wrong - right).nan_to_num().abs().argmax())
        return place // wrong.shape[1], place % wrong.shape[1]

    def steps(self, row: int, col: int) -> tuple[Step, Step, Step]:
        """One cell in the wrong form, in the right one, and the difference."""
        index = rf"{{{row},{col}}}"
        wrong, right = (picture[row, col].item() for picture in self.pictures())
        if math.isnan(wrong - right):
            return masked(f"w_{index}"), masked(f"r_{index}"), masked(f"(w - r)_{index}")
        by_wrong, by_right = self.lines(row, col)
        return (
            replace(by_wrong, symbol=words("wrong"), value=wrong),
            replace(by_right, symbol=words("right"), value=right),
            Step(words("wrong − right"), "", f"{number(wrong)} - {factor(right)}", wrong - right),
        )


def seen_share(scores: Tensor, key: int, seen: Tensor, where: str) -> Step:
    """A softmax over the keys that are seen.

    Args:
        scores: Of one query, scaled, (keys,).
        key: The key that is followed.
        seen: Which keys the query sees, bool (keys,).
        where: LaTeX of the keys t that it sees.
    """
    power = scores[key].item() if seen[key] else -math.inf
    below = scores[seen].exp().sum().item()
    return Step(
        "",
        rf"e^{{s_{{ij}}}}/\textstyle\sum_{{{where}}} e^{{s_{{it}}}}",
        fraction(f"e^{{{number(power)}}}", below),
        math.exp(power) / below,
    )


def normal(*shape: int, seed: int = 0) -> Tensor:
    """Seeded standard normal numbers, float64."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def visible(values: Tensor) -> Tensor:
    """A matrix behind a causal mask, float64; NaN where the mask hides it."""
    values = values.to(torch.float64)
    return values.masked_fill(~causal_mask(*values.shape), torch.nan)

"""Sandwich's bias as a matrix: exact values and means over blocks."""

from dataclasses import dataclass

from torch import Tensor

from posenc.checks import check_int
from posenc.quantity.matrix import QueryByKey
from posenc.quantity.means import mean_cis
from posenc.quantity.step import Step
from posenc.sandwich.formula import Sandwich, sandwich_bias, sandwich_inv_freq, sandwich_kernel
from posenc.sandwich.steps import sandwich_bias_steps
from posenc.waves import over_pairs
from posenc.words import say


@dataclass(frozen=True)
class SandwichBias(QueryByKey):
    """Query × key: Sandwich's bias of one head, both sides of the diagonal.

    Args:
        head: h, 0 … num_heads - 1 (the paper's h is one more).
        num_heads: H.
        length: Positions 0 … length - 1 on both axes.
        d_bar: d̄, even.
        base: Base of the geometric series, above 1.
    """

    head: int
    num_heads: int
    length: int
    d_bar: int = 128
    base: float = 10000.0
    name = say("Sandwich bias")
    signed = False

    def __post_init__(self) -> None:
        check_int("num_heads", self.num_heads, 1)
        check_int("head", self.head, 0, maximum=self.num_heads - 1)
        check_int("length", self.length, 1)
        sandwich_inv_freq(self.d_bar, self.base)  # checks the others

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""

        def kernel(distances: Tensor) -> Tensor:
            return sandwich_kernel(distances, self.d_bar, self.base)

        return self._bias(over_pairs(kernel, rows, cols))

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, the sum of cosines, and the ratio that divides it."""
        return sandwich_bias_steps(self.head, self.num_heads, row, col, self.d_bar, self.base)

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks: the product of mean encodings, because i and j are free."""
        theta = sandwich_inv_freq(self.d_bar, self.base)
        return self._bias((mean_cis(theta, row_edges) @ mean_cis(theta, col_edges).conj().mT).real)

    def _bias(self, kernel: Tensor) -> Tensor:
        return sandwich_bias(kernel, self.num_heads, self.d_bar)[self.head]


def bias_of(encoding: Sandwich, head: int, length: int) -> SandwichBias:
    """The bias that a head of this encoding adds."""
    return SandwichBias(
        head=head,
        num_heads=encoding.num_heads,
        length=length,
        d_bar=encoding.d_bar,
        base=encoding.base,
    )

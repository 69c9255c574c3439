"""Queries, keys, values and the largest change of an output followed."""

from torch import Tensor

from posenc.quantity.lines import dot_step
from posenc.quantity.step import Step, factor, number, words


def projection_steps(
    x: Tensor, weight: Tensor, name: str, row: int, channel: int, value: float, *, rotated: bool
) -> tuple[Step, ...]:
    """One entry of a query, key or value: what the layer reads times a column of its matrix.

    Args:
        x: What the layer reads at the token, (d_model,).
        weight: The matrix of the head, (d_model, head_dim).
        name: LaTeX letter of the result: "q".
        row: Token i.
        channel: Channel c.
        value: The entry as attention sees it.
        rotated: Whether the encoding rotates queries and keys (place 2) after this product.
    """
    letter = name.upper()
    product = dot_step("", x, weight[:, channel], "x", "W")
    symbol = f"{name}_{{{row},{channel}}}"
    entry = rf"\sum_d x_{{{row},d}}\,W^{letter}_{{d,{channel}}}"
    if not rotated:
        return (Step(symbol, entry, product.substituted, value),)
    before = Step(rf"(x W^{letter})_{{{row},{channel}}}", entry, product.substituted, product.value)
    return before, Step(symbol, words("rotated by the encoding at position {0}", row), "", value)


def largest_difference_steps(changed: Tensor, typed: Tensor) -> tuple[Step, ...]:
    """The largest difference of two outputs, and the entries that have it.

    Args:
        changed: (rows, channels).
        typed: The same shape.
    """
    difference = (changed - typed).abs()
    row, channel = divmod(int(difference.argmax()), difference.shape[1])
    one, other = changed[row, channel].item(), typed[row, channel].item()
    place = f"{{{row},{channel}}}"
    return (
        Step(f"o'_{place}", words("shuffled, then put back"), "", one),
        Step(f"o_{place}", words("as typed"), "", other),
        Step(
            r"\max_{i,c} |o'_{i,c} - o_{i,c}|",
            "",
            f"|{number(one)} - {factor(other)}|",
            difference[row, channel].item(),
        ),
    )

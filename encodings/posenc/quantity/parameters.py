"""The number of an encoding's trained parameters followed: the sizes of what it learns."""

from math import prod

from posenc.places import PositionalEncoding
from posenc.quantity.step import Step, number, number_sum, words


def parameter_steps(encoding: PositionalEncoding) -> tuple[Step, ...]:
    """Each parameter's size from its shape, and their sum."""
    steps = []
    for name, parameter in encoding.named_parameters():
        code = name.replace("_", r"\_")
        sizes = r" \cdot ".join(number(size) for size in parameter.shape)
        steps.append(Step(rf"\texttt{{{code}}}", "", sizes, prod(parameter.shape)))
    added = number_sum([step.value for step in steps])
    count = sum(parameter.numel() for parameter in encoding.parameters())
    reason = "" if steps else words("nothing is learned")
    return (*steps, Step(r"\text{parameters}", reason, added, count))

"""Scales on the queries followed, with the numbers of one position."""

import torch

from posenc.quantity.step import Step, number
from posenc.temperature.formula import llama4_temperature


def llama4_temperature_steps(
    position: int, floor_scale: int, attn_scale: float
) -> tuple[Step, ...]:
    """How often the floor fits below a position, and the factor: see `llama4_temperature`."""
    # A vector long enough that every bit is the same as on a curve.
    value = llama4_temperature(torch.full((8,), position), floor_scale, attn_scale)[0].item()
    fits = (position + 1) // floor_scale
    scale = number(attn_scale)
    return (
        Step(
            "n",
            r"\lfloor (p + 1)/F \rfloor",
            rf"\lfloor ({number(position)} + 1)/{number(floor_scale)} \rfloor",
            fits,
        ),
        Step("t", r"a \ln(1 + n) + 1", rf"{scale} \cdot \ln(1 + {number(fits)}) + 1", value),
    )

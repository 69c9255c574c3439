"""Low precision followed: which cast takes an angle how far from where it belongs."""

import math

import torch
from torch import Tensor

from posenc.precision.formula import angle_error, cos_sin_error, max_angle_error
from posenc.precision.rounding import round_positions
from posenc.quantity.step import Step, number, words
from posenc.waves import rope_angles

CAST = {
    "positions": (r"\tilde p", r"\tilde p\,\theta"),
    "inv_freq": (r"\tilde\theta", r"p\,\tilde\theta"),
    "angles": ("", r"\text{rounded }\varphi"),
}
"""The numbers that a stage of `cos_sin_error` rounds, and the resulting angle, in LaTeX."""


def max_angle_error_steps(position: int, inv_freq: Tensor, dtype: torch.dtype) -> tuple[Step, ...]:
    """The pair whose angle is farthest off, what it is rounded from and to: `max_angle_error`."""
    at = torch.tensor([position])
    pair = int(angle_error(at, inv_freq, dtype)[0].argmax())
    theta = inv_freq[pair]
    exact = rope_angles(at, inv_freq)[0, pair].item()
    stored = round_positions(at, dtype)[0]
    frequency = theta.to(dtype)
    rounded = (stored.to(dtype) * frequency).double().item()
    return (
        _worst(pair),
        Step(r"\varphi", r"p\,\theta_i", rf"{number(position)} \cdot {_all(theta)}", exact),
        Step(r"\tilde p", "", "", stored.item()),
        Step(r"\tilde\theta", "", "", frequency.double().item()),
        Step(r"\tilde\varphi", r"\text{rounded }\tilde p\,\tilde\theta", "", rounded),
        Step(
            r"|\tilde\varphi - \varphi|",
            "",
            f"|{_all(rounded)} - {_all(exact)}|",
            max_angle_error(at, inv_freq, dtype).item(),
        ),
    )


def cos_sin_error_steps(
    position: int, inv_freq: Tensor, dtype: torch.dtype, stage: str
) -> tuple[Step, ...]:
    """The pair whose hand is farthest off when one stage is cast: see `cos_sin_error`."""
    at = torch.tensor([position])
    errors = cos_sin_error(at, inv_freq, dtype, {stage})[0]
    pair = int(errors.argmax())
    value = errors.amax().item()

    def cast(name: str, x: Tensor) -> Tensor:
        return x.to(dtype).double() if stage == name else x

    theta = inv_freq[pair].double()
    position_cast = cast("positions", at.double())[0]
    exact = (at.double() * theta)[0]
    theta_cast = cast("inv_freq", theta)
    angle = cast("angles", position_cast * theta_cast)
    cos = cast("cos_sin", angle.cos()).item()
    sin = cast("cos_sin", angle.sin()).item()
    right = exact.cos().item(), exact.sin().item()
    hands = (("c", cos, right[0]), ("s", sin, right[1]))
    steps = [
        _worst(pair),
        Step(r"\varphi", r"p\,\theta_i", rf"{number(position)} \cdot {_all(theta)}", exact.item()),
    ]
    if stage in ("positions", "inv_freq"):
        rounded = position_cast if stage == "positions" else theta_cast
        steps.append(Step(CAST[stage][0], "", "", rounded.item()))
    if stage != "cos_sin":
        steps.append(Step(r"\tilde\varphi", CAST[stage][1], "", angle.item()))
    if angle.isinf():
        return (*steps, Step("e", words("beyond the range of the type"), "", value))
    return (
        *steps,
        *(
            Step(rf"\Delta {name}", rf"\tilde {name} - {name}", f"{_all(x)} - {_behind(y)}", x - y)
            for name, x, y in hands
        ),
        Step(
            "e",
            r"\sqrt{\Delta c^2 + \Delta s^2}",
            rf"\sqrt{{({number(cos - right[0])})^2 + ({number(sin - right[1])})^2}}",
            value,
        ),
    )


def _worst(pair: int) -> Step:
    return Step("i", words("the pair with the largest error"), "", pair)


def _all(value: Tensor | float) -> str:
    """A number with all that float64 has: what is lost may stand after the sixth digit."""
    value = float(value)
    if math.isinf(value):
        return number(value)
    comma = "," if 1e4 <= abs(value) < 1e12 else ""  # as `number` has it
    mantissa, _, exponent = f"{value:{comma}.15g}".replace(",", "{,}").partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _behind(value: float) -> str:
    return f"({_all(value)})" if value < 0 else _all(value)

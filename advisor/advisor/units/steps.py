"""Units followed: what a setting does to one pair, and what a longer text needs."""

import torch

from advisor.units.convert import RopeUnits
from posenc.quantity.step import Step, fraction, no_value, number
from posenc.waves import geometric


def slowed_steps(units: RopeUnits, pair: int) -> tuple[Step, ...]:
    """The trained frequency, that of the setting, and their quotient: see `RopeUnits.slowed`."""
    d = units.head_dim
    s = number(units.factor)
    trained = geometric(units.trained_base, d // 2)[pair].item()
    scaled, slowed = units.inv_freq[pair].item(), units.slowed[pair].item()
    theta = rf"\theta_{{{pair}}}"
    other = rf"\theta'_{{{pair}}}"
    power, new_power = (
        rf"{_base(base)}^{{-2 \cdot {pair}/{d}}}" for base in (units.trained_base, units.base)
    )
    return (
        Step(theta, "b^{-2i/d}", power, trained),
        Step(other, "b'^{-2i/d}/s", f"{new_power}/{s}", scaled),
        Step(f"{theta}/{other}", "", fraction(number(trained), scaled), slowed),
    )


def needed_steps(units: RopeUnits, target_length: int, pair: int) -> tuple[Step, ...]:
    """How much a pair has to be slowed for the target: see `RopeUnits.needed`."""
    value = units.needed(target_length)[pair].item()
    trained = units.trained_length
    length = number(target_length)
    theta = geometric(units.trained_base, units.head_dim // 2)
    turns = (trained * theta / (2 * torch.pi))[pair].item()
    turned = Step(
        "r",
        r"L_0\,\theta/2\pi",
        rf"{number(trained)} \cdot {number(theta[pair].item())}/(2\pi)",
        turns,
    )
    if value != value:
        return turned, no_value("L/L_0", "nothing, because the pair made a full turn in training")
    return turned, Step("L/L_0", "", f"{length}/{number(trained)}", value)


def _base(base: float) -> str:
    return f"({number(base)})" if "^" in number(base) else number(base)

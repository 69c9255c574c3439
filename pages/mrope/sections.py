"""Which pair of channels turns by which position, and how far between two tokens."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from pages.mrope.settings import AXES, COLORS
from plots.lines import Series
from plots.style import MARKERS
from posenc import mrope_axis_of_pair, rope_inv_freq
from posenc.quantity.step import Step, factor, number, words
from posenc.rope.axes import axis_angles
from posenc.rope.steps import wavelength_steps
from posenc.study import rope_wavelengths
from posenc.words import say
from ui import screen
from ui.controls import choice, entry, rope, vector
from ui.controls import number as number_control
from ui.words import _, rounded, translate

ORDERS = {"blocks": say("in blocks"), "interleaved": say("interleaved")}
TURNS_BY = (
    words("this pair turns by the time"),
    words("this pair turns by the row"),
    words("this pair turns by the column"),
)
FASTEST = (say("fastest pair of the time"), say("of the rows"), say("of the columns"))


def apart(label: str, default: int) -> Any:
    """How far two tokens are from each other on an axis."""
    help = say("Position of the query minus that of the key.")
    return entry(number_control, label, default, -100_000, 100_000, help=help)


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("sections", "order")

    rotary_dim: int = entry(
        number_control,
        say("Rotated channels d"),
        128,
        2,
        512,
        even=True,
        help=say("Two of them form a pair; all 128 of a head in Qwen2-VL, 64 of 256 in Qwen3.5."),
    )
    base: float = rope.base(1_000_000.0)
    sections: tuple[float, ...] = entry(
        vector,
        say("Pairs per section"),
        "16, 24, 24",
        help=say("`mrope_section`: pairs of the time, of the rows and of the columns."),
    )
    order: str = entry(
        choice,
        say("Order"),
        ORDERS,
        help=say(
            "In blocks: time, then rows, then columns (Qwen2-VL). Interleaved: in turn, and the "
            "rest is the time's (Qwen3-VL): `mrope_interleaved`."
        ),
    )
    time_apart: int = apart(say("Times apart"), 0)
    rows_apart: int = apart(say("Rows apart"), 1)
    columns_apart: int = apart(say("Columns apart"), 1)

    @cached_property
    def inv_freq(self) -> Tensor:
        """θ, (pairs,)."""
        return rope_inv_freq(self.rotary_dim, self.base)[0]

    @cached_property
    def axes(self) -> Tensor:
        """The axis of each pair, int64 (pairs,).

        Raises:
            ValueError: If the sections are not three numbers of pairs that add up, or rows or
                columns have too many to be interleaved.
        """
        pairs = self.rotary_dim // 2
        if len(self.sections) != 3 or any(one < 0 or one % 1 for one in self.sections):
            raise ValueError(
                say("Sections must be three whole numbers from 0 on, one for each axis.")
            )
        sections = [int(one) for one in self.sections]
        if sum(sections) != pairs:
            raise ValueError(
                say(
                    "Sections must add up to {pairs} pairs, half of the rotated channels; they add "
                    "up to {got:,}.",
                    pairs=pairs,
                    got=sum(sections),
                )
            )
        try:
            return mrope_axis_of_pair(sections, interleaved=self.order == "interleaved")
        except ValueError:
            raise ValueError(
                say(
                    "Interleaved, rows and columns may have at most a third of the {pairs} pairs "
                    "each: Pairs per section may be {time}, {third}, {third}; got {got}.",
                    pairs=pairs,
                    time=pairs - 2 * (pairs // 3),
                    third=pairs // 3,
                    got=", ".join(map(str, sections)),
                )
            ) from None

    @property
    def apart(self) -> tuple[int, int, int]:
        return self.time_apart, self.rows_apart, self.columns_apart

    @cached_property
    def angles(self) -> Tensor:
        """Radians by which the pairs turn from one token to the other, (pairs,)."""
        return axis_angles(torch.tensor(self.apart)[:, None], self.inv_freq, self.axes)[0]

    @property
    def degrees(self) -> Tensor:
        return self.angles.rad2deg()

    @property
    def program(self) -> dict[str, Any]:
        """Settings of the pairs for a program."""
        sections = [int(one) for one in self.sections]
        return {**screen.only(self, "rotary_dim", "base", "order"), "sections": sections}


def picture(s: Settings) -> screen.Picture:
    """The wavelength of each pair by its axis, and its angle between two tokens."""
    return screen.Picture(
        figures=[wavelengths(s), turns(s)],
        readouts={translate(name): fastest(s, axis) for axis, name in enumerate(FASTEST)},
        help={translate(FASTEST[0]): _("Positions for a full turn, the fewest of its pairs.")},
    )


def fastest(s: Settings, axis: int) -> str:
    """Wavelength of the fastest pair of an axis, in words."""
    own = s.inv_freq[s.axes == axis]
    if not len(own):
        return _("none")
    return _("{count} positions", count=rounded(rope_wavelengths(own)[0].item()))


def wavelengths(s: Settings) -> screen.LinesFigure:
    heights = rope_wavelengths(s.inv_freq)
    present = [axis for axis in range(3) if (s.axes == axis).any()]

    def steps(curve: int, pair: int) -> tuple[Step, ...]:
        axis = int(s.axes[pair])
        if axis != present[curve]:
            return (Step(rf"\lambda_{{{pair}}}", TURNS_BY[axis], "", math.nan),)
        return wavelength_steps(pair, s.inv_freq)

    series = []
    for axis, name in enumerate(AXES.values()):
        own = np.flatnonzero(s.axes.numpy() == axis)
        if len(own):
            series.append(
                Series(
                    translate(name),
                    heights[own],
                    x=own,
                    color=COLORS[axis],
                    marker=MARKERS[axis],
                    joined=False,
                )
            )
    pair = len(s.inv_freq) // 2
    return screen.LinesFigure(
        key="wavelengths",
        alt=_(
            "Wavelengths of the pairs on a logarithmic axis, in three colours for the axis that "
            "each turns by"
        ),
        x=np.arange(len(s.inv_freq)),
        series=series,
        title=_("Wavelength of each pair, and the position it turns by"),
        x_title=_("pair i"),
        y_title=_("positions for a full turn λᵢ"),
        log_y=True,
        steps=steps,
        x_name=_("pair"),
        point=(present.index(int(s.axes[pair])), pair),
        table=say("wavelengths"),
        settings=s.program,
        rev=f"{s.program}",
        height=380,
        finish=lambda figure: figure.restyle(marker={"size": 8}),
    )


def turns(s: Settings) -> screen.BarsFigure:
    return screen.BarsFigure(
        key="turns",
        alt=_("Bars of the angle of each pair between two tokens, in the colour of its axis"),
        values=s.degrees,
        name=_("angle"),
        title=_("Angle of each pair between two tokens"),
        x_title=_("pair i"),
        y_title=_("angle (°)"),
        color=[COLORS[axis] for axis in s.axes.tolist()],
        steps=lambda _curve, pair: angle_steps(s, pair),
        x_name=_("pair"),
        point=(0, int(s.angles.abs().argmax())),
        table=say("angles"),
        settings={**s.program, "apart": list(s.apart)},
        height=320,
        rev=f"{s.program}{s.apart}",
    )


def angle_steps(s: Settings, pair: int) -> tuple[Step, ...]:
    """How far both tokens are apart on the axis of the pair, times its frequency."""
    axis = int(s.axes[pair])
    theta = s.inv_freq[pair].item()
    delta = s.apart[axis]
    name = rf"\delta\,\theta_{{{pair}}}"
    angle = s.angles[pair].item()
    return (
        Step(rf"\theta_{{{pair}}}", "", "", theta),
        Step(r"\delta", TURNS_BY[axis], "", float(delta)),
        Step(name, "", rf"{number(delta)} \cdot {number(theta)}", angle),
        Step(
            rf"\varphi_{{{pair}}}",
            rf"\tfrac{{180}}{{\pi}}\,{name}",
            rf"57.2958 \cdot {factor(angle)}",
            s.degrees[pair].item(),
        ),
    )

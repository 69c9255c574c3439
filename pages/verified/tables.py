"""Whose table is right: cosines and sines in float32 by three formulas, against float64."""

from dataclasses import dataclass
from typing import Any

import torch

from exhibits.tables import FLOAT64_SUM, TORCHTUNE_SUM, WAYS, table_error, table_error_steps
from plots.lines import Series
from posenc.quantity.sampling import log_positions
from posenc.words import say
from ui import controls, screen
from ui.controls import rope
from ui.words import _, number

POINTS = 400
DASHES = ("solid", "dash", "dot")
CODE = """\
from exhibits.tables import WAYS, table_error
from posenc.quantity.sampling import log_positions
positions = log_positions({length}, {points})
values = torch.stack([table_error(way, positions, {head_dim}, {base}) for way in WAYS])
print(values.amax(dim=1))
"""


@dataclass(frozen=True, kw_only=True)
class Settings:
    head_dim: int = rope.head_dim(128)
    base: float = rope.base(10000.0)
    length: int = controls.entry(
        controls.powers,
        say("Length"),
        131072,
        4,
        2**24,
        help=say("Positions shown; float32 holds no odd number above 16,777,216."),
    )

    @property
    def program(self) -> dict[str, Any]:
        """Settings of the program."""
        names = ("head_dim", "base", "length")
        return {name: getattr(self, name) for name in names} | {"points": POINTS}


def picture(s: Settings) -> screen.Picture:
    """Error of each library's table by position, and the sum that gave one away."""
    at = log_positions(s.length, POINTS)
    errors = [table_error(way, at, s.head_dim, s.base) for way in WAYS]
    ways = [*WAYS]
    title = _("Cosines and sines in float32: error of the worst number")
    figure = screen.LinesFigure(
        key="table_errors",
        alt=_("Error of three libraries' tables by position, on logarithmic axes"),
        x=at.numpy(),
        series=[
            Series(way, torch.where(error > 0, error, torch.nan).numpy(), dash=dash, marker="")
            for way, error, dash in zip(ways, errors, DASHES, strict=True)
        ],
        title=title,
        x_title=_("position"),
        y_title=_("error"),
        log_x=True,
        log_y=True,
        y_range=(1e-9, 2.0),
        steps=lambda curve, place: table_error_steps(ways[curve], place, s.head_dim, s.base),
        x_name=say("position"),
        point=(2, int(at[len(at) // 2])),
        table=say("error of the tables"),
        settings=s.program,
        caption=_(
            "Each library's formula, written out and computed here, against float64. transformers "
            "and torchtune compute frequencies and angles in float32, so that the angle is rounded "
            "to more at a later position, and their curves lie on each other. posenc computes the "
            "angle in float64 and rounds the cosine once, which costs at most {most:.0e} anywhere.",
            most=2**-25,
        ),
    )
    sums = screen.ReadoutsFigure(
        readouts={
            _("a sum that torchtune's test expects"): number(TORCHTUNE_SUM, ",.4f"),
            _("the same sum in float64"): number(FLOAT64_SUM, ",.4f"),
        },
        help={
            _("a sum that torchtune's test expects"): _(
                "All numbers of 4 × 2,048 × 32 random heads, 128 wide, after they were turned. "
                "A test of this project computes both sums again."
            )
        },
    )
    code = CODE.format(**s.program)
    return screen.Picture(figures=[figure, sums], code=code)

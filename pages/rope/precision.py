"""RoPE in low precision: which positions fall together, and what a cast costs at each stage."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from pages.rope import settings
from plots.figure import Figure
from plots.lines import Mark, Series, lines
from posenc.precision.formula import STAGES, cos_sin_error, max_angle_error
from posenc.precision.rounding import (
    distinct_positions,
    first_colliding_position,
    positions_rounded_alike,
    round_positions,
)
from posenc.precision.steps import cos_sin_error_steps, max_angle_error_steps
from posenc.quantity.sampling import log_positions
from posenc.words import say
from ui import controls, screen
from ui.charts.component import Cell
from ui.charts.points import CurvePoint, on_click
from ui.words import _, number, translate

LOG_POINTS = 400
DTYPES = {"bfloat16": torch.bfloat16, "float16": torch.float16, "float32": torch.float32}
NAMES = dict(
    zip(
        STAGES,
        (
            say("positions cast"),
            say("frequencies cast"),
            say("angles cast"),
            say("cos and sin cast"),
        ),
        strict=True,
    )
)


@dataclass(frozen=True, kw_only=True)
class Settings(settings.Encoding):
    dtype: str = controls.entry(
        controls.choice,
        say("Type"),
        list(DTYPES),
        help=say("What is followed in the first picture, and what the second casts to."),
        above=True,
    )
    position: int = controls.entry(
        controls.number,
        say("Position p"),
        15962,
        0,
        settings.LENGTHS,
        help=say(
            "The position that the sentence, the formulas under the pictures and the table are "
            "about. A click on a curve chooses the position there."
        ),
        above=True,
    )
    stage: str = controls.entry(
        controls.choice,
        say("Cast"),
        NAMES,
        help=say("The curve that is followed in the second picture. A click on it chooses it."),
        above=True,
    )

    @property
    def reach(self) -> int:
        return max(self.length, self.position + 1, 2)

    @property
    def positions(self) -> Tensor:
        """Those of the curves."""
        return log_positions(self.reach, LOG_POINTS)

    @property
    def errors_program(self) -> dict[str, Any]:
        return {**self.program, "reach": self.reach, "points": LOG_POINTS}


def hear() -> None:
    """Copy clicks on the pictures into the controls, before they are drawn."""

    def chosen(control: str, options: Sequence[str], clicked: Cell) -> dict[str, Any]:
        if clicked.curve >= len(options):
            return {}
        return {"position": round(clicked.x), control: options[clicked.curve]}

    on_click("precision", partial(chosen, "dtype", list(DTYPES)))
    on_click("stages", partial(chosen, "stage", STAGES))


def picture(s: Settings) -> screen.Picture:
    """The error of each type, the error of each stage, and a table of positions."""
    return screen.Picture(
        figures=[types(s), stages(s), table(s)],
        words=in_words(s.dtype, s.position, s.inv_freq),
    )


def in_words(name: str, position: int, inv_freq: Tensor) -> str:
    """The position as the type stores it, and the cast that does the harm, in Markdown."""
    dtype = DTYPES[name]
    at = torch.tensor([position])
    stored = float(round_positions(at, dtype))
    if stored == math.inf:
        return _(
            "**{name}** does not reach position **{position:,}**.", name=name, position=position
        )
    first, last = positions_rounded_alike(position, dtype)
    early, late = (
        float(cos_sin_error(at, inv_freq, dtype, {stage}).max())
        for stage in ("positions", "cos_sin")
    )
    values = {
        "name": name,
        "position": position,
        "stored": stored,
        "first": first,
        "last": last,
        "early": early,
        "late": late,
    }
    if first == last:
        return _(
            "**{name}** stores position **{position:,}** as **{stored:,.0f}**, and no other "
            "position as the same number. With positions cast, cos and sin are off by up to "
            "**{early:.2g}** (2 is the opposite direction); with cos and sin alone cast, by "
            "**{late:.2g}**.",
            **values,
        )
    return _(
        "**{name}** stores **{position:,}** as **{stored:,.0f}**, as it does all positions from "
        "{first:,} to {last:,}. With positions cast, cos and sin are off by up to **{early:.2g}** "
        "(2 is the opposite direction); with cos and sin alone cast, by **{late:.2g}**.",
        **values,
    )


def types(s: Settings) -> screen.CurvesFigure:
    """Error of the angles when everything is computed in one type."""
    errors = {n: max_angle_error(s.positions, s.inv_freq, d).numpy() for n, d in DTYPES.items()}
    figure = _curves(
        s,
        errors,
        title=_("Everything in one type: error of the angles"),
        y_title=_("largest error over the pairs (radians)"),
        limit=math.pi,
        lowest=1e-10,
    )
    return screen.CurvesFigure(
        key="precision",
        figure=figure,
        alt=_("Error of float32, bfloat16 and float16 angles by position"),
        steps=lambda _curve, at: max_angle_error_steps(at, s.inv_freq, DTYPES[s.dtype]),
        point=_point(list(DTYPES).index(s.dtype), s.position, s.dtype),
        x=s.positions.numpy(),
        curves=errors,
        x_name=_("position"),
        table=say("types"),
        settings=s.errors_program,
        caption=_(
            "Position, frequency and their product are rounded to the type and compared with "
            "float64. A curve stops where its type does not reach. Dashed: π, which is half a turn."
        ),
    )


def _point(curve: int, position: int, name: str) -> CurvePoint:
    return CurvePoint(
        curve, position, _("{name}, position {position:,}", name=name, position=position)
    )


def stages(s: Settings) -> screen.CurvesFigure:
    """Error of cos and sin when a single stage is cast."""
    dtype = DTYPES[s.dtype]
    errors = {
        translate(NAMES[stage]): cos_sin_error(s.positions, s.inv_freq, dtype, {stage})
        .amax(dim=1)
        .numpy()
        for stage in STAGES
    }
    figure = _curves(
        s,
        errors,
        title=_("One stage in {name}, the others in float64: error of (cos, sin)", name=s.dtype),
        y_title=_("largest distance over the pairs"),
        limit=2.0,
        lowest=1e-8,
    )
    return screen.CurvesFigure(
        key="stages",
        figure=figure,
        alt=_("Error of cos and sin by position, one curve for each stage that is cast"),
        steps=lambda curve, at: cos_sin_error_steps(at, s.inv_freq, dtype, STAGES[curve]),
        point=_point(STAGES.index(s.stage), s.position, NAMES[s.stage]),
        x=s.positions.numpy(),
        curves=errors,
        x_name=_("position"),
        table=say("stages"),
        settings={**s.errors_program, "dtype": s.dtype},
        caption=_(
            "The error from casting cos and sin does not grow with the position: compute the "
            "angles in float32 and cast their cos and sin. 2 is a hand that points the opposite "
            "way."
        ),
    )


def table(s: Settings) -> screen.TableFigure:
    """Where each type begins to lose positions, and what it makes of this one."""
    rows = {}
    for name, dtype in DTYPES.items():
        stored = float(round_positions(torch.tensor(s.position), dtype))
        reached = stored < math.inf
        alike = positions_rounded_alike(s.position, dtype) if reached else (0, 0)
        rows[name] = {
            _("first position like the one before"): number(first_colliding_position(dtype)),
            _("{position:,} becomes", position=s.position): (
                number(stored, ",.0f") if reached else _("out of reach")
            ),
            _("as do"): (
                _("{first:,} … {last:,}", first=alike[0], last=alike[1]) if reached else ""
            ),
            _("different values below {reach:,}", reach=s.reach): number(
                distinct_positions(s.reach, dtype)
            ),
        }
    frame = pd.DataFrame(rows).T.rename_axis(_("type"))
    return screen.TableFigure(name=say("positions"), frame=frame)


def _curves(
    s: Settings,
    errors: dict[str, np.ndarray],
    *,
    title: str,
    y_title: str,
    limit: float,
    lowest: float,
) -> Figure:
    """Errors against position on logarithmic axes."""
    # Exact angles have no place on a logarithmic axis.
    drawn = {name: np.where(error > 0, error, np.nan) for name, error in errors.items()}
    finite = [float(error[np.isfinite(error)].max(initial=0)) for error in errors.values()]
    return lines(
        s.positions.numpy(),
        [Series(name, error, marker="") for name, error in drawn.items()],
        title=title,
        x_title=_("position"),
        y_title=y_title,
        log_x=True,
        log_y=True,
        y_range=(lowest, max(10.0, 2 * max(finite))),
        marks=[Mark("y", limit), Mark("x", max(s.position, 1), "p")],
    )

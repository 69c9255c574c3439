"""The rotation of the query as a matrix, checked on its numbers, and as a product of planes."""

from dataclasses import dataclass
from typing import ClassVar

import pandas as pd
import torch

from exhibits.rotations.identities import RoPEChecks, rope_checks
from pages.rope import settings
from pages.rope.layouts import rotation_quantity
from posenc import rope_angles
from posenc.rope.pairs import Layout
from posenc.words import say
from ui import screen
from ui.charts.panels import Panel
from ui.controls import choice, entry, rope
from ui.words import _, number

PLANES = 4
SHIFTS = (0, 1, 10, 100, 1000, 10_000, 100_000)


@dataclass(frozen=True, kw_only=True)
class Settings(settings.Rotations):
    """The matrix has one position; that of the key is for what holds of it."""

    first: ClassVar = ("head_dim", "m")

    length: int = 32
    n: int = settings.place(say("Position n"), 4, settings.KEYS, rope.QUERY_AND_KEY)
    layout: Layout = entry(choice, say("Layout"), settings.LAYOUTS, help=settings.CHANNELS)


def picture(s: Settings) -> screen.Picture:
    """The matrix, what holds of it, and a rotation for each pair where they are few."""
    shifts = rope_angles(torch.tensor(SHIFTS), s.inv_freq)
    checks = rope_checks(*s.query_and_key, *s.angles, shifts, s.layout)
    matrix = screen.MatrixFigure(
        key="rotation",
        quantity=rotation_quantity(s.angles[0], s.layout),
        title=title(s),
        alt=_("Heatmap of the rotation matrix: cosines on the diagonal, sines beside it"),
        cell=(0, 0),
        table=say("rotation"),
        settings={**s.rotation_program, "layout": s.layout},
    )
    return screen.Picture(
        figures=[matrix, moved_on(checks), *([planes(s)] if s.pairs <= PLANES else [])],
        readouts={
            _("R Rᵀ = I, off by"): number(checks.orthogonal, ".2g"),
            _("Rₘᵀ Rₙ = Rₙ₋ₘ, off by"): number(checks.relative, ".2g"),
            _("complex, elementwise, matrix form differ by"): number(checks.forms, ".2g"),
            _("score (Rₘq)·(Rₙk)"): number(float(checks.scores[0]), ".4f"),
        },
    )


def title(s: Settings) -> str:
    """Name of the matrix, with its position or that its angles were typed."""
    layout = settings.LAYOUTS[s.layout]
    if s.typed_angles:
        return _("Rotation matrix of the typed angles, {layout} layout", layout=layout)
    return _("Rotation matrix at position {m:,}, {layout} layout", m=s.m, layout=layout)


def moved_on(checks: RoPEChecks) -> screen.TableFigure:
    """The score at other places as far apart."""
    scores = {_("score"): [number(score, ".12g") for score in checks.scores.tolist()]}
    frame = pd.DataFrame(scores, [f"s = {shift:,}" for shift in SHIFTS]).T
    return screen.TableFigure(
        name=say("scores when both move on"),
        frame=frame.rename_axis(_("shift")),
        caption=_(
            "The score when query and key move on together by s positions "
            "(largest difference {spread:.2g}):",
            spread=checks.spread,
        ),
    )


def planes(s: Settings) -> screen.PanelsFigure:
    """One rotation for each pair, and their product."""
    panels = [
        Panel(f"{i}", _("plane of pair {pair}", pair=i), rotation_quantity(angles, s.layout))
        for i, angles in enumerate(torch.diag(s.angles[0]))
    ]
    panels.append(Panel("R", "R", rotation_quantity(s.angles[0], s.layout)))
    return screen.PanelsFigure(
        key="planes",
        title=_("R is the product of one rotation per plane"),
        alt=_("One rotation for each pair, and their product"),
        panels=panels,
        height=340,
        cell=(0, 0),
        settings={**s.rotation_program, "layout": s.layout},
    )

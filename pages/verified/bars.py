"""Parts of both pictures of differences: bars on one scale, and the versions that all ran on."""

import json
import platform
from pathlib import Path
from typing import Any

import pandas as pd
import torch

from plots.figure import Figure
from posenc.words import say
from ui import screen
from ui.charts.follow import Explain
from ui.controls import device
from ui.words import _, number

DATA = Path(__file__).parent.parent.parent / "data"
POWERS = "%.1e"
"""How a difference is written in a table."""


def record() -> dict[str, Any]:
    """Results of the tests in tests/parity."""
    found: dict[str, Any] = json.loads((DATA / "verified.json").read_text("utf-8"))
    return found


def bars(
    key: str,
    differences: list[float],
    labels: list[str],
    title: str,
    steps: Explain,
    *,
    table: str = "",
    caption: str = "",
) -> screen.BarsFigure:
    def room(figure: Figure) -> Figure:
        # A bar of height 0 has no place on a logarithmic axis, but its name has. A slanted last
        # name would leave the chart.
        ends = [-0.5, len(differences) - 0.5]
        return figure.relayout(xaxis={"range": ends, "tickangle": -90})

    return screen.BarsFigure(
        key=key,
        alt=_("Bars on a logarithmic axis: {title}", title=title),
        values=differences,
        name=_("largest difference"),
        title=title,
        x_title="",
        y_title=_("largest difference"),
        ticks=labels,
        labels=labels,
        log_y=True,
        y_range=(1e-18, 1e-2),
        finish=room,
        steps=steps,
        x_name=_("bar"),
        point=(0, 0),
        height=460,
        table=table,
        caption=caption,
    )


def counts() -> screen.ReadoutsFigure:
    """How much was compared."""
    found = record()
    golden = found["golden"]
    rows = found["comparisons"]
    wrong = _("of them known wrong")
    return screen.ReadoutsFigure(
        readouts={
            _("comparisons"): number(len(rows)),
            _("configurations drawn"): number(sum(row["cases"] for row in rows)),
            _("golden cases covered"): _(
                "{covered} of {cases}", covered=golden["covered"], cases=golden["cases"]
            ),
            wrong: number(golden["known_wrong"]),
        },
        help={wrong: _("Results of common mistakes: posenc must not give them.")},
    )


def versions(place: torch.device) -> list[screen.WordsFigure | screen.FoldedFigure]:
    """The versions that the comparisons ran on, and those that this screen runs on."""
    found = record()
    packages = ", ".join(f"`{name} {version}`" for name, version in found["versions"].items())
    name = torch.cuda.get_device_name() if place.type == "cuda" else platform.machine()
    cases = pd.DataFrame(
        list(found["golden"]["by_formula"].items()), columns=[_("formula"), _("cases")]
    )
    return [
        screen.WordsFigure(
            _(
                "Recorded with Python {python}, {packages}.",
                python=found["python"],
                packages=packages,
            )
        ),
        screen.WordsFigure(
            _(
                "Here: Python {python}, torch {torch}, {device} ({name}). Devices: {devices}.",
                python=platform.python_version(),
                torch=torch.__version__,
                device=place.type,
                name=name,
                devices=", ".join(device.available()),
            )
        ),
        screen.FoldedFigure(
            title=_("Golden cases by formula"),
            figures=[screen.TableFigure(name=say("golden cases"), frame=cases, indexed=False)],
        ),
    ]

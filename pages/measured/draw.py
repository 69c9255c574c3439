"""Parts that the pictures of small models share: curves, and words on their data."""

from collections.abc import Callable, Sequence

import numpy as np

from lab.results import curves
from lab.results.curves import Curve
from lab.results.judging import LEARNED
from lab.results.tables import load
from lab.results.uncertainty import Numbers
from pages.measured import contenders as measured
from pages.measured.contenders import Contender, Drawing
from pages.measured.settings import trained_length
from plots.lines import Mark, Series, lines
from plots.style import NEUTRAL, shade_outside_training
from ui import screen
from ui.charts.follow import Followed
from ui.words import _, number

CurveOf = Callable[[Contender], Curve | None]


def figure(
    drawing: Drawing,
    title: str,
    key: str,
    *,
    x: str,
    y: str,
    table: str,
    trained: int | None = None,
    window: Curve | None = None,
    marks: Sequence[Mark] = (),
    y_range: tuple[float, float] | None = None,
    log_x: bool = False,
    height: int = 380,
    caption: str = "",
) -> screen.MeasuredFigure:
    """Curves with their bands, the sliding window in grey dashes, beyond training shaded."""
    row = drawing.window(window)
    series = []
    for name, (one, curve) in drawing.curves.items():
        mean, low, high = measured.on_places(curve, drawing.x)
        series.append(Series(name, mean, low=low, high=high, **vars(one.look)))
    for name, heights in row.items():
        series.append(Series(name, heights, color=NEUTRAL, dash="dash", marker=""))
    drawn = lines(
        drawing.x,
        series,
        title=_("{title} (measured on small models)", title=title),
        x_title=x,
        y_title=y,
        log_x=log_x,
        marks=marks,
        y_range=y_range,
    )
    if trained is not None:
        # On a logarithmic axis nearly all is beyond, and the curves start where the label would be.
        label = "" if log_x else None
        drawn = shade_outside_training(drawn, trained, float(drawing.x[-1]), label=label)
    if log_x and len(drawing.x) <= 8:
        ticks = {"tickvals": drawing.x, "ticktext": [f"{x:g}" for x in drawing.x]}
        drawn = drawn.relayout(xaxis=ticks)
    return screen.MeasuredFigure(
        key=key,
        figure=drawn,
        alt=_("{title}: curves of {names}", title=title, names=", ".join(drawing.curves)),
        curves=[
            Followed(name, curve.x[~np.isnan(curve.mean)].tolist(), curve.steps)
            for name, (_one, curve) in drawing.curves.items()
        ],
        x_name=x,
        unit="%" if "%" in y else _("bits per byte"),
        height=height,
        table=table,
        frame=drawing.frame(x, row),
        caption=caption,
    )


def behind(drawing: Drawing, task: str) -> list[screen.WordsFigure | screen.FoldedFigure]:
    """Words on the seeds, bands and gaps of the curves, and on how to measure them again."""
    models = dict.fromkeys(f"{task}-{one.model}" for one in drawing.shown)
    words = [_("{seeds}. {band}", seeds=drawing.seeds, band=drawing.band)]
    if task == "recall":
        words += [unlearned_words(*each) for each in unlearned(drawing).items()]
    if drawing.missing:
        words.append(_("Not measured here: {names}.", names=", ".join(drawing.missing)))
    commands = [
        f"python -m lab.shipped --only {model}-s --work again --data again/data" for model in models
    ]
    facts = [screen.WordsFigure(measured.facts_words(load(), model)) for model in models]
    return [
        screen.WordsFigure(" ".join(words), small=True),
        screen.FoldedFigure(
            title=_("The models, and how to measure them again"),
            figures=[*facts, screen.WordsFigure(code="\n".join(commands), language="bash")],
        ),
    ]


def unlearned_words(name: str, inside: Numbers) -> str:
    """Warning about a model whose seeds did not all learn the task."""
    failed = inside[inside < LEARNED]
    shares = ", ".join(number(share, ".0f") for share in failed)
    if len(failed) == len(inside):
        return _(
            "{name} did not learn the task (it recalls {shares}% at L), so its curve says nothing "
            "about longer contexts.",
            name=name,
            shares=shares,
        )
    return _(
        "{name} did not learn the task in {failed} of {seeds} seeds (which recall {shares}% at "
        "L): these pull its curve down and say nothing about longer contexts.",
        name=name,
        failed=len(failed),
        seeds=len(inside),
        shares=shares,
    )


def unlearned(drawing: Drawing) -> dict[str, Numbers]:
    """Models of which some seed cannot do the task within L, with the recall there of all."""
    found: dict[str, Numbers] = {}
    for one in drawing.shown:
        curve = curves.recall_by_length(load(), f"recall-{one.model}", "none", "near")
        if curve is not None:
            found[one.name] = curve.values[:, curve.x == trained_length("recall")].ravel()
    return {name: v for name, v in found.items() if v.size and v.min() < LEARNED}

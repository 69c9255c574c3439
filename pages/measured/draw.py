"""What every view of Measured curves does: draw, and tell what stands behind the curves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from lab.results import curves
from lab.results.curves import Curve
from lab.results.judging import LEARNED
from lab.results.tables import Results
from lab.results.uncertainty import Numbers
from pages.measured import contenders as measured
from pages.measured.contenders import Contender, Drawing
from plots.lines import Mark
from posenc.words import say
from ui.charts.measured import Followed, measured_chart
from ui.words import _, number

CurveOf = Callable[[Contender], Curve | None]


@dataclass(frozen=True)
class MeasuredSettings:
    """What the controls say."""

    results: Results
    chosen: Sequence[Contender]
    times: int
    """Length of the contexts, in training lengths."""
    bits: str
    """Of text: "against" the window, "absolute", or of "all" bytes."""
    mix: str
    """Of counting, see `lab.tasks.counting.MIXES`."""

    def trained(self, task: str) -> int:
        """L of the shipped models of a task."""
        models = self.results.models(task)
        if not models:
            raise ValueError(say("There are no measured runs of the task {task} yet.", task=task))
        return next(iter(models.values())).train_length


def draw(
    drawing: Drawing,
    title: str,
    key: str,
    *,
    x: str,
    y: str,
    trained: int | None = None,
    window: Curve | None = None,
    marks: Sequence[Mark] = (),
    y_range: tuple[float, float] | None = None,
    log_x: bool = False,
    height: int = 380,
) -> pd.DataFrame:
    """One picture; its table comes back."""
    row = drawing.window(window)
    figure = measured.picture(
        drawing,
        title=title,
        x_title=x,
        y_title=y,
        trained=trained,
        window=row,
        marks=marks,
        log_x=log_x,
        y_range=y_range,
    )
    alt = _("{title}: curves of {names}", title=title, names=", ".join(drawing.curves))
    unit = "%" if "%" in y else _("bits per byte")
    followed = [
        Followed(name, curve.x[~np.isnan(curve.mean)].tolist(), curve.steps)
        for name, (_one, curve) in drawing.curves.items()
    ]
    measured_chart(figure, followed, key=key, alt=alt, x_name=x, unit=unit, height=height)
    return drawing.frame(x, row)


def tell(s: MeasuredSettings, drawing: Drawing, task: str) -> None:
    """What stands behind the curves, and how to measure them again."""
    models = dict.fromkeys(f"{task}-{one.model}" for one in drawing.shown)
    words = [_("{seeds}. {band}", seeds=drawing.seeds, band=drawing.band)]
    if task == "recall":
        words += [unlearned_words(*each) for each in unlearned(s, drawing).items()]
    if drawing.missing:
        words.append(_("Not measured here: {names}.", names=", ".join(drawing.missing)))
    st.caption(" ".join(words))
    with st.expander(_("The models, and how to measure them again")):
        for model in models:
            st.markdown(measured.facts_words(s.results, model))
        commands = [
            f"python -m lab.shipped --only {model}-s --work again --data again/data"
            for model in models
        ]
        st.code("\n".join(commands), language="bash", wrap_lines=True)


def unlearned_words(name: str, inside: Numbers) -> str:
    """What a model's seeds that did not learn the task mean for its curve."""
    failed = inside[inside < LEARNED]
    shares = ", ".join(number(share, ".0f") for share in failed)
    if len(failed) == len(inside):
        return _(
            "{name} did not learn the task (it recalls {shares} % at L), so its curve says nothing "
            "about longer contexts.",
            name=name,
            shares=shares,
        )
    return _(
        "{name} did not learn the task in {failed} of {seeds} seeds (which recall {shares} % at "
        "L): these pull its curve down and say nothing about longer contexts.",
        name=name,
        failed=len(failed),
        seeds=len(inside),
        shares=shares,
    )


def unlearned(s: MeasuredSettings, drawing: Drawing) -> dict[str, Numbers]:
    """Models of which some seed cannot do the task within L, with the recall there of all."""
    found: dict[str, Numbers] = {}
    for one in drawing.shown:
        curve = curves.recall_by_length(s.results, f"recall-{one.model}", "none", "near")
        if curve is not None:
            found[one.name] = curve.values[:, curve.x == s.trained("recall")].ravel()
    return {name: v for name, v in found.items() if v.size and v.min() < LEARNED}

"""Recall against distance of one model, read at the length and by the method that is chosen."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import pandas as pd
from streamlit.delta_generator import DeltaGenerator

from lab.measuring.recall import recall_at
from lab.model.methods import SLIDE
from lab.results.steps import recall_steps
from lab.results.uncertainty import share
from lab.tasks.recall import CHANCE, is_near
from pages.lab.models import Model
from plots.lines import Mark, Series, lines
from plots.looks import look
from plots.style import shade_outside_training
from posenc import RoPE
from posenc.quantity.step import Step
from ui.charts.follow import Followed
from ui.charts.points import lettered
from ui.jobs.looks import title as title_of
from ui.screen.budget import seat
from ui.screen.figures.points import MeasuredFigure
from ui.text.shared import SharedValues
from ui.words import _

MOST_TIMES = {"cope": 2}
"""Training lengths that are read while a visitor waits: 8, fewer where reading takes longer."""
READER = ThreadPoolExecutor(1)
"""One thread reads for all visitors, so that the pages of the others go on."""
LATEST: dict[tuple[str, int, str], tuple["Future[Recall] | None", "Recall | None"]] = {}
"""Readings of models that are being trained: that under way, and the last one that is done."""
LATEST_LOCK = threading.Lock()
MOST_WATCHED = 64
CURVES: SharedValues["RecallCurve"] = SharedValues(2048)
"""Curves of trained models: each is read once for all visitors."""
BYTES_A_PAIR = 200
"""Memory that reading takes, for each query and key of a context (184 MiB at 1024 tokens)."""


@dataclass(frozen=True, eq=False)
class RecallCurve:
    """Right answers against distance, by one method."""

    method: str
    cells: pd.DataFrame
    """Columns distance, asked, right."""

    @property
    def name(self) -> str:
        """As the legend has it, after its letter."""
        return title_of(self.method)

    @property
    def percent(self) -> pd.Series:
        """Right answers in per cent; NaN where nothing was asked."""
        return share(self.cells.right, self.cells.asked)[0]

    def followed(self, name: str) -> Followed:
        """The distances that were asked, with the counts behind them."""
        return Followed(name, self.cells.distance[self.cells.asked > 0].tolist(), self.steps)

    def steps(self, distance: float) -> tuple[Step, ...]:
        """From the counts to the per cent at one distance."""
        [cell] = self.cells[self.cells.distance == distance].itertuples()
        return recall_steps(cell.right, cell.asked)

    def pooled(self, trained: int, *, near: bool) -> float:
        """Per cent right over all questions for near keys, or far ones."""
        here = self.cells[is_near(self.cells.distance, trained) == near]
        return float(100 * here.right.sum() / max(1, here.asked.sum()))


def contexts_at(length: int, method: str, updates: int | None = None) -> int:
    """Contexts that are read while a visitor waits: 32 up to 512 tokens, then 16.

    The sliding window reads every question by itself, and a model that is being trained is
    another one every few seconds: both read 16.
    """
    return 16 if updates is not None or method == SLIDE else max(16, min(32, 2**14 // length))


@dataclass(frozen=True)
class Recall:
    """A model's curves at one length, with the model that they are of."""

    model: Model
    times: int
    curves: list[RecallCurve]


def methods_of(model: Model, times: int, method: str) -> list[str]:
    """As trained; scaled, where it is RoPE; and as a sliding window, once it is trained."""
    methods = ["none"]
    if times > 1 and isinstance(model.run.model.encoding, RoPE):
        methods.append(method)
    if times > 1 and model.updates is None:
        methods.append(SLIDE)
    return methods


def read_recall(model: Model, times: int, method: str) -> Recall:
    """A trained model at `times` its training length; kept, so that it is read once."""
    return _recall(_curve, model, times, method)


def _curve(model: Model, length: int, method: str) -> RecallCurve:
    def make() -> RecallCurve:
        with seat(BYTES_A_PAIR * length**2):
            return READER.submit(_read, model, length, method).result()

    return CURVES.get((str(model.path), model.stamp, length, method), make)


def _read(model: Model, length: int, method: str) -> RecallCurve:
    contexts = contexts_at(length, method, model.updates)
    cells = recall_at(model.run.model, model.run.spec, length, method, contexts)
    return RecallCurve(method, pd.DataFrame(cells)[["distance", "asked", "right"]])


def _recall(
    curve: Callable[[Model, int, str], RecallCurve], model: Model, times: int, method: str
) -> Recall:
    length = times * model.run.spec.train_length
    methods = methods_of(model, times, method)
    return Recall(model, times, [curve(model, length, m) for m in methods])


def last_recall(model: Model, times: int, method: str) -> Recall | None:
    """The last reading of a model that is being trained; the next reading goes on meanwhile.

    None until the first reading is done. Never waits, so that a page can ask every second.
    """
    key = (str(model.path), times, method)
    with LATEST_LOCK:
        under_way, last = LATEST.pop(key, (None, None))
        if under_way is not None and under_way.done():
            last = under_way.result()
            under_way = None
        if under_way is None and (last is None or last.model.stamp != model.stamp):
            under_way = READER.submit(_recall, _read, model, times, method)
        LATEST[key] = (under_way, last)
        while len(LATEST) > MOST_WATCHED:
            del LATEST[next(iter(LATEST))]
    return last


def recall_chart(recall: Recall, below: DeltaGenerator) -> None:
    """Draw right answers against distance, each with its standard error.

    In `below` one of the points is followed.
    """
    model = recall.model
    curves = recall.curves
    names = lettered([curve.name for curve in curves])
    spec = model.run.spec
    length = recall.times * spec.train_length
    distances = curves[0].cells.distance.tolist()
    title = _(
        "Recall inside {length:,} tokens, trained on {trained}",
        length=length,
        trained=spec.train_length,
    )
    if model.updates is not None:
        title = _(
            "Recall inside {length:,} tokens, trained on {trained}, update {updates:,}",
            length=length,
            trained=spec.train_length,
            updates=model.updates,
        )
    figure = lines(
        distances,
        [_series(name, curve, spec.encoding) for name, curve in zip(names, curves, strict=True)],
        title=title,
        x_title=_("distance from query to key (tokens)"),
        y_title=_("right answers (%)"),
        y_range=(0, 114),  # above 100 the label has its place
        marks=[Mark("y", 100 * CHANCE, _("chance"), dash="dot", left=True)],
    )
    figure = shade_outside_training(figure, spec.train_length, max(distances))
    MeasuredFigure(
        key="recall",
        figure=figure.relayout(showlegend=True),
        curves=[curve.followed(name) for name, curve in zip(names, curves, strict=True)],
        alt=_(
            "Right answers against distance inside {length} tokens, a curve for each method",
            length=length,
        ),
        x_name=_("distance (tokens)"),
        unit="%",
        height=400,
        rev=f"{model.key}{recall.times}",
        place=float(distances[0]),
    ).draw(below)


def _series(name: str, curve: RecallCurve, encoding: str) -> Series:
    percent, error = share(curve.cells.right, curve.cells.asked)
    its = look(encoding if curve.method == "none" else curve.method)
    return Series(
        name,
        percent.to_numpy(),
        **vars(its),
        # A share is neither below 0 nor above 100%.
        low=(percent - error).clip(lower=0).to_numpy(),
        high=(percent + error).clip(upper=100).to_numpy(),
    )

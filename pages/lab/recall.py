"""Recall against distance of one model, read at the length and by the method that is chosen."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.measuring.recall import RecallCell, recall_at
from lab.model.methods import SLIDE
from lab.results.steps import recall_steps, wilson
from lab.tasks.recall import CHANCE
from pages.lab.models import Model
from plots.lines import Mark, Series, lines
from plots.looks import look
from plots.style import shade_outside_training
from posenc import RoPE, Step
from ui.charts.measured import Followed, measured_chart
from ui.jobs.looks import title

MOST_TIMES = {"cope": 2}
"""Training lengths that are read while a visitor waits: 8, fewer where reading takes longer."""
READER = ThreadPoolExecutor(1)
"""One thread reads for all visitors, so that the pages of the others go on."""
LATEST: dict[tuple[str, int, str], tuple["Future[Recall] | None", "Recall | None"]] = {}
"""Of models that are being trained: the reading under way, and the last one that is done."""
LATEST_LOCK = threading.Lock()
MOST_WATCHED = 64


@dataclass(frozen=True)
class Curve:
    """Right answers against distance, by one method."""

    method: str
    cells: list[RecallCell]

    @property
    def name(self) -> str:
        """As the legend has it."""
        return title(self.method)

    @property
    def percent(self) -> np.ndarray:
        """(distances,) right answers in per cent."""
        cells = self.cells
        return np.array([100 * c.right / c.asked if c.asked else np.nan for c in cells])

    @property
    def followed(self) -> Followed:
        """The distances that were asked, with the counts behind them."""
        return Followed(self.name, [c.distance for c in self.cells if c.asked], self.steps)

    def steps(self, distance: float) -> tuple[Step, ...]:
        """From the counts to the per cent at one distance."""
        cell = next(cell for cell in self.cells if cell.distance == distance)
        return recall_steps(cell.right, cell.asked)

    def mean(self, low: float, high: float) -> float:
        """Per cent right over all questions asked from `low` to `high` tokens away."""
        here = [cell for cell in self.cells if low <= cell.distance <= high]
        return 100 * sum(c.right for c in here) / max(1, sum(c.asked for c in here))


def contexts_at(length: int, method: str, step: int | None = None) -> int:
    """Contexts that are read while a visitor waits: 32 up to 512 tokens, then 16.

    The sliding window reads every question by itself, and a model that is being trained is
    another one every few seconds: both read 16.
    """
    return 16 if step is not None or method == SLIDE else max(16, min(32, 2**14 // length))


@dataclass(frozen=True)
class Recall:
    """A model's curves at one length, with the model that they are of."""

    model: Model
    times: int
    curves: list[Curve]


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
    length = times * model.run.spec.train_length
    path, stamp = str(model.path), model.stamp
    methods = methods_of(model, times, method)
    return Recall(model, times, [Curve(m, _cells(path, stamp, length, m, model)) for m in methods])


@st.cache_data(max_entries=2048, show_spinner=False)
def _cells(path: str, stamp: int, length: int, method: str, _model: Model) -> list[RecallCell]:
    return READER.submit(_read, _model, length, method).result()


def _read(model: Model, length: int, method: str) -> list[RecallCell]:
    contexts = contexts_at(length, method, model.updates)
    return recall_at(model.run.model, model.run.spec, length, method, contexts)


def _read_all(model: Model, times: int, method: str) -> Recall:
    length = times * model.run.spec.train_length
    methods = methods_of(model, times, method)
    return Recall(model, times, [Curve(m, _read(model, length, m)) for m in methods])


def last_recall(model: Model, times: int, method: str) -> Recall | None:
    """What was read last of a model that is being trained; the next reading goes on meanwhile.

    None until the first reading is done. Never waits, so that a page can ask every second.
    """
    key = (str(model.path), times, method)
    with LATEST_LOCK:
        under_way, last = LATEST.pop(key, (None, None))
        if under_way is not None and under_way.done():
            last = under_way.result()
            under_way = None
        if under_way is None and (last is None or last.model.stamp != model.stamp):
            under_way = READER.submit(_read_all, model, times, method)
        LATEST[key] = (under_way, last)
        while len(LATEST) > MOST_WATCHED:
            del LATEST[next(iter(LATEST))]
    return last


def recall_chart(recall: Recall, below: DeltaGenerator) -> None:
    """Draw right answers against distance; `below` is where one of the points is followed."""
    spec, curves = recall.model.run.spec, recall.curves
    length = recall.times * spec.train_length
    measured_chart(
        recall_figure(recall),
        [curve.followed for curve in curves],
        key="recall",
        alt=f"Right answers against distance inside {length} tokens, a curve for each method",
        x_name="distance (tokens)",
        unit="%",
        height=400,
        rev=f"{recall.model.key}{recall.times}",
        below=below,
        place=curves[0].cells[0].distance,
    )


def recall_figure(recall: Recall) -> go.Figure:
    """Right answers against distance, with Wilson's interval of one standard error."""
    model, curves = recall.model, recall.curves
    spec = model.run.spec
    length = recall.times * spec.train_length
    distances = [cell.distance for cell in curves[0].cells]
    when = "" if model.updates is None else f", step {model.updates:,}"
    figure = lines(
        distances,
        [_series(curve, spec.encoding) for curve in curves],
        title=f"Recall inside {length:,} tokens, L = {spec.train_length}{when}",
        x_title="distance from the question to its one answer (tokens)",
        y_title="right answers (%)",
        y_range=(0, 102),
        marks=[Mark("y", 100 * CHANCE, "chance", dash="dot", left=True)],
    )
    shade_outside_training(figure, spec.train_length, max(distances))
    return figure.update_layout(showlegend=True)


def _series(curve: Curve, encoding: str) -> Series:
    low, high = np.array([wilson(cell.right, cell.asked) for cell in curve.cells]).T
    its = look(encoding if curve.method == "none" else curve.method)
    return Series(curve.name, curve.percent, color=its.color, dash=its.dash, low=low, high=high)

"""Recall against distance of one model, read at the length and by the method that is chosen."""

import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from lab.checkpoints import Checkpoint, load_checkpoint, read_tensors
from lab.encodings import METHODS
from lab.evaluation import RecallCell, contexts_for, recall_at
from lab.recall import CHANCE
from lab.shipped import DATA, WORK
from lab.spec import RunSpec
from lab.training import new_model
from lab.work import CHECKPOINT, STATE
from plots.lines import Mark, Series, lines
from plots.style import NEUTRAL, shade_outside_training
from ui.scaling_methods import STYLES

MOST_TIMES = {"cope": 2}
"""Training lengths that are read while a visitor waits: 8, fewer where reading takes longer."""
UNFINISHED_CONTEXTS = 24
NAMES = {**METHODS, "window": "sliding window (mask of L)"}
LOOKS = {
    "linear": "linear", "ntk": "NTK-aware", "dynamic_ntk": "dynamic NTK",
    "ntk_by_parts": "NTK-by-parts", "yarn": "YaRN", "llama3": "Llama-3",
}  # fmt: skip
ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class Model:
    """Weights that can be read: of a finished run, or as they are while it is trained."""

    run: Checkpoint
    path: Path
    stamp: int
    """Of the file's content: another one, another model."""
    step: int | None
    """Steps made so far; None when it is finished."""

    @property
    def key(self) -> str:
        """What a chart of this model's run is known by."""
        return str(self.path.parent / self.run.spec.key)


def shipped_model(spec: RunSpec) -> Model | None:
    """The model of exactly this run that comes with the project."""
    for folder in (DATA, WORK):
        if (path := folder / f"{spec.name}.safetensors").exists():
            model = _loaded(str(path), path.stat().st_mtime_ns, spec)
            return model if model.run.spec == spec else None
    return None


def job_model(folder: Path, spec: RunSpec) -> Model | None:
    """What a job has in its folder: the finished weights, else those last saved."""
    for name in (CHECKPOINT, STATE):
        try:
            stamp = (folder / name).stat().st_mtime_ns
            return _loaded(str(folder / name), stamp, spec)
        except (OSError, ValueError):
            continue  # not there yet, or just replaced by the next
    return None


@st.cache_resource(max_entries=32, show_spinner=False)
def _loaded(path: str, stamp: int, _spec: RunSpec) -> Model:
    file = Path(path)
    if file.name != STATE:
        return Model(load_checkpoint(file), file, stamp, None)
    tensors, _ = read_tensors(file)
    model = new_model(_spec)
    model.load_state_dict({k[6:]: v for k, v in tensors.items() if k.startswith("model.")})
    return Model(Checkpoint(_spec, model.eval(), {}), file, stamp, int(tensors["step"]))


@dataclass(frozen=True)
class Curve:
    """Right answers against distance, by one method."""

    method: str
    cells: list[RecallCell]

    @property
    def name(self) -> str:
        """As the legend has it."""
        return NAMES[self.method]

    @property
    def percent(self) -> np.ndarray:
        """(distances,) right answers in per cent."""
        return np.array([100 * cell.right / cell.asked for cell in self.cells])

    def mean(self, low: float, high: float) -> float:
        """Per cent right over all questions asked from `low` to `high` tokens away."""
        here = [cell for cell in self.cells if low <= cell.distance <= high]
        return 100 * sum(cell.right for cell in here) / sum(cell.asked for cell in here)


def recall_curves(model: Model, times: int, method: str) -> list[Curve]:
    """As trained, by the method, and with a sliding window, at `times` the training length."""
    length = times * model.run.spec.train_length
    methods = ["none"] if times == 1 else list(dict.fromkeys(["none", method, "window"]))
    return [Curve(m, _cells(str(model.path), model.stamp, length, m, model)) for m in methods]


@st.cache_data(max_entries=2048, show_spinner="Reads the contexts")
def _cells(path: str, stamp: int, length: int, method: str, _model: Model) -> list[RecallCell]:
    contexts = contexts_for(length) if _model.step is None else UNFINISHED_CONTEXTS
    with ONE_AT_A_TIME:
        return recall_at(_model.run.model, _model.run.spec, length, method, contexts)


def recall_figure(model: Model, times: int, curves: list[Curve]) -> go.Figure:
    """Right answers against distance, with Wilson's interval of one standard error."""
    spec = model.run.spec
    length = times * spec.train_length
    distances = [cell.distance for cell in curves[0].cells]
    when = "" if model.step is None else f" after {model.step:,} steps"
    figure = lines(
        distances,
        [_series(curve) for curve in curves],
        title=f"Recall inside {length:,} tokens, trained on {spec.train_length}{when}",
        x_title="distance from the question to its one answer (tokens)",
        y_title="right answers (%)",
        y_range=(0, 102),
        marks=[Mark("y", 100 * CHANCE, "chance", dash="dot")],
    )
    shade_outside_training(figure, spec.train_length, max(distances))
    return figure.update_layout(showlegend=True)


def _series(curve: Curve) -> Series:
    low, high = np.array([wilson(cell.right, cell.asked) for cell in curve.cells]).T
    color, dash = STYLES[LOOKS.get(curve.method, "YaRN")]
    if curve.method in ("none", "window"):
        color, dash = (STYLES["none"][0], "solid") if curve.method == "none" else (NEUTRAL, "dash")
    if curve.method == "yarn_no_temperature":
        dash = "dot"
    return Series(curve.name, curve.percent, color=color, dash=dash, low=low, high=high)


def wilson(right: int, asked: int) -> tuple[float, float]:
    """Interval of one standard error for a share, in per cent.

    Source: Wilson 1927, Journal of the American Statistical Association 22; it keeps a width at
    0 and 100 %.
    """
    share = right / asked
    centre = (share + 0.5 / asked) / (1 + 1 / asked)
    half = (share * (1 - share) / asked + 0.25 / asked**2) ** 0.5 / (1 + 1 / asked)
    return 100 * (centre - half), 100 * (centre + half)

"""One job on the screen: its progress, its training, its model, what was measured of it."""

import json
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from lab.model.methods import SLIDE
from lab.queue.jobs import Lab
from lab.queue.records import UNFINISHED, Job
from lab.spec import RunSpec
from lab.tasks.recall import CHANCE
from pages.lab.models import Model, job_model
from pages.lab.recall import (
    MOST_TIMES,
    Recall,
    RecallCurve,
    contexts_at,
    last_recall,
    read_recall,
    recall_chart,
)
from pages.lab.results import every_encoding, job_results, results_of_job
from ui import screen
from ui.jobs.desk import spec_of, steer
from ui.jobs.polling import polled
from ui.jobs.progress import every_so_many, progress, training_curves
from ui.screen.layout import ScreenView
from ui.words import _

STEADY = "<style>.st-key-lab_job [data-stale] { opacity: 1 !important; }</style>"
"""Style that keeps a job, drawn anew every second, from fading in between."""


@dataclass(frozen=True)
class JobSettings:
    """Settings of the pictures of a job."""

    times: int
    """Length that is read, in training lengths."""
    method: str
    """How RoPE is scaled there."""
    log_loss: bool
    """Whether the loss is on a logarithmic axis."""


def job_panel(lab: Lab, job: Job, settings: JobSettings) -> ScreenView | None:
    """A job that is asked for its state every second while it is not over."""
    with screen.guard(), st.container(key="lab_job"):
        st.html(STEADY)
        return polled(lab, lambda: [lab.job(job.id)], lambda now: draw_job(lab, now[0], settings))
    return None


def draw_job(lab: Lab, job: Job, settings: JobSettings) -> ScreenView | None:
    """Draw a job as far as it is now; while it trains, the training comes first."""
    spec = spec_of(job)
    live = job.state in UNFINISHED
    progress(lab, job, spec)
    if live:
        steer(lab, job)
    parts = draw_parts(lab, job, spec, settings) if spec else []
    if not live:
        steer(lab, job)
    code = next((part.code for part in parts if part.code), "")

    def tables() -> dict[str, pd.DataFrame]:
        return {name: frame for part in parts for name, frame in part.tables().items()}

    return ScreenView(tables, code) if code else None


def draw_parts(lab: Lab, job: Job, spec: RunSpec, settings: JobSettings) -> list[ScreenView]:
    """Draw the pictures of a job of which something is known, the most telling one first."""
    model = job_model(lab.settings.folder(job.id), spec) if spec.task == "recall" else None
    is_finished = model is not None and model.updates is None
    parts = []
    if not is_finished:
        parts.append(training_part(lab, job, spec, settings.log_loss))
    if model is not None:
        where = (
            "from lab.queue.settings import LabSettings\n\n"
            f'path = LabSettings.from_environment().folder({job.id}) / "{model.path.name}"\n'
        )
        parts.append(recall_picture(model, settings, where))
    if is_finished:
        parts.append(training_part(lab, job, spec, settings.log_loss))
    parts.append(measured_part(lab, job, spec))
    return [part for part in parts if part is not None]


def training_part(lab: Lab, job: Job, spec: RunSpec, log_loss: bool) -> ScreenView | None:
    """Loss and accuracy as they grew."""
    table = training_curves(lab, job, spec, log_loss)
    if table is None:
        return None
    every = every_so_many(len(lab.metrics(job.id)["loss"][0]))
    part = f"[::{every}]" if every > 1 else ""
    return ScreenView(
        lambda: {_("training"): table},
        "# In the project's folder.\nimport torch\nfrom lab.queue.jobs import Lab\n\n"
        f'updates, loss = Lab().metrics({job.id})["loss"]\n'
        f"values = torch.tensor(loss{part}, dtype=torch.float64)\n",
    )


def measured_part(lab: Lab, job: Job, spec: RunSpec) -> ScreenView | None:
    """Draw the job's own measurements at every length, as far as there are any."""
    found = job_results(lab, job, spec)
    if not found.rows:
        return None
    st.header(_("Measured at every length"), anchor=False)
    tables = results_of_job(found, growing=job.state in UNFINISHED)
    every_encoding()
    return ScreenView(lambda: tables, "")


def recall_picture(model: Model, settings: JobSettings, where: str) -> ScreenView | None:
    """Right answers against distance at the chosen length, near and far in numbers."""
    spec = model.run.spec
    times = settings.times
    most = MOST_TIMES.get(spec.encoding, 8)
    if times > most:
        st.info(
            _(
                "{title} takes long to read, so here it reads up to {most} times its training "
                "length. The job itself measures the longer ones.",
                title=spec.title,
                most=most,
            )
        )
        times = most
    recall: Recall | None
    if model.updates is None:
        with st.spinner(_("Reading the contexts")):
            recall = read_recall(model, times, settings.method)
    else:
        recall = last_recall(model, times, settings.method)
    if recall is None:
        st.caption(_("The model is being read for the first time."))
        return None
    curves = recall.curves
    length = times * spec.train_length
    picture = st.container()
    near_and_far(spec, curves)
    st.markdown(
        _(
            "**The task, recall.** A text is pairs of a key and a value, matched anew in each "
            "text. At its end the model is asked for keys that it has read; an answer is right "
            "if it is the value that stood behind that key."
        )
    )
    below = st.container()
    with picture:
        recall_chart(recall, below)
    distances = curves[0].cells.distance.tolist()
    columns = {curve.name: curve.percent for curve in curves}
    frame = screen.curve_frame(_("distance"), distances, columns)
    code = snippet(where, length, curves) if model.updates is None else ""
    return ScreenView(lambda: {_("recall"): frame}, code)


def near_and_far(spec: RunSpec, curves: list[RecallCurve]) -> None:
    """Always apart: does the length spoil what the model could do, does it gain anything?"""
    trained = spec.train_length
    longest = curves[0].cells.distance.max()
    values = {}
    for curve in curves:
        near = curve.pooled(trained, near=True)
        values[curve.name] = f"{near:.0f}%"
        if longest > trained:
            far = curve.pooled(trained, near=False)
            values[curve.name] = _("{near:.0f}% near, {far:.0f}% far", near=near, far=far)
    screen.readouts(values)
    if any(curve.method == SLIDE for curve in curves):
        st.markdown(
            _(
                "The *sliding window* is the same model, which is given only the last {trained} "
                "tokens before each answer.",
                trained=trained,
            )
        )
    what = _("Right answers over distances up to {trained} tokens.", trained=trained)
    if longest > trained:
        what = _(
            "Right answers: near keys stand at most {trained} tokens back, far keys further.",
            trained=trained,
        )
    rest = _(
        "Guessing gives {chance:.0f}%. A band is one standard error of the questions asked, cut "
        "at 0 and 100%. This is one trained model, so there is no spread over seeds.",
        chance=100 * CHANCE,
    )
    st.caption(f"{what} {rest}")


def snippet(where: str, length: int, curves: list[RecallCurve]) -> str:
    """A program that reads the same contexts."""
    contexts = {curve.method: contexts_at(length, curve.method) for curve in curves}
    return (
        "# In the project's folder.\nfrom pathlib import Path\n\nimport torch\n"
        "from lab.measuring.recall import recall_at\n"
        "from lab.training.checkpoints import load_checkpoint\n"
        "from lab.training.loop import Trainer\n\n\n"
        "def trained_anew(spec):\n"
        "    trainer = Trainer(spec)\n"
        "    while not trainer.done:\n"
        '        print(trainer.updates, trainer.advance()["loss"])\n'
        "    return trainer.model\n\n\n"
        f"{where}run = load_checkpoint(path)\n"
        "model = run.model  # or trained_anew(run.spec): minutes\ncurves = [\n"
        f"    recall_at(model, run.spec, {length}, method, contexts=count)\n"
        f"    for method, count in {json.dumps(contexts)}.items()\n]\n"
        "values = torch.tensor(\n"
        "    [[100 * cell.right / cell.asked for cell in cells] for cells in curves],\n"
        "    dtype=torch.float64,\n)\n"
    )

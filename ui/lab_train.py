"""Train it now: a button, its progress, and the model that came out of it."""

import pandas as pd
import streamlit as st

from lab.jobs import UNFINISHED, Job, Lab
from lab.spec import RunSpec
from ui import screen
from ui.chart import chart
from ui.lab_desk import steer
from ui.lab_progress import progress, training_curves
from ui.lab_recall import (
    MOST_TIMES,
    Curve,
    Model,
    job_model,
    recall_curves,
    recall_figure,
    shipped_model,
)

Drawn = tuple[screen.Frames, str]
"""The tables and the snippet of what a view has drawn."""
NEAR = (0, 127)


def train_view(
    lab: Lab | None, job: Job | None, spec: RunSpec, times: int, method: str, log_loss: bool
) -> Drawn:
    """The job's training and the recall of its model; the shipped model where there is no job.

    Args:
        lab: The lab; None where it cannot be used.
        job: The job that trains `spec`, if there is one.
        spec: The recall run that the controls describe.
        times: Length to read, in training lengths.
        method: How RoPE is scaled there.
        log_loss: Whether the loss is on a logarithmic axis.
    """
    if lab is None or job is None:
        return shipped_picture(spec, times, method)
    live = job.state in UNFINISHED
    result: list[Drawn] = []

    def show() -> None:
        result[:] = [job_picture(lab, job.id, spec, times, method, log_loss, live)]

    st.fragment(show, run_every=1.0 if live else None)()
    return result[0]


def job_picture(
    lab: Lab, number: int, spec: RunSpec, times: int, method: str, log_loss: bool, was_live: bool
) -> Drawn:
    """Everything about one job that changes while it runs."""
    job = lab.job(number)
    live = job.state in UNFINISHED
    if live:
        lab.ensure_worker()
    if was_live and not live:
        st.rerun()  # the whole screen: nothing needs to be asked every second any more
    model = job_model(lab.settings.folder(number), spec)
    finished = model is not None and model.step is None
    frames: dict[str, pd.DataFrame] = {}
    code = ""
    if live:
        progress(lab, job, spec)
        steer(lab, job)
    parts = [training_part, recall_part] if not finished else [recall_part, training_part]
    for part in parts:
        found, snippet = part(lab, job, spec, model, times, method, log_loss)
        frames |= found
        code = code or snippet
    if not live:
        progress(lab, job, spec)
        steer(lab, job)
    return frames, code


def training_part(lab, job, spec, model, times, method, log_loss) -> Drawn:
    drawn = training_curves(lab, job, spec, log_loss)
    if not drawn:
        return {}, ""
    frame = pd.DataFrame(drawn).set_index("step")
    code = (
        "import torch\nfrom lab.jobs import Lab\n\n"
        f'steps, loss = Lab().metrics({job.id})["loss"]\n'
        "values = torch.tensor(loss, dtype=torch.float64)\nprint(values)\n"
    )
    return {"training": frame}, code


def recall_part(lab, job, spec, model, times, method, log_loss) -> Drawn:
    if model is None:
        return {}, ""
    where = (
        "from lab.settings import Settings\n\n"
        f"path = Settings.from_environment().folder({job.id}) / {model.path.name!r}\n"
    )
    return recall_picture(model, times, method, where)


def shipped_picture(spec: RunSpec, times: int, method: str) -> Drawn:
    """What there is to see before anybody has trained this here."""
    model = shipped_model(spec)
    if model is None:
        st.info(
            f"{spec.title} with seed {spec.seed} has not been trained on this server, and no such "
            "model comes with the project. Press the button."
        )
        return {}, ""
    st.caption(
        "This is the model that comes with the project, trained by the same recipe. Press the "
        "button and watch your own grow; it then takes this place."
    )
    return recall_picture(model, times, method, f'path = Path("data/lab/{model.path.name}")\n')


def recall_picture(model: Model, times: int, method: str, where: str) -> Drawn:
    """Right answers against distance at the chosen length, near and far in numbers."""
    spec = model.run.spec
    most = MOST_TIMES.get(spec.encoding, 8)
    if times > most:
        st.info(
            f"{spec.title} takes long to read: on this screen up to {most} × the training length. "
            "Longer ones are measured by the job itself; see Jobs."
        )
        times = most
    curves = recall_curves(model, times, method)
    length = times * spec.train_length
    chart(
        recall_figure(model, times, curves),
        key="recall",
        alt=f"Right answers against distance inside {length} tokens, a curve for each method",
        height=400,
        rev=f"{model.key}{times}",
    )
    readouts(spec, curves)
    frame = screen.curve_frame(
        "distance",
        [cell.distance for cell in curves[0].cells],
        {curve.name: curve.percent for curve in curves},
    )
    return {"recall": frame}, snippet(where, length, curves)


def readouts(spec: RunSpec, curves: list[Curve]) -> None:
    """Near and far, always apart: does length spoil what was there, does it gain anything?"""
    inside, longest = spec.train_length, max(cell.distance for cell in curves[0].cells)
    values = {}
    for curve in curves:
        near = f"{curve.mean(0, inside):.0f}"
        far = f" / {curve.mean(inside + 1, longest):.0f}" if longest > inside else ""
        values[curve.name] = f"{near}{far} %"
    screen.readouts(values)
    st.caption(
        f"Near (at most {inside} tokens away) / far (further than any training showed). Guessing "
        "gives 3 %. Bands: one standard error of the questions asked; one trained model."
    )


def snippet(where: str, length: int, curves: list[Curve]) -> str:
    """A program that reads the same contexts."""
    methods = ", ".join(f'"{curve.method}"' for curve in curves)
    return (
        "from pathlib import Path\n\nimport torch\n"
        "from lab.checkpoints import load_checkpoint\nfrom lab.evaluation import recall_at\n"
        f"{where}"
        "run = load_checkpoint(path)\nvalues = torch.tensor([\n"
        f"    [100 * c.right / c.asked for c in recall_at(run.model, run.spec, {length}, method)]\n"
        f"    for method in [{methods}]\n], dtype=torch.float64)\nprint(values)\n"
    )

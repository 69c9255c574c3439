"""How far a job is: its state in a sentence, a bar, and the curves of its training."""

import numpy as np
import pandas as pd
import streamlit as st

from lab.jobs import Job, Lab
from lab.recall import STAGES
from lab.spec import RunSpec
from plots.lines import Band, Series, lines
from posenc import CATALOGUE
from ui.chart import chart
from ui.lab_desk import duration

SHADED = ("rgba(0, 0, 0, 0)", "rgba(128, 128, 128, 0.10)")


def sentence(job: Job, spec: RunSpec | None, before: int) -> str:
    """State, progress and estimate of a job.

    Args:
        job: The job.
        spec: What it trains, if it trains.
        before: Jobs that are done before it while it waits.
    """
    steps = spec.steps if spec else 0
    trained = f"step {min(job.step, steps):,} of {steps:,}" if job.step <= steps else ""
    match job.state:
        case "queued":
            again = f", and goes on at {trained}" if job.step and trained else ""
            first = "1 job is" if before == 1 else f"{before} jobs are"
            wait = f"{first} before it" if before else "it is the next"
            return f"Waits for a worker: {wait}{again}."
        case "running" if job.wanted:
            return "Saves what it has, then stops."
        case "running" if not job.total:
            return "A worker has it and is starting."
        case "running" if job.step < steps:
            left = f", about {duration(job.remaining)} left" if job.remaining else ""
            return f"Trains: {trained}{left}."
        case "running":
            units = f"{job.step - steps} of {job.total - steps}" if job.total > steps else "none"
            ready = "Trained; you can read it now. " if steps else ""
            return f"{ready}Every length is measured meanwhile: {units} done."
        case "paused":
            return f"Paused{f' at {trained}' if trained else ''}."
        case "failed":
            return f"Failed: {job.error}"
        case "cancelled":
            return "Cancelled."
        case _:
            return f"Done in {duration(job.seconds)}."


def progress(lab: Lab, job: Job, spec: RunSpec | None) -> None:
    """The sentence and the bar; an error stands out."""
    before = 0
    if job.state == "queued":
        before = sum(other.id < job.id for other in lab.jobs("queued", "running"))
    words = f"Job {job.id}. {sentence(job, spec, before)}"
    if job.state == "failed":
        st.error(words)
    elif job.ended:
        st.caption(words)
    else:
        st.progress(min(1.0, job.step / job.total) if job.total else 0.0, words)


def stages(spec: RunSpec) -> list[Band]:
    """The curriculum of recall: sequences of L/4, then L/2, then L tokens."""
    if spec.task != "recall":
        return []
    bands, start = [], 0.0
    for index, (end, part) in enumerate(STAGES):
        label = f"{spec.train_length // part} tokens"
        bands.append(Band(start * spec.steps, end * spec.steps, label, SHADED[index % 2]))
        start = end
    return bands


def training_curves(lab: Lab, job: Job, spec: RunSpec, log_loss: bool) -> pd.DataFrame | None:
    """Draw loss and accuracy against step, as far as they are known; return them as a table."""
    curves = lab.metrics(job.id)
    if "loss" not in curves:
        return None
    entry = CATALOGUE[spec.encoding]
    drawn = {}
    panels = {
        "loss": ("Loss on what is asked", "loss (nats)", 1.0, log_loss),
        "accuracy": ("Right answers on the same batches", "accuracy (%)", 100.0, False),
    }
    for place, (name, (title, y_title, factor, log)) in zip(
        st.columns(2, gap="large"), panels.items(), strict=True
    ):
        steps, values = curves[name]
        y = factor * np.array(values, dtype=float)
        figure = lines(
            steps,
            [Series(name, y, color=entry.color, dash="solid", marker="" if len(y) > 2 else None)],
            title=title,
            x_title="step",
            y_title=y_title,
            log_y=log,
            y_range=shown_range(y, log) if name == "loss" else (0, 118),
            bands=stages(spec),
        )
        figure.update_xaxes(range=[0, spec.steps])
        with place:
            chart(
                figure,
                key=f"training_{name}",
                alt=f"Curve of the {name} against the training step",
                height=260,
                rev=f"{job.id}{log}",
            )
        drawn[name] = y
    return pd.DataFrame(drawn, index=pd.Index(steps, name="step"))


def shown_range(y: np.ndarray, log: bool) -> tuple[float, float] | None:
    """Of the loss: with room above for the names of the stages."""
    known = y[np.isfinite(y) & ((y > 0) | (not log))]
    if not known.size:
        return None
    return (0.7 * known.min(), 3 * known.max()) if log else (0, max(1.18 * known.max(), 1e-6))

"""How far a job is: its state in a sentence, a bar, and the curves of its training."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from lab.queue.jobs import UNFINISHED, Job, Lab
from lab.spec import RunSpec
from lab.tasks.recall import STAGES
from lab.training.steps import accuracy_steps, asked_in_update, loss_steps
from plots.lines import Band, Series, lines
from plots.looks import look
from plots.style import MAX_POINTS
from posenc import Step
from ui.charts.curve import followed_chart
from ui.charts.measured import Followed, measured_chart
from ui.jobs.desk import duration

SHADED = ("rgba(0, 0, 0, 0)", "rgba(128, 128, 128, 0.10)")


def sentence(job: Job, spec: RunSpec | None, before: int) -> str:
    """State, progress and estimate of a job.

    Args:
        job: The job.
        spec: What it trains, if it trains.
        before: Jobs that are done before it while it waits.
    """
    steps = spec.updates if spec else 0
    trained = f"step {min(job.done, steps):,} of {steps:,}" if job.done <= steps else ""
    match job.state:
        case "queued":
            again = f", and goes on at {trained}" if job.done and trained else ""
            first = "1 job is" if before == 1 else f"{before} jobs are"
            wait = f"{first} before it" if before else "it is the next"
            return f"Waits for a worker: {wait}{again}."
        case "running" if job.wanted:
            return "Saves what it has, then stops."
        case "running" if not job.total:
            return "A worker has it and is starting."
        case "running" if job.done < steps:
            left = f", about {duration(job.remaining)} left" if job.remaining else ""
            return f"Trains: {trained}{left}."
        case "running":
            units = f"{job.done - steps} of {job.total - steps}" if job.total > steps else "none"
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
        st.progress(min(1.0, job.done / job.total) if job.total else 0.0, words)


def stages(spec: RunSpec) -> list[Band]:
    """The curriculum of recall: sequences of L/4, then L/2, then L tokens."""
    if spec.task != "recall":
        return []
    bands, start = [], 0.0
    for index, (end, part) in enumerate(STAGES):
        label = f"{spec.train_length // part} tokens"
        bands.append(Band(start * spec.updates, end * spec.updates, label, SHADED[index % 2]))
        start = end
    return bands


def every_so_many(reports: int) -> int:
    """1 where a curve holds all reports of a training, 2 where every second one, and so on."""
    return -(-reports // MAX_POINTS)


def training_curves(lab: Lab, job: Job, spec: RunSpec, log_loss: bool) -> pd.DataFrame | None:
    """Draw loss and accuracy against step, as far as they are known; return them as a table."""
    reported = lab.metrics(job.id)
    if "loss" not in reported:
        return None
    every = every_so_many(len(reported["loss"][0]))
    curves = {name: (updates[::every], y[::every]) for name, (updates, y) in reported.items()}
    updates, losses = curves["loss"]
    loss = np.array(losses, dtype=float)
    accuracy = 100.0 * np.array(curves["accuracy"][1], dtype=float)
    left, right = st.columns(2, gap="large")
    with left:
        chosen = measured_chart(
            training_figure(spec, updates, loss, "Loss on what is asked", "loss (nats)", log_loss),
            [followed(spec, "loss", loss_steps, *curves["loss"])],
            key="training_loss",
            alt="Curve of the loss against the training step",
            x_name="step",
            unit="nats",
            height=260,
            rev=f"{job.id}{log_loss}",
            growing=job.state in UNFINISHED,
            shared=["training_accuracy"],
        )
    there = followed(spec, "accuracy", accuracy_steps, *curves["accuracy"])
    shown = chosen is not None and chosen.place in there.places
    with right:
        followed_chart(
            training_figure(
                spec, updates, accuracy, "Right answers on the same batches", "accuracy (%)"
            ),
            there.steps(chosen.place) if chosen and shown else (),
            chosen,
            key="training_accuracy",
            alt="Curve of the accuracy against the training step",
            unit="%",
            height=260,
            rev=f"{job.id}",
        )
    return pd.DataFrame({"loss": loss, "accuracy": accuracy}, index=pd.Index(updates, name="step"))


def training_figure(
    spec: RunSpec, updates: list[int], y: np.ndarray, title: str, y_title: str, log: bool = False
) -> go.Figure:
    """One curve of a training; a loss fits its axis, an accuracy is a per cent."""
    name = y_title.partition(" (")[0]
    color, marker = look(spec.encoding).color, "" if len(y) > 2 else None
    figure = lines(
        updates,
        [Series(name, y, color=color, dash="solid", marker=marker)],
        title=title,
        x_title="step",
        y_title=y_title,
        log_y=log,
        y_range=shown_range(y, log) if name == "loss" else (0, 118),
        bands=stages(spec),
    )
    return figure.update_xaxes(range=[0, spec.updates])


def followed(
    spec: RunSpec,
    name: str,
    explain: Callable[[float, int | None], tuple[Step, ...]],
    updates: list[int],
    values: list[float | None],
) -> Followed:
    """The points of a training's curve, each explained by its value and the tokens asked."""
    known = {update: one for update, one in zip(updates, values, strict=True) if one is not None}

    def steps_to(update: float) -> tuple[Step, ...]:
        return explain(known[int(update)], _asked(spec.key, int(update), spec))

    return Followed(name, list(known), steps_to)


@st.cache_data(max_entries=4096, show_spinner=False)
def _asked(key: str, update: int, _spec: RunSpec) -> int | None:
    return asked_in_update(_spec, update)


def shown_range(y: np.ndarray, log: bool) -> tuple[float, float] | None:
    """Of the loss: with room above for the names of the stages."""
    known = y[np.isfinite(y) & ((y > 0) | (not log))]
    if not known.size:
        return None
    return (0.7 * known.min(), 3 * known.max()) if log else (0, max(1.18 * known.max(), 1e-6))

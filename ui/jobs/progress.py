"""How far a job is: its state in a sentence, a bar, and the curves of its training."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from lab.queue.jobs import Lab
from lab.queue.records import UNFINISHED, Job
from lab.spec import RunSpec
from lab.tasks.recall import STAGES
from lab.training.steps import accuracy_steps, asked_in_update, loss_steps
from plots.figure import Figure
from plots.lines import Band, Series, lines
from plots.looks import look
from plots.style import MAX_POINTS
from posenc.quantity.step import Step
from posenc.words import say
from ui.charts.component import chart
from ui.charts.follow import Followed, follow, mark_point
from ui.jobs.desk import duration
from ui.screen.figures.points import MeasuredFigure
from ui.words import _, markdown, plural

SHADED = ("rgba(0, 0, 0, 0)", "rgba(128, 128, 128, 0.10)")


def sentence(job: Job, spec: RunSpec | None, before: int, *, is_full: bool = False) -> str:
    """State, progress and estimate of a job."""
    updates = spec.updates if spec else 0
    where = ""
    if job.done <= updates:
        where = _("update {done:,} of {updates:,}", done=job.done, updates=updates)
    match job.state:
        case "queued":
            return _waiting(before, where if job.done else "", is_full=is_full)
        case "running" if job.wanted:
            return _("It saves what it has, then stops.")
        case "running" if not job.total:
            return _("A worker has it and is starting.")
        case "running" if job.done < updates:
            if not job.remaining:
                return _("Training: {where}.", where=where)
            left = duration(job.remaining)
            return _("Training: {where}, about {left} left.", where=where, left=left)
        case "running":
            done, total = max(0, job.done - updates), max(0, job.total - updates)
            measured = _(
                "It is being measured at every length: {done} of {total} done.",
                done=done,
                total=total,
            )
            return f"{_('Trained; you can read it now.')} {measured}" if updates else measured
        case "paused":
            return _("Paused at {where}.", where=where) if where else _("Paused.")
        case "failed":
            return say("Failed: {error}", error=job.error)
        case "cancelled":
            return _("Cancelled.")
        case _:
            return _("Done in {time}.", time=duration(job.seconds))


def _waiting(before: int, where: str, *, is_full: bool) -> str:
    """Sentence on a job that waits behind others, and where it resumes if it has run before."""
    wait = _("Waiting for a worker; it is the next.")
    if is_full:
        wait = _("The lab's disk is full. The job goes on by itself when there is room.")
    elif before:
        wait = plural(
            "Waiting for a worker; {count} job comes first.",
            "Waiting for a worker; {count} jobs come first.",
            before,
        )
    return f"{wait} {_('It resumes at {where}.', where=where)}" if where else wait


def progress(lab: Lab, job: Job, spec: RunSpec | None) -> None:
    """The sentence and the bar; an error stands out."""
    before = 0
    if job.state == "queued":
        before = sum(other.id < job.id for other in lab.jobs("queued", "running"))
    state = sentence(job, spec, before, is_full=lab.settings.is_full)
    words = say("Job {number}. {state}", number=job.id, state=state)
    if job.state == "failed":
        st.error(markdown(words))
    elif job.ended:
        st.caption(markdown(words))
    else:
        st.progress(min(1.0, job.done / job.total) if job.total else 0.0, markdown(words))


def stages(spec: RunSpec) -> list[Band]:
    """The curriculum of recall: sequences of L/4, then L/2, then L tokens."""
    if spec.task != "recall":
        return []
    bands = []
    start = 0.0
    for index, (end, part) in enumerate(STAGES):
        label = _("{length} tokens", length=spec.train_length // part)
        bands.append(Band(start * spec.updates, end * spec.updates, label, SHADED[index % 2]))
        start = end
    return bands


def every_so_many(reports: int) -> int:
    """1 where a curve holds all reports of a training, 2 where every second one, and so on."""
    return -(-reports // MAX_POINTS)


def training_curves(lab: Lab, job: Job, spec: RunSpec, log_loss: bool) -> pd.DataFrame | None:
    """Draw loss and accuracy by update, as far as they are known; return them as a table."""
    reported = lab.metrics(job.id)
    if "loss" not in reported:
        return None
    every = every_so_many(len(reported["loss"][0]))
    curves = {name: (updates[::every], y[::every]) for name, (updates, y) in reported.items()}
    updates, losses = curves["loss"]
    loss = np.array(losses, dtype=float)
    accuracy = 100.0 * np.array(curves["accuracy"][1], dtype=float)
    known = loss[np.isfinite(loss) & ((loss > 0) | (not log_loss))]
    left, right = st.columns(2, gap="large")
    with left:
        loss_figure = MeasuredFigure(
            key="training_loss",
            figure=training_figure(
                spec,
                updates,
                loss,
                _("loss"),
                _("Loss on what is asked"),
                _("loss (nats)"),
                shown_range(known, log_loss),
                log_loss,
            ),
            curves=[followed(spec, _("loss"), loss_steps, *curves["loss"])],
            alt=_("Curve of the loss against the update"),
            x_name=_("update"),
            unit=_("nats"),
            height=260,
            rev=f"{job.id}{log_loss}",
            growing=job.state in UNFINISHED,
            shared=["training_accuracy"],
        )
        chosen = loss_figure.draw().followed
    there = followed(spec, _("accuracy"), accuracy_steps, *curves["accuracy"])
    shown = chosen is not None and chosen.place in there.places
    steps = there.steps(chosen.place) if chosen and shown else ()
    figure = training_figure(
        spec,
        updates,
        accuracy,
        _("accuracy"),
        _("Right answers on the same batches"),
        _("accuracy (%)"),
        (0, 118),
    )
    with right:
        chart(
            mark_point(figure, steps, chosen),
            key="training_accuracy",
            alt=_("Curve of the accuracy against the update"),
            height=260,
            rev=f"{job.id}",
        )
        if chosen is not None:
            follow(steps, key="training_accuracy", place=chosen.words, unit="%")
    return pd.DataFrame(
        {_("loss"): loss, _("accuracy"): accuracy}, index=pd.Index(updates, name=_("update"))
    )


def training_figure(
    spec: RunSpec,
    updates: list[int],
    y: np.ndarray,
    name: str,
    title: str,
    y_title: str,
    y_range: tuple[float, float] | None,
    log: bool = False,
) -> Figure:
    """One curve of a training."""
    color = look(spec.encoding).color
    marker = "" if len(y) > 2 else None
    figure = lines(
        updates,
        [Series(name, y, color=color, dash="solid", marker=marker)],
        title=title,
        x_title=_("update"),
        y_title=y_title,
        log_y=log,
        y_range=y_range,
        bands=stages(spec),
    )
    return figure.relayout(xaxis={"range": [0, spec.updates]})


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


def shown_range(known: np.ndarray, log: bool) -> tuple[float, float] | None:
    """Range of losses that can be drawn, with room above for the names of the stages."""
    if not known.size:
        return None
    return (0.7 * known.min(), 3 * known.max()) if log else (0, max(1.18 * known.max(), 1e-6))

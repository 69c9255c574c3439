"""Longer runs: choose one, see what it costs, queue it; finished runs side by side."""

import time
from collections.abc import Sequence
from pprint import pformat

import pandas as pd
import streamlit as st

from lab.measuring.text import chunks_of
from lab.queue.jobs import Lab
from lab.queue.records import SHOWN, Job
from lab.queue.work.costs import operations_per_token, parameters
from lab.spec import MAKERS, RunSpec, recall_spec
from lab.tasks.corpus import corpus_of
from lab.training.loop import Trainer
from pages.lab.results import every_encoding, job_results, results_of_runs
from ui import controls, screen
from ui.jobs.corpus import stored
from ui.jobs.desk import duration, spec_of, submit
from ui.jobs.looks import TASKS
from ui.screen.budget import readable_bytes
from ui.words import _, number, plural

MOST_RUNS = 12
"""Different runs that one picture compares."""


def longer_specs(
    task: str,
    encoding: str,
    settings: dict[str, float],
    train_length: int,
    updates: int,
    seeds: int,
    own_text: bytes = b"",
) -> list[RunSpec]:
    """The runs that the controls describe, one for each seed.

    They read the usual text; `with_text` gives them the reader's own once they are ordered.

    Raises:
        ValueError: If they make no run, or the reader's text is too short to be measured on.
    """
    runs = [
        MAKERS[task](encoding, seed, **settings).changed(train_length=train_length, updates=updates)
        for seed in range(seeds)
    ]
    if own_text:
        chunks_of(corpus_of(own_text, _("your text")), runs[0])
    return runs


def with_text(lab: Lab, runs: Sequence[RunSpec], own_text: bytes) -> list[RunSpec]:
    """The runs on the reader's own text, which the lab keeps from now on, or on the usual one.

    Raises:
        ValueError: If there is no room for the text.
    """
    path = stored(lab, own_text)
    return [run.changed(corpus=path) for run in runs]


@st.cache_resource(show_spinner=False)
def measured_pace() -> float:
    """Operations per second of three updates, here and now: while no job was done yet."""
    trainer = Trainer(recall_spec("rope"))
    trainer.advance()
    start = time.perf_counter()
    for _update in range(3):
        trainer.advance()
    spec = trainer.spec
    tokens = 3 * spec.tokens_per_update
    # The first updates of recall read sequences of a quarter of the training length.
    operations = 3 * operations_per_token(spec, spec.train_length // 4) * tokens
    return operations / (time.perf_counter() - start)


def show_cost(lab: Lab, runs: Sequence[RunSpec]) -> pd.DataFrame:
    """Show the estimated cost of the runs before anything is paid; return it as a table too.

    Raises:
        ValueError: If one of them passes a limit, in a sentence.
    """
    cost = lab.cost("train", {"spec": runs[0].to_dict()})
    lab.settings.limits.check_cost(cost)
    seconds = len(runs) * cost.operations / (lab.pace() or measured_pace())
    each = "" if len(runs) == 1 else f"{len(runs)} × "
    tokens = runs[0].updates * runs[0].tokens_per_update
    screen.readouts(
        {
            _("parameters"): number(parameters(runs[0])),
            _("tokens"): each + _("{count:,.3g} million", count=tokens / 1e6),
            _("training and measuring, about"): duration(seconds),
            _("memory"): readable_bytes(cost.memory),
            _("disk"): f"{each}{readable_bytes(cost.disk)}",
        },
        help={
            _("training and measuring, about"): _(
                "At the pace of the jobs done here so far, or of three "
                "updates of RoPE. CoPE, Shaw and Transformer-XL take longer."
            )
        },
    )
    needed = {
        _("parameters"): parameters(runs[0]),
        _("tokens"): tokens,
        _("operations"): cost.operations,
        _("memory (bytes)"): cost.memory,
        _("disk (bytes)"): cost.disk,
    }
    return pd.DataFrame({_("of one run"): needed}).rename_axis(_("cost"))


def queue(lab: Lab, runs: Sequence[RunSpec]) -> None:
    """Put the runs into the queue and say so."""
    queued = [job for spec in runs if (job := submit(lab, spec)) is not None]
    if queued:
        numbers = ", ".join(map(str, queued))
        words = plural(
            "Queued: job {numbers}.", "Queued: jobs {numbers}.", len(queued), numbers=numbers
        )
        st.success(words)
        st.button(_("Show the jobs"), on_click=controls.apply, args=({"view": "jobs"},))


def finished_runs(lab: Lab, task: str) -> screen.Frames:
    """Curves of all runs of a task that are done here; seeds of one run as their mean."""
    runs: dict[str, list[tuple[RunSpec, Job]]] = {}
    for job in lab.jobs("done", most=SHOWN):
        spec = spec_of(job)
        if spec is not None and spec.task == task:
            seeds = runs.setdefault(_name(spec), [])
            if spec not in [other for other, _job in seeds]:
                seeds.append((spec, job))
    if not runs:
        none = _("No run of the task *{task}* is done on this server yet.", task=TASKS[task])
        if lab.who.may_order:
            how = _(
                "Press *Queue*: the run's curves appear here once it is done, and *Jobs* shows how "
                "far it is."
            )
            none = f"{none} {how}"
        st.info(none)
        every_encoding()
        return {}
    shown = dict(list(runs.items())[:MOST_RUNS])
    told = _("The runs that are done here, as trained; several seeds as their mean.")
    if len(shown) < len(runs):
        told = _(
            "The {count} newest of the runs that are done here, as trained; several seeds as "
            "their mean.",
            count=len(shown),
        )
    st.caption(told)
    rows = {
        name: [job_results(lab, job, spec) for spec, job in seeds] for name, seeds in shown.items()
    }
    return results_of_runs(rows, task)


def _name(spec: RunSpec) -> str:
    """Name of a run beside others, whatever its seed."""
    if spec.corpus:
        return _(
            "{title}, L = {length}, {updates:,} updates, own text",
            title=spec.title,
            length=spec.train_length,
            updates=spec.updates,
        )
    return _(
        "{title}, L = {length}, {updates:,} updates",
        title=spec.title,
        length=spec.train_length,
        updates=spec.updates,
    )


def snippet(spec: RunSpec, own_text: bool = False) -> str:
    """A program that makes the same training without a server."""
    values = {k: v for k, v in spec.to_dict().items() if v != ""}
    own = "# With your own text: spec = spec.changed(corpus=PATH)\n" if own_text else ""
    return (
        "# In the project's folder. The job does the same, and measures the model at the end.\n"
        "from lab.spec import RunSpec\nfrom lab.training.loop import train\n\n"
        f"spec = RunSpec.from_dict({pformat(values, width=84, sort_dicts=False)})\n"
        f"{own}"
        'values = [told["loss"] for _, told in train(spec)]\nprint(values[-1])\n'
    )

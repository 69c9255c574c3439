"""The controls of the lab's views."""

import streamlit as st

from lab.model.methods import WINDOW, tried
from lab.queue.jobs import Job, Lab
from lab.spec import TASKS, RunSpec, recall_spec
from pages.lab.longer import longer_specs
from pages.lab.panel import JobSettings
from posenc import CATALOGUE
from ui import controls
from ui.jobs.corpus import own_text
from ui.jobs.looks import title
from ui.words import translate

PRESETS = {
    "Recall": {"task": "recall", "train_length": 128, "steps": 1100},
    "Text": {"task": "text", "train_length": 128, "steps": 700},
    "Counting": {"task": "counting", "train_length": 64, "steps": 500},
}
NEWEST = "newest"


def encoding_and_base() -> tuple[str, dict[str, float]]:
    """The encoding and, for RoPE, its base; only what differs from the default."""
    titles = {name: translate(entry.title) for name, entry in CATALOGUE.items()}
    encoding = controls.choice(
        "encoding", "Encoding", titles, "rope",
        help="Where the model gets its positions from; everything else stays the same.",
    )  # fmt: skip
    if encoding != "rope":
        return encoding, {}
    base = controls.choice(
        "base", "RoPE base b", ["128", "10000"],
        help="10000 is usual. With 128 every pair turns through much of the circle within 128 "
        "tokens, and what breaks beyond them is plain to see.",
    )  # fmt: skip
    return encoding, {"base": 128} if base == "128" else {}


def recall_run() -> tuple[RunSpec, bool]:
    """What "Train it now" trains, and whether the loss is on a log axis."""
    encoding, settings = encoding_and_base()
    with st.expander("More"):
        seed = controls.number(
            "seed", "Seed", 0, 0, 2**31 - 1, help="Of the first weights and of the data."
        )
        log_loss = log_axis()
    return recall_spec(encoding, seed, **settings), log_loss


def log_axis() -> bool:
    """Whether the loss is on a logarithmic axis."""
    return controls.toggle("log_loss", "Loss on a log axis", True, help="Else on a linear one.")


def longer_runs(lab: Lab | None) -> list[RunSpec]:
    """What "Longer runs" queues.

    Raises:
        ValueError: If the controls make no run.
    """
    controls.presets(PRESETS)
    task = controls.choice(
        "task", "Task", TASKS,
        help="recall: look up a key. text: the next byte. counting: since the last reset.",
    )  # fmt: skip
    encoding, settings = encoding_and_base()
    train_length = controls.powers(
        "train_length", "Training length L", 128, 64, 1024,
        help="Tokens of the longest sequence in training; it is measured far beyond.",
    )  # fmt: skip
    steps = controls.number(
        "steps", "Steps", 1100, 1, 100_000, step=100, help="Of 2048 tokens each."
    )
    with st.expander("More"):
        seeds = controls.number(
            "seeds", "Seeds", 1, 1, 5,
            help="Runs that differ only in their random numbers, one job each.",
        )  # fmt: skip
        corpus = own_text(lab)
    return longer_specs(task, encoding, settings, train_length, steps, seeds, corpus)


def chosen_job(lab: Lab) -> Job:
    """The job that is looked at: the newest, or one by its number.

    Raises:
        ValueError: If there is none.
    """
    jobs = {str(job.id): job for job in lab.jobs()}
    if not jobs:
        raise ValueError("No job has been started on this server yet.")
    number = controls.choice(
        "job", "Job", [NEWEST, *jobs], help="By its number; its curves stand under the table."
    )
    return next(iter(jobs.values())) if number == NEWEST else jobs[number]


def job_settings(log_loss: bool, spec: RunSpec | None) -> JobSettings:
    """How the model of a recall run is read; other runs have no such controls."""
    if spec is None or spec.task != "recall":
        return JobSettings(1, "none", log_loss)
    method_place, times_place = st.columns(2)
    method = "none"
    if spec.encoding == "rope":
        scaled = {name: title(name) for name in tried() if name not in ("none", WINDOW)}
        with method_place:
            method = controls.choice(
                "method", "RoPE scaling", scaled, "yarn",
                help="How the frequencies are stretched so that the model reads more than it was "
                "trained on.",
            )  # fmt: skip
    with times_place:
        times = controls.powers(
            "times", "Length read, in training lengths", 4, 1, 8,
            help="s = n / L: 4 reads 512 tokens with a model that was trained on 128.",
        )  # fmt: skip
    return JobSettings(times, method, log_loss)

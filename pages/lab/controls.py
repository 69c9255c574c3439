"""The controls of the lab's views."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.model.methods import WINDOW, tried
from lab.queue.jobs import Lab
from lab.queue.records import Job
from lab.spec import RunSpec, recall_spec
from pages.lab.longer import longer_specs
from pages.lab.panel import JobSettings
from posenc.catalogue import CATALOGUE
from posenc.words import say
from ui import controls
from ui.jobs.corpus import own_text
from ui.jobs.looks import TASKS, title
from ui.words import _

PRESETS: controls.Presets = {
    "recall": (say("Recall"), {"task": "recall", "train_length": 128, "updates": 1100}),
    "text": (say("Text"), {"task": "text", "train_length": 128, "updates": 700}),
    "counting": (say("Counting"), {"task": "counting", "train_length": 64, "updates": 500}),
}
NEWEST = "newest"
NAMES = [
    *("view", "encoding", "base", "seed", "log_loss", "method", "times", "job", "task"),
    *("train_length", "updates", "seeds"),
]
"""Names of the controls, of which each view draws some."""


def encoding_and_base(first: DeltaGenerator) -> tuple[str, dict[str, float]]:
    """The encoding, in `first`, and, for RoPE, its base; only what differs from the default."""
    titles = {name: entry.title for name, entry in CATALOGUE.items()}
    with first:
        encoding = controls.choice(
            "encoding",
            _("Encoding"),
            titles,
            "rope",
            help=_("Where the model gets its positions from; everything else stays the same."),
        )
    if encoding != "rope":
        return encoding, {}
    base = controls.choice(
        "base",
        _("RoPE base b"),
        ["128", "10000"],
        help=_(
            "10000 is usual. With 128 even the slowest pair turns through a fifth of the circle "
            "within 128 tokens, and what breaks beyond them is plain to see."
        ),
    )
    return encoding, {"base": 128} if base == "128" else {}


def recall_run(first: DeltaGenerator, more: DeltaGenerator) -> RunSpec:
    """The run of "Train it now"; the encoding in `first`, the seed in `more`."""
    encoding, settings = encoding_and_base(first)
    with more:
        seed = controls.number(
            "seed", _("Seed"), 0, 0, 2**31 - 1, help=_("Of the first weights and of the data.")
        )
    return recall_spec(encoding, seed, **settings)


def log_axis() -> bool:
    """Whether the loss is on a logarithmic axis."""
    return controls.toggle(
        "log_loss", _("Loss on a log axis"), True, help=_("Switched off, the axis is linear.")
    )


def task_of_runs() -> str:
    """The task whose runs are looked at, or ordered."""
    return controls.choice(
        "task",
        _("Task"),
        TASKS,
        help=_("Recall: look up a key. Text: the next byte. Counting: since the last reset."),
    )


def longer_runs(lab: Lab | None) -> tuple[list[RunSpec], bytes]:
    """The runs of "Longer runs", and the reader's own text for them.

    Raises:
        ValueError: If the controls make no run.
    """
    controls.presets(PRESETS)
    task = task_of_runs()
    encoding, settings = encoding_and_base(st.container())
    train_length = controls.powers(
        "train_length",
        _("Training length L"),
        128,
        64,
        1024,
        help=_("Tokens of the longest sequence in training. The model is measured far beyond it."),
    )
    updates = controls.number(
        "updates", _("Updates"), 1100, 1, 100_000, step=100, help=_("Of 2048 tokens each.")
    )
    with st.expander(_("More")):
        seeds = controls.number(
            "seeds",
            _("Seeds"),
            1,
            1,
            5,
            help=_("Runs that differ only in their random numbers, one job each."),
        )
        text = own_text(lab) if task == "text" else b""
    runs = longer_specs(task, encoding, settings, train_length, updates, seeds, text)
    return runs, text


def chosen_job(lab: Lab) -> Job:
    """The job that is looked at: the newest, or one by its number.

    Raises:
        ValueError: If there is none.
    """
    jobs = {str(job.id): job for job in lab.shown()}
    if not jobs:
        raise ValueError(say("No job has been started on this server yet."))
    number = controls.choice(
        "job",
        _("Job"),
        {NEWEST: _("the newest"), **{number: number for number in jobs}},
        help=_("By its number. The job's curves stand below the table."),
    )
    return next(iter(jobs.values())) if number == NEWEST else jobs[number]


def job_settings(log_loss: bool, spec: RunSpec | None) -> JobSettings:
    """How the model of a recall run is read; other runs have no such controls."""
    if spec is None or spec.task != "recall":
        return JobSettings(1, "none", log_loss)
    with st.container(key=controls.ABOVE):
        method_place, times_place = st.columns(2)
    method = "none"
    if spec.encoding == "rope":
        scaled = {name: title(name) for name in tried() if name not in ("none", WINDOW)}
        with method_place:
            method = controls.choice(
                "method",
                _("RoPE scaling"),
                scaled,
                "yarn",
                help=_(
                    "How the frequencies are stretched so that the model reads more than it was "
                    "trained on."
                ),
            )
    with times_place:
        times = controls.powers(
            "times",
            _("Length read, in training lengths"),
            4,
            1,
            8,
            help=_("s = n / L. With 4, a model that was trained at 128 tokens reads 512."),
        )
    return JobSettings(times, method, log_loss)

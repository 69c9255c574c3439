"""Progress of jobs in the terminal: a line for each, a bar while they run, a summary at the end."""

import sys
import time
from collections.abc import Iterable, Mapping
from typing import Any

import typer

from lab.queue import starting
from lab.queue.jobs import Lab
from lab.queue.records import Job

MARKS = 1000  # of the bar, per job
REFRESH = 0.3
"""Seconds between two looks at the database."""


def follow(lab: Lab, numbers: list[int]) -> tuple[list[Job], bool]:
    """Show a bar until all jobs have ended or are paused.

    Ctrl-C pauses those that are left and waits until they have saved.

    Returns:
        The jobs as they ended, and whether Ctrl-C ended it.
    """
    total = MARKS * len(numbers)
    interrupted = False
    with typer.progressbar(length=total, file=sys.stderr, label=" " * 24) as bar:
        while True:
            try:
                jobs = [lab.job(number) for number in numbers]
                left = [job for job in jobs if not job.ended and job.state != "paused"]
                bar.label = f"{label(jobs):<24.40}"
                bar.update(max(0, int(sum(map(marks, jobs))) - bar.pos))
                if not left:
                    return jobs, interrupted
                starting.ensure_worker(lab)
                time.sleep(REFRESH)
            except KeyboardInterrupt:
                interrupted = True
                pause(lab, numbers)


def pause(lab: Lab, numbers: Iterable[int]) -> None:
    """Pause those that can be."""
    for number in numbers:
        try:
            lab.pause(number)
        except ValueError:
            continue  # it has ended


def marks(job: Job) -> float:
    """How far a job is, out of MARKS."""
    if job.ended:
        return MARKS
    return MARKS * job.done / job.total if job.total else 0


def label(jobs: list[Job]) -> str:
    """Label of the bar: the first running job, with its loss."""
    running = next((job for job in jobs if job.state == "running"), None)
    if running is None:
        return "waiting"
    loss = running.values.get("loss")
    number = "" if loss is None else f", loss {loss:.3f}"
    return f"job {running.id}{', pausing' if running.wanted else number}"


def line(job: Job) -> str:
    """A job in a line."""
    part = f"{job.done}/{job.total}" if job.total else ""
    error = f"  {job.error}" if job.error else ""
    return f"{job.id:>4}  {job.state:<9}  {part:>11}  {job.seconds:>6.0f} s  {title(job)}{error}"


def title(job: Job) -> str:
    """Title of a job: its kind, and the run or model that it is about."""
    spec = job.payload.get("spec")
    if isinstance(spec, Mapping):
        settings = "".join(f" {name}={value:g}" for name, value in spec["settings"].items())
        return f"{job.kind} {spec['task']} {spec['encoding']}{settings} seed {spec['seed']}"
    named = [str(job.payload[name]) for name in ("of", "method") if name in job.payload]
    return " ".join([job.kind, *named])


def summary(rows: list[dict[str, Any]]) -> list[str]:
    """One line per method: the measure at each context length."""
    tables: dict[tuple[str, str], dict[int, list[tuple[float, float]]]] = {}
    for row in rows:
        for name, part, whole in measures(row):
            key = (name, row.get("method") or row.get("mix", ""))
            tables.setdefault(key, {}).setdefault(row["length"], []).append((part, whole))
    lines = []
    for (name, method), lengths in tables.items():
        cells = [
            f"{length}: {sum(p for p, _ in pairs) / sum(w for _, w in pairs):.3f}"
            for length, pairs in sorted(lengths.items())
        ]
        lines.append(f"{name}, {method}: {'  '.join(cells)}")
    return lines


def measures(row: Mapping[str, Any]) -> list[tuple[str, float, float]]:
    """A row's part in the summary: the measure's name, a sum, and over how many."""
    match row.get("table"):
        case "recall":
            return [("accuracy by length", row["right"], row["asked"])]
        case "counting":
            return [("error by length", row["wrong"], row["asked"])]
        case "text" if row["measure"] == "tail":
            return [("bits per byte by length", row["bits"], 1)]
    return []

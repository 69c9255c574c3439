"""`python -m lab`: the lab's jobs from a terminal, the same that the screens show."""

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlalchemy.exc import OperationalError

from lab import logs
from lab.checked import one_of
from lab.cli.progress import follow, line, summary
from lab.queue import database, starting, texts
from lab.queue.jobs import Lab
from lab.queue.records import UNFINISHED
from lab.queue.settings import LabSettings
from lab.queue.worker import first_line
from lab.spec import MAKERS

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit status: 0 fine, 1 a job failed, 2 bad input, 130 stopped by Ctrl-C.",
)

Number = Annotated[int, typer.Argument(help="The job's number, see `list`.")]
Of = Annotated[
    str, typer.Argument(help="Number of a finished training, or name of a shipped checkpoint.")
]
Task = Annotated[
    str, typer.Option(help="recall: look up a key. text: the next byte. counting: since a reset.")
]
Updates = Annotated[int | None, typer.Option(help="Of the weights.")]
Length = Annotated[int | None, typer.Option(help="Training length L in tokens, a power of two.")]
Tokens = Annotated[int | None, typer.Option(help="Tokens that each update sees.")]
Corpus = Annotated[
    Path | None, typer.Option(help="Text file for the task text; default: Python's own sources.")
]
Detach = Annotated[bool, typer.Option("--detach", help="Only put it into the queue.")]


@app.callback()
def main() -> None:
    """Train small transformers with each positional encoding and measure them past their length.

    A job trains a model in about a minute, then reads contexts of up to 16 (text: 32) times the
    training length. Jobs wait in a queue and run in a process of their own: they go on when this
    terminal is closed, and resume from their last checkpoint after a crash. Ctrl-C pauses them.

    Try: python -m lab train rope, then: python -m lab results 1
    """


@app.command()
def train(
    encoding: Annotated[str, typer.Argument(help="rope, alibi, nope, … as in posenc.catalogue.")],
    task: Task = "recall",
    seed: Annotated[int, typer.Option(help="Of the weights and of the data.")] = 0,
    updates: Updates = None,
    length: Length = None,
    tokens: Tokens = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="Of the encoding: base=500000.")
    ] = None,
    corpus: Corpus = None,
    detach: Detach = False,
) -> None:
    """Train a model, then measure it at every length and by every scaling method."""
    with a_lab() as lab:
        settings = dict(map(read_setting, setting or []))
        spec = spec_for(
            lab,
            task,
            encoding,
            corpus,
            seed=seed,
            settings=settings,
            updates=updates,
            train_length=length,
            tokens_per_update=tokens,
        )
        finish(lab, [lab.submit("train", {"spec": spec})], detach)


@app.command()
def sweep(
    encodings: Annotated[list[str], typer.Argument(help="Several: rope alibi nope.")],
    task: Task = "recall",
    seeds: Annotated[int, typer.Option(help="Runs of each, with seeds 0, 1, …", min=1)] = 3,
    updates: Updates = None,
    length: Length = None,
    tokens: Tokens = None,
    corpus: Corpus = None,
    detach: Detach = False,
) -> None:
    """Train and measure several encodings, each with several seeds."""
    with a_lab() as lab:
        specs = [
            spec_for(
                lab,
                task,
                encoding,
                corpus,
                seed=seed,
                updates=updates,
                train_length=length,
                tokens_per_update=tokens,
            )
            for seed in range(seeds)
            for encoding in encodings
        ]
        for spec in specs:
            lab.cost("train", {"spec": spec})
        lab.settings.limits.check_queue(len(lab.jobs(*UNFINISHED)), len(specs))
        finish(lab, [lab.submit("train", {"spec": spec}) for spec in specs], detach)


@app.command()
def evaluate(of: Of, detach: Detach = False) -> None:
    """Measure a trained model again at every length and by every scaling method."""
    with a_lab() as lab:
        finish(lab, [lab.submit("evaluate", {"of": reference(of)})], detach)


@app.command()
def finetune(
    of: Of,
    method: Annotated[str, typer.Option(help="linear, ntk, yarn, … as the screens name them.")],
    factor: Annotated[int, typer.Option(help="Length to reach, in training lengths.")] = 4,
    detach: Detach = False,
) -> None:
    """Give a RoPE model 100 more updates at a longer length under a scaling, and measure it."""
    with a_lab() as lab:
        payload = {"of": reference(of), "method": method, "factor": factor}
        finish(lab, [lab.submit("finetune", payload)], detach)


@app.command("list")
def list_jobs() -> None:
    """Every job, the newest first."""
    with a_lab() as lab:
        for job in lab.jobs():
            print(line(job))


@app.command()
def watch(numbers: Annotated[list[int], typer.Argument(help="The jobs' numbers.")]) -> None:
    """Follow jobs until they end; Ctrl-C pauses them."""
    with a_lab() as lab:
        finish(lab, numbers, detach=False)


@app.command()
def results(job: Number) -> None:
    """The rows of a job that is done, one JSON object per line."""
    with a_lab() as lab:
        lab.job(job)
        for row in lab.results(job=job):
            print(json.dumps(row))


@app.command()
def pause(job: Number) -> None:
    """Let a job save and wait."""
    with a_lab() as lab:
        lab.pause(job)


@app.command()
def resume(job: Number) -> None:
    """Resume a paused or failed job from its last checkpoint."""
    with a_lab() as lab:
        lab.resume(job)
        starting.ensure_worker(lab)


@app.command()
def cancel(job: Number) -> None:
    """End a job without a result."""
    with a_lab() as lab:
        lab.cancel(job)


@app.command()
def remove(job: Number) -> None:
    """Forget a job that does not run, with its rows and its checkpoint."""
    with a_lab() as lab:
        lab.remove(job)


@app.command("export-hf")
def export_hf(
    name: Annotated[str, typer.Argument(help="rope, a shipped name, or a training's number.")],
    folder: Annotated[Path, typer.Argument(help="Where to; new or empty.")],
) -> None:
    """Write a RoPE checkpoint as a directory that transformers loads as a Llama."""
    from lab.queue.work.orders import checkpoint_of
    from lab.training.export_hf import export

    with a_lab() as lab:
        if name.isdecimal():
            name = str(checkpoint_of(int(name), lab.settings.home))
        print(export(name, folder))


@app.command()
def upgrade() -> None:
    """Bring the runs database to what this program knows; save a PostgreSQL before (pg_dump).

    A SQLite file is brought up to date by whoever opens it. In a PostgreSQL this is done once,
    before the replicas are exchanged: those of the release before go on with the new tables.
    """
    settings = LabSettings.from_environment()
    with sentences():
        print(f"The tables have revision {database.upgrade(settings.database)}.")


@app.command()
def worker(
    idle: Annotated[float | None, typer.Option(help="End after so many idle seconds.")] = None,
    holder: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Do the jobs that wait, here or on the Dask cluster of POSENC_LAB_CLUSTER.

    The other commands and the app start one by themselves where none is. Ctrl-C lets running
    jobs save; they wait in the queue for the next worker.
    """
    from lab.queue.supervisor import NICENESS, Supervisor

    os.nice(NICENESS)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with sentences():
        logs.settle()
        if not Supervisor(LabSettings.from_environment(), holder).run(stop, idle):
            print("Another worker is at work on this database.")


@contextmanager
def sentences() -> Iterator[None]:
    """Bad input and a database that does not answer: one sentence and exit status 2."""
    try:
        yield
    except (ValueError, OSError, OperationalError) as error:
        print(f"Error: {first_line(error)}", file=sys.stderr)
        raise typer.Exit(2) from None


@contextmanager
def a_lab() -> Iterator[Lab]:
    """The lab of the environment."""
    with sentences(), Lab() as lab:
        yield lab


def finish(lab: Lab, numbers: list[int], detach: bool) -> None:
    """Follow the jobs to their end and print how each ended; the exit status says it too."""
    starting.ensure_worker(lab)
    if detach:
        print("\n".join(line(lab.job(number)) for number in numbers))
        return
    ended, interrupted = follow(lab, numbers)
    for job in ended:
        print(line(job))
        for text in summary(lab.results(job=job.id)):
            print(f"      {text}")
    if interrupted:
        print("Resume with: python -m lab resume NUMBER", file=sys.stderr)
        raise typer.Exit(130)
    if any(job.state != "done" for job in ended):
        raise typer.Exit(1)


def spec_for(lab: Lab, task: str, encoding: str, corpus: Path | None, **given: Any) -> Any:
    """The exhibit's run of this task with what was given put in, as plain values."""
    if task not in MAKERS:
        raise ValueError(one_of("task", task, MAKERS))
    if corpus is not None:
        given["corpus"] = texts.add(lab, corpus.read_bytes())
    given = {name: value for name, value in given.items() if value is not None}
    return MAKERS[task]("nope").changed(encoding=encoding, **given).to_dict()


def read_setting(text: str) -> tuple[str, float]:
    """`base=500000` as a name and a number."""
    name, _, value = text.partition("=")
    try:
        return name, int(value) if value.lstrip("-").isdigit() else float(value)
    except ValueError:
        raise ValueError(f"--set takes NAME=NUMBER, got {text!r:.60}.") from None


def reference(text: str) -> int | str:
    """A job's number, or a name."""
    return int(text) if text.isdecimal() else text

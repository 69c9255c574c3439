"""One job, from nothing or from where it was left: what a worker process does."""

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save

from lab.measuring.plan import Rows, measured_rows, measurements, tuned_rows
from lab.queue.settings import CHECKPOINTS
from lab.spec import RunSpec
from lab.training.checkpoints import (
    Checkpoint,
    facts_of,
    load_checkpoint,
    read_tensors,
    save_checkpoint,
    write_whole,
)
from lab.training.finetuning import UPDATES, finetune
from lab.training.loop import Trainer
from models.files.find import found
from models.measuring.own import Request, look
from models.measuring.own_run import measure

SAVE_SECONDS = 5.0  # of training lost at most when a worker dies
REPORT_EVERY = 10
STATE = "state.safetensors"
CHECKPOINT = "checkpoint.safetensors"
ROWS = "rows.json"

Report = Callable[[int, int, dict[str, Any]], None]
ShouldStop = Callable[[], bool]


class Stopped(Exception):
    """The job was asked to stop and has saved what it had."""


def perform(
    kind: str, payload: dict[str, Any], folder: Path, report: Report, should_stop: ShouldStop
) -> list[dict[str, Any]]:
    """Do one job, going on from what is in `folder`.

    Args:
        kind: "train" (and measure), "evaluate", "finetune" or "own".
        payload: "train": {"spec": …}. "evaluate": {"checkpoint": path}. "finetune":
            {"checkpoint": path, "method": …, "factor": …}. "own": see `lab.queue.work.orders`.
        folder: The job's own; what it saves is there.
        report: Told (done, total, values) as the job goes on.
        should_stop: Asked between updates.

    Returns:
        Rows of results, each with its "table".

    Raises:
        Stopped: After `should_stop` said yes and everything is saved.
        ValueError: If the checkpoint or the text cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    match kind:
        case "train":
            run = train_job(RunSpec.from_dict(payload["spec"]), folder, report, should_stop)
            return measure_job(run, folder, report, should_stop, run.spec.updates)
        case "evaluate":
            run = load_checkpoint(Path(payload["checkpoint"]))
            return measure_job(run, folder, report, should_stop, 0)
        case "finetune":
            return finetune_job(payload, report, should_stop)
        case "own":
            return own_job(payload, folder, report, should_stop)
        case _:
            raise ValueError(f"There are no jobs of kind {kind!r:.40}.")


def train_job(spec: RunSpec, folder: Path, report: Report, should_stop: ShouldStop) -> Checkpoint:
    """Train to the end, or go on training; return the finished checkpoint."""
    finished = folder / CHECKPOINT
    if finished.exists():
        return load_checkpoint(finished)
    trainer = Trainer(spec)
    if (folder / STATE).exists():
        trainer.load(read_tensors(folder / STATE)[0])
    # What is measured afterwards counts from the start, so that the progress never goes back.
    total = spec.updates + len(measurements(trainer.model, spec))
    saved = time.monotonic()
    values = {}
    while not trainer.done:
        if should_stop():
            write_whole(folder / STATE, save(trainer.state()))
            raise Stopped
        values = trainer.advance()
        if trainer.updates % REPORT_EVERY == 0 or trainer.done:
            report(trainer.updates, total, values)
        if time.monotonic() - saved > SAVE_SECONDS:
            write_whole(folder / STATE, save(trainer.state()))
            saved = time.monotonic()
    facts = {**facts_of(spec, trainer.model), **values}
    save_checkpoint(finished, spec, trainer.model, facts, torch.float16)
    (folder / STATE).unlink(missing_ok=True)
    return load_checkpoint(finished)


def measure_job(
    run: Checkpoint, folder: Path, report: Report, should_stop: ShouldStop, before: int
) -> list[dict[str, Any]]:
    """Measure one by one; what `folder` holds is not measured again."""
    path = folder / ROWS
    todo = measurements(run.model, run.spec)
    parts: list[Rows] = json.loads(path.read_text()) if path.exists() else []
    for done in range(len(parts), len(todo)):
        if should_stop():
            raise Stopped
        parts.append(measured_rows(run, todo[done]))
        write_whole(path, json.dumps(parts).encode())
        report(before + done + 1, before + len(todo), {})
    return flat(run.spec.name, parts)


def flat(run: str, parts: Iterable[Rows]) -> list[dict[str, Any]]:
    """Rows of all tables one after the other, each with its table and its run."""
    return [
        {"table": table, "run": run, **row}
        for part in parts
        for table, rows in part.items()
        for row in rows
    ]


def finetune_job(
    payload: dict[str, Any], report: Report, should_stop: ShouldStop
) -> list[dict[str, Any]]:
    """Train a RoPE checkpoint shortly at a longer length. Short enough to start over."""
    run = load_checkpoint(Path(payload["checkpoint"]))
    method = payload["method"]
    factor = payload["factor"]
    tunings = enumerate(finetune(run.model, run.spec, method, factor), 1)
    for done, (tuned, values) in tunings:  # noqa: B007, the last model is measured
        if should_stop():
            raise Stopped
        report(done, UPDATES + 1, values)
    rows = tuned_rows(run, tuned.eval(), method, factor)
    report(UPDATES + 1, UPDATES + 1, {})
    return flat(run.spec.name, [rows])


def own_job(
    payload: dict[str, Any], folder: Path, report: Report, should_stop: ShouldStop
) -> list[dict[str, Any]]:
    """Measure a model of the reader's own; passes that the lab's folder holds are not repeated.

    Raises:
        ValueError: If its files are gone or were replaced.
    """
    home = folder.parent.parent
    there = found(more=(home / CHECKPOINTS,))
    own = look(there[payload["name"]]) if payload["name"] in there else None
    if own is None or own.id != payload["model"]:
        raise ValueError(f"The files of {payload['name']:.60} have changed; measure it again.")

    def check() -> None:
        if should_stop():
            raise Stopped

    request = Request(
        60.0 * payload["minutes"], payload["times"], tuple(payload["methods"]), payload["keys"]
    )
    text = Path(payload["text"]).read_bytes() if payload["text"] else b""
    before = [other for other in folder.parent.iterdir() if other.is_dir()]
    losses, keys = measure(own, request, text, folder, before, report, check)
    return flat(payload["name"], [{"own": losses, "own_keys": keys}])

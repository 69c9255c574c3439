"""One job, from nothing or from where it was left: what a worker process does."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save

from lab.measuring.own_checkpoint import measure_own
from lab.measuring.plan import Rows, measured, tuned_rows, units
from lab.spec import RunSpec
from lab.training.checkpoints import (
    Checkpoint,
    facts_of,
    load_checkpoint,
    read_tensors,
    save_checkpoint,
    write_whole,
)
from lab.training.finetuning import STEPS, finetune
from lab.training.loop import Trainer

SAVE_SECONDS = 5.0  # of training lost at most when a worker dies
REPORT_STEPS = 10
STATE, CHECKPOINT, ROWS = "state.safetensors", "checkpoint.safetensors", "rows.json"

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
            {"checkpoint": path, "method": …, "factor": …}. "own": see `own.measure_own`.
        folder: The job's own; what it saves is there.
        report: Told (done, total, values) as the job goes on.
        should_stop: Asked between steps.

    Returns:
        Rows of results, each with its "table".

    Raises:
        Stopped: After `should_stop` said yes and everything is saved.
        ValueError: If the payload makes no sense.
    """
    folder.mkdir(parents=True, exist_ok=True)
    match kind:
        case "train":
            run = train_job(RunSpec.from_dict(payload.get("spec")), folder, report, should_stop)
            return measure_job(run, folder, report, should_stop, run.spec.steps)
        case "evaluate":
            run = load_checkpoint(Path(str(payload.get("checkpoint"))))
            return measure_job(run, folder, report, should_stop, 0)
        case "finetune":
            return finetune_job(payload, report, should_stop)
        case "own":
            return own_job(payload, folder, report, should_stop)
        case _:
            raise ValueError(f"kind must be train, evaluate, finetune or own, got {kind!r:.40}.")


def train_job(spec: RunSpec, folder: Path, report: Report, should_stop: ShouldStop) -> Checkpoint:
    """Train to the end, or go on training; return the finished checkpoint."""
    finished = folder / CHECKPOINT
    if finished.exists():
        return load_checkpoint(finished)
    trainer = Trainer(spec)
    if (folder / STATE).exists():
        trainer.load(read_tensors(folder / STATE)[0])
    # What is measured afterwards counts from the start, so that the progress never goes back.
    total = spec.steps + len(units(trainer.model, spec))
    saved, values = time.monotonic(), {}
    while not trainer.done:
        if should_stop():
            write_whole(folder / STATE, save(trainer.state()))
            raise Stopped
        values = trainer.advance()
        if trainer.step % REPORT_STEPS == 0 or trainer.done:
            report(trainer.step, total, values)
        if time.monotonic() - saved > SAVE_SECONDS:
            write_whole(folder / STATE, save(trainer.state()))
            saved = time.monotonic()
    facts = {**facts_of(spec, trainer.model), **values}
    save_checkpoint(finished, spec, trainer.model, facts, torch.float16)
    (folder / STATE).unlink(missing_ok=True)
    return load_checkpoint(finished)


def measure_job(
    run: Checkpoint, folder: Path, report: Report, should_stop: ShouldStop, steps: int
) -> list[dict[str, Any]]:
    """Measure unit by unit; units that `folder` holds are not measured again."""
    path, todo = folder / ROWS, units(run.model, run.spec)
    parts: list[Rows] = json.loads(path.read_text()) if path.exists() else []
    for done in range(len(parts), len(todo)):
        if should_stop():
            raise Stopped
        parts.append(measured(run, todo[done]))
        write_whole(path, json.dumps(parts).encode())
        report(steps + done + 1, steps + len(todo), {})
    return [
        {"table": table, "run": run.spec.name, **row}
        for part in parts
        for table, rows in part.items()
        for row in rows
    ]


def finetune_job(
    payload: dict[str, Any], report: Report, should_stop: ShouldStop
) -> list[dict[str, Any]]:
    """Train a RoPE checkpoint shortly at a longer length. Short enough to start over."""
    run = load_checkpoint(Path(str(payload.get("checkpoint"))))
    method, factor = payload.get("method"), payload.get("factor")
    if run.spec.encoding != "rope" or run.spec.task == "counting":
        raise ValueError("Only RoPE models of recall and text can be fine-tuned to a scaling.")
    if not isinstance(method, str) or not isinstance(factor, int) or not 2 <= factor <= 32:
        raise ValueError("Fine-tuning needs a method and a whole factor from 2 to 32.")
    steps = enumerate(finetune(run.model, run.spec, method, factor), 1)
    for step, (tuned, values) in steps:  # noqa: B007, the last model is measured
        if should_stop():
            raise Stopped
        report(step, STEPS + 1, values)
    rows = tuned_rows(run, tuned.eval(), method, factor)
    report(STEPS + 1, STEPS + 1, {})
    return [{"table": t, "run": run.spec.name, **row} for t, found in rows.items() for row in found]


def own_job(
    payload: dict[str, Any], folder: Path, report: Report, should_stop: ShouldStop
) -> list[dict[str, Any]]:
    """Measure a transformers directory; units that `folder` holds are not measured again."""
    path = folder / ROWS
    rows: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []

    def save_rows(found: list[dict[str, Any]]) -> None:
        write_whole(path, json.dumps(found).encode())

    if not measure_own(payload, rows, save_rows, report, should_stop):
        raise Stopped
    return [{"table": "own", "run": Path(payload["folder"]).name, **row} for row in rows]

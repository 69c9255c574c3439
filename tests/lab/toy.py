"""A cheap stand-in for the lab's orders, whose result shows work that was lost or done twice.

It adds up the terms of a sum that depends on their order, with a checkpoint every few steps; each
checkpoint keeps the sum and the number of terms that went into it.
"""

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lab.queue import starting
from lab.queue.limits import Cost
from lab.queue.perform import Report, ShouldStop, Stopped
from lab.queue.work import orders

GO = "go"
SPECIAL: dict[int, dict[str, Any]] = {13: {"fail": "refuse", "at": 5}, 14: {"hold": 10}}
"""Mishaps of a model, by the seed that it is trained with."""


def install(replace: Callable[[object, str, object], None] = setattr) -> None:
    """Put toys in the place of the lab's orders, here and in the workers that are started here."""
    replace(orders, "prepare", prepare)
    replace(orders, "perform", perform)
    replace(starting, "PROGRAM", "tests.lab.toy_worker")


def prepare(kind: str, payload: Mapping[str, Any], home: Path) -> tuple[dict[str, Any], Cost]:
    """A toy says what it does; "train", which the terminal orders, has a spec to be read so.

    Raises:
        ValueError: If the order makes no sense, in a sentence.
    """
    if kind == "train":
        spec = payload["spec"]
        special = SPECIAL.get(spec["seed"], {})
        payload = {"steps": spec["steps"], "pause": 0.01, "seed": spec["seed"], **special}
    elif kind != "toy":
        raise ValueError(f"kind must be toy, got {kind!r}.")
    return dict(payload), Cost(payload["steps"], payload.get("memory", 0), payload.get("disk", 0))


def perform(
    kind: str, payload: dict[str, Any], folder: Path, report: Report, should_stop: ShouldStop
) -> list[dict[str, Any]]:
    """Do `steps` steps of `pause` seconds; `fail` says what happens at which step.

    After step `hold` it waits for `let_go`, so that a test meets it in the middle of its work on
    a machine of any speed.

    Raises:
        Stopped: After `should_stop` said yes and everything is saved.
        ValueError: At the step `at`, where `fail` is "refuse".
    """
    checkpoint = folder / "checkpoint.json"
    state = {"step": 0, "terms": 0, "sum": 0}
    if checkpoint.is_file():
        state = json.loads(checkpoint.read_text())
    steps = payload["steps"]
    while state["step"] < steps:
        state["step"] += 1
        state["terms"] += 1
        state["sum"] = (state["sum"] * 31 + state["step"]) % 1_000_003
        _fail(payload, state["step"])
        time.sleep(payload.get("pause", 0))
        report(state["step"], steps, {"sum": state["sum"], "loss": loss(state["step"])})
        while state["step"] == payload.get("hold") and not (folder / GO).exists():
            if should_stop():
                break
            time.sleep(0.01)
        stopping = should_stop()
        if stopping or state["step"] % payload.get("every", 5) == 0:
            _save(checkpoint, state)
        if stopping:
            raise Stopped
    about = {"nice": os.nice(0), "nan": float("nan")}
    for name in ("OMP_NUM_THREADS", "MALLOC_TRIM_THRESHOLD_"):
        about[name] = os.environ.get(name)
    return [{"sum": state["sum"], "terms": state["terms"]}, about]


def let_go(folder: Path) -> None:
    """Let the job in this folder go on, now or whenever it comes to its `hold`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / GO).touch()


def loss(step: int) -> float:
    """A curve with a hole."""
    return float("nan") if step == 3 else 1 / step


def undisturbed(steps: int) -> dict[str, int]:
    """The sum of a job that nobody stopped."""
    total = 0
    for step in range(1, steps + 1):
        total = (total * 31 + step) % 1_000_003
    return {"sum": total, "terms": steps}


def _save(checkpoint: Path, state: dict[str, int]) -> None:
    new = checkpoint.with_suffix(f".{os.getpid()}")
    new.write_text(json.dumps(state))
    new.replace(checkpoint)


def _fail(payload: Mapping[str, Any], step: int) -> None:
    if step != payload.get("at"):
        return
    match payload.get("fail"):
        case "refuse":
            raise ValueError("The corpus is empty; name another file.")
        case "crash":
            raise RuntimeError("first line\nsecond line")
        case "die":
            os._exit(9)
        case "hang":
            time.sleep(3600)
        case "exit":
            raise SystemExit(3)

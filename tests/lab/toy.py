"""A cheap stand-in for lab.orders, whose result shows work that was lost or done twice.

It adds up the terms of a sum that depends on their order, with a checkpoint every few steps; each
checkpoint keeps the sum and the number of terms that went into it.
"""

import json
import os
import time
from pathlib import Path

from lab.queue.limits import Cost

GO = "go"


class Stopped(Exception):
    """As lab.queue.perform's: raised after saving, where should_stop() turned true."""


def prepare(kind, payload, home):
    """A toy says what it does; "train", which the terminal orders, has a spec to be read so."""
    if kind == "train":
        spec = payload["spec"]
        special = {13: {"fail": "refuse", "at": 5}, 14: {"hold": 10}}.get(spec["seed"], {})
        payload = {"steps": spec["steps"], "pause": 0.01, "seed": spec["seed"], **special}
    elif kind != "toy":
        raise ValueError(f"kind must be toy, got {kind!r}.")
    if not payload.get("steps", 0) > 0:
        raise ValueError("steps must be above 0.")
    return dict(payload), Cost(payload["steps"], payload.get("memory", 0), payload.get("disk", 0))


def perform(kind, payload, folder: Path, report, should_stop):
    """Do `steps` steps of `pause` seconds; `fail` says what happens at which step.

    After step `hold` it waits for let_go(), so that a test meets it in the middle of its work on
    a machine of any speed.
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
        misfortune(payload, state["step"], folder)
        time.sleep(payload.get("pause", 0))
        report(state["step"], steps, {"sum": state["sum"], "loss": loss(state["step"])})
        while state["step"] == payload.get("hold") and not (folder / GO).exists():
            if should_stop():
                break
            time.sleep(0.01)
        if stopping := should_stop():
            save(checkpoint, state)
            raise Stopped
        if state["step"] % payload.get("every", 5) == 0 or stopping:
            save(checkpoint, state)
    manners = {"nice": os.nice(0), "threads": os.environ.get("OMP_NUM_THREADS")}
    return [{"sum": state["sum"], "terms": state["terms"]}, {**manners, "nan": float("nan")}]


def let_go(folder: Path):
    """Of the job in this folder, now or whenever it comes to its `hold`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / GO).touch()


def loss(step):
    return float("nan") if step == 3 else 1 / step


def save(checkpoint: Path, state):
    new = checkpoint.with_suffix(f".{os.getpid()}")
    new.write_text(json.dumps(state))
    new.replace(checkpoint)


def misfortune(payload, step, folder):
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


def undisturbed(steps):
    total = 0
    for step in range(1, steps + 1):
        total = (total * 31 + step) % 1_000_003
    return {"sum": total, "terms": steps}

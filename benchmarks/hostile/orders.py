"""Orders of any kind to the lab and to the readers of files below the screens."""

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from advisor.inputs import link
from advisor.inputs.read import read_bytes
from benchmarks.hostile.inputs import hostile
from benchmarks.hostile.trial import LINK, Trial
from exhibits.homework import result
from exhibits.homework.tasks import TASKS, check
from lab.queue.access import Visitor
from lab.queue.jobs import Lab
from lab.queue.settings import LabSettings
from lab.spec import recall_spec, text_spec

OWN = {"name": "x", "minutes": 10, "times": 0, "methods": [], "keys": True, "text": ""}
WHOLE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("train", {"spec": recall_spec("rope").to_dict()}),
    ("train", {"spec": text_spec("rope").to_dict()}),
    ("evaluate", {"of": "recall-rope-s0"}),
    ("finetune", {"of": "recall-rope-s0", "method": "yarn", "factor": 4}),
    ("own", OWN),
)
"""Orders as pages send them."""
STARTS = (
    *(b"GGUF\3\0\0\0", b"GGUF", b"\x80\4", b"PK\3\4", b"{", b"["),
    *(b"\xff\xfe", b"\xef\xbb\xbf{", b""),
)


def odd(home: Path) -> list[Any]:
    """Values of every kind that JSON has, and of many sizes."""
    corpora = home / "corpora"
    numbers = (0, -1, 1, *(2**n for n in (31, 63, 64)), 10**30, 1.5, 1e308, math.nan, math.inf)
    names = ("x", "rope", "recall-rope-s0", "../recall-rope-s0", "../../etc/passwd", "/etc/passwd")
    texts = (*names, "", " ", "\0", "\ud800", "\u202e", LINK, "x" * 100_000)
    paths = [f"{corpora}{end}" for end in ("", "/..", "/\0", f"/{'x' * 300}")]
    lists = ([], [[]], ["yarn"] * 5000)
    tables = ({}, {"base": math.nan}, {"base": True}, {"base": 10**30})
    return [*numbers, *texts, *paths, *lists, *tables, None, True]


def orders(trial: Trial, draw: random.Random, count: int) -> None:
    """Orders and numbers of jobs of every kind, as a visitor's: each gets a sentence or is done."""
    settings = LabSettings(home=trial.home, database=f"sqlite:///{trial.home}/runs.sqlite")
    values = odd(trial.home)
    with Lab(settings, Visitor("browser:orders", "own", "orders")) as lab:
        steering = (
            *(lab.job, lab.pause, lab.cancel, lab.resume),
            *(lab.remove, lab.metrics, lab.results),
        )
        for _ in range(count):
            kind, payload = draw.choice(WHOLE)
            value = draw.choice(values)
            if draw.random() < 0.2:
                told(trial, "numbers of jobs", draw.choice(steering), value)
            elif draw.random() < 0.1:
                told(trial, "orders", lab.cost, value, payload)
            elif draw.random() < 0.1:
                told(trial, "orders", lab.cost, kind, value)
            else:  # the same order with one value of another kind
                inner = payload.get("spec", payload)
                changed = inner | {draw.choice(list(inner)): value}
                told(
                    trial,
                    "orders",
                    lab.cost,
                    kind,
                    {"spec": changed} if kind == "train" else changed,
                )


def readers(trial: Trial, draw: random.Random, count: int) -> None:
    """Bytes, links, names and addresses for what reads files and results of homework."""
    for _ in range(count):
        start = draw.choice(STARTS)
        word = hostile(draw)
        noise = draw.randbytes(draw.choice((0, 60, 200, 5000)))
        ask, about = draw.choice(
            (
                (read_bytes, (start + noise,)),
                (read_bytes, (start + word.encode("utf-8", "replace") * 9,)),
                (link.unpack, (word,)),
                (link.unpack, (noise.hex() * 5,)),
                (result.from_link, (f"https://x/?{word}",)),
                (result.from_file, (word, start + noise)),
                (check, (draw.choice(list(TASKS)), f"{word}&m={word}&base={hostile(draw)}")),
            )
        )
        told(trial, "files and addresses", ask, *about)


def told(trial: Trial, kind: str, ask: Callable[..., object], *about: object) -> None:
    """Whether something is done, or refused with a sentence: Python's own errors are none."""
    trial.tried[kind] += 1
    try:
        ask(*about)
    except ValueError as error:
        if type(error) is ValueError and str(error).endswith((".", "?")):
            return
        trial.find(f"{type(error).__name__} without a sentence", (kind, str(error)[:300]))
    except Exception as error:
        trial.find(type(error).__name__, (kind, getattr(ask, "__name__", ""), str(error)[:300]))

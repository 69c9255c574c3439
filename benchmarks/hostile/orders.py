"""Orders of any kind to the lab and to the readers of files below the screens."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.hostile.inputs import hostile
from benchmarks.hostile.target import LINK, Record, Target
from exhibits.homework import result
from exhibits.homework.tasks import TASKS, check
from lab.queue.access import Visitor
from lab.queue.jobs import Lab
from lab.queue.settings import LabSettings
from lab.spec import recall_spec, text_spec
from posenc.config.inputs import link
from posenc.config.inputs.read import read_bytes


def odd(home: Path) -> list[Any]:
    """Values of every kind and size."""
    nested: list[Any] = []
    for _ in range(50_000):
        nested = [nested]
    corpora = home / "corpora"
    numbers = (0, -1, 1, *(2**n for n in (31, 63, 64)), 10**30, 10**5000, 1.5, 1e308)
    names = ("x", "rope", "recall-rope-s0", "../recall-rope-s0", "../../etc/passwd", "/etc/passwd")
    texts = (*names, "", " ", "\0", "\ud800", "\u202e", LINK, "x" * 100_000)
    paths = [f"{corpora}{end}" for end in ("", "/..", "/\0", f"/{'x' * 300}")]
    lists = ([], [[]], ["yarn"] * 5000, (), set(), nested, range(3))
    tables = ({}, {"base": float("nan")}, {1: 2}, {"base": True}, {"base": 10**5000})
    others = (None, True, b"x", object(), 1j, len, int, float("nan"), float("inf"))
    return [*numbers, *texts, *paths, *lists, *tables, *others]


def orders(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Orders and numbers of jobs of every kind, as a visitor's: each gets a sentence or is done."""
    settings = LabSettings(home=target.home, database=f"sqlite:///{target.home}/runs.sqlite")
    values = odd(target.home)
    with Lab(settings, Visitor("browser:orders", "own", "orders")) as lab:
        whole: list[tuple[str, dict[str, Any]]] = [
            ("train", {"spec": make("rope").to_dict()}) for make in (recall_spec, text_spec)
        ]
        whole += [
            ("evaluate", {"of": "recall-rope-s0"}),
            ("finetune", {"of": "recall-rope-s0", "method": "yarn", "factor": 4}),
            (
                "own",
                {"name": "x", "minutes": 10, "times": 0, "methods": [], "keys": True, "text": ""},
            ),
        ]
        steering = (
            lab.job,
            lab.pause,
            lab.cancel,
            lab.resume,
            lab.remove,
            lab.metrics,
            lab.results,
        )
        for _ in range(count):
            kind, payload = draw.choice(whole)
            if draw.random() < 0.2:
                _told(record, "numbers of jobs", draw.choice(steering), draw.choice(values))
            elif draw.random() < 0.1:
                _told(record, "orders", lab.cost, draw.choice(values), payload)
            else:
                _told(record, "orders", lab.cost, kind, _changed(payload, draw, values))


def _changed(payload: Mapping[str, Any], draw: random.Random, values: list[Any]) -> object:
    """The same order with one value, or one name, of another kind."""
    inner = payload.get("spec")
    if isinstance(inner, dict) and draw.random() < 0.8:
        return {"spec": inner | {draw.choice(list(inner)): draw.choice(values)}}
    if draw.random() < 0.1:
        return draw.choice(values)
    return {**payload, draw.choice(list(payload)): draw.choice(values)}


def readers(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Bytes, links, names and addresses for what reads files and results of homework."""
    starts = (
        b"GGUF\3\0\0\0",
        b"GGUF",
        b"\x80\4",
        b"PK\3\4",
        b"{",
        b"[",
        b"\xff\xfe",
        b"\xef\xbb\xbf{",
        b"",
    )
    asks: tuple[Callable[[], tuple[Callable[..., object], tuple[object, ...]]], ...] = (
        lambda: (
            read_bytes,
            (draw.choice(starts) + draw.randbytes(draw.choice((0, 9, 200, 5000))),),
        ),
        lambda: (read_bytes, (draw.choice(starts) + hostile(draw).encode("utf-8", "replace") * 9,)),
        lambda: (link.unpack, (hostile(draw),)),
        lambda: (link.unpack, (draw.randbytes(60).hex() * draw.choice((1, 500)),)),
        lambda: (result.from_link, (f"https://x/?{hostile(draw)}",)),
        lambda: (result.from_file, (hostile(draw), draw.choice(starts) + draw.randbytes(99))),
        lambda: (
            check,
            (draw.choice(list(TASKS)), f"{hostile(draw)}&m={hostile(draw)}&base={hostile(draw)}"),
        ),
    )
    for _ in range(count):
        ask, about = draw.choice(asks)()
        _told(record, "files and addresses", ask, *about)


def _told(record: Record, kind: str, ask: Callable[..., object], *about: object) -> None:
    """Whether something is done, or refused with a sentence: Python's own errors are none."""
    record.tried[kind] += 1
    try:
        ask(*about)
    except ValueError as error:
        if type(error) is ValueError and str(error).endswith((".", "?")):
            return
        record.find(f"{type(error).__name__} without a sentence", (kind, str(error)[:300]))
    except Exception as error:
        record.find(type(error).__name__, (kind, getattr(ask, "__name__", ""), str(error)[:300]))

"""Figures of this process for Prometheus, and of the lab that it shares with others."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from lab.queue.access import Access
from lab.queue.records import STATES
from ui.jobs.desk import lab_of_all
from ui.screen.budget import POOL
from ui.screen.lesson import PAGES
from ui.streamlit.server import page_hash

SECONDS = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
OTHER = "other"
"""Stands for a screen that is not known: strangers may name as many as they like."""

requests = Counter("posenc_requests", "Answered requests.", ["kind", "status"])
sessions = Gauge("posenc_sessions", "Open pages: connections that are up.")
moves = Histogram(
    "posenc_move_seconds",
    "From a reader's move to the end of the answer, waiting included; moves that a later one "
    "replaced are not counted.",
    ["screen"],
    buckets=SECONDS,
)
replaced = Counter("posenc_moves_replaced", "Moves given up because the reader moved on.")
errors = Counter("posenc_errors", "Runs of a screen that ended in an error.")
refused = Counter("posenc_refused", "Pages that got no place.")
ended = Counter("posenc_ended", "Open pages that had to make room for others.", ["why"])


@cache
def screens() -> dict[str, str]:
    """Names of screens by the hash that a browser sends."""
    names = sorted(path.name for path in PAGES.iterdir() if path.is_dir())
    return {page_hash("" if name == "home" else name): name for name in names}


def is_screen(path: str) -> bool:
    """Whether a path is that of a screen, which needs a session."""
    parts = path.strip("/").split("/")
    return parts[-1] in ("", *screens().values()) and "course" not in parts


class Now:
    """Figures that are computed anew each time they are read.

    Args:
        held_bytes: Bytes of uploaded files in memory.
    """

    def __init__(self, held_bytes: Callable[[], float]) -> None:
        self.held_bytes = held_bytes

    def collect(self) -> Iterator[Metric]:
        """All of it."""
        yield from _budget()
        yield _one("posenc_upload_bytes", "Uploaded files held in memory.", self.held_bytes())
        yield from _lab()

    def describe(self) -> list[Metric]:
        """Nothing: so that nothing is asked when the app starts."""
        return []


def start(held_bytes: Callable[[], float]) -> None:
    """Begin to tell what `Now` asks; once in a process."""
    REGISTRY.register(Now(held_bytes))


def text() -> bytes:
    """All figures in Prometheus' text form."""
    return generate_latest(REGISTRY)


def _budget() -> Iterator[Metric]:
    told = {
        "posenc_budget_bytes": ("Memory that large pictures may take together.", POOL.whole),
        "posenc_budget_used_bytes": (
            "Memory that large pictures take now.",
            POOL.whole - POOL.memory,
        ),
        "posenc_budget_free_seats": ("Large pictures that could begin now.", POOL.seats),
        "posenc_budget_waiting": ("Readers who wait for room.", POOL.waiting),
    }
    for name, (words, value) in told.items():
        yield _one(name, words, value)
    refused = CounterMetricFamily(
        "posenc_budget_refused", "Pictures that were not computed.", labels=["why"]
    )
    for why, count in POOL.refused.items():
        refused.add_metric([why], count)
    yield refused


def _lab() -> Iterator[Metric]:
    """Figures from the lab's database; whether it answers is a figure of its own."""
    if Access.from_environment().mode == "off":
        return
    try:
        lab = lab_of_all()
        counts, oldest = lab.counts()
        is_supervised = lab.is_supervised()
    except ValueError:
        yield _one("posenc_lab_up", "Whether the lab's database answers.", 0)
        return
    yield _one("posenc_lab_up", "Whether the lab's database answers.", 1)
    jobs = GaugeMetricFamily("posenc_jobs", "Jobs of the lab.", labels=["state"])
    for state in STATES:
        jobs.add_metric([state], counts.get(state, 0))
    yield jobs
    yield _one("posenc_queue_oldest_seconds", "How long the oldest job has waited.", oldest)
    with suppress(OSError):
        free = lab.settings.free_bytes()
        yield _one("posenc_lab_free_bytes", "Free space on the disk of the lab's folder.", free)
    yield _one("posenc_worker_up", "Whether a process starts the jobs that wait.", is_supervised)


def _one(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(name, words, value=value)

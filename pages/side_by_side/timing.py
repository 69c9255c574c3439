"""Cost of a computation on this machine: measured, not estimated."""

import threading
import time
from collections.abc import Callable
from itertools import accumulate
from statistics import median
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from ui.controls.device import synchronize

SECONDS = 0.15
REPEATS = (3, 50)
"""At least and at most; between them as many as fit into `SECONDS`."""

ALONE = threading.Lock()
"""Two that measure memory at a time end the process: torch has one profiler."""

Work = Callable[[], Any]


def milliseconds(work: Work, device: torch.device) -> tuple[float, int]:
    """Median time of one call after a first that does not count, and the number of calls."""
    work()
    times: list[float] = []
    while len(times) < REPEATS[0] or (sum(times) < 1000 * SECONDS and len(times) < REPEATS[1]):
        synchronize(device)
        start = time.perf_counter()
        work()
        synchronize(device)
        times.append((time.perf_counter() - start) * 1000)
    return median(times), len(times)


def peak_bytes(work: Work, device: torch.device) -> int | None:
    """Bytes that a call holds at its peak beyond what was there; None where torch cannot tell."""
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        work()
        return torch.cuda.max_memory_allocated(device) - before
    if device.type != "cpu":
        return None
    with ALONE, profile(activities=[ProfilerActivity.CPU], profile_memory=True) as run:
        work()
    assert run.profiler is not None
    events = [e for e in run.profiler.kineto_results.events() if e.name() == "[memory]"]
    held = accumulate(event.nbytes() for event in sorted(events, key=lambda e: e.start_ns()))
    return max(held, default=0)

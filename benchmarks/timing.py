"""Timing that a busy machine spoils least: one process, taking turns, in pairs."""

import statistics
import time
from collections.abc import Callable

import torch

Function = Callable[[], object]
ROUNDS = 9


def wait(device: torch.device) -> None:
    """Return when the device has done what it was given."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def once(function: Function, calls: int, device: torch.device) -> float:
    """Seconds of one call, averaged over some.

    On one CPU thread: seconds of computing, which other work on the machine does not lengthen.
    """
    alone = device.type == "cpu" and torch.get_num_threads() == 1
    clock = time.process_time if alone else time.perf_counter
    wait(device)
    start = clock()
    for _ in range(calls):
        function()
    wait(device)
    return (clock() - start) / calls


def interleaved(
    functions: dict[str, Function], device: torch.device, seconds: float = 0.02
) -> dict[str, list[float]]:
    """Seconds per call of each function in each round; every round calls all, in a new order.

    Args:
        functions: What to time, by name.
        device: Where it runs.
        seconds: Short calls are repeated for about as long as this.
    """
    calls = {}
    for name, function in functions.items():
        function()  # builds what is built once
        calls[name] = max(1, int(seconds / max(once(function, 1, device), 1e-7)))
    names = list(functions)
    taken = {name: [] for name in functions}
    for start in range(ROUNDS):
        for name in names[start % len(names) :] + names[: start % len(names)]:
            taken[name].append(once(functions[name], calls[name], device))
    return taken


def ratio(ours: list[float], theirs: list[float]) -> tuple[float, float, float]:
    """Median and quartiles of ours / theirs, paired by round: drift meets both alike."""
    pairs = [a / b for a, b in zip(ours, theirs, strict=True)]
    low, middle, high = statistics.quantiles(pairs, n=4, method="inclusive")
    return middle, low, high

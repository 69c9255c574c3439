"""Does a picture cost the same at any length? Time and memory at length 10³ and at 10⁸."""

import os
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import accumulate
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from benchmarks.timing import interleaved, ratio
from posenc import FIRE, rope_inv_freq
from posenc.alibi.picture import ALiBiBias
from posenc.fire.picture import FIREBias, FIREDistance
from posenc.kerple.picture import KerpleBias
from posenc.quantity.matrix import Quantity
from posenc.quantity.view import View, view
from posenc.rope.picture import RoPEAngles, RoPEScore
from posenc.sandwich.picture import SandwichBias
from posenc.shaw.picture import RelativeIds
from posenc.sinusoidal.picture import SinusoidalSimilarity, SinusoidalTable
from posenc.t5.picture import T5Buckets
from posenc.transformer_xl.picture import SinusoidalBiasMatrix

SHORT, LONG = 10**3, 10**8
CELLS = 250
"""Both lengths are multiples of it, so that both pictures have as many cells."""
INV_FREQ, _ = rope_inv_freq(128)
VECTOR = torch.linspace(-1, 1, 128, dtype=torch.float64)

QUANTITIES: dict[str, Callable[[int], Quantity]] = {
    "SinusoidalTable": lambda n: SinusoidalTable(n, CELLS),
    "SinusoidalSimilarity": lambda n: SinusoidalSimilarity(n, 128),
    "SinusoidalBiasMatrix": lambda n: SinusoidalBiasMatrix(VECTOR, n),
    "RelativeIds": lambda n: RelativeIds(n, n, 16),
    "T5Buckets, 32": lambda n: T5Buckets(n, True),
    "T5Buckets, 320": lambda n: T5Buckets(n, True, 320, 800),
    "ALiBiBias": lambda n: ALiBiBias(0.5, n),
    "KerpleBias, log": lambda n: KerpleBias(1.0, 1.0, n),
    "KerpleBias, power": lambda n: KerpleBias(1.0, 0.5, n, "power"),
    "SandwichBias": lambda n: SandwichBias(0, 8, n),
    "FIREDistance": lambda n: FIREDistance(n),
    "FIREBias": lambda n: FIREBias(FIRE(4), 0, n),
    "RoPEAngles": lambda n: RoPEAngles(INV_FREQ, n, "cos"),
    "RoPEScore": lambda n: RoPEScore(VECTOR, VECTOR, INV_FREQ, n),
}


def picture(name: str, length: int, cells: int = CELLS) -> View:
    """Make the quantity and look at all of it."""
    return view(QUANTITIES[name](length), cells=(cells, cells))


def peak_memory(name: str, length: int) -> float:
    """MiB of tensors that a picture holds at its peak, counted by torch's profiler."""
    with quiet(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as run:
        picture(name, length)
    assert run.profiler is not None
    events = [e for e in run.profiler.kineto_results.events() if e.name() == "[memory]"]
    held = accumulate(event.nbytes() for event in sorted(events, key=lambda e: e.start_ns()))
    return max(held) / 2**20


@contextmanager
def quiet() -> Iterator[None]:
    """Without what the profiler's C++ says of itself."""
    kept = os.dup(2)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def row(name: str) -> dict[str, Any]:
    functions = {str(length): partial(picture, name, length) for length in (SHORT, LONG)}
    taken = interleaved(functions, torch.device("cpu"))
    short, long = taken[str(SHORT)], taken[str(LONG)]
    middle, low, high = ratio(long, short)
    return {
        "quantity": name,
        "kind": picture(name, LONG).kind,
        "milliseconds": 1000 * statistics.median(long),
        "time ratio": middle,
        "time quartiles": (low, high),
        "MiB at 10³": peak_memory(name, SHORT),
        "MiB at 10⁸": peak_memory(name, LONG),
    }

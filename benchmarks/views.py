"""Does a picture cost the same at any length? Time and memory at length 10³ and at 10⁸."""

import multiprocessing
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from benchmarks.timing import interleaved, ratio
from posenc import (
    FIRE,
    ALiBiBias,
    DualChunk,
    EffectiveDistance,
    FIREBias,
    FIREDistance,
    KerpleBias,
    LeakyReRoPE,
    Quantity,
    RelativeIds,
    ReRoPE,
    RoPEAngles,
    RoPEScore,
    SandwichBias,
    SelfExtend,
    SinusoidalBiasMatrix,
    SinusoidalSimilarity,
    SinusoidalTable,
    T5Buckets,
    XPosScore,
    rope_inv_freq,
    view,
    xpos_zeta,
)

SHORT, LONG = 10**3, 10**8
CELLS = 250
"""Both lengths are multiples of it, so that both pictures have as many cells."""
STATUS = Path("/proc/self/status")
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
    "XPosScore": lambda n: XPosScore(VECTOR, VECTOR, INV_FREQ, xpos_zeta(128), n),
    "ReRoPE": lambda n: EffectiveDistance(ReRoPE(512), n),
    "LeakyReRoPE": lambda n: EffectiveDistance(LeakyReRoPE(512, 8.0), n),
    "SelfExtend": lambda n: EffectiveDistance(SelfExtend(512, 8), n),
    "DualChunk": lambda n: EffectiveDistance(DualChunk(512, 64), n),
}


def picture(name: str, length: int, cells: int = CELLS) -> object:
    """Make the quantity and look at all of it."""
    return view(QUANTITIES[name](length), cells=(cells, cells))


def resident(field: str) -> int:
    """KiB of this process: "VmRSS" now, "VmHWM" at most so far."""
    match = re.search(rf"{field}:\s+(\d+)", STATUS.read_text())
    assert match is not None
    return int(match.group(1))


def peak_memory(name: str, length: int) -> int:
    """KiB that a picture takes at its peak, in a process of its own."""
    picture(name, SHORT, cells=2)  # torch loads what it needs
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts from here
    before = resident("VmRSS")
    picture(name, length)
    return resident("VmHWM") - before


def rows(names: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """One row per quantity; memory is None where the system has no /proc."""
    device = torch.device("cpu")
    fork = multiprocessing.get_context("fork") if STATUS.exists() else None
    for name in names or QUANTITIES:
        memory = None
        if fork is not None:
            with fork.Pool(1, maxtasksperchild=1) as pool:
                memory = pool.starmap(peak_memory, [(name, SHORT), (name, LONG)], chunksize=1)
        taken = interleaved(
            {
                str(length): lambda name=name, length=length: picture(name, length)
                for length in (SHORT, LONG)
            },
            device,
        )
        middle, low, high = ratio(taken[str(LONG)], taken[str(SHORT)])
        yield {
            "quantity": name,
            "kind": view(QUANTITIES[name](LONG), cells=(CELLS, CELLS)).kind,
            "milliseconds": 1000 * sorted(taken[str(LONG)])[len(taken[str(LONG)]) // 2],
            "time ratio": middle,
            "time quartiles": (low, high),
            "MiB at 10³": None if memory is None else memory[0] / 1024,
            "MiB at 10⁸": None if memory is None else memory[1] / 1024,
        }

"""posenc against its peers, against a plain copy of memory, and against length: `make bench`.

A ratio is posenc's time over the other's, below 1 where posenc is faster: the median over rounds
in which all take turns, with the quartiles in brackets. "copy" moves the bytes that must move and
computes nothing; it allocates its result, as every function here does.

`make bench` measures everything, in more than ten minutes; `make bench QUICK=1` a part, in two.
What is measured just now is said on the way; the tables come at the end and are written to
`build/bench.md`, all numbers to `build/bench.json`.
"""

import argparse
import platform
import sys
import time
from pathlib import Path
from typing import Any

import torch

from benchmarks import views
from benchmarks.cases.all import Extent, cases
from benchmarks.cases.case import Case
from benchmarks.report import keep, markdown
from benchmarks.timing import Function, interleaved, ratio

ROOT = Path(__file__).resolve().parent.parent
FEW = ("SinusoidalTable", "T5Buckets, 320", "ALiBiBias", "RoPEScore", "FIREBias")
FLOAT32 = (torch.float32,)
EXTENTS = {
    "full": Extent((512, 4096, 32768, 131072)),
    "quick": Extent((512, 32768), FLOAT32, (64,), (1,), 0.01, FEW),
    "smoke": Extent((64,), FLOAT32, (64,), (1,), 0.0002, FEW[:2]),
}
START = time.perf_counter()


def measure(case: Case, device: torch.device, seconds: float) -> dict[str, Any]:
    """Time one case; a peer that is not installed has no ratio."""
    block = torch.empty(max(case.moved // 2, 1), dtype=torch.uint8, device=device)
    functions: dict[str, Function] = {"posenc": case.ours, "copy": block.clone}
    functions |= {name: f for name, f in case.peers.items() if f is not None}
    with torch.no_grad():
        taken = interleaved(functions, device, seconds)
    ours = taken["posenc"]
    return {
        "task": case.task,
        "setting": case.setting,
        "threads": torch.get_num_threads(),
        "device": device.type,
        "milliseconds": 1000 * sorted(ours)[len(ours) // 2],
        "ratios": {
            name: ratio(ours, taken[name]) if name in taken else None
            for name in ("copy", *case.peers)
        },
    }


def bracket(values: tuple[float, float, float] | None) -> str:
    if values is None:
        return "not installed"
    return "{:.2f} ({:.2f}–{:.2f})".format(*values)


def report(rows: list[dict[str, Any]], pictures: list[dict[str, Any]]) -> str:
    body = [
        (
            row["task"],
            row["setting"],
            f"{row['device']}, {row['threads']}",
            f"{row['milliseconds']:.3g}",
            bracket(row["ratios"]["copy"]),
            "; ".join(f"{k} {bracket(v)}" for k, v in row["ratios"].items() if k != "copy"),
        )
        for row in rows
    ]
    header = ("task", "setting", "device, threads", "ms", "ours / copy", "ours / peer")
    tables = [markdown(header, body)]
    lost = [
        (
            values[0],
            f"- {values[0]:.2f} × {name}: {row['task']}, {row['setting']}, "
            f"{row['device']}, threads {row['threads']}",
        )
        for row in rows
        for name, values in row["ratios"].items()
        if name != "copy" and values is not None and values[1] > 1
    ]
    tables.append(f"Slower than a peer by more than noise: {len(lost)}")
    tables += [line for _, line in sorted(lost, reverse=True)]
    tables.append(
        markdown(
            ("picture", "kind", "ms at 10⁸", "time 10⁸ / 10³", "MiB at 10³", "MiB at 10⁸"),
            (
                (
                    row["quantity"],
                    row["kind"],
                    f"{row['milliseconds']:.3g}",
                    bracket((row["time ratio"], *row["time quartiles"])),
                    f"{row['MiB at 10³']:.1f}",
                    f"{row['MiB at 10⁸']:.1f}",
                )
                for row in pictures
            ),
        )
    )
    return "\n\n".join(tables)


def said(number: int, many: int, words: str) -> None:
    print(f"{number} of {many}, {time.perf_counter() - START:4.0f} s  {words}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extent", choices=EXTENTS, default="full", help="quick: two minutes")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench.md")
    options = parser.parse_args()

    extent = EXTENTS[options.extent]
    rows = []
    pictures = []
    devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
    todo = [
        (device, threads, make)
        for device in map(torch.device, devices)
        for threads in (extent.threads if device.type == "cpu" else (1,))
        for make in cases(extent, device)
    ]
    drawn = extent.pictures or tuple(views.QUANTITIES)
    many = len(todo) + len(drawn)
    for number, (device, threads, make) in enumerate(todo, 1):
        torch.set_num_threads(threads)
        rows.append(row := measure(make(), device, extent.seconds))
        where = f"{device.type}, threads {threads}"
        said(
            number, many, f"{row['milliseconds']:.3g} ms  {row['task']}, {row['setting']}, {where}"
        )
    torch.set_num_threads(1)
    for number, name in enumerate(drawn, len(todo) + 1):
        pictures.append(row := views.row(name))
        said(number, many, f"{row['milliseconds']:.3g} ms  picture of {name}")
    record = {"python": platform.python_version(), "torch": torch.__version__}
    record |= {"machine": platform.machine(), "tasks": rows, "pictures": pictures}
    keep(options.out, report(rows, pictures), record)


if __name__ == "__main__":
    main()

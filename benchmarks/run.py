"""posenc against its peers, against a plain copy of memory, and against length: `make bench`.

A ratio is posenc's time over the other's, below 1 where posenc is faster: the median over rounds
in which all take turns, with the quartiles in brackets. "copy" moves the bytes that must move and
computes nothing; it allocates its result, as every function here does.
"""

import argparse
import json
import platform
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch

from benchmarks import views
from benchmarks.cases.all import cases
from benchmarks.cases.case import Case
from benchmarks.timing import Function, interleaved, ratio

LENGTHS = (512, 4096, 32768, 131072)
SMOKE_LENGTHS = (64,)
SMOKE_VIEWS = ["SinusoidalTable", "T5Buckets, 320"]


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
    """A ratio for a table."""
    if values is None:
        return "not installed"
    return "{:.2f} ({:.2f}–{:.2f})".format(*values)


def markdown(header: Iterable[str], body: Iterable[Iterable[str]]) -> str:
    """A table."""
    lines = [list(header)]
    lines += [["---"] * len(lines[0]), *(list(row) for row in body)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def report(rows: list[dict[str, Any]], pictures: list[dict[str, Any]]) -> str:
    """Both tables and the worst rows."""
    body = [
        (
            row["task"],
            row["setting"],
            f"{row['device']}, {row['threads']}",
            f"{row['milliseconds']:.3g}",
            *(bracket(row["ratios"]["copy"]),),
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


def main() -> None:
    """Measure, print tables, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="tiny sizes: does everything run?")
    parser.add_argument("--out", type=Path, help="write all numbers as JSON to this file")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="on the CPU")
    parser.add_argument("--task", default="", help="only tasks whose name contains this")
    options = parser.parse_args()

    torch.set_num_threads(1)
    pictures = [] if options.task else list(views.rows(SMOKE_VIEWS if options.smoke else None))
    devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
    rows = []
    for device in map(torch.device, devices):
        for threads in options.threads if device.type == "cpu" and not options.smoke else [1]:
            torch.set_num_threads(threads)
            lengths = SMOKE_LENGTHS if options.smoke else LENGTHS
            for case in cases(device, lengths):
                if options.task in case.task:
                    rows.append(measure(case, device, 0.0002 if options.smoke else 0.02))
    print(report(rows, pictures))
    if options.out:
        record = {"python": platform.python_version(), "torch": torch.__version__}
        record |= {"machine": platform.machine(), "tasks": rows, "pictures": pictures}
        options.out.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

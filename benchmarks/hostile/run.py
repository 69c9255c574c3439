"""A stranger's attacks on the real server: `python -m benchmarks.hostile.run`.

Thousands of inputs that no page would send: addresses, values of controls and of pictures, texts,
configs, uploaded files, paths, headers, bodies, cookies, messages that are none or are forged, and
orders below the screens. Then what needs no input: floods, bombs, silence. Then the dearest
pictures in twelve tabs at once, and two visitors against each other. A seed draws the same inputs
again. The server is the real one, started here on a loopback address, with a lab of its own;
nothing else is asked anything.

What counts as a finding: an error box where a screen should have a sentence, a path or a secret of
the server in an answer, typed text that became a link, an answer that takes longer than `SLOW`
seconds, everybody waiting for one message, a server that is gone or says nothing for a second,
memory beyond the budget or kept, and whatever one visitor can do to another.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.hostile.doors import bodies, liars, paths
from benchmarks.hostile.files import configs, uploads
from benchmarks.hostile.floods import FLOODS
from benchmarks.hostile.inputs import addresses, controls, wrong_types
from benchmarks.hostile.lines import forged, garbage
from benchmarks.hostile.orders import orders, readers
from benchmarks.hostile.tabs import dear_tabs
from benchmarks.hostile.target import Record, Target, ask, served
from benchmarks.hostile.visitors import two_visitors

PARTS: dict[str, tuple[Callable[[Target, Record, random.Random, int], None], float]] = {
    "addresses": (addresses, 0.3),
    "controls": (controls, 0.35),
    "wrong_types": (wrong_types, 0.03),
    "configs": (configs, 0.15),
    "paths": (paths, 0.12),
    "uploads": (uploads, 0.04),
    "garbage": (garbage, 0.01),
    "forged": (forged, 0.05),
    "bodies": (bodies, 0.02),
    "liars": (liars, 0.02),
    "orders": (orders, 1.0),
    "readers": (readers, 0.5),
}
"""The attacks, and how often each is tried for each of the inputs that are asked for."""


def attack(inputs: int, seed: int, only: list[str], full: bool) -> tuple[Record, list[str]]:
    record, said = Record(), []
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as target:
        before = target.memory()
        for name, (part, share) in PARTS.items():
            if only and name not in only:
                continue
            begun = time.monotonic()
            part(target, record, random.Random(f"{seed} {name}"), max(1, round(share * inputs)))
            print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        for flood in FLOODS if full else ():
            flood(target, record)
        if full:
            said += [two_visitors(target, record), dear_tabs(target, record)]
        if ask(f"{target.address}/_stcore/health")[0] != 200:
            record.find("the server is gone", "")
        said.append(
            f"memory {before / 2**20:.0f} MiB before, {target.memory() / 2**20:.0f} MiB after"
        )
    return record, said


def main() -> None:
    """Try, and print the table; exit status 1 where something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=2200)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--only", nargs="+", default=[], choices=PARTS, help="parts")
    parser.add_argument("--alone", action="store_true", help="no tabs at once, no two visitors")
    options = parser.parse_args()
    record, said = attack(options.inputs, options.seed, options.only, not options.alone)
    print(record.table(), *said, "", sep="\n")
    for line in record.found:
        print("FOUND", line)
    print(f"{len(record.found)} findings")
    raise SystemExit(bool(record.found))


if __name__ == "__main__":
    main()

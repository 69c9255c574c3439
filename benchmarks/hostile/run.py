"""A stranger's attacks on the real server: `python -m benchmarks.hostile.run`.

Thousands of inputs that no page would send: addresses, values of controls and of pictures, texts,
configs, uploaded files, paths, headers, bodies, cookies, messages that are none or are forged, and
orders below the screens. A seed draws the same inputs again. The server is the real one, started
here on a loopback address, with a lab of its own; nothing else is asked anything. Floods, and what
one visitor may do to another, are tests: `tests/serving` and `tests/test_asgi.py`.

What counts as a finding: an error box where a screen should have a sentence, a path or a secret of
the server in an answer, typed text that became a link, an answer that takes longer than `SLOW`
seconds, everybody waiting for one message, and a server that is gone.
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
from benchmarks.hostile.inputs import addresses, controls, wrong_types
from benchmarks.hostile.lines import forged, garbage
from benchmarks.hostile.orders import orders, readers
from benchmarks.hostile.target import Record, Target, ask, served

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


def attack(inputs: int, seed: int, only: list[str]) -> Record:
    record = Record()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as target:
        before = target.server.megabytes()
        for name in only:
            part, share = PARTS[name]
            begun = time.monotonic()
            part(target, record, random.Random(f"{seed} {name}"), max(1, round(share * inputs)))
            print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        if ask(f"{target.address}/_stcore/health")[0] != 200:
            record.find("the server is gone", "")
        print(f"memory {before:.0f} MB before, {target.server.megabytes():.0f} MB after")
    return record


def main() -> None:
    """Try, and print the table; exit status 1 where something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=2200)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--only", nargs="+", default=[*PARTS], choices=PARTS, help="parts")
    options = parser.parse_args()
    record = attack(options.inputs, options.seed, options.only)
    print(record.table(), "", sep="\n")
    for line in record.found:
        print("FOUND", line)
    print(f"{len(record.found)} findings")
    raise SystemExit(bool(record.found))


if __name__ == "__main__":
    main()

"""A stranger's attacks on the real server: `python -m benchmarks.hostile.run`.

Thousands of inputs that no page would send: addresses, values of controls and of pictures, texts,
configs, uploaded files and forged messages, drawn by a seed. The server is the real one, started
here on a loopback address, with a lab of its own; nothing else is asked anything. Odd requests, and
what one visitor may do to another, are tests: `tests/serving` and `tests/test_app.py`; so is what
the parts below the screens are given. Names of parts run these alone.

What counts as a finding: an error box where a screen should have a sentence, a path or a secret of
the server in an answer, typed text that became a link, an answer that takes longer than `SLOW`
seconds, everybody waiting for one message, and a server that is gone.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.hostile.files import configs, uploads
from benchmarks.hostile.inputs import addresses, controls, wrong_types
from benchmarks.hostile.messages import forged
from benchmarks.hostile.trial import ask, served

PARTS = {
    "addresses": (addresses, 660),
    "controls": (controls, 770),
    "wrong_types": (wrong_types, 66),
    "configs": (configs, 330),
    "uploads": (uploads, 88),
    "forged": (forged, 110),
}
"""The attacks, and how often each is tried."""
SEED = 14


def main(*chosen: str) -> None:
    """Try, and print the table; exit status 1 where something was found."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as trial:
        before = trial.server.megabytes()
        for name in chosen or PARTS:
            part, count = PARTS[name]
            begun = time.monotonic()
            part(trial, random.Random(f"{SEED} {name}"), count)
            print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        if ask(f"{trial.address}/_stcore/health")[0] != 200:
            trial.find("the server is gone", "")
        print(f"memory {before:.0f} MB before, {trial.server.megabytes():.0f} MB after")
    print(trial.table(), "", sep="\n")
    for line in trial.found:
        print("FOUND", line)
    print(f"{len(trial.found)} findings; {(time.monotonic() - start) / 60:.0f} minutes")
    raise SystemExit(bool(trial.found))


if __name__ == "__main__":
    main(*sys.argv[1:])

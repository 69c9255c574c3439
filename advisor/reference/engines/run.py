"""Runs what is written for engines in the engines' own classes; `make engines`.

    python -m reference.engines.run [ENGINE …]

Every engine gets an environment of its own in build/engines, with the release that facts.json
names, on the CPU. What it made of every known model's file is compared with what the file says, and
data/engines.json has the result. An engine that cannot be installed here keeps its old record.
"""

import datetime
import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from advisor.facts import TRIED
from reference.engines.cases import BOUND, DIFFERS, cases, gathered, judged, usual_notes
from reference.engines.environments import ENVIRONMENTS, Missing, python_of
from reference.planners.reserved import text

ROOT = Path(__file__).resolve().parents[3]
FILE = ROOT / "data" / "engines.json"
LINE_SECONDS = 300
Row = dict[str, Any]


def answers(engine: str, python: Path, lines: list[str], log: Path) -> list[Row]:
    """One answer for each line; a reader that dies is started again with the next line."""
    found: list[Row] = []
    while len(found) < len(lines):
        reader = ENVIRONMENTS[engine].reader or engine
        command = [str(python), "-m", f"reference.engines.{reader}"]
        given = os.environ | {"PYTHONPATH": str(ROOT / "advisor"), "HF_HUB_OFFLINE": "1"}
        rest = "\n".join(lines[len(found) :]) + "\n"
        with log.open("a") as words:
            done = subprocess.run(
                command,
                input=rest,
                stdout=subprocess.PIPE,
                stderr=words,
                text=True,
                env=given,
                cwd=ROOT,
                timeout=LINE_SECONDS + 10 * len(lines),
            )
        said = [json.loads(line) for line in done.stdout.splitlines()]
        found += said
        if len(found) < len(lines):
            if not said and not found:
                raise Missing(f"its reader does not start: see {log}.")
            found.append({"why": f"the engine ended the process, status {done.returncode}"})
    return found


def run(engine: str) -> Row:
    """The record of one engine."""
    begun = time.monotonic()
    python = python_of(engine)
    asked = cases(engine)
    lines = [case.line() for case in asked if case.written is not None]
    log = python.parents[2] / f"{engine}.log"
    said = iter(answers(engine, python, lines, log))
    usual = usual_notes(asked)
    rows = [judged(case, next(said) if case.written else {}, usual) for case in asked]
    counts = Counter(row["outcome"] for row in rows)
    about = TRIED[engine]
    return {
        "version": f"{about.version} ({about.within})" if about.within else about.version,
        "with": ENVIRONMENTS[engine].within(python),
        "ran": str(datetime.datetime.now(tz=datetime.UTC).date()),
        "minutes": round((time.monotonic() - begun) / 60, 1),
        "how": ENVIRONMENTS[engine].how,
        "bound": BOUND,
        "counts": dict(counts),
        "rows": gathered(engine, rows),
    }


def main() -> int:
    """Run the engines that are named, or all; 1 where one computes something else."""
    wrong = False
    for engine in sys.argv[1:] or ENVIRONMENTS:
        known = json.loads(FILE.read_text("utf-8"))
        try:
            record = run(engine)
        except Missing as reason:
            kept = known.get(engine, {}).get("ran", "none")
            print(f"{engine}: {reason} The record of {kept} stays.")
            continue
        print(f"{engine} {record['version']}: {record['counts']}, {record['minutes']} minutes")
        for row in record["rows"]:
            if row["outcome"] == DIFFERS:
                wrong = True
                print("DIFFERENT", row)
        # Others may have been written meanwhile.
        known = json.loads(FILE.read_text("utf-8"))
        known[engine] = known.get(engine, {}) | record
        FILE.write_text(text(known), "utf-8")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())

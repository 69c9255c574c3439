"""How fast the app answers while a job runs: `python -m benchmarks.jobs`.

A screen is run again and again, its slider moved each time: first with nothing else to do, then
while the lab trains a model in its worker process. Printed: median and longest run of both, and
the ratio of the medians. On a machine that does other work besides, both are longer.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from lab.queue import jobs
from lab.queue.settings import LabSettings
from lab.spec import recall_spec

ROOT = Path(__file__).resolve().parent.parent


def seconds_per_run(app: AppTest, runs: int) -> list[float]:
    """Run the screen with its first number moved by a step each time, there and back."""
    taken = []
    first = app.number_input[0].value
    for run in range(runs):
        number = app.number_input[0]
        number.set_value(first + number.step * ((run + 1) % 8))
        start = time.perf_counter()
        app.run()
        taken.append(time.perf_counter() - start)
        assert not app.exception
        assert not app.error
    return taken


def wait_for(lab: jobs.Lab, job: int, seconds: float = 120) -> None:
    """Return when the job has made updates."""
    end = time.monotonic() + seconds
    while not lab.job(job).done:
        if time.monotonic() > end or lab.job(job).ended:
            raise RuntimeError(f"no update within {seconds:g} seconds: {lab.job(job)}")
        time.sleep(0.1)


def measure(screen: str, runs: int) -> dict[str, Any]:
    """Seconds of a run without and with a training beside it."""
    jobs.IDLE = 0.0
    with tempfile.TemporaryDirectory() as folder:
        settings = LabSettings.from_environment({"POSENC_LAB_HOME": folder})
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        app.run().switch_page(f"pages/{screen}/screen.py")
        app.query_params["step"] = "0"  # the free screen, whose controls are drawn
        app.run()
        seconds_per_run(app, 2)  # imports
        alone = seconds_per_run(app, runs)
        with jobs.Lab(settings) as lab:
            job = lab.submit("train", {"spec": recall_spec("rope").to_dict()})
            lab.ensure_worker()
            wait_for(lab, job)
            before = lab.job(job).done
            beside = seconds_per_run(app, runs)
            while lab.job(job).done == before:  # no update yet: this was not beside a training
                beside += seconds_per_run(app, 1)
            updates = lab.job(job).done - before
            lab.cancel(job)
            while jobs.leases.supervised(lab.engine, settings.silence):
                time.sleep(0.1)
    return {
        "screen": screen,
        "cores": os.cpu_count(),
        "threads of the job": settings.threads,
        "updates meanwhile": updates,
        "alone": alone,
        "beside a job": beside,
        "ratio of medians": statistics.median(beside) / statistics.median(alone),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--screen", default="rope")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--out", type=Path, help="write all numbers as JSON to this file")
    options = parser.parse_args()
    row = measure(options.screen, options.runs)
    for name in ("alone", "beside a job"):
        middle, longest = statistics.median(row[name]), max(row[name])
        print(f"{name}: {1000 * middle:.0f} ms, longest {1000 * longest:.0f} ms")
    print(
        f"ratio of medians {row['ratio of medians']:.2f}, {row['updates meanwhile']} updates made"
    )
    if options.out:
        options.out.write_text(json.dumps(row, indent=1) + "\n")


if __name__ == "__main__":
    main()

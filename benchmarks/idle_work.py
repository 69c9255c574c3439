"""Jobs that are ordered as always and then only wait: POSENC_LAB_WORK=benchmarks.idle_work."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.queue.orders import prepare
from lab.queue.perform import Report, ShouldStop, Stopped

__all__ = ["Stopped", "perform", "prepare"]
MINUTES = 10


def perform(
    kind: str,
    payload: Mapping[str, Any],
    folder: Path,
    report: Report,
    should_stop: ShouldStop,
) -> list[dict[str, Any]]:
    """Wait until somebody asks for the end.

    Raises:
        Stopped: Once that has happened.
    """
    for tenth in range(600 * MINUTES):
        if should_stop():
            raise Stopped
        report(tenth, 600 * MINUTES, {"loss": 1.0})
        time.sleep(0.1)
    return []

"""Pictures that move by themselves: drawn and dragged in the browser, told to Python when at rest.

A picture is a module of `static/pictures/`, declared with lit-html on the course's stage. It gets
the numbers once, computed here, and draws every moment itself; where the reader lets go, it reports
its state.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from plots.figure import Figure
from ui.charts import stage
from ui.charts.component import DrawnChart, drawn_charts
from ui.charts.served import component, no_callback
from ui.charts.take import take
from ui.memory import memory
from ui.words import language, separators

Report = Mapping[str, Any]
"""State that a picture reports: plain JSON, from a browser and not to be trusted."""


def moving(
    module: str,
    data: Mapping[str, Any],
    *,
    key: str,
    height: int,
    still: Figure,
) -> None:
    """Draw a picture.

    Args:
        module: Its file in `static/pictures/`, without ".js".
        data: What it draws, plain JSON; "alt" says it in words, "interface" are the words that it
            says itself, "at" where it stands. Added: `separators` of numbers; `echo`, the last
            report that Python has heard; `key`, `height`, `module`, `staged`, `source` and `take`.
        key: Unique name; also the name of files that are saved from it.
        height: Pixels that are kept for it, also where it is lower.
        still: What stands in its place in files.
    """
    if stage.leaves_out(key):
        return
    drawn_charts()[key] = DrawnChart(still, data["alt"], height)
    state = st.session_state.get(key)
    asked = state.get("file") if isinstance(state, Mapping) else None
    payload = {
        **data,
        "key": key,
        "height": height,
        "module": module,
        "separators": separators(language()),
        "echo": memory().get(f"_moving_{key}"),
        "staged": bool(stage.mode()),
        "source": stage.source(data["alt"]),
        "take": take(key, still, data["alt"], asked),
    }
    with stage.place():
        _mount(
            data=payload,
            key=key,
            height=stage.reserved_height(height),
            on_report_change=no_callback,
            on_file_change=no_callback,
        )


def reported(key: str) -> Report:
    """The picture's report since the last call; empty if there is no new one."""
    state = st.session_state.get(key)
    report = state.get("report") if isinstance(state, Mapping) else None
    kept = memory()
    if not isinstance(report, Mapping) or report.get("at") == kept.get(f"_moving_{key}"):
        return {}
    kept[f"_moving_{key}"] = report.get("at")
    return report


_mount = component("moving", "static/pictures/${data.module}.js")

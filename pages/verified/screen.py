"""Verified: what posenc was compared with, and how far apart the two were."""

import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
import torch

from exhibits.two_ways.all import two_ways
from exhibits.two_ways.steps import furthest_steps, largest_steps
from plots.lines import bars
from posenc import Step
from ui import controls, screen
from ui.charts.curve import Explain, curve_chart
from ui.controls import device

FILE = Path(__file__).parent.parent.parent / "data" / "verified.json"
VIEWS = ("Other libraries", "Two ways")
MEASURES = ("all", "float64 or exact", "float32 angles")
FLOAT64 = 1e-12  # within this bound: float64 on both sides, or no arithmetic

TWO_WAYS = """\
ways = two_ways(device="{device}", dtype={dtype})
values = torch.tensor([one.difference for one in ways])
for one in ways:
    print(f"{{one.difference:8.1e}}  {{one.title}}")
"""
RECORDED = """\
# What the tests in tests/parity met; python -m tests.parity.record computes it anew.
largest = {{
{lines}}}
values = torch.tensor(list(largest.values()))
for name, difference in largest.items():
    print(f"{{difference:8.1e}}  {{name}}")
"""


def main() -> None:
    record = json.loads(FILE.read_text("utf-8"))
    lesson = screen.header("verified")
    left, right = screen.columns()
    with right:
        chosen = controls.choice("view", "Picture", VIEWS, help="What the bars stand for.")
    measure = MEASURES[0]
    with left:
        place = device.picker()
        if chosen == VIEWS[0]:
            measure = controls.choice(
                "measure",
                "Comparisons",
                MEASURES,
                help="Libraries that take float64 agree to rounding; most build float32 angles.",
            )
    shown = None
    with right:
        with screen.guard():
            draw: Callable[[], screen.ScreenView] = {
                "Other libraries": lambda: recorded_view(record, measure),
                "Two ways": lambda: two_ways_view(place),
            }[chosen]
            shown = draw()
        show_counts(record)
        show_versions(record, place)
    screen.notice(lesson)
    screen.tabs(lesson, shown)


def recorded_view(record: dict[str, Any], measure: str) -> screen.ScreenView:
    rows = [row for row in record["comparisons"] if measure == "all" or measure == kind(row)]
    largest: dict[str, float] = {}
    for row in rows:
        name = row["encoding"]
        largest[name] = max(largest.get(name, 0.0), row["largest"])
    names = list(largest)

    def explain(_: int, bar: int) -> tuple[Step, ...]:
        return largest_steps(
            {compared(r): r["largest"] for r in rows if r["encoding"] == names[bar]}
        )

    title = "Largest difference to another library, per encoding"
    draw_bars(largest, title, "recorded", explain)
    st.caption("No bar: equal to the last bit. Frequencies are compared relatively.")
    table(comparison_table(rows))
    lines = "".join(f"    {name!r}: {value!r},\n" for name, value in largest.items())
    return screen.ScreenView(
        lambda: {"largest difference": one_column("encoding", largest)},
        RECORDED.format(lines=lines),
    )


def table(frame: pd.DataFrame) -> None:
    """A table that sorts by a click on a heading."""
    powers = st.column_config.NumberColumn(format="%.1e")
    settings = {"largest difference": powers, "bound": powers}
    st.dataframe(frame, hide_index=True, height=320, column_config=settings)


def kind(row: dict[str, Any]) -> str:
    return "float64 or exact" if row["bound"] <= FLOAT64 else "float32 angles"


def compared(row: dict[str, Any]) -> str:
    """A comparison in words: what, and whose code."""
    return f"{row['what']}, {row['reference'].partition(',')[0]} of {row['package']}"


def comparison_table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """One line per comparison."""
    return pd.DataFrame(
        {
            "encoding": row["encoding"],
            "compared": row["what"],
            "largest difference": row["largest"],
            "bound": row["bound"],
            "cases": row["cases"],
            "library": row["package"],
            "reference": row["reference"],
            "measured": "relative" if row["relative"] else "absolute",
            "why not zero": row["reason"],
        }
        for row in rows
    )


def two_ways_view(place: torch.device) -> screen.ScreenView:
    dtype = device.working_dtype(place)
    ways = two_ways(device=place, dtype=dtype)
    # One encoding has several bars: the numbers lead to the lines of the table.
    numbered = {f"{n} {one.title}": one.difference for n, one in enumerate(ways, 1)}

    def explain(_: int, bar: int) -> tuple[Step, ...]:
        return furthest_steps(ways[bar])

    title = f"Two ways to one number, computed here on {place.type}"
    draw_bars(numbered, title, "two_ways", explain)
    st.caption("Random queries and keys, 48 tokens. No bar: equal to the last bit.")
    frame = one_column("two ways", numbered)
    table(frame.reset_index())
    code = TWO_WAYS.format(device=place, dtype=dtype)
    return screen.ScreenView(lambda: {"difference": frame}, code)


def draw_bars(differences: dict[str, float], title: str, key: str, explain: Explain) -> None:
    """A bar for each comparison; one of them is followed."""
    figure = bars(
        np.array(list(differences.values())),
        title=title,
        x_title="",
        y_title="largest difference",
        labels=[name.partition(":")[0] for name in differences],
        log_y=True,
        y_range=(1e-18, 1e-2),
    )
    last = len(differences) - 1
    # A bar of height 0 has no place on a logarithmic axis, but its name has.
    figure.update_xaxes(range=[-0.5, last + 0.5])
    curve_chart(
        figure,
        explain,
        key=key,
        alt=f"Bars on a logarithmic axis: {title}",
        names=[title],
        places=(0, last),
        x_name="bar",
        labels=[name.partition(":")[0] for name in differences],
    )


def one_column(index: str, values: dict[str, float]) -> pd.DataFrame:
    return pd.DataFrame(
        {"largest difference": list(values.values())}, pd.Index(list(values), name=index)
    )


def show_counts(record: dict[str, Any]) -> None:
    golden, rows = record["golden"], record["comparisons"]
    screen.readouts(
        {
            "comparisons": f"{len(rows)}",
            "configurations drawn": f"{sum(row['cases'] for row in rows):,}",
            "golden cases covered": f"{golden['covered']} of {golden['cases']}",
            "of them known wrong": f"{golden['known_wrong']}",
        },
        help={"of them known wrong": "Results of common mistakes, which must not be met."},
    )


def show_versions(record: dict[str, Any], place: torch.device) -> None:
    """What the comparisons ran on, and what this screen runs on."""
    recorded = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    st.markdown(f"Recorded with Python {record['python']}, {recorded}.")
    name = torch.cuda.get_device_name() if place.type == "cuda" else platform.machine()
    here = f"Here: Python {platform.python_version()}, torch {torch.__version__}, {place.type}"
    st.markdown(f"{here} ({name}). Devices: {', '.join(device.available())}.")
    with st.expander("Golden cases by formula"):
        st.dataframe(
            pd.DataFrame(
                list(record["golden"]["by_formula"].items()), columns=["formula", "cases"]
            ),
            hide_index=True,
        )


main()

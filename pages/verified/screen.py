"""Verified: what posenc was compared with, and how far apart the two were."""

import json
import platform
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
import torch

from exhibits.two_ways.all import two_ways
from exhibits.two_ways.steps import furthest_steps, largest_steps
from plots.lines import bars
from posenc import CATALOGUE, Step
from posenc.words import Sentence, say
from ui import controls, screen
from ui.charts.component import chart
from ui.charts.curve import Explain, curve_chart
from ui.controls import device
from ui.words import _, number, translate

DATA = Path(__file__).parent.parent.parent / "data"
FILE, SWEEP = DATA / "verified.json", DATA / "sweep.json"
PICTURES = {
    "libraries": say("Other libraries"),
    "two_ways": say("Two ways"),
    "families": say("Model families"),
}
VERDICTS = {
    "all": say("all"),
    "exact": say("exact"),
    "not rotary": say("not rotary"),
    "by axes": say("by axes of an image"),
    "unknown": say("unknown"),
    "differs": say("differs"),
    "raises": say("refused"),
}
MEASURES = {
    "all": say("all"),
    "float64": say("float64 or exact"),
    "float32": say("float32 angles"),
}
FLOAT64 = 1e-12  # within this bound: float64 on both sides, or no arithmetic

TWO_WAYS = """\
ways = two_ways(device="{device}", dtype={dtype})
values = torch.tensor([one.difference for one in ways])
for one in ways:
    print(f"{{one.difference:8.1e}}  {{one.title}}")
"""
FAMILIES = """\
# What the sweep found; python -m tests.parity.sweep.record computes it anew.
import json
from collections import Counter
from pathlib import Path
classes = json.loads(Path("data/sweep.json").read_text())["classes"]
counts = Counter(row["verdict"] for row in classes.values())
order = ("exact", "not rotary", "by axes", "unknown", "differs", "raises")
values = torch.tensor([counts[name] for name in order if counts[name]])
print(counts)
"""
RECORDED = """\
# What the tests in tests/parity found; python -m tests.parity.record computes it anew.
largest = {{
{lines}}}
values = torch.tensor(list(largest.values()))
for name, difference in largest.items():
    print(f"{{difference:8.1e}}  {{name}}")
"""


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    record = json.loads(FILE.read_text("utf-8"))
    left, right = screen.columns()
    with right:
        picture = controls.choice(
            "view", _("Picture"), PICTURES, help=_("What the bars stand for."), wide=True
        )
    measure = chosen = "all"
    with left:
        place = controls.ask("device", device.device())
        if picture == "libraries":
            measure = controls.choice(
                "measure",
                _("Comparisons"),
                MEASURES,
                help=_(
                    "Libraries that compute in float64 agree with posenc up to rounding; most "
                    "libraries build their angles in float32."
                ),
            )
        if picture == "families":
            chosen = controls.choice(
                "verdict",
                _("Verdict"),
                VERDICTS,
                help=_("What came out for a class of transformers."),
            )
    shown = None
    with right:
        with screen.guard():
            if picture == "libraries":
                shown = recorded_view(record, measure)
            elif picture == "two_ways":
                shown = two_ways_view(place)
            else:
                shown = families_view(chosen)
        if picture != "families":
            show_counts(record)
            show_versions(record, place)
    return shown


def recorded_view(record: dict[str, Any], measure: str) -> screen.ScreenView:
    rows = [row for row in record["comparisons"] if measure in ("all", kind(row))]
    largest: dict[str, float] = {}
    for row in rows:
        name = row["encoding"]
        largest[name] = max(largest.get(name, 0.0), row["largest"])
    names = list(largest)

    def explain(_: int, bar: int) -> tuple[Step, ...]:
        return largest_steps(
            {compared(r): r["largest"] for r in rows if r["encoding"] == names[bar]}
        )

    title = _("Largest difference to another library, per encoding")
    labels = [in_language(name) for name in names]
    differences = list(largest.values())
    draw_bars(differences, labels, title, "recorded", explain)
    st.caption(
        _(
            "No bar means equal to the last bit. For frequencies the difference is relative to the "
            "frequency."
        )
    )
    if missing := not_compared(record):
        st.caption(_("Not compared with another library: {names}.", names=", ".join(missing)))
    table(comparison_table(rows))
    lines = "".join(f"    {name!r}: {value!r},\n" for name, value in largest.items())
    frame = one_column(_("encoding"), labels, differences)
    return screen.ScreenView(
        lambda: {say("largest difference"): frame}, RECORDED.format(lines=lines)
    )


def in_language(text: str) -> str:
    """A text of the record in the reader's language."""
    return translate(Sentence(text, {}))


def not_compared(record: dict[str, Any]) -> list[str]:
    """Encodings of the catalogue that no library was compared with."""
    compared = {row["encoding"].partition(",")[0] for row in record["comparisons"]}
    return [translate(e.title) for e in CATALOGUE.values() if e.title not in compared]


def table(frame: pd.DataFrame) -> None:
    """A table that sorts by a click on a heading."""
    powers = st.column_config.NumberColumn(format="%.1e")
    settings = {_("largest difference"): powers, _("bound"): powers}
    st.dataframe(frame, hide_index=True, height=320, column_config=settings)


def kind(row: dict[str, Any]) -> str:
    """Which of `MEASURES` a comparison belongs to."""
    return "float64" if row["bound"] <= FLOAT64 else "float32"


def compared(row: dict[str, Any]) -> str:
    """A comparison in words: what, and whose code."""
    return _(
        "{what}, {reference} of {package}",
        what=in_language(row["what"]),
        reference=in_language(row["reference"]).partition(",")[0],
        package=row["package"],
    )


def comparison_table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """One line per comparison."""
    return pd.DataFrame(
        {
            _("encoding"): in_language(row["encoding"]),
            _("compared"): in_language(row["what"]),
            _("largest difference"): row["largest"],
            _("bound"): row["bound"],
            _("cases"): row["cases"],
            _("library"): row["package"],
            _("reference"): in_language(row["reference"]),
            _("measured"): _("relative") if row["relative"] else _("absolute"),
            _("why not zero"): in_language(row["reason"]),
        }
        for row in rows
    )


def families_view(chosen: str) -> screen.ScreenView:
    """Every class of transformers: whether its config.json is read as its own code computes it."""
    sweep = json.loads(SWEEP.read_text("utf-8"))
    classes = sweep["classes"]
    counts = Counter(row["verdict"] for row in classes.values())
    found = [name for name in VERDICTS if counts[name]]
    title = _("Classes by verdict")
    labels = [translate(VERDICTS[name]) for name in found]
    chart(
        bars(
            np.array([counts[name] for name in found]),
            title=title,
            x_title="",
            y_title=_("classes"),
            labels=labels,
        ),
        key="families",
        alt=_("Bars: {title}", title=title),
    )
    screen.readouts(
        {label: number(counts[name]) for name, label in zip(found, labels, strict=True)}
    )
    st.markdown(
        _(
            "Each of the {count} configuration classes of transformers {version} was built with "
            "its defaults (a few with a value of a released file, where the defaults cannot be "
            "run), written as a config.json and read by posenc. *Exact* means that in a tiny "
            "model that was run the same layers turn, the same channels form pairs, and "
            "frequencies, factor and softmax scale agree; where the table says that no model was "
            "run, the frequencies alone were compared. *Not rotary*, that no layer "
            "turns and posenc says what is used instead; *by axes*, that an image tower turns by "
            "row and column as read here; *unknown*, that posenc says it does not know.",
            count=len(classes),
            version=sweep["transformers"],
        )
    )
    frame = pd.DataFrame(
        {
            _("model type"): name,
            _("verdict"): translate(VERDICTS[row["verdict"]]),
            _("read as"): row.get("read", ""),
            _("model run"): row["ran"],
            _("why"): row["reason"],
        }
        for name, row in classes.items()
        if chosen in ("all", row["verdict"])
    )
    st.dataframe(frame, hide_index=True, height=480)
    return screen.ScreenView(lambda: {say("model families"): frame}, FAMILIES)


def two_ways_view(place: torch.device) -> screen.ScreenView:
    dtype = device.working_dtype(place)
    ways = two_ways(device=place, dtype=dtype)

    def explain(_: int, bar: int) -> tuple[Step, ...]:
        return furthest_steps(ways[bar])

    title = _("Two ways to one number, computed here on {device}", device=place.type)
    differences = [one.difference for one in ways]
    # One encoding has several bars: the numbers lead to the lines of the table.
    subjects = [f"{n} {translate(one.subject)}" for n, one in enumerate(ways, 1)]
    draw_bars(differences, subjects, title, "two_ways", explain)
    st.caption(_("Random queries and keys of 48 tokens. No bar means equal to the last bit."))
    titles = [f"{n} {translate(one.title)}" for n, one in enumerate(ways, 1)]
    frame = one_column(_("two ways"), titles, differences)
    table(frame.reset_index())
    code = TWO_WAYS.format(device=place, dtype=dtype)
    return screen.ScreenView(lambda: {say("difference"): frame}, code)


def draw_bars(
    differences: list[float], labels: list[str], title: str, key: str, explain: Explain
) -> None:
    """A bar for each comparison; one of them is followed."""
    figure = bars(
        np.array(differences),
        title=title,
        x_title="",
        y_title=_("largest difference"),
        labels=labels,
        log_y=True,
        y_range=(1e-18, 1e-2),
    )
    last = len(differences) - 1
    # A bar of height 0 has no place on a logarithmic axis, but its name has. A slanted last name
    # would leave the chart.
    figure = figure.relayout(xaxis={"range": [-0.5, last + 0.5], "tickangle": -90})
    curve_chart(
        figure,
        explain,
        key=key,
        alt=_("Bars on a logarithmic axis: {title}", title=title),
        names=[title],
        places=(0, last),
        x_name=_("bar"),
        labels=labels,
        height=460,
    )


def one_column(index: str, names: list[str], differences: list[float]) -> pd.DataFrame:
    return pd.DataFrame({_("largest difference"): differences}, pd.Index(names, name=index))


def show_counts(record: dict[str, Any]) -> None:
    golden, rows = record["golden"], record["comparisons"]
    wrong = _("of them known wrong")
    screen.readouts(
        {
            _("comparisons"): number(len(rows)),
            _("configurations drawn"): number(sum(row["cases"] for row in rows)),
            _("golden cases covered"): _(
                "{covered} of {cases}", covered=golden["covered"], cases=golden["cases"]
            ),
            wrong: number(golden["known_wrong"]),
        },
        help={wrong: _("Results of common mistakes: posenc must not give them.")},
    )


def show_versions(record: dict[str, Any], place: torch.device) -> None:
    """What the comparisons ran on, and what this screen runs on."""
    packages = ", ".join(f"`{name} {version}`" for name, version in record["versions"].items())
    st.markdown(
        _(
            "Recorded with Python {python}, {packages}.",
            python=record["python"],
            packages=packages,
        )
    )
    name = torch.cuda.get_device_name() if place.type == "cuda" else platform.machine()
    st.markdown(
        _(
            "Here: Python {python}, torch {torch}, {device} ({name}). Devices: {devices}.",
            python=platform.python_version(),
            torch=torch.__version__,
            device=place.type,
            name=name,
            devices=", ".join(device.available()),
        )
    )
    with st.expander(_("Golden cases by formula")):
        counts = list(record["golden"]["by_formula"].items())
        st.dataframe(pd.DataFrame(counts, columns=[_("formula"), _("cases")]), hide_index=True)


screen.show("verified", draw)

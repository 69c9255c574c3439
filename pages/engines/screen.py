"""What engines read: one dated table, with an address for each of its rows."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from plots.lines import bars
from posenc.config.engines.all import ENGINES
from posenc.config.facts import ALL, SCALING, Field, Gap, Mark, gaps, rows, tried
from posenc.words import say
from ui import controls, screen
from ui.charts.component import chart
from ui.words import _, number, translate

RECORD = Path(__file__).parent.parent.parent / "data" / "engines.json"
EVERY = "all"
MARKS: dict[Mark, str] = {
    "ran": say("ran"),
    "read": say("read"),
    "ignored": say("ignored by the engine"),
    "not tried": say("not tried"),  # not words
}
DOES = {
    "reads": say("reads it"),
    "ignores": say("ignores it"),
    "gone": say("no longer accepts it"),
    "misreads": say("computes something else"),
    "refuses": say("does not start"),
}
CODE = """\
# The families of each mark; the table is posenc/config/facts.json.
from collections import Counter
from posenc.config.facts import ALL, SCALING, gaps, tried
families = {{family for one in tried().values() for family in (*one.ran, *one.read)}} - {{ALL}}
counts = Counter()
for engine in {engines!r}:
    about = tried()[engine]
    ignored = {{family for one in gaps() for family in one.families
               if one.engine == engine and one.does == "ignores" and SCALING in one.settings}}
    for family in families:
        is_read = family in about.read or ALL in about.read
        mark = "ran" if family in about.ran else "read" if is_read else "not tried"
        counts["ignored" if family in ignored else mark] += 1
values = torch.tensor([counts[mark] for mark in ("ran", "read", "ignored", "not tried")])
print(counts)
"""


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Choose an engine or a row; draw the counts and the rows."""
    table: list[Field | Gap] = [*rows(), *gaps()]
    every = {address(row): row for row in table}
    left, right = screen.columns()
    with left:
        engine = controls.choice(
            "engine",
            _("Engine"),
            {EVERY: _("all"), **{name: one.title for name, one in ENGINES.items()}},
            help=_("Whose rows are shown."),
        )
        chosen = controls.choice(
            "row",
            _("Row"),
            {EVERY: _("all"), **{name: name for name in every}},
            help=_("One row alone: the address of this page then leads to it."),
        )
    with right:
        if chosen != EVERY:
            st.markdown(told(every[chosen]))
        engines = list(ENGINES) if engine == EVERY else [engine]
        counts = show_counts(engines)
        shown = {name: row for name, row in every.items() if row.engine in engines}
        st.header(_("Fields and flags"), anchor="fields")
        show_rows({name: row for name, row in shown.items() if isinstance(row, Field)})
        st.header(_("Settings that do not work for a family"), anchor="families")
        show_rows({name: row for name, row in shown.items() if isinstance(row, Gap)})
    return screen.ScreenView(lambda: {say("model families"): counts}, CODE.format(engines=engines))


def address(row: Field | Gap) -> str:
    """What an address calls a row: its engine, and the field, or families and settings."""
    if isinstance(row, Field):
        return f"{row.engine}.{row.field}".replace(" ", "-")
    return f"{row.engine}.{row.families[0]}.{row.does}.{row.settings[0]}"


def told(row: Field | Gap) -> str:
    """A row as a sentence."""
    about, does = tried()[row.engine], translate(DOES[row.does])
    if isinstance(row, Field):
        return _(
            "**{field}**: {engine} {does}, since {since} ({date}). {where}.",
            field=f"`{row.field}`",
            engine=about.name,
            does=does,
            since=row.since,
            date=row.date,
            where=row.where,
        )
    return _(
        "**{settings}**, for {families}: {engine} {does} ({where}).",
        settings=", ".join(row.settings),
        families=", ".join(row.families),
        engine=about.release,
        does=does,
        where=row.where,
    )


def mark_of(engine: str, family: str) -> Mark:
    """The mark of a family, for scaling of any kind."""
    about = tried()[engine]
    for one in gaps():
        is_meant = one.engine == engine and family in one.families
        if is_meant and one.does == "ignores" and SCALING in one.settings:
            return "ignored"
    if family in about.ran:
        return "ran"
    return "read" if family in about.read or ALL in about.read else "not tried"


def show_counts(engines: list[str]) -> pd.DataFrame:
    """Families by mark, and what the engines' own code computed."""
    names = {family for one in tried().values() for family in (*one.ran, *one.read)} - {ALL}
    marks = {engine: Counter(mark_of(engine, name) for name in names) for engine in engines}
    total: Counter[Mark] = sum(marks.values(), Counter())
    labels = [translate(label) for label in MARKS.values()]
    values = [total[mark] for mark in MARKS]
    title = _("Families of models by mark, {count} for each engine", count=len(names))
    chart(
        bars(np.array(values), title=title, x_title="", y_title=_("families"), labels=labels),
        key="marks",
        alt=_("Bars: {title}", title=title),
    )
    screen.readouts({label: number(value) for label, value in zip(labels, values, strict=True)})
    record = json.loads(RECORD.read_text("utf-8"))
    frame = pd.DataFrame(
        {
            _("engine"): translate(ENGINES[engine].title),
            _("version"): tried()[engine].version,
            _("of"): tried()[engine].date,
            **{translate(MARKS[mark]): marks[engine][mark] for mark in MARKS},
            _("settings that agreed"): record.get(engine, {"counts": {}})["counts"].get("same"),
            _("settings that differed"): record.get(engine, {"counts": {}})["counts"].get(
                "differs", 0 if engine in record else None
            ),
            _("run on"): record.get(engine, {}).get("ran", ""),
        }
        for engine in engines
    )
    st.dataframe(frame, hide_index=True)
    st.caption(
        _(
            "*Ran*: the engine's own code computed what is written here. *Read*: that code was "
            "read, also where it refuses the model. *Ignored*: the engine runs the model without "
            "any scaling, silently. Settings that agreed: in vLLM, SGLang and MLX with every layer "
            "of the model's own class; in llama.cpp with the angles of a small file made for it; "
            "in exllamav3 with the frequencies of its settings. This project's tests compare "
            "transformers."
        )
    )
    return pd.DataFrame({_("families"): values}, pd.Index(labels, name=_("mark")))


def show_rows(shown: dict[str, Field | Gap]) -> None:
    """Rows with a link to each."""
    frame = pd.DataFrame(
        {
            _("what"): row.field if isinstance(row, Field) else ", ".join(row.settings),
            _("engine"): tried()[row.engine].name,
            _("does"): translate(DOES[row.does]),
            _("since"): row.since if isinstance(row, Field) else tried()[row.engine].version,
            _("date"): row.date if isinstance(row, Field) else tried()[row.engine].date,
            _("families"): _("all") if isinstance(row, Field) else ", ".join(row.families),
            _("where"): row.where,
            _("address"): f"engines?row={name}",
        }
        for name, row in shown.items()
    )
    link = st.column_config.LinkColumn(display_text=_("link"))
    st.dataframe(frame, hide_index=True, column_config={_("address"): link})


screen.show("engines", draw)

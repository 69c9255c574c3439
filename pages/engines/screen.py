"""Support of engines: every family in every engine, and one dated table with addresses."""

import re
from collections import Counter
from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from advisor.engines.all import ENGINES
from advisor.extend import EXTENSIONS
from advisor.facts import GAPS, ROWS, Field, Gap
from advisor.report.families import AS_IT_IS, Answer, answers, families
from pages.engines.answer import MARKS, show_answer, show_runs
from pages.engines.table import Row, address, sentence, show_rows
from plots.heatmap import outline
from plots.looks import KNOWN
from plots.mosaic import marks
from posenc.words import say
from ui import controls, screen
from ui.charts.component import Cell, chart
from ui.charts.methods import title
from ui.charts.points import on_click
from ui.words import _, translate

EVERY = "all"
ROW_HEIGHT = 18
NAMES_HEIGHT = 160
CODE = """\
# What every engine makes of every family; the numbers are places in MARKS.
from advisor.engines.all import ENGINES
from advisor.report.families import MARKS, answers
every = answers({method!r})
families = list(dict.fromkeys(family for family, engine in every))
values = torch.tensor([[MARKS.index(every[family, engine].mark) for engine in ENGINES]
                       for family in families])
print(every[{family!r}, {engine!r}])
"""
Found = Mapping[tuple[str, str], Answer]


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Choose a setting, a family and an engine; draw the answer, all marks, and the rows."""
    table: list[Row] = [*ROWS, *GAPS]
    every = {address(row): row for row in table}
    left, right = screen.columns()
    with left:
        method = controls.choice(
            "method",
            _("Setting"),
            {**{name: title(name) for name in ("yarn", *EXTENSIONS)}, AS_IT_IS: _("none")},
            help=_("What is asked for: four times the trained length, or the file as it is."),
        )
        found = answers(method)
        names = list(dict.fromkeys(family for family, _engine in found))
        on_click("marks", lambda cell: clicked(cell, names))
        family = controls.choice(
            "family",
            _("Family"),
            {EVERY: _("all"), **{name: name for name in families()}},
            "qwen3",
            help=_("`model_type` in config.json, that of the part that reads text."),
        )
        engine = controls.choice(
            "engine",
            _("Engine"),
            {EVERY: _("all"), **{name: one.title for name, one in ENGINES.items()}},
            "vllm",
            help=_("The program that runs the model; the table below has its rows."),
        )
        chosen = controls.choice(
            "row",
            _("Row"),
            {EVERY: _("all"), **{name: name for name in every}},
            help=_("One row alone: the address of this page then leads to it."),
        )
    with right:
        if chosen != EVERY:
            st.markdown(sentence(every[chosen]))
        if (family, engine) in found:
            show_answer(found[family, engine], family, engine, method)
        show_marks(found, names, (family, engine), title(method))
        shown = {name: row for name, row in every.items() if engine in (EVERY, row.engine)}
        st.header(_("Fields and flags"), anchor="fields")
        show_rows({name: row for name, row in shown.items() if isinstance(row, Field)})
        st.header(_("Settings that do not work for a family"), anchor="families")
        show_rows(
            {
                name: row
                for name, row in shown.items()
                if isinstance(row, Gap) and (family == EVERY or family in row.families)
            }
        )
        st.header(_("What was run"), anchor="run")
        show_runs()
        controls.say_misspelt(["method", "family", "engine", "row"])
    at = (family, engine) if (family, engine) in found else (names[0], next(iter(ENGINES)))
    code = CODE.format(method=method, family=at[0], engine=at[1])
    return screen.ScreenView(lambda: {say("marks"): numbers(found, names)}, code)


def clicked(cell: Cell, names: list[str]) -> dict[str, str]:
    """The controls of a cell; none for one of another picture."""
    engines = list(ENGINES)
    if cell.row >= len(names) or cell.col >= len(engines):
        return {}
    return {"family": names[cell.row], "engine": engines[cell.col]}


def show_marks(found: Found, names: list[str], at: tuple[str, str], setting: str) -> None:
    """The marks of all families in all engines, and what they mean."""
    titles = [re.sub(r" \(.*?\)", "", translate(one.title)) for one in ENGINES.values()]
    kinds = [[found[family, engine].mark for engine in ENGINES] for family in names]
    words = {mark: translate(word) for mark, (_sign, word, _meaning) in MARKS.items()}
    counts = Counter(np.ravel(kinds).tolist())
    legend = [
        _("{sign} **{count} {word}**", sign=sign, count=counts[mark], word=words[mark])
        for mark, (sign, _word, _meaning) in MARKS.items()
    ]
    st.markdown(" · ".join(legend))
    figure = marks(
        [
            [
                f"{family} · {title}<br>{words[kind]}"
                for kind, title in zip(line, titles, strict=True)
            ]
            for family, line in zip(names, kinds, strict=True)
        ],
        kinds,
        KNOWN,
        words,
        title=_("{setting} in every engine, for every family", setting=setting),
        rows=names,
        columns=titles,
    )
    if at in found:
        row, column = names.index(at[0]), list(ENGINES).index(at[1])
        figure = outline(figure, (row, row + 1), (column, column + 1))
    chart(
        figure,
        key="marks",
        alt=_("A mark for each family of models and each engine; the table has them as words"),
        height=NAMES_HEIGHT + ROW_HEIGHT * len(names),
        rev=f"{len(names)}",
    )
    meanings = [
        _("{sign} {meaning}", sign=sign, meaning=translate(meaning))
        for sign, _word, meaning in MARKS.values()
    ]
    click = _("Choose a mark: what says so stands above, and the address leads to it.")
    st.caption("  \n".join([*meanings, click]))


def numbers(found: Found, names: list[str]) -> pd.DataFrame:
    columns = {
        translate(one.title): [translate(MARKS[found[name, engine].mark][1]) for name in names]
        for engine, one in ENGINES.items()
    }
    return pd.DataFrame(columns, pd.Index(names, name=_("family")))


screen.show("engines", draw)

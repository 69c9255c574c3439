"""The layout that every screen shares: question, columns, what to notice, tabs, sentences."""

import html
import itertools
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from course.page.menu import CHAPTERS
from course.page.words import STORY, chapter
from lab.queue.database import Unavailable
from posenc.quantity.view import View
from posenc.words import say
from ui import controls, notebooks
from ui.charts import stage
from ui.charts.component import drawn_charts, forget_charts
from ui.charts.served import component
from ui.controls import address
from ui.memory import memory
from ui.screen import one_file, playlist, task
from ui.screen.course import page_link
from ui.screen.lesson import Lesson, Notice, Predict, load
from ui.screen.snippet import runnable
from ui.site import offers
from ui.streamlit.containers import Unsent
from ui.words import _, language, markdown, signed, translate
from ui.words.sheet import csv, npz

OPEN_NOTICES = 5
NOTHING = say("There is nothing to show for these settings.")
TRIES = itertools.count()
READING_WIDTH = 900  # pixels, of the words
FOR_BUTTON = 140  # and of a button beside them
Frames = Mapping[str, pd.DataFrame]
"""Name to table: what the figures of a screen show, with positions as index and columns."""


@dataclass(frozen=True)
class ScreenView:
    """A screen as numbers and as a program."""

    tables: Callable[[], Frames]
    """Makes the tables of what the figures show; called when the reader looks at them."""
    code: str = ""
    """Python against `posenc` with the settings filled in, where no program of `notebooks/`
    computes the first figure (below an overview). It leaves its data in `values`."""


def header(screen: str) -> Lesson:
    """Draw the title and the question of a screen and return its words.

    Args:
        screen: Its id.
    """
    forget_charts()
    lesson = load(screen, language())
    notebooks.begin(screen, [_about(lesson)])
    if stage.mode():
        return _on_stage(lesson)
    stage.begin()
    _skip(key="skip", data={"label": _("To the picture")})
    st.title(lesson.title, anchor=False)
    playlist.menu()
    with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
        st.markdown(lesson.question, width="content")
        if story := _story(screen):
            words = html.escape(_("← The story"))
            st.html(f'<a class="posenc-story" href=".{story}">{words}</a>', width="content")
        for other, words in lesson.beside.items():
            page_link(other, words, {})
    controls.sentences_here()
    return lesson


def _story(screen: str) -> str:
    """Where the course tells it: the step from which one came, or the screen's chapter; or ""."""
    name, _slash, step = address.asked_for(STORY).partition("/")
    if name in CHAPTERS and any(one.id == step for one in chapter(name).steps):
        return chapter(name).path(step)
    if screen in CHAPTERS:
        return chapter(screen).path()
    return next((chapter(one).path() for one in CHAPTERS if chapter(one).screen == screen), "")


def ask(lesson: Lesson) -> None:
    """The question to predict, below the picture."""
    if lesson.predict is not None and not stage.mode() and not task.is_here(lesson):
        _ask(lesson.screen, lesson.predict)


def _about(lesson: Lesson) -> str:
    """Text in every notebook of a screen: its first formula, its sources, and its address."""
    words, formula, *_more = [*lesson.sections["Formula"].split("$$"), "", ""]
    where = _(
        "[Open in the app]({address}) · {name} · {licence}",
        address=notebooks.ADDRESS,
        name=translate(stage.SOURCE["name"]),
        licence=stage.SOURCE["licence"],
    )
    shown = f"{words}$${formula}$$\n\n" if formula else ""
    return f"{shown}**{_('Sources')}**\n\n{lesson.sections['Sources']}\n\n{where}"


def _on_stage(lesson: Lesson) -> Lesson:
    """The one line above a picture that is shown alone."""
    with st.container(key="alone_line"):
        controls.sentences_here()
        if stage.mode() == "present":
            st.title(lesson.question, anchor=False)
            if lesson.predict is not None:
                _asked(lesson.predict)
    stage.begin()
    return lesson


def _asked(predict: Predict) -> None:
    """The question of a screen, and its answer, which two keys show over the picture."""
    options = "\n".join(f"- {option}" for option in predict.options)
    with st.container(key="alone_ask"):
        st.markdown(f"{predict.question}\n\n{options}")
        with st.container(key="alone_answer"):
            st.markdown(f"**{predict.answer}.** {predict.reveal}")


@st.fragment
def _ask(screen: str, predict: Predict) -> None:
    """One line until it is opened; then the options, and what is so once one is chosen."""
    with st.expander(_("Predict: {question}", question=predict.question)):
        chosen = st.radio(
            predict.question,
            predict.options,
            index=None,
            key=f"predict_{screen}",
            horizontal=True,
            label_visibility="collapsed",
        )
        if chosen is not None:
            what = {"answer": predict.answer, "reveal": predict.reveal}
            right = chosen == predict.answer
            st.markdown(
                _("**Yes: {answer}.** {reveal}", **what)
                if right
                else _("**No: {answer}.** {reveal}", **what)
            )


def columns(*, has_first: bool = False) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Where controls go (left, folded away in a narrow window) and where pictures go (right).

    Args:
        has_first: Whether some of the controls are not folded away.
    """
    if stage.mode():
        return Unsent(), st.container()
    left, right = st.columns([3, 10], gap="large")
    with left:
        label = _("More controls") if has_first else _("Controls")
        _fold(key="fold", data={"label": label})
    return left.container(key="controls"), right


@contextmanager
def guard() -> Iterator[None]:
    """Turn a ValueError into its sentence on the screen; what stands outside goes on."""
    try:
        yield
    except ValueError as error:
        st.error(markdown(error))
        if isinstance(error, Unavailable):
            st.button(_("Try again"), key=f"try_again_{next(TRIES)}")  # a click draws all anew


@dataclass
class Stopwatch:
    """Milliseconds that a `with timed()` block took, once it is over."""

    milliseconds: float = 0.0


@contextmanager
def timed() -> Iterator[Stopwatch]:
    """Measure a block."""
    watch = Stopwatch()
    start = time.perf_counter()
    yield watch
    watch.milliseconds = (time.perf_counter() - start) * 1000


def readouts(values: Mapping[str, str], help: Mapping[str, str] | None = None) -> None:
    """Three or four numbers under a picture."""
    helps = {label: translate(words) for label, words in (help or {}).items()}
    values = {**values}
    time = values.pop(_("computed in"), "")
    with st.container(horizontal=True, gap="medium"):
        for label, value in values.items():
            st.metric(translate(label), signed(value), help=helps.get(label), width="content")
    if time:  # it says nothing of the picture, and stands in small letters
        st.caption(_("computed in {time}", time=time))


def notice(lesson: Lesson) -> None:
    """Draw the list of things to notice, each with a button that sets the controls to show it.

    At most five stand open; of a longer list first those that the chosen picture shows.
    """
    if not lesson.notice or stage.mode():
        return
    st.header(_("What to notice"), anchor=False)
    order = list(enumerate(lesson.notice))
    if len(order) > OPEN_NOTICES:
        view = controls.value("view")
        order.sort(key=lambda item: item[1].settings.get("view") != view)
    with st.container(width=READING_WIDTH):
        for index, item in order[:OPEN_NOTICES]:
            _notice(index, item)
        if rest := order[OPEN_NOTICES:]:
            with st.expander(_("More to notice")):
                for index, item in rest:
                    _notice(index, item)
    if memory().pop("_look_up", False):
        _look_up(key="look_up", data=time.time())  # new data: it runs anew after every click


def _notice(index: int, item: Notice) -> None:
    line = st.container(horizontal=True, vertical_alignment="center", gap="medium")
    line.markdown(item.text, width=READING_WIDTH - FOR_BUTTON)
    if item.settings:
        line.button(
            _("Show me"),
            key=f"notice_{index}",
            # In one line each: after an empty line the mark of code would end.
            help=", ".join(f"`{key} = {_line(to)}`" for key, to in item.settings.items()),
            on_click=_show,
            args=(item.settings,),
        )


def _line(value: object) -> str:
    return " ".join(str(value).split())


def _show(settings: Mapping[str, Any]) -> None:
    controls.apply(settings)
    memory()["_look_up"] = True


def tabs(lesson: Lesson, view: ScreenView | None) -> None:
    """Formula, Numbers, Code and Sources under the picture; only the open tab is computed."""
    if stage.mode():
        return
    formula, table, snippet, sources = controls.tabs(
        "tab",
        {
            "formula": _("Formula"),
            "numbers": _("Numbers"),
            "code": _("Code"),
            "sources": _("Sources"),
        },
    ).values()
    if formula.open:
        formula.markdown(lesson.sections["Formula"])
    if view is None:
        for tab in (table, snippet):
            tab.info(translate(NOTHING))
    elif table.open:
        with table, guard():
            _numbers(view, lesson)
    elif snippet.open:
        with snippet:
            _code(view)
            _notebooks()
            offers.show(lesson.screen, lesson.title)
    if sources.open:
        sources.markdown(lesson.sections["Sources"])


def _code(view: ScreenView) -> None:
    """Draw the program that computes the first picture, with a note on where it runs."""
    code = _program(view)
    st.code(code, language="python")
    if not view.code:
        st.caption(
            _("Runs as it stands, without `posenc`, and computes what the first picture draws.")
        )
        return
    own = re.search(r"^from (exhibits|lab)\b", code, re.MULTILINE)
    st.caption(
        _("Runs as it stands in the project's folder: `pip install ./encodings`.")
        if own
        else _("Runs as it stands where `posenc` is installed: `pip install ./encodings`.")
    )
    st.caption(_("Every name of `posenc` has a page in its [reference](api/posenc.html)."))


def _program(view: ScreenView) -> str:
    if view.code:
        return runnable(view.code)
    return notebooks.program({key: one.figure for key, one in drawn_charts().items()})


def _notebooks() -> None:
    """A file for each picture, for those who do not reach the buttons of the picture itself."""
    st.markdown(
        _(
            "Each picture as a Jupyter notebook of NumPy or torch and matplotlib. It stands in the "
            "menu “Save or share” above the picture, too."
        )
    )
    with st.container(horizontal=True):
        for key, one in drawn_charts().items():
            text = notebooks.notebook(key, one.figure, translate(one.alt))
            if text is None:
                continue
            one_file.download(
                _("Notebook of {picture}", picture=f"`{key}`"),
                partial(str, text),  # asked for when it is pressed: an earlier file may be gone
                f"{key}.ipynb",
                help=translate(one.alt),
            )


def view_frame(view: View) -> pd.DataFrame:
    """A view as a table: index and columns are the first position of each cell."""
    return pd.DataFrame(
        view.values.numpy(),
        index=pd.Index(view.row_edges[:-1].numpy()),
        columns=pd.Index(view.col_edges[:-1].numpy()),
    )


def curve_frame(
    x_name: str, x: Sequence[float] | np.ndarray, curves: Mapping[str, np.ndarray]
) -> pd.DataFrame:
    """Curves as a table: one column each, x as index."""
    return pd.DataFrame(dict(curves), index=pd.Index(x, name=x_name))


def _numbers(view: ScreenView, lesson: Lesson) -> None:
    frames = view.tables()
    if not frames:
        st.info(translate(NOTHING))
        return
    name = next(iter(frames))
    if len(frames) > 1:
        name = st.selectbox(
            _("Table"), list(frames), format_func=translate, key="numbers_table", width=400
        )
    frame = frames[name]
    st.dataframe(frame, height=320)
    with st.container(horizontal=True):
        one_file.download(_("CSV of this table"), lambda: csv(frame), f"{name}.csv")
        one_file.download(_("NPZ of all tables"), lambda: npz(frames), "figures.npz")
        one_file.download_button(lesson.title, lesson.question, drawn_charts(), _program(view))


_look_up = component("look_up", "screen/look_up.js")
_skip = component("skip", "screen/skip.js")
_fold = component("fold", "screen/fold.js")

"""A result to send and to open, and the results of a class beside each other."""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st

from exhibits.homework import result
from exhibits.homework.result import NONE, Result, score
from exhibits.homework.tasks import check
from pages.homework import asking
from ui.screen import course, homework
from ui.screen.homework import OPTIONS
from ui.words import _, markdown

MOST_RESULTS = 100
KEPT_LINKS = "_links"


def show_own(answered: Result) -> Result:
    """What was answered and handed in, with a link and a file of it; with the name as typed."""
    if not (answered.answers or answered.handed):
        st.info(_("Nothing is answered yet. Questions and tasks are under the first button."))
        return answered
    typed: str = st.text_input(
        _("Name on the result"),
        max_chars=result.MOST_NAME,
        key=result.NAME,
        placeholder=_("So that your teacher knows whose it is"),
    )
    answered = replace(answered, name=" ".join(typed.split()))
    st.header(_("To send"), anchor=False)
    here = (st.context.url or "").split("?")[0]
    st.code(f"{here}?view=result&{answered.link}", language=None, wrap_lines=True)
    st.download_button(
        _("The same as a file"),
        answered.file,
        file_name="homework.json",
        mime="application/json",
        on_click="ignore",
    )
    st.caption(
        _(
            "Who opens it sees the answers, what was right and which tasks are met, all worked "
            "out anew. The result proves nothing: anybody can make one, under any name."
        )
    )
    draw(answered)
    return answered


def draw(answered: Result) -> None:
    """Every answer with its reason and every task with its settings, by screen."""
    names = {*answered.answers, *(task.split(".")[0] for task in answered.handed)}
    for screen in (name for name in homework.screens() if name in names):
        st.header(course.chapter(screen).title, anchor=False)
        asked = homework.of(screen)
        answers = answered.answer(screen, len(asked.questions))
        if answers.letters.strip(NONE):
            st.markdown(
                _(
                    "**{right} of {count} right**, attempt {attempt}.",
                    right=score(answers, asked.ids, OPTIONS),
                    count=len(asked.questions),
                    attempt=answers.attempt,
                )
            )
            for one, letter in zip(asked.questions, answers.letters, strict=True):
                st.markdown(f"**{one.question}**")  # not words
                if letter == NONE:
                    st.caption(_("No answer."))
                else:
                    asking.reasons(one, letter, answers.attempt)
        for task in asked.tasks:
            if task.id in answered.handed:
                st.markdown(_("**Task.** {goal}", goal=task.goal))
                asking.stands(task, answered.handed[task.id])
                homework.task_link(task, answered, _("Open these settings →"))


def show_class() -> None:
    """Links and files of many, a line each, and one of them as a whole."""
    st.markdown(
        _(
            "Results of up to {most} people, as links or files. They stay in this browser's "
            "session and are stored nowhere.",
            most=MOST_RESULTS,
        )
    )
    links = st.text_area(
        _("Links, one a line"),
        value=st.session_state.get(KEPT_LINKS, ""),
        height=120,
        max_chars=MOST_RESULTS * result.MOST_CHARS,
        key="class_links",
    )
    st.session_state[KEPT_LINKS] = links
    with st.expander(_("Files")):
        files = st.file_uploader(
            _("Files that this page has made"),
            type="json",
            accept_multiple_files=True,
            key="class_files",
        )
    given = [line.strip() for line in links.splitlines() if line.strip()]
    if len(given) + len(files) > MOST_RESULTS:
        st.warning(_("Only the first {most} results are read.", most=MOST_RESULTS))
    found: list[tuple[Result, str]] = []
    for source in [*given, *files][:MOST_RESULTS]:
        try:
            if isinstance(source, str):
                fields = result.from_link(source)
            else:
                source.seek(0)
                # One byte more than any result says that there are too many.
                fields = result.from_file(source.name, source.read(result.MOST_BYTES + 1))
        except ValueError as error:
            st.error(markdown(error))
            continue
        found.append(_read(fields))
    if found:
        _table(found)


def _read(fields: Mapping[str, str]) -> tuple[Result, str]:
    answered, wrong = result.read(fields, homework.counts())
    if wrong:
        return answered, _("parts cannot be read")
    return answered, "" if result.is_whole(fields, answered) else _("changed or cut off")


def _table(found: list[tuple[Result, str]]) -> None:
    """A row for each result, and one of them as a whole."""
    rows = [_row(answered, remark) for answered, remark in found]
    # Screen by screen in the order of the course, whoever has done what first.
    places = [place for screen in homework.screens() for place in _titles(screen)]
    columns = [_("name"), *places, _("remark")]
    there = [name for name in columns if any(name in row for row in rows)]
    st.dataframe(pd.DataFrame(rows, columns=there).fillna(""), hide_index=True)
    labels = [
        _("{number}. {name}", number=at, name=one.name or _("no name"))
        for at, (one, _remark) in enumerate(found, 1)
    ]
    at = st.selectbox(
        _("One of them"), range(len(found)), format_func=labels.__getitem__, key="class_one"
    )
    answered, remark = found[at]
    for sentence in result.read(answered.fields, homework.counts())[1]:
        st.warning(markdown(sentence))
    if remark:
        st.warning(_("This result is not as it was made: {remark}.", remark=remark))
    draw(answered)


def _titles(screen: str) -> tuple[str, str]:
    """Of the columns of a screen: its questions, and its tasks."""
    title = course.chapter(screen).title
    return title, _("{title}: tasks met", title=title)


def _row(answered: Result, remark: str) -> dict[str, str]:
    row = {_("name"): answered.name or _("no name")}
    for screen in homework.screens():
        asked, (title, tasks) = homework.of(screen), _titles(screen)
        if screen in answered.answers:
            answers = answered.answers[screen]
            row[title] = _(
                "{right} of {count}, attempt {attempt}",
                right=score(answers, asked.ids, OPTIONS),
                count=len(asked.questions),
                attempt=answers.attempt,
            )
        handed = [task.id for task in asked.tasks if task.id in answered.handed]
        if handed:
            row[tasks] = _(
                "{met} of {count}",
                met=sum(is_met(name, answered.handed[name]) for name in handed),
                count=len(handed),
            )
    return row | ({_("remark"): remark} if remark else {})


def is_met(task: str, query: str) -> bool:
    """Whether settings meet a task; those that cannot be read do not."""
    try:
        return check(task, query).is_met
    except ValueError:
        return False

"""The results of a class beside each other: who has what right, and where a class goes wrong."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from exhibits.homework import result
from exhibits.homework.result import NONE, Result, chosen, score
from exhibits.homework.tasks import check
from pages.homework.results import draw
from ui.memory import memory
from ui.screen import course, homework
from ui.screen.homework import OPTIONS
from ui.screen.one_file import download
from ui.words import _, markdown
from ui.words.sheet import csv

MOST_RESULTS = 1000
MOST_PASTED = 1_000_000
"""Characters: a page's line takes a message of 1.25 MB."""
MOST_WRONG = 5  # sentences about links and files that are no results
KEPT_LINKS = "_links"

Found = list[tuple[Result, str]]
"""Results, each with a remark: what is wrong with its link or file, or nothing."""


def show_class(own: Result) -> None:
    """Links and files of many, a line each, and one of them as a whole.

    Args:
        own: The reader's own homework, which goes along where a task is opened.
    """
    st.markdown(
        _(
            "Results of up to {most:,} people, as links or files. They stay in this browser's "
            "session and are stored nowhere.",
            most=MOST_RESULTS,
        )
    )
    links = st.text_area(
        _("Links, one a line"),
        value=memory().get(KEPT_LINKS, ""),
        height=120,
        max_chars=MOST_PASTED,
        key="class_links",
    )
    memory()[KEPT_LINKS] = links
    with st.expander(_("Files")):
        files = st.file_uploader(
            _("Files that this page has made, or a folder of them dropped here"),
            type="json",
            accept_multiple_files=True,
            key="class_files",
        )
    given = [line.strip() for line in links.splitlines() if line.strip()]
    if len(given) + len(files) > MOST_RESULTS:
        st.warning(_("Only the first {most:,} results are read.", most=MOST_RESULTS))
    found: Found = []
    wrong: list[ValueError] = []
    counts = homework.counts()
    sources: list[Any] = [*given, *files]
    for source in sources[:MOST_RESULTS]:
        try:
            if isinstance(source, str):
                fields = result.from_link(source)
            else:
                source.seek(0)
                # One byte more than any result says that there are too many.
                fields = result.from_file(source.name, source.read(result.MOST_BYTES + 1))
        except ValueError as error:
            wrong.append(error)
        else:
            found.append(_read(fields, counts))
    for told in wrong[:MOST_WRONG]:
        st.error(markdown(told))
    if len(wrong) > MOST_WRONG:
        more = len(wrong) - MOST_WRONG
        st.error(_("{count:,} more cannot be read.", count=more))
    if found:
        _people(found)
        _questions([answered for answered, _remark in found])
        _one_of(found, own)


def _read(fields: Mapping[str, str], counts: Mapping[str, int]) -> tuple[Result, str]:
    answered, wrong = result.read(fields, counts)
    if wrong:
        return answered, _("parts cannot be read")
    return answered, "" if result.is_whole(fields, answered) else _("changed or cut off")


def _people(found: Found) -> None:
    """A row for each result, in numbers."""
    table: dict[str, Sequence[object]] = {
        _("name"): [answered.name or _("no name") for answered, _remark in found]
    }
    for screen in homework.screens():
        asked = homework.of(screen)
        title = course.title(screen)
        tasks = [task.id for task in asked.tasks]
        there = [answered.answers.get(screen) for answered, _remark in found]
        table[_("{title}: right of {count}", title=title, count=len(asked.questions))] = [
            None if one is None else score(one, asked.ids, OPTIONS, answered.order)
            for one, (answered, _remark) in zip(there, found, strict=True)
        ]
        table[_("{title}: attempt", title=title)] = [one and one.attempt for one in there]
        table[_("{title}: tasks met", title=title)] = [
            _met(answered, tasks) for answered, _remark in found
        ]
    if any(remark for _answered, remark in found):
        table[_("remark")] = [remark for _answered, remark in found]
    frame = pd.DataFrame({name: pd.Series(cells).convert_dtypes() for name, cells in table.items()})
    frame = frame.dropna(axis="columns", how="all")
    st.dataframe(frame, hide_index=True)
    download(_("This table as CSV"), csv(frame, index=False), "homework-results.csv")


def _met(answered: Result, tasks: Sequence[str]) -> int | None:
    """How many tasks of a screen are met; None where none was handed in."""
    handed = [task for task in tasks if task in answered.handed]
    return sum(is_met(task, answered.handed[task]) for task in handed) if handed else None


def is_met(task: str, query: str) -> bool:
    """Whether settings meet a task; those that cannot be read do not."""
    try:
        return check(task, query).is_met
    except ValueError:
        return False


def _questions(results: Sequence[Result]) -> None:
    """A row for each question that somebody has answered."""
    rows = []
    for screen in homework.screens():
        title = course.title(screen)
        there = [r for r in results if screen in r.answers]
        for at, one in enumerate(homework.of(screen).questions if there else ()):
            options = Counter(
                chosen(answers.letters[at], OPTIONS, answers.attempt, one.id, answered.order)
                for answered in there
                if (answers := answered.answers[screen]).letters[at] != NONE
            )
            if not options:
                continue
            count = options.total()
            right = options.pop(0, 0)
            wrong, times = max(options.items(), key=lambda pair: pair[1], default=(None, None))
            rows.append(
                {
                    _("screen"): title,
                    _("question"): one.question,
                    _("answers"): count,
                    _("right, %"): round(100 * right / count, 1),
                    _("wrong option chosen most"): wrong and one.options[wrong].text,
                    _("chosen by"): times,
                }
            )
    if rows:
        st.header(_("Question by question"), anchor=False)
        frame = pd.DataFrame(rows).convert_dtypes()
        st.table(frame.astype("string").fillna(""), hide_index=True)
        download(_("These numbers as CSV"), csv(frame, index=False), "homework-questions.csv")


def _one_of(found: Found, own: Result) -> None:
    """One of the results as a whole."""
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
    draw(answered, own)

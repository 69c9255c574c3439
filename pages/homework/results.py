"""A result to send and to open: every answer with its reason, every task with its settings."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from exhibits.homework import result
from exhibits.homework.result import NONE, Result, score
from pages.homework import asking
from ui.screen import course, homework
from ui.screen.homework import OPTIONS
from ui.screen.one_file import download
from ui.screen.task import stands
from ui.words import _, as_text, markdown


def show_own(answered: Result) -> Result:
    """Show a reader's own result with a link and a file; return it with the name as typed."""
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
    download(_("The same as a file"), answered.file, "homework.json")
    st.caption(
        _(
            "Anyone who opens it sees the answers, what was right and which tasks are met, all "
            "worked out again. The result proves nothing: anybody can make one, under any name."
        )
    )
    draw(answered, answered)
    return answered


def show_sent(fields: Mapping[str, str], own: Result) -> None:
    """Show a result that came by its link; a task of it goes on with the reader's own homework."""
    answered, wrong = result.read(fields, homework.counts())
    for sentence in wrong:
        st.warning(markdown(sentence))
    if not result.is_whole(fields, answered):
        st.warning(
            _(
                "This link is not as it was made: its end is missing, or it was changed. "
                "What can be read stands below. Ask for the link or the file again."
            )
        )
    if answered.name:
        st.header(as_text(answered.name), anchor=False)
    st.caption(
        _(
            "Somebody has sent this result. It is shown only; your own homework is under the "
            "first two buttons."
        )
    )
    draw(answered, own)


def draw(answered: Result, own: Result) -> None:
    """Every answer with its reason and every task with its settings, by screen.

    Args:
        answered: The result that is shown.
        own: The reader's own homework, which goes along where a task is opened.
    """
    names = {*answered.answers, *(task.split(".")[0] for task in answered.handed)}
    for screen in (name for name in homework.screens() if name in names):
        st.header(course.title(screen), anchor=False)
        asked = homework.of(screen)
        answers = answered.answer(screen, len(asked.questions))
        if answers.letters.strip(NONE):
            st.markdown(
                _(
                    "**{right} of {count} right**, attempt {attempt}.",
                    right=score(answers, asked.ids, OPTIONS, answered.order),
                    count=len(asked.questions),
                    attempt=answers.attempt,
                )
            )
            for one, letter in zip(asked.questions, answers.letters, strict=True):
                st.markdown(f"**{one.question}**")
                if letter == NONE:
                    st.caption(_("No answer."))
                else:
                    asking.reasons(one, letter, answers.attempt, answered.order)
        for task in asked.tasks:
            if task.id in answered.handed:
                st.markdown(_("**Task.** {goal}", goal=task.goal))
                stands(task.id, answered.handed[task.id])
                homework.task_link(task, answered, own, _("Open these settings →"))

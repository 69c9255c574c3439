"""A task of the homework on its screen: what is to be set, and whether it is met."""

from urllib.parse import parse_qsl, urlencode

import streamlit as st

from exhibits.homework.tasks import check
from ui.charts import stage
from ui.controls import address
from ui.memory import memory
from ui.screen import homework
from ui.screen.lesson import Lesson
from ui.words import _, markdown, translate

PLACE = "__task"


def is_here(lesson: Lesson) -> bool:
    """Whether a task is done on this screen."""
    return homework.parameters(lesson.screen)[homework.TASK] is not None


def place(lesson: Lesson) -> None:
    """Keep a place for the task, above the controls."""
    if is_here(lesson) and not stage.mode():
        memory()[PLACE] = st.container(key="task", border=True, gap="small")


def show(lesson: Lesson) -> None:
    """Say how the task stands, once all controls of the screen are drawn."""
    if PLACE not in memory():
        return
    found = homework.at_work(lesson.screen)
    if found is None:
        return
    task, answered = found
    with memory().pop(PLACE):
        if task is None:
            st.warning(_("The address names a task that this screen does not have."))
        else:
            st.markdown(_("**Task.** {goal}", goal=task.goal))
            stands(task.id, settings_here())
        with st.container(horizontal=True):
            if task is not None and st.button(_("Hand in"), key="task_hand_in", type="primary"):
                _hand_in(task.id, answered, lesson.screen)
            if st.button(_("Back to the homework"), key="task_back"):
                homework.back(answered, lesson.screen)
            if task is not None:
                with st.popover(_("A hint")):
                    st.markdown(task.hint)


def settings_here() -> str:
    """The settings of this screen as its address has them."""
    query = address.here_as_text("").partition("?")[2]
    return urlencode(parse_qsl(query, keep_blank_values=True), safe=",:")


def stands(task: str, query: str) -> None:
    """Say whether settings meet a task; worked out anew each time."""
    try:
        checked = check(task, query)
    except ValueError as error:
        st.error(markdown(error))
        return
    said = translate(checked.said)
    if checked.is_met:
        st.success(_("Met. {said}", said=said))
    else:
        st.info(_("Not yet. {said}", said=said))


def _hand_in(task: str, answered: homework.Result, screen: str) -> None:
    try:
        homework.back(answered.handed_in(task, settings_here()), screen)
    except ValueError as error:
        st.error(markdown(error))

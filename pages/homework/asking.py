"""The questions of a screen, at once told why, and its tasks."""

import streamlit as st

from course.page.words import chapter
from exhibits.homework.result import (
    ANSWERS,
    LETTERS,
    MOST_ATTEMPTS,
    NONE,
    Answers,
    Result,
    score,
    shuffled,
)
from ui.controls import address
from ui.screen import course, homework
from ui.screen.homework import OPTIONS, Homework, Question, Task
from ui.screen.task import stands
from ui.words import _


def show(screen: str, answered: Result) -> None:
    """Draw the questions and the tasks of a screen."""
    asked = homework.of(screen)
    answers = answered.answer(screen, len(asked.questions))
    handed = [task for task in asked.tasks if task.id in answered.handed]
    if handed:  # first: this is where one comes from its screen
        for task in handed:
            _task(task, answered)
        _result(screen, answered)
    for at, one in enumerate(asked.questions):
        _ask(at, one, answered, answers, screen)
    if answers.letters.strip(NONE):
        _stand(screen, asked, answered)
    open_tasks = [task for task in asked.tasks if task not in handed]
    if open_tasks:
        st.header(_("On the screen"), anchor=False)
        st.markdown(
            _(
                "What is to be set is checked while you set it. Hand the settings in there; "
                "your teacher can open them."
            )
        )
        for task in open_tasks:
            _task(task, answered)


def _ask(at: int, one: Question, answered: Result, answers: Answers, screen: str) -> None:
    """Draw a question: a button for each option, or what was chosen and why."""
    order = shuffled(OPTIONS, answers.attempt, one.id, answered.order)
    with st.container(key=f"ask_{at}", gap="small"):
        st.header(_("{number}. {question}", number=at + 1, question=one.question), anchor=False)
        if answers.letters[at] != NONE:
            reasons(one, answers.letters[at], answers.attempt, answered.order)
            step = homework.explained(screen, one)
            if step and order[LETTERS.index(answers.letters[at])]:
                label = _("Read it again: {title}", title=step.title)
                course.link(chapter(screen).path(step.id), label)
            return
        for letter, option in zip(LETTERS, order, strict=True):
            st.button(
                _("{letter}: {text}", letter=letter, text=one.options[option].text),
                key=f"answer_{screen}_{answers.attempt}_{at}_{letter}",
                width="stretch",
                on_click=_keep,
                args=(answered.answered(screen, answers.with_one(at, letter)),),
            )


def _keep(answered: Result) -> None:
    """For callbacks."""
    address.put(ANSWERS, answered.fields[ANSWERS])


def reasons(one: Question, letter: str, attempt: int, of_result: int) -> None:
    """Show the chosen and the right option, each with its reason; the others in an expander."""
    order = shuffled(OPTIONS, attempt, one.id, of_result)
    chosen = order[LETTERS.index(letter)]
    letters = {option: LETTERS[place] for place, option in enumerate(order)}

    def words_of(option: int) -> dict[str, str]:
        its = one.options[option]
        return {"letter": letters[option], "text": its.text.rstrip("."), "why": its.why}

    if chosen:
        st.error(_("**No, {letter}: {text}.** {why}", **words_of(chosen)))
        st.success(_("**Right is {letter}: {text}.** {why}", **words_of(0)))
    else:
        st.success(_("**Right, {letter}: {text}.** {why}", **words_of(0)))
    with st.expander(_("Why not the others?")):
        for option in sorted({*range(1, OPTIONS)} - {chosen}, key=letters.__getitem__):
            st.markdown(_("**{letter}: {text}.** {why}", **words_of(option)))


def _stand(screen: str, asked: Homework, answered: Result) -> None:
    """How many are right so far, and another attempt."""
    answers = answered.answers[screen]
    count = len(asked.questions)
    right = score(answers, asked.ids, OPTIONS, answered.order)
    given = count - answers.letters.count(NONE)
    with st.container(key="stand"):
        if given < count:
            st.markdown(
                _(
                    "{right} right of {given} answered; there are {count} questions.",
                    right=right,
                    given=given,
                    count=count,
                )
            )
            return
        st.markdown(
            _(
                "**{right} of {count} right**, attempt {attempt}.",
                right=right,
                count=count,
                attempt=answers.attempt,
            )
        )
        _result(screen, answered)
        if answers.attempt < MOST_ATTEMPTS:
            st.button(
                _("Answer again, with the options in another order"),
                key=f"again_{screen}",
                on_click=_keep,
                args=(answered.answered(screen, Answers(NONE * count, answers.attempt + 1)),),
            )


def _result(screen: str, answered: Result) -> None:
    """The way to what is sent."""
    course.page_link(
        homework.PAGE,
        _("The result as a link or a file →"),
        {"view": "own", homework.ON: screen} | answered.fields,
    )


def _task(task: Task, answered: Result) -> None:
    """Draw a task: its goal, how it stands, and the way to its screen."""
    with st.container(border=True, key=f"task_{task.id.replace('.', '_')}"):
        st.markdown(_("**Task.** {goal}", goal=task.goal))
        if task.id in answered.handed:
            stands(task.id, answered.handed[task.id])
            label = _("Go on from these settings →")
        else:
            label = _("Do it on the screen →")
        homework.task_link(task, answered, answered, label)

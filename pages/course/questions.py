"""Ten questions at the end of the course, each answer with its reason."""

import random
from typing import Any

import streamlit as st

from ui import controls
from ui.screen import course
from ui.screen.bones import READING_WIDTH
from ui.screen.lesson import Lesson
from ui.words import _

FIELD_WIDTH = 200  # pixels
ANSWERED = "_quiz"  # shuffle and question to the option that was chosen, in its written order


def show(lesson: Lesson) -> None:
    """Draw the questions with their options shuffled, and what was right so far."""
    with st.container(width=FIELD_WIDTH):
        seed = controls.number(
            "shuffle", _("Shuffle"), 1, 1, 9999,
            help=_("Another number puts the options into another order, and begins anew."),
        )  # fmt: skip
    with st.container(width=READING_WIDTH):
        _questions(lesson.more["quiz"], seed)


@st.fragment
def _questions(quiz: list[dict[str, Any]], seed: int) -> None:
    chosen = [_question(number, one, seed) for number, one in enumerate(quiz, 1)]
    answered = [option for option in chosen if option is not None]
    right = answered.count(0)
    st.header(_("Result"), anchor=False)
    if len(answered) < len(quiz):
        st.markdown(
            _(
                "{right} right of {answered} answered; there are {count} questions.",
                right=right,
                answered=len(answered),
                count=len(quiz),
            )
        )
        return
    st.markdown(_("**{right} of {count} right.**", right=right, count=len(quiz)))
    again = {one["screen"] for one, option in zip(quiz, chosen, strict=True) if option}
    if again:
        st.markdown(_("These chapters have what was missing:"))
        for name in (name for name in course.COURSE if name in again):
            course.link(name, course.chapter(name).title)


def _question(number: int, one: dict[str, Any], seed: int) -> int | None:
    """Draw a question; the option that is chosen, 0 for the right one."""
    options = [one["right"], *one["wrong"]]
    before = st.session_state.setdefault(ANSWERED, {}).get((seed, one["id"]))
    order = shuffled(len(options), seed, one["id"])
    question = _("{number}. {question}", number=number, question=one["question"])
    place = st.radio(
        question,
        order,
        index=None if before is None else order.index(before),
        format_func=lambda option: options[option]["text"],
        key=f"quiz_{one['id']}_{seed}",
    )
    chosen: int | None = place
    if chosen is None:
        return None
    st.session_state[ANSWERED][seed, one["id"]] = chosen
    why = options[chosen]["why"]
    if chosen == 0:
        st.success(_("Right. {why}", why=why))
    else:
        st.error(_("No. {why}", why=why))
    return chosen


def shuffled(count: int, seed: int, name: str) -> list[int]:
    """The options in an order of their own for each shuffle and question."""
    return random.Random(f"{seed} {name}").sample(range(count), count)

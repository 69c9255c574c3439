"""Ten questions at the end of the course, each answer with its reason."""

import re
from typing import Any

import streamlit as st

from exhibits.homework.result import LETTERS, NONE, chosen, shuffled
from ui import controls
from ui.controls import address
from ui.controls.claims import claimed
from ui.screen import course
from ui.screen.bones import READING_WIDTH
from ui.screen.lesson import Lesson
from ui.words import _

FIELD_WIDTH = 200  # pixels
GIVEN = "given"  # the shuffle and a letter for each question, "7.B-…": in the address


def show(lesson: Lesson) -> None:
    """Draw the questions with their options shuffled, and what was right so far."""
    with st.container(width=FIELD_WIDTH):
        seed = controls.number(
            "shuffle",
            _("Shuffle"),
            1,
            1,
            9999,
            help=_("Another number puts the options in a different order and starts again."),
        )
    quiz = lesson.more["quiz"]
    form = r"(\d{1,4}\.[" + LETTERS + NONE + "]{" + str(len(quiz)) + "})?"
    claimed(
        GIVEN,
        _("Answers"),
        "",
        lambda raw: raw[-1],
        lambda text: re.fullmatch(form, text) is not None,
        _("the number of the shuffle, a full stop and a letter for each question"),
    )
    with st.container(width=READING_WIDTH):
        _questions(quiz, seed)


@st.fragment
def _questions(quiz: list[dict[str, Any]], seed: int) -> None:
    shuffle, _stop, before = st.session_state[GIVEN].partition(".")
    if shuffle != str(seed):
        before = NONE * len(quiz)
    pairs = enumerate(zip(quiz, before, strict=True), 1)
    letters = "".join(_question(number, one, letter, seed) for number, (one, letter) in pairs)
    given = f"{seed}.{letters}" if letters.strip(NONE) else ""
    st.session_state[GIVEN] = given
    address.note(GIVEN, given, "", packed=given)
    options = [
        chosen(letter, len(LETTERS), seed, one["id"])
        for one, letter in zip(quiz, letters, strict=True)
    ]
    answered = [option for option in options if option is not None]
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
    again = {one["screen"] for one, option in zip(quiz, options, strict=True) if option}
    if again:
        st.markdown(_("These chapters have what was missing:"))
        for name in (name for name in course.COURSE if name in again):
            course.link(name, course.chapter(name).title)


def _question(number: int, one: dict[str, Any], before: str, seed: int) -> str:
    """Draw a question; the letter under which the chosen option stands."""
    options = [one["right"], *one["wrong"]]
    order = shuffled(len(options), seed, one["id"])
    place = st.radio(
        _("{number}. {question}", number=number, question=one["question"]),
        order,
        index=None if before == NONE else LETTERS.index(before),
        format_func=lambda option: options[option]["text"],
        key=f"quiz_{one['id']}_{seed}",
    )
    if place is None:
        return NONE
    why = options[place]["why"]
    if place == 0:
        st.success(_("Right. {why}", why=why))
    else:
        st.error(_("No. {why}", why=why))
    return LETTERS[order.index(place)]

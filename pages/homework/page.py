"""Homework: five questions and the tasks of a screen, the result as a link, a class's results."""

import random
from dataclasses import replace

import streamlit as st

from exhibits.homework import result
from exhibits.homework.result import Result
from pages.homework import asking, overview, results
from posenc.words import say
from ui import controls
from ui.controls import address
from ui.controls.claims import claimed
from ui.memory import memory
from ui.screen import course, homework
from ui.screen.bones import READING_WIDTH
from ui.words import _, markdown

PARTS = {
    "questions": say("Questions and tasks"),
    "result": say("Result"),
    "class": say("Results of a class"),
}
BROKEN = "_broken"  # the result came by a link that is not as it was made


def main() -> None:
    """Read what was answered and draw the part that is asked for."""
    st.title(_("Homework"), anchor=False)
    controls.sentences_here()
    by_link = address.asked_for("view") == "result"
    seal = address.asked_for(result.SEAL)
    answered, wrong = read()
    if by_link:
        memory()[BROKEN] = not result.is_whole({result.SEAL: seal}, answered)
    with st.container(width=READING_WIDTH, key="homework"):
        part = controls.choice(
            "view",
            _("Part"),
            PARTS,
            wide=True,
            help=_("The questions and tasks of a screen, what you answered, or what others did."),
        )
        for sentence in wrong:
            st.warning(markdown(sentence))
        if part == "questions":
            if not (answered.order or answered.answers):  # letters are no use to a neighbour
                answered = replace(answered, order=random.randint(1, result.MOST_ORDERS))
            st.markdown(
                _(
                    "Each screen has five questions, with reasons given immediately; most "
                    "chapters of the course and some other screens have a task as well. Your "
                    "answers stand in the address of this page. *Result* makes a link or a file "
                    "of them for your teacher."
                )
            )
            asking.show(chosen_screen(), answered)
        elif part == "result":
            if memory().get(BROKEN):
                st.warning(
                    _(
                        "This link is not as it was made: its end is missing, or it was changed. "
                        "What can be read stands below. Ask for the link or the file again."
                    )
                )
            answered = results.show_own(answered)
        else:
            overview.show_class()
    keep(answered, sealed=part == "result")


def read() -> tuple[Result, list[str]]:
    """Answers in the address or in this session, and labels of what could not be read."""
    labels = {
        result.NAME: _("Name"),
        result.ORDER: _("Order of the options"),
        result.ANSWERS: _("Answers"),
        result.HANDED: _("Settings"),
        result.SEAL: _("Seal"),
    }
    for key, label in labels.items():
        claimed(key, label, "", lambda raw: raw[-1], lambda _text: True, "")
    fields = {key: str(st.session_state[key]) for key in result.TOLD}
    answered, wrong = result.read(fields, homework.counts())
    return answered, list(wrong)


def keep(answered: Result, *, sealed: bool) -> None:
    """Put what was answered into the address, in which nothing is lost."""
    fields = answered.fields | ({result.SEAL: answered.seal} if sealed else {})
    for key in (*result.TOLD, result.SEAL):
        if key != result.NAME:  # the field's own
            st.session_state[key] = fields.get(key, "")
        address.note(key, fields.get(key, ""), "", packed=fields.get(key, ""))


def chosen_screen() -> str:
    """The screen whose questions are asked."""
    titles = {name: course.chapter(name).title for name in homework.screens()}
    return controls.choice(
        homework.ON, _("Screen"), titles, help=_("The chapters of the course stand first.")
    )


main()

"""Homework: five questions and the tasks of a screen, the result as a link, a class's results."""

import random
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from exhibits.homework import result
from exhibits.homework.result import Result
from pages.homework import asking, overview, results
from posenc.words import say
from ui import controls
from ui.charts.served import component
from ui.controls import address
from ui.controls.claims import claimed
from ui.memory import memory
from ui.screen import course, homework
from ui.screen.layout import READING_WIDTH
from ui.words import _, markdown

PARTS = {
    "questions": say("Questions and tasks"),
    "own": say("Result"),
    "class": say("Results of a class"),
}
OWN, RECEIVED = "_own", "_received"  # in memory: this session's own fields, and those of a link
SENT = {"result": say("A result that was sent")}


def main() -> None:
    """Read what was answered and draw the part that is asked for."""
    st.title(_("Homework"), anchor=False)
    controls.sentences_here()
    sent = received()
    answered, wrong = read()
    with st.container(width=READING_WIDTH, key="homework"):
        part = controls.choice(
            "view",
            _("Part"),
            PARTS | SENT if sent else PARTS,
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
                    "Each chapter and screen in the list has five questions, with reasons given "
                    "immediately; most chapters of the course and some screens have a task as "
                    "well. Your answers stand in the address of this page. *Result* makes a link "
                    "or a file of them for your teacher."
                )
            )
            screen = chosen_screen()
            link_for_a_class(screen)
            asking.show(screen, answered)
        elif part == "own":
            answered = results.show_own(answered)
        elif part == "class":
            overview.show_class(answered)
        else:
            results.show_sent(sent, answered)
    keep(answered, sent if part in SENT else answered.fields)


def received() -> dict[str, str]:
    """The fields of a result that came by its link, apart from what this session has answered."""
    if address.asked_for("view") in SENT or address.asked_for(result.SEAL):
        names = (*result.TOLD, result.SEAL)
        memory()[RECEIVED] = {key: address.asked_for(key) for key in names}
        own = memory().get(OWN, {})
        for key in names:
            address.put(key, own.get(key, ""))
    return memory().get(RECEIVED, {})


def read() -> tuple[Result, list[str]]:
    """Answers in the address or in this session, and labels of what could not be read."""
    labels = {
        result.NAME: _("Name"),
        result.ORDER: _("Order of the options"),
        result.ANSWERS: _("Answers"),
        result.HANDED: _("Settings"),
    }
    for key, label in labels.items():
        claimed(key, label, "", lambda raw: raw[-1], lambda _text: True, "")
    fields = {key: str(st.session_state[key]) for key in result.TOLD}
    answered, wrong = result.read(fields, homework.counts())
    return answered, list(wrong)


def keep(answered: Result, shown: Mapping[str, str]) -> None:
    """Keep what was answered, and put what is shown into the address, in which nothing is lost."""
    memory()[OWN] = own = answered.fields
    _kept(key="homework_kept", data={"query": urlencode(own)})
    for key in (*result.TOLD, result.SEAL):
        if key != result.NAME:  # the field's own
            st.session_state[key] = own.get(key, "")
        address.note(key, own.get(key, ""), "", packed=shown.get(key, ""))


def chosen_screen() -> str:
    """The screen whose questions are asked."""
    titles = {name: course.title(name) for name in homework.screens()}
    return controls.choice(
        homework.ON,
        _("Screen"),
        titles,
        help=_("Whose questions and tasks: a chapter of the course, or a screen to explore."),
    )


def link_for_a_class(screen: str) -> None:
    """The address of a screen's homework, without anybody's answers."""
    here = (st.context.url or "").split("?")[0]
    with st.container(horizontal=True, vertical_alignment="center", key="for_a_class"):
        st.markdown(_("Link for a class"), width="content")
        st.code(f"{here}?{homework.ON}={screen}", language=None, wrap_lines=True)


_kept = component("homework", "screen/homework.js")
main()

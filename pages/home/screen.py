"""Home: the four places where position can enter, and every encoding as a small live picture."""

import pandas as pd
import streamlit as st

from lab.results.tables import load
from pages.home.doors import doors
from pages.home.gallery import gallery
from pages.home.idea import idea
from pages.home.links import screen_link
from pages.home.portrait import LENGTH, WIDTH, shares
from pages.home.reach import reach_words
from plots.diagram import four_places
from plots.looks import look
from plots.thumbnail import thumbnail
from posenc.catalogue import CATALOGUE, Entry
from posenc.words import say
from ui import controls, notebooks, screen
from ui.charts import stage
from ui.charts.component import chart
from ui.screen import course
from ui.words import _, translate

PLACES = {
    "embed": say("1 (added to the embeddings)"),
    "rotate": say("2 (on queries and keys)"),
    "bias": say("3 (added to the scores)"),
    "mix": say("4 (added to the values)"),
}

CODE = """\
shape = ModelShape(d_model={width}, num_heads=1, head_dim={width}, length={length})
encoding = randomise(CATALOGUE["{name}"].build(shape), seed=0)
weights = portrait(encoding, d_model={width}, length={length})
values = weights / weights.amax(dim=-1, keepdim=True)
"""


def picture(name: str, key: str, height: int) -> None:
    figure = thumbnail(
        shares(name),
        x_title=_("key j"),
        y_title=_("query i"),
        value_name=_("share of the row's largest weight"),
    )
    alt = _(
        "Attention weights of {encoding} when all tokens are the same",
        encoding=CATALOGUE[name].title,
    )
    notebooks.computed(
        key, [f"portraits/{name}"], "portrait", encoding=name, width=WIDTH, length=LENGTH, seed=0
    )
    chart(figure, key=key, alt=alt, height=height)


def places_of(entry: Entry) -> str:
    return "; ".join(translate(PLACES[place]) for place in entry.places)


def facts(entry: Entry) -> str:
    lines = [
        _("Place: {places}", places=places_of(entry) or _("none")),
        _("Trained: {parameters}", parameters=entry.trained),
        _("Cost: {cost}", cost=entry.cost),
    ]
    if entry.used_by:
        models = ", ".join(translate(model) for model in entry.used_by)
        lines.append(_("Used by: {models}", models=models))
    return "  \n".join([*lines, entry.paper])


def reach(entry: Entry) -> None:
    """Whether it extends past its training length, from our own measurement."""
    measured = reach_words(load(), entry.id)
    if measured is None:
        st.caption(_("Longer than in training: not measured"))
        return
    st.caption(_("Longer than in training: {measured}", measured=measured))
    course.page_link("measured", _("Measured curve"), {"view": "distance", "curves": entry.id})


def main() -> None:
    """The idea in motion, the ways in, every encoding, and a fold with one of them closely."""
    lesson = screen.header("home")
    idea()
    doors()
    if stage.mode():
        reference(lesson)
        return
    gallery()
    controls.say_misspelt(["encoding"])
    if {"encoding", "tab"} & {*st.query_params}:
        st.session_state.setdefault("reference", True)
    label = _("One encoding closely: where it enters, its cost, how far it reads")
    fold = st.expander(label, key="reference", on_change="rerun")
    if fold.open:
        with fold:
            reference(lesson)


def reference(lesson: screen.Lesson) -> None:
    """One encoding drawn large, and what is known of it."""
    entry = chosen()
    screen.ask(lesson)
    screen.notice(lesson)
    table = say("attention of {encoding}", encoding=entry.title)
    code = CODE.format(name=entry.id, width=WIDTH, length=LENGTH)
    view = screen.ScreenView(lambda: {table: pd.DataFrame(shares(entry.id))}, code)
    screen.tabs(lesson, view)


@st.fragment
def chosen() -> Entry:
    """One encoding; another choice draws this part alone anew."""
    left, right = screen.columns()
    with left:
        entry = read()
    with right:
        large(entry)
    if controls.only_a_part() and controls.value("tab") in ("numbers", "code"):
        st.rerun()  # the open tab below shows the choice
    return entry


def read() -> Entry:
    """Draw the control, and the attention of the encoding that it chooses."""
    name = controls.choice(
        "encoding",
        _("Encoding"),
        {key: entry.title for key, entry in CATALOGUE.items()},
        "rope",
        help=_("The drawing lights up the places where this encoding enters."),
    )
    picture(name, "chosen", 240)
    st.caption(
        _(
            "Attention when position is all that differs. Each row is a query, each column a key; "
            "bright cells get the most that their query gives."
        )
    )
    return CATALOGUE[name]


def large(entry: Entry) -> None:
    """The places where an encoding enters, and what is known of it."""
    lit = (
        _("Where {encoding} enters: {places}", encoding=entry.title, places=places_of(entry))
        if entry.places
        else _("{encoding} enters at no place", encoding=entry.title)
    )
    chart(
        four_places(entry.places, look(entry.id).color, lit),
        key="places",
        alt=_("An attention layer from embeddings to output. {lit}.", lit=lit),
        height=470,
    )
    st.markdown(facts(entry))
    with st.container(horizontal=True, vertical_alignment="center"):
        reach(entry)
        screen_link(entry, _("Open the {encoding} screen", encoding=entry.title))


main()

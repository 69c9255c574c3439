"""Home: the four places where position can enter, and every encoding as a small live picture."""

import numpy as np
import pandas as pd
import streamlit as st

from exhibits.portraits import portrait
from lab.results.tables import load
from pages.home.links import screen_link
from pages.home.reach import reach_words
from plots.diagram import four_places
from plots.looks import look
from plots.thumbnail import thumbnail
from posenc import CATALOGUE, ModelShape
from posenc.catalogue import Entry
from posenc.random_model import randomise
from ui import controls, screen
from ui.charts.component import chart

PLACES = {
    "embed": "1, added to the embeddings",
    "rotate": "2, on queries and keys",
    "bias": "3, added to the scores",
    "mix": "4, added to the values",
}
WIDTH, LENGTH = 32, 32
CARDS_PER_ROW = 4

CODE = """\
shape = ModelShape(d_model={width}, num_heads=1, head_dim={width}, length={length})
encoding = randomise(CATALOGUE["{name}"].build(shape), seed=0)
weights = portrait(encoding, d_model={width}, length={length})
values = weights / weights.amax(dim=-1, keepdim=True)
"""


@st.cache_data(max_entries=32)
def shares(name: str) -> np.ndarray:
    """Attention weights over the largest of their row; NaN where the mask hides the key."""
    shape = ModelShape(d_model=WIDTH, num_heads=1, head_dim=WIDTH, length=LENGTH)
    encoding = randomise(CATALOGUE[name].build(shape), seed=0)
    weights = portrait(encoding, WIDTH, LENGTH)
    values = (weights / weights.amax(dim=-1, keepdim=True)).float().numpy()
    values[~np.tri(LENGTH, dtype=bool)] = np.nan
    return values


def picture(name: str, key: str, height: int) -> None:
    figure = thumbnail(
        shares(name),
        x_title="key j",
        y_title="query i",
        value_name="share of the row's largest weight",
    )
    alt = f"Attention weights of {CATALOGUE[name].title} when all tokens are the same"
    chart(figure, key=key, alt=alt, height=height)


def facts(entry: Entry) -> str:
    lines = [
        f"Place: {'; '.join(PLACES[place] for place in entry.places) or 'none'}",
        f"Trained: {entry.trained}",
        f"Cost: {entry.cost}",
    ]
    if entry.used_by:
        lines.append(f"Used by: {', '.join(entry.used_by)}")
    return "  \n".join([*lines, entry.paper])


def card(entry: Entry) -> None:
    picture(entry.id, f"atlas_{entry.id}", 150)
    screen_link(entry, f"**{entry.title}**, {entry.year}")
    st.caption(facts(entry))
    reach(entry)


def reach(entry: Entry) -> None:
    """Whether it extends past its training length, from our own measurement."""
    measured = reach_words(load(), entry.id)
    st.caption(f"Beyond its training length: {measured or 'not measured'}")
    if measured is not None:
        chosen = {"curves": entry.title}
        st.page_link("pages/measured/screen.py", label="Its measured curve", query_params=chosen)


lesson = screen.header("home")
left, right = screen.columns()
with left:
    name = controls.choice(
        "encoding",
        "Encoding",
        {key: entry.title for key, entry in CATALOGUE.items()},
        "rope",
        help="Its places light up in the drawing.",
    )
    entry = CATALOGUE[name]
    picture(name, "chosen", 240)
    st.caption(
        "Attention when position is all there is. Row: query; column: key; bright: the most that "
        "this query gives."
    )
with right:
    places = ", ".join(PLACES[place] for place in entry.places) or "at no place"
    chart(
        four_places(entry.places, look(name).color, f"{entry.title} enters: {places}"),
        key="places",
        alt=f"An attention layer from embeddings to output; {entry.title} enters: {places}",
        height=470,
    )
    st.markdown(facts(entry))
    with st.container(horizontal=True, vertical_alignment="center"):
        reach(entry)
        screen_link(entry, f"Open the {entry.title} screen")

screen.notice(lesson)
st.header("Every encoding", anchor=False)
names = list(CATALOGUE)
for start in range(0, len(names), CARDS_PER_ROW):
    for column, other in zip(
        st.columns(CARDS_PER_ROW, gap="large"), names[start : start + CARDS_PER_ROW], strict=False
    ):
        with column:
            card(CATALOGUE[other])
screen.tabs(
    lesson,
    screen.ScreenView(
        lambda: {f"{name} attention": pd.DataFrame(shares(name))},
        CODE.format(name=name, width=WIDTH, length=LENGTH),
    ),
)

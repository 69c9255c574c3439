"""The gallery: every encoding as a small picture that opens its screen."""

import base64
import io
from functools import cache
from html import escape

import numpy as np
import streamlit as st
from PIL import Image

from course.page.menu import CHAPTERS
from pages.home.links import SCREENS, VIEWS
from pages.home.portrait import shares
from plots.thumbnail import colors
from posenc.catalogue import CATALOGUE, Entry
from posenc.words import say
from ui import controls
from ui.words import _, translate

PLACES = {
    "all": say("all"),
    "embed": say("1: added to the embeddings"),
    "rotate": say("2: turns queries and keys"),
    "bias": say("3: added to the scores"),
    "mix": say("4: added to the values"),
    "none": say("nowhere"),
}
HELP = say("Choose a place: its encodings stay lit.")
CARD = """\
<li{off}><a class="open" href="{href}"><img src="{picture}" alt="" width="32" height="32">
<span><b>{title}</b> {year}</span></a>
<small>{words}</small>{story}</li>"""
STORY = '<a class="story" href="./course/{chapter}/">{label}</a>'


@st.fragment
def gallery() -> None:
    """Draw it, with a choice of the places where position enters."""
    with st.container(key="gallery"):
        left, right = st.columns([1, 4], vertical_alignment="bottom")
    with left:
        st.header(_("Every encoding"), anchor=False)
    with right:
        place = controls.choice(
            "place", _("Where position enters"), PLACES, wide=True, help=translate(HELP)
        )
    cards = "\n".join(_card(entry, place) for entry in CATALOGUE.values())
    st.html(f'<ul class="posenc-gallery">\n{cards}\n</ul>')
    st.caption(
        _(
            "Attention of one head when all tokens are the same: rows are queries, columns keys, "
            "bright is the most that a query gives. Only the causal mask and the position differ."
        )
    )


def _card(entry: Entry, place: str) -> str:
    screen = SCREENS.get(entry.id, "")
    models = ", ".join(translate(model) for model in entry.used_by[:3])
    where = "; ".join(translate(PLACES[one]) for one in entry.places or ("none",))
    words = _("{place} · {models}", place=where, models=models) if models else where
    chapter = screen if screen in CHAPTERS else "which"
    return CARD.format(
        off="" if place in ("all", *(entry.places or ("none",))) else ' class="off"',
        href=f"./{screen}{VIEWS.get(entry.id, '')}",
        picture=_picture(entry.id),
        title=escape(translate(entry.title)),
        year=entry.year,
        words=escape(words),
        story=STORY.format(chapter=chapter, label=escape(_("Story"))),
    )


@cache
def _picture(name: str) -> str:
    """Portrait of an encoding as the address of a PNG; transparent where the mask hides a key."""
    values = shares(name)
    hidden = np.isnan(values)
    alpha = np.where(hidden, 0, 255)[..., None]
    pixels = np.concatenate([colors(np.nan_to_num(values)), alpha], axis=-1)
    packed = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(packed, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(packed.getvalue()).decode()

"""A playlist: addresses of this app, one a line, played with the arrow keys for a projector."""

import streamlit as st

from ui import controls
from ui.charts import stage
from ui.controls import address
from ui.controls.claims import claimed
from ui.screen import course, playlist
from ui.screen.playlist import LIST, MOST_CHARS, SCREENS
from ui.words import _, markdown

SAID = 5  # sentences about wrong lines that are shown


def main() -> None:
    """Read the list, say what is wrong with it, link what is right, and play it."""
    st.title(_("Playlist"), anchor=False)
    st.markdown(
        _(
            "Pictures and steps for a lesson, in the order in which you show them. *Add to "
            "playlist* on any screen puts that screen here as it is set; or write addresses "
            "yourself, one a line. Lines can be moved and deleted."
        )
    )
    controls.sentences_here()
    found, wrong = playlist.entries(read(), SCREENS, st.context.url or "")
    address.note(LIST, st.session_state[LIST], "", packed=playlist.packed(found))
    playlist.keep()
    for sentence in wrong[:SAID]:
        st.warning(markdown(sentence))
    if not found:
        return
    if st.button(_("Play"), key="playlist_play", type="primary") or stage.mode() == "present":
        playlist.play(found, 1)
    st.caption(_("Arrow keys or a remote go from entry to entry; Escape leaves."))
    for number, one in enumerate(found, 1):
        query: dict[str, list[str]] = {}
        for key, value in one.settings:
            query.setdefault(key, []).append(value)
        label = f"{number}. {playlist.name_of(one)}"
        course.page_link(one.screen, label, query)
    st.subheader(_("The list as a link"), anchor=False)
    here = (st.context.url or "").split("?")[0]
    st.code(f"{here}?{playlist.link(found)}", language=None, wrap_lines=True)


def read() -> list[str]:
    """Draw the field; its lines."""
    claimed(
        LIST,
        _("Addresses, one a line"),
        "",
        lambda raw: "\n".join(raw[-1].split()),
        lambda text: len(text) <= 2 * MOST_CHARS,
        _("at most {count:,} characters", count=2 * MOST_CHARS),
    )
    typed: str = st.text_area(
        _("Addresses, one a line"),
        height=220,
        key=LIST,
        placeholder="rope?step=3\nabsolute?view=similarity&picture=curve",
        max_chars=2 * MOST_CHARS,
        on_change=playlist.own,
    )
    return typed.splitlines()


main()

"""A playlist: addresses of this app, one a line, played with the arrow keys for a projector."""

import streamlit as st

from ui import controls
from ui.charts import served, stage
from ui.controls import address
from ui.controls.choosing import escaped
from ui.controls.claims import claimed
from ui.screen import course, playlist
from ui.screen.playlist import LIST, MOST_CHARS, SCREENS, Entry
from ui.words import _, markdown

EXAMPLE = {
    "course/why_position/bag": "course/chapters/why_position/preview.png",
    "course/rope/lock": "course/chapters/rope/preview.png",
    "course/alibi/lamp": "course/chapters/alibi/preview.png",
    "side_by_side": "site/shown/side_by_side.png",
}
"""Entries of a list to begin with, each with its picture."""
SAID = 5  # sentences about wrong lines that are shown


def main() -> None:
    """Read the list, say what is wrong with it, link what is right, and play it."""
    st.title(_("Playlist"), anchor=False)
    st.container(key="intro").markdown(
        _(
            "Pictures and steps for a lesson, in the order in which you show them. *Add to "
            "playlist* on any screen or step puts it here as it is set; or write addresses "
            "yourself, one a line. Lines can be moved and deleted here, and by the buttons below."
        )
    )
    controls.sentences_here()
    found, wrong = playlist.entries(read(), SCREENS, st.context.url or "")
    address.note(LIST, st.session_state[LIST], "", packed=playlist.packed(found))
    playlist.keep()
    for sentence in wrong[:SAID]:
        st.warning(markdown(sentence))
    if not found:
        show_example()
        return
    if st.button(_("Play"), key="playlist_play", type="primary") or stage.mode() == "present":
        playlist.play(found, 1)
    st.caption(_("Arrow keys or a remote go from entry to entry; Escape leads back here."))
    for at in range(len(found)):
        show_entry(found, at, is_fixed=bool(wrong))
    st.subheader(_("The list as a link"), anchor=False)
    here = (st.context.url or "").split("?")[0]
    st.code(f"{here}?{playlist.link(found)}", language=None, wrap_lines=True)


def show_example() -> None:
    """Draw a list to begin with: each entry by its name under its picture."""
    st.subheader(_("For example, a first lesson"), anchor=False)
    found, _wrong = playlist.entries([*EXAMPLE], SCREENS, st.context.url or "")
    with st.container(key="shown"):
        columns = st.columns(len(found))
    for column, one in zip(columns, found, strict=True):
        picture = served.address(EXAMPLE[one.packed])
        column.html(f'<img class="posenc-shown" src="{picture}" alt="">')
        column.caption(playlist.name_of(one))
    st.button(_("Begin with this list"), key="playlist_example", on_click=begin)


def begin() -> None:
    """Take the example; for callbacks."""
    address.put(LIST, "\n".join(EXAMPLE))
    playlist.own()


def show_entry(found: list[Entry], at: int, *, is_fixed: bool) -> None:
    """Draw a line of the list: its link, and what moves it, plays from it and removes it.

    Args:
        found: The list.
        at: The place in it, from 0.
        is_fixed: Whether nothing is moved, because a line that is none of these would be lost.
    """
    query: dict[str, list[str]] = {}
    for key, value in found[at].settings:
        query.setdefault(key, []).append(value)
    name = playlist.name_of(found[at])
    row = st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"listed_{at}"
    )
    ways = {
        "up": ("↑", _("Earlier: {name}", name=name)),
        "down": ("↓", _("Later: {name}", name=name)),
        "play": ("▶", _("Play from here: {name}", name=name)),
        "remove": ("✕", _("Remove: {name}", name=name)),
    }
    heard = "".join(
        f".st-key-entry_{at}_{way} p::after {{ content: '' / ' {escaped(words)}'; }}"
        for way, (_sign, words) in ways.items()
    )
    row.html(f"<style>{heard}</style>")  # a tooltip alone gives a button no name
    pressed = {}
    with row:
        for way, (sign, words) in ways.items():
            to = {"up": at - 1, "down": at + 1}.get(way, at)
            pressed[way] = st.button(
                sign,
                key=f"entry_{at}_{way}",
                help=words,
                disabled=way != "play" and (is_fixed or to not in range(len(found))),
                on_click={"play": None, "remove": remove}.get(way, exchange),
                args={"play": (), "remove": (found, at)}.get(way, (found, at, to)),
            )
        if pressed["play"]:
            playlist.play(found, at + 1)
        if found[at].is_of_course:
            course.link(f"/{found[at].screen}/", f"{at + 1}. {name}")
        else:
            course.page_link(found[at].screen, f"{at + 1}. {name}", query)


def exchange(found: list[Entry], at: int, to: int) -> None:
    """Let two entries change places; for callbacks."""
    lines = [one.packed for one in found]
    lines[at], lines[to] = lines[to], lines[at]
    address.put(LIST, "\n".join(lines))
    playlist.own()


def remove(found: list[Entry], at: int) -> None:
    """Take an entry out; for callbacks."""
    address.put(LIST, "\n".join(one.packed for one in found[:at] + found[at + 1 :]))
    playlist.own()


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
        placeholder="course/rope/lock\nabsolute?view=similarity&picture=curve",
        max_chars=2 * MOST_CHARS,
        on_change=playlist.own,
    )
    return typed.splitlines()


main()

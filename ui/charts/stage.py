"""How much of a screen is shown: all of it, or one picture for a projector or in somebody's page.

`?present=1` shows a picture and a line, in type for the last row. `?embed=true`, Streamlit's own
parameter, shows a picture with its caption. `picture` in the address names the picture; without it
a screen shows its first. The rest of the screen runs as always and is hidden by `static/stage.css`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from posenc.words import Sentence, say
from ui.charts.served import STATIC, component
from ui.controls import address
from ui.memory import memory
from ui.streamlit import run
from ui.words import _, translate

PRESENT = "present"
PICTURE = "picture"
CSS = STATIC / "stage.css"
BESIDE_SQUARE = 80  # pixels of a square picture's width that are more than its height
MOST_NAMED = 40  # letters of a wrong name that are said again

SOURCE = {
    "name": say("Positional encodings"),
    "licence": "MIT",
}
"""Whose a picture is, wherever it goes."""

Mode = Literal["", "present", "embed"]


@dataclass
class Stage:
    """The part of its screen that this run shows, where it does not show all."""

    wanted: str
    """Key of the picture; "" for the first."""
    shown: str = ""
    """Key of the picture that is drawn."""
    others: list[str] = field(default_factory=list)
    """Keys of those that are not."""


def settle(*, is_news: bool) -> Sentence | None:
    """Settle what is shown; for the start of a whole run.

    Returns:
        What is wrong with the address, the first time that it says so.
    """
    state = memory()
    asked = st.query_params.get(PRESENT)
    # A link that says nothing of it goes on from screen to screen.
    if run.is_history() or (is_news and asked is not None):
        state["_app_present"] = asked == "1"
    if is_news and asked not in (None, "0", "1"):
        return say(
            "{name} in the address may be 1 or 0. The whole screen is shown.", name="`present`"
        )
    return None


def mode() -> Mode:
    """How the screen is shown; "" is as a whole."""
    if st.context.is_embedded:
        return "embed"
    return "present" if memory().get("_app_present") else ""


def parameter() -> dict[str, str | None]:
    """The mode as a parameter of the address, the same on every screen."""
    return {PRESENT: "1" if mode() == "present" else None}


def row(place: DeltaGenerator) -> DeltaGenerator | None:
    """Where controls that are changed first stand while a picture is presented; else with all."""
    return place if mode() == "present" else None


def present(on: bool) -> None:
    """Begin to present, or leave; for callbacks."""
    memory()["_app_present"] = on
    address.step()


def begin() -> None:
    """Begin a screen: none of its pictures is on the stage yet."""
    memory()["__stage"] = Stage(address.asked_for(PICTURE))


def leaves_out(key: str) -> bool:
    """Whether a picture is not to be drawn, because another one is shown alone."""
    if not mode():
        return False
    stage = _stage()
    if (stage.wanted or stage.shown or key) == key:
        stage.shown = key
        return False
    stage.others.append(key)
    return True


def source(alt: str) -> dict[str, str]:
    """Whose a picture is; in somebody's page also what stands under it."""
    told = {name: translate(text) for name, text in SOURCE.items()}
    if mode() != "embed":
        return told
    return told | {"caption": f"{alt.rstrip('.')}." if alt else "", "open": _("Open in the app")}


def reserved_height(height: int) -> int | Literal["content"]:
    """Height of the place of a picture until it is drawn, as Streamlit takes it.

    Args:
        height: Pixels that it has on a whole screen; alone, a picture takes what there is.
    """
    return "content" if mode() else height


def room(key: str, height: int) -> DeltaGenerator:
    """Where a picture is drawn after what stands below it; its place is kept meanwhile.

    Args:
        key: The picture's.
        height: Pixels.
    """
    if mode():
        return st.container()
    return st.container(key=f"room_{key}", height=height, border=False)


def beside(key: str, height: int, is_square: bool) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Where a picture is drawn, and where its words: beside a square if the width allows it.

    Args:
        key: The picture's.
        height: Pixels.
        is_square: Whether it leaves room beside it.
    """
    if not is_square or mode():
        return room(key, height), st.container()
    with st.container(horizontal=True, key=f"square_{key}"):
        with st.container(width=height + BESIDE_SQUARE):
            picture = room(key, height)
        return picture, st.container()


@contextmanager
def place(words: str | None = None) -> Iterator[None]:
    """Where a picture is drawn that is not left out.

    Args:
        words: What a table shows in somebody's page, where a picture says so itself; "" if that
            stands above it.
    """
    if not mode():
        yield
        return
    with st.container(key="alone"):
        yield
        if words is not None and mode() == "embed":
            _foot(key="alone_foot", data=source(words))


def menu() -> None:
    """On a whole screen: the way to a projector."""
    st.button(
        _("Present"),
        key="present_enter",
        type="tertiary",
        on_click=present,
        args=(True,),
        help=_(
            "One picture in large type, for a projector. Arrow keys, Space and remotes go on and "
            "back, whatever was clicked or dragged; Tab leads to what a picture lets you move, "
            "which then takes the arrow keys. B: blank screen. "
            "Q: the question, A: its answer. D: light or dark. + and −: larger or "
            "smaller letters, 0: as before. F: full screen. Escape leaves."
        ),
    )


def finish() -> None:
    """Once a screen is drawn: say what is missing, and listen to the keys."""
    now = mode()
    if not now:
        return
    stage = _stage()
    if not stage.shown:
        with st.container(key="alone"):
            _say_what_there_is(stage)
    with st.container(key="alone_keys", horizontal=True):
        if now == "present":
            st.button(_("D: light or dark"), key="present_look")  # the browser does it
            st.button(_("Leave"), key="present_leave", on_click=present, args=(False,))
        _keys(key="alone_listen", data={"embedded": now == "embed"})


def _say_what_there_is(stage: Stage) -> None:
    if not stage.others:
        st.info(_("There is no picture on this screen."))
        return
    name = "".join(
        letter for letter in stage.wanted[:MOST_NAMED] if letter.isalnum() or letter in "_-"
    )
    st.warning(
        _(
            "This screen has no picture `{name}` now. Pictures here: {names}.",
            name=name,
            names=", ".join(f"`{name}`" for name in dict.fromkeys(stage.others)),
        )
    )


def _stage() -> Stage:
    if "__stage" not in memory():
        begin()
    stage: Stage = memory()["__stage"]
    return stage


_foot = component("foot", "embed.js")
_keys = component("stage", "stage.js")

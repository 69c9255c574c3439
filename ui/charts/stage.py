"""How much of a screen is shown: all of it, or one picture for a projector or in somebody's page.

`?present=1` shows a picture, a line and the step of a walk, in type for the last row.
`?embed=true`, Streamlit's own parameter, shows a picture with its caption, or a step of a walk.
`picture` in the address names the picture; without it a step shows what it outlines, and a screen
its first. The rest of the screen runs as always and is hidden by `static/stage.css`.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import streamlit as st

from posenc.words import Sentence, say
from ui.controls import address
from ui.words import _

PRESENT, PICTURE = "present", "picture"
CSS = Path(__file__).parent.parent.parent / "static" / "stage.css"
MOST_NAMED = 40  # letters of a wrong name that are said again

Mode = Literal["", "present", "embed"]


@dataclass
class Stage:
    """What this run shows of its screen, where it does not show all."""

    wanted: str
    """Key of the picture; "" for the first."""
    shown: str = ""
    """Key of the picture that is drawn."""
    others: list[str] = field(default_factory=list)
    """Keys of those that are not."""
    placed: set[str] = field(default_factory=set)
    """Keys of pictures of a whole screen."""
    stand: set[str] = field(default_factory=set)
    """Keys of those that were there before the last move."""


def settle() -> Sentence | None:
    """Settle what is shown, from the address if that is news; for the start of a whole run.

    Returns:
        What is wrong with the address, the first time that it says so.
    """
    state, asked = st.session_state, st.query_params.get(PRESENT)
    is_news = asked is not None and asked != state.get("_app_present_asked")
    state["_app_present_asked"] = asked
    if is_news or address.through_history():
        state["_app_present"] = asked == "1"
    if is_news and asked not in ("0", "1"):
        return say(
            "{name} in the address may be 1 or 0. The whole screen is shown.", name="`present`"
        )
    return None


def mode() -> Mode:
    """What is shown: "" for the whole screen."""
    if st.context.is_embedded:
        return "embed"
    return "present" if st.session_state.get("_app_present") else ""


def parameter() -> dict[str, str | None]:
    """What the address says of it on every screen."""
    return {PRESENT: "1" if mode() == "present" else None}


def present(on: bool) -> None:
    """Begin to present, or leave; for callbacks."""
    st.session_state["_app_present"] = on
    address.step()


def begin(first: str = "") -> None:
    """Begin a screen: none of its pictures is on the stage yet.

    Args:
        first: Key of the picture that is shown if the address names none; the first drawn if "".
    """
    st.session_state["__stage"] = Stage(address.asked_for(PICTURE) or first)


def move() -> None:
    """Begin to draw a part of the screen again: its pictures stand there already."""
    stage = _stage()
    stage.stand, stage.placed = stage.placed, set()


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


@contextmanager
def place(key: str, alt: str, height: int, *, kept: bool = False) -> Iterator[None]:
    """Where a picture is drawn that is not left out.

    Args:
        key: The picture's.
        alt: What it shows; this stands below it where it is embedded.
        height: Pixels that are kept for it on a whole screen, until it is drawn.
        kept: Whether they are kept then too, because the picture may be lower.
    """
    if not mode():
        stage = _stage()
        stage.placed.add(key)
        if kept or key not in stage.stand:
            # The place is kept while scripts load, so that nothing below jumps. Streamlit's class.
            name = re.sub(r"[^a-zA-Z0-9_-]", "-", key)
            st.html(f"<style>.st-key-{name} {{ min-height: {height}px; }}</style>")
        yield
        return
    with st.container(key="alone"):
        yield
        if mode() == "embed":
            with st.container(key="alone_words"):
                st.caption(f"{alt.rstrip('.')}.")


def menu() -> None:
    """On a whole screen: the way to a projector."""
    st.button(
        _("Present"),
        key="present_enter",
        type="tertiary",
        on_click=present,
        args=(True,),
        help=_(
            "One picture in large type, for a projector. Arrow keys go on, D changes light and "
            "dark, F fills the screen, Escape leaves."
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
    with st.container(key="alone_keys"):
        if now == "present":
            st.button(_("Leave"), key="present_leave", on_click=present, args=(False,))
            _listen(key="alone_listen", data={})
        else:
            _hand_on(key="alone_hand_on", data={})


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
    if "__stage" not in st.session_state:
        begin()
    stage: Stage = st.session_state["__stage"]
    return stage


# In somebody's slides: whoever has clicked into the picture still goes on with the arrow keys. The
# page around gets reveal.js's own message; pages that do not know it ignore it.
_hand_on = st.components.v2.component(
    "posenc_hand_on",
    js="""
    const WAYS = { ArrowRight: "next", PageDown: "next", ArrowLeft: "prev", PageUp: "prev" };
    const OWN = "input, textarea, select, [contenteditable], [role=slider], .posenc-chart *";

    function onKey(event) {
      const method = WAYS[event.key];
      if (!method || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target.closest?.(OWN)) return;  // has arrows of its own
      event.stopImmediatePropagation();  // a step of a walk stays where it is
      parent.postMessage(JSON.stringify({ method }), "*");
    }

    export default function () {
      addEventListener("keydown", onKey, true);
      return () => removeEventListener("keydown", onKey, true);
    }
    """,
    isolate_styles=False,
)


_listen = st.components.v2.component(
    "posenc_stage",
    js="""
    const FIELDS = "input:not([type=range], [type=radio]), textarea, select, [contenteditable]";
    const OWN = "input, [role=slider], [role=radio], .posenc-chart *";  // have arrows of their own
    const WAYS = { ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back" };

    // Light becomes dark and back, for this room's projector alone.
    function flip() {
      const app = document.querySelector(".stApp");
      const isDark = getComputedStyle(app).colorScheme.includes("dark");
      const { classList } = document.documentElement;
      classList.toggle("posenc-dark", !isDark);
      classList.toggle("posenc-light", isDark);
      dispatchEvent(new Event("posenc-look"));
    }

    function onKey(event) {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.(FIELDS)) return;
      const press = (key) => document.querySelector(`.st-key-${key} button`)?.click();
      const does = {
        Escape: () => press("present_leave"),
        d: flip,
        f: () => document.fullscreenElement
          ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
      }[event.key];
      const way = WAYS[event.key], list = way && document.querySelector(".st-key-alone_list");
      if (!does && (!list || event.target.closest?.(OWN))) return;
      event.preventDefault();
      event.stopImmediatePropagation();  // a walk's keys are the list's while it is played
      if (does) does();
      else press(`list_${way}`);
    }

    export default function () {
      addEventListener("keydown", onKey, true);
      return () => {
        removeEventListener("keydown", onKey, true);
        document.documentElement.classList.remove("posenc-dark", "posenc-light");
        dispatchEvent(new Event("posenc-look"));
      };
    }
    """,
    isolate_styles=False,
)

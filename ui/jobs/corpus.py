"""Texts of the reader's own, for the lab to train on: chosen, kept for a job, listed, removed."""

import streamlit as st

from lab.queue import texts
from lab.queue.jobs import Lab
from posenc.words import say
from ui import screen
from ui.jobs.desk import acting
from ui.words import _, number

UPLOAD = 16
"""Megabytes of a text; `maxUploadSize` of the server's settings is one more, for the envelope."""


def own_text(lab: Lab | None) -> bytes:
    """The text that the reader chose, stored nowhere yet; nothing is the usual text."""
    if lab is None or not lab.who.may_order:
        return b""
    file = st.file_uploader(
        _("Your own text, for the task text"),
        key="corpus",
        max_upload_size=UPLOAD,
        help=_(
            "A file of plain text, 64 KB to {most} MB. The server keeps the text once a job needs "
            "it, and {days:g} days after the last such job at most. Without a file, the text is "
            "the source of Python's own standard library.",
            most=UPLOAD,
            days=lab.settings.limits.days,
        ),
    )
    _list_texts(lab)
    if file is None:
        return b""
    if file.size > UPLOAD << 20:
        raise ValueError(say("A text may have at most {most} MB; this one has more.", most=UPLOAD))
    return file.getvalue()


def stored(lab: Lab, content: bytes) -> str:
    """Keep a text for a job that is ordered now; its path, "" for the usual text.

    Raises:
        ValueError: If there is no room for it, in a sentence.
    """
    return texts.add(lab, content) if content else ""


def _list_texts(lab: Lab) -> None:
    kept = texts.stored(lab)
    if not kept:
        return
    st.caption(_("Your texts on this server, the one longest unused first:"))
    with screen.guard():
        for text in kept[:20]:
            words, button = st.columns([3, 2], vertical_alignment="center")
            size = number(text.bytes / 1e6, ",.1f")
            words.caption(_("`{name}`, {size} MB", name=text.name[:8], size=size))
            button.button(
                _("Remove"),
                key=f"text_{text.name}",
                on_click=acting,
                args=(texts.remove, lab, text.name),
            )

"""A text of the reader's own, for the lab to train on."""

import streamlit as st

from lab.queue.jobs import Lab
from posenc.words import say
from ui.words import _

UPLOAD = 16  # megabytes


def own_text(lab: Lab | None) -> str:
    """Path of an uploaded text in the lab's folder; "" is the standard library."""
    file = st.file_uploader(
        _("Your own text, for the task text"),
        key="corpus",
        max_upload_size=UPLOAD,
        help=_(
            "A file of plain text, 1 to 16 MB, kept in the lab's folder on the server. Without "
            "one, the text is the source of Python's own standard library."
        ),
    )
    if file is None or lab is None:
        return ""
    content = file.getvalue()
    if len(content) > UPLOAD * 10**6 * 1.05:
        raise ValueError(say("A text may have at most {most} MB; this one has more.", most=UPLOAD))
    return lab.add_corpus(content)

"""The way into the course, from where this browser has been; the server knows nothing of it."""

from course.page import contents
from ui.charts.served import component
from ui.words import translate


def show() -> None:
    """Draw it."""
    words = {name: translate(text) for name, text in contents.WORDS.items()}
    _progress(key="progress", data=contents.progress() | {"words": words})


_progress = component("progress", "course/page/progress.js")

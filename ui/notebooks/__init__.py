"""Every picture as a Jupyter notebook that needs nothing of ours."""

from ui.notebooks.offer import (
    ADDRESS,
    Code,
    begin,
    computed,
    forget,
    has_notebook,
    notebook,
    program,
    screen,
    window,
)

__all__ = [
    "ADDRESS",
    "Code",
    "begin",
    "computed",
    "forget",
    "has_notebook",
    "notebook",
    "program",
    "screen",
    "window",
]

"""The one loop that asks for the state of jobs while the reader looks."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from lab.queue import starting
from lab.queue.database import Unavailable
from lab.queue.jobs import Lab
from lab.queue.records import UNFINISHED, Job
from ui import screen
from ui.words import markdown

Drawn = TypeVar("Drawn")


def polled(
    lab: Lab, look: Callable[[], list[Job]], draw: Callable[[list[Job]], Drawn]
) -> Drawn | None:
    """Draw jobs, anew every second while one of them is not over.

    Returns:
        What `draw` returned when the whole screen was drawn; None where the lab did not answer,
        which is asked again.
    """

    def unfinished(jobs: list[Job]) -> bool:
        return any(job.state in UNFINISHED for job in jobs)

    live = unfinished(look())

    def show() -> Drawn | None:
        try:
            jobs = look()
            if live and unfinished(jobs):
                starting.ensure_worker(lab)
        except Unavailable as error:
            st.error(markdown(error))
            return None
        if live and not unfinished(jobs):
            st.rerun()  # the whole screen: nothing needs to be asked every second any more
        with screen.guard():
            return draw(jobs)
        return None

    return st.fragment(show, run_every=1.0 if live else None)()

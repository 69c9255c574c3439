"""The one loop that asks for the state of jobs while the reader looks."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from lab.queue.jobs import UNFINISHED, Job, Lab

Drawn = TypeVar("Drawn")


def polled(lab: Lab, look: Callable[[], list[Job]], draw: Callable[[list[Job]], Drawn]) -> Drawn:
    """Draw jobs, anew every second while one of them is not over.

    Args:
        lab: Whose jobs they are; somebody is seen to who does them.
        look: Asks for the jobs.
        draw: Draws them.

    Returns:
        What `draw` returned when the whole screen was drawn.
    """

    def unfinished(jobs: list[Job]) -> bool:
        return any(job.state in UNFINISHED for job in jobs)

    live = unfinished(look())

    def show() -> Drawn:
        jobs = look()
        if live and not unfinished(jobs):
            st.rerun()  # the whole screen: nothing needs to be asked every second any more
        if live:
            lab.ensure_worker()
        return draw(jobs)

    return st.fragment(show, run_every=1.0 if live else None)()

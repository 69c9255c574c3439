"""Whether this process can do all of its work: asked by who sends it readers."""

import asyncio

from lab.queue.access import Access
from ui.jobs.desk import lab_of_all

PATIENCE = 3.0
"""Seconds after which a database that says nothing counts as one that does not answer."""


class Readiness:
    """Asks the lab's database, one question at a time: a hanging database holds one thread."""

    def __init__(self) -> None:
        self.asked: asyncio.Task[str] | None = None

    async def missing(self) -> str:
        """Trouble in a sentence; "" where all is well."""
        if self.asked is None or self.asked.done():
            self.asked = asyncio.create_task(asyncio.to_thread(ask_lab))
        done, _ = await asyncio.wait({self.asked}, timeout=PATIENCE)
        if not done:
            return f"The lab's database has not answered within {PATIENCE:g} seconds."
        return self.asked.result()


def ask_lab() -> str:
    """Trouble with the lab in a sentence; "" where it answers, or is closed."""
    if Access.from_environment().mode == "off":
        return ""
    try:
        lab = lab_of_all()
        lab.check()
    except ValueError as error:
        return str(error)
    if lab.settings.is_full:
        megabytes = lab.settings.free_bytes() / 1e6
        return f"The lab's disk has {megabytes:.0f} MB left: no job is started, and others wait."
    return ""

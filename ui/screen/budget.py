"""Limits on computing: for one picture, and for all that is computed for all readers at a time."""

import math
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from posenc.words import say
from ui.controls import address
from ui.memory import memory
from ui.streamlit.run import is_gone
from ui.words import _, number

MEMORY_BUDGET = 512 * 2**20
"""Bytes that one picture may need on the server."""
SMALL = 32 * 2**20
"""Bytes below which a picture is computed at once, whatever others do."""
ASKED_EVERY = 0.25
"""Polling interval of waiting runs, in seconds."""


class Pool:
    """Memory and cores that the large computations of all readers share.

    Args:
        memory: Bytes that they may need together.
        seats: How many are computed at a time.
    """

    def __init__(self, memory: int, seats: int) -> None:
        self.memory = self.whole = memory
        self.seats = seats
        self.waiting = 0
        self.refused = {"too large": 0, "cancelled": 0}
        self._changed = threading.Condition()

    def take(self, needed: int, patience: float) -> bool:
        """Take a seat and memory, waiting for them at most so many seconds."""
        with self._changed:
            free = self._changed.wait_for(
                lambda: self.seats > 0 and self.memory >= needed, patience
            )
            if free:
                self.seats = self.seats - 1
                self.memory = self.memory - needed
            return free

    def give_back(self, needed: int) -> None:
        """Give back what was taken."""
        with self._changed:
            self.seats = self.seats + 1
            self.memory = self.memory + needed
            self._changed.notify_all()


POOL = Pool(4 * MEMORY_BUDGET, max(2, (os.cpu_count() or 1) - 1))


@contextmanager
def room(needed: int, what: str, remedy: str) -> Iterator[None]:
    """Compute something large: refused where it is too large, and after others where it must be.

    Who waits reads a sentence and may cancel; whose page is gone no longer waits.

    Args:
        needed: Bytes it would need at its peak.
        what: What it is, as the subject of a sentence.
        remedy: What to do instead, as a sentence.

    Raises:
        ValueError: If `needed` is above the budget, with both numbers, or the reader has cancelled.
    """
    check_memory(needed, what, remedy)
    with seat(needed):
        yield


@contextmanager
def seat(needed: int) -> Iterator[None]:
    """Compute what takes seconds, or so many bytes, beside no more than the pool allows.

    Raises:
        ValueError: If the reader has cancelled what was computed or waited for.
    """
    if needed < SMALL:
        yield
        return
    needed = min(needed, POOL.whole)  # more than there is would be waited for in vain
    if memory().pop("_app_cancelled", False):
        POOL.refused["cancelled"] += 1
        raise ValueError(say("You cancelled this picture. Move any control to compute it."))
    leave_if_gone()
    if not POOL.take(needed, ASKED_EVERY):
        _wait(needed)
    try:
        yield
    finally:
        POOL.give_back(needed)


def _wait(needed: int) -> None:
    """Until there is room; what is drawn here ends the run of a reader who moves on."""
    address.request_full_rerun()
    place = st.empty()
    since = time.monotonic()
    with place.container():
        words = st.empty()
        cancel_button("cancel_waiting")
    POOL.waiting += 1
    try:
        _until_free(needed, words, since)
    finally:
        POOL.waiting -= 1
    try:
        place.empty()
    except BaseException:  # the reader moved on just now
        POOL.give_back(needed)
        raise


def _until_free(needed: int, words: DeltaGenerator, since: float) -> None:
    while True:
        words.info(
            _(
                "Other readers are computing large pictures on this server. Yours waits for "
                "room: {seconds} s so far.",
                seconds=math.floor(time.monotonic() - since),
            )
        )
        leave_if_gone()
        if POOL.take(needed, ASKED_EVERY):
            return


def cancel_button(key: str) -> None:
    """A button that ends what this reader computes in a `seat`, or waits for."""
    st.button(_("Cancel"), key=key, on_click=_cancel)


def _cancel() -> None:
    memory()["_app_cancelled"] = True


def leave_if_gone() -> None:
    """End the run whose reader has closed the page; long computations ask between their parts."""
    if is_gone():
        st.stop()


def check_memory(needed: int, what: str, remedy: str) -> None:
    """Refuse a computation that would need more than the budget.

    Raises:
        ValueError: If `needed` is above the budget, with both numbers.
    """
    if needed > MEMORY_BUDGET:
        POOL.refused["too large"] += 1
        raise ValueError(
            say(
                "{what} would need {needed} of memory; the limit here is {limit}. {remedy}",
                what=what,
                needed=readable_bytes(needed),
                limit=readable_bytes(MEMORY_BUDGET),
                remedy=remedy,
            )
        )


def readable_bytes(count: float) -> str:
    """Bytes in the largest unit that leaves at least one: 1536 is '1.5 KiB'."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return number(count, ".0f" if unit == "B" else ".1f") + " " + unit
        count /= 1024
    return number(count, ".1f") + " TiB"

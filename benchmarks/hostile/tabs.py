# ruff: noqa: E501, lists of inputs are read by columns
"""The dearest pictures in twelve tabs at once."""

import statistics
import threading
import time

from websockets.exceptions import ConnectionClosed

from benchmarks.hostile.target import Record, Target
from benchmarks.visitor import Tab

BUDGET = 4 * 512 * 2**20
"""Bytes that the large pictures of all readers may take together: `ui.screen.budget.POOL`."""
ROOM = 512 * 2**20
"""Bytes besides: of small pictures, of what is sent, of what a heap keeps."""
LONG = "text=" + "word+" * 590
SHAW = "step=0&view=shaw&length=256&max_distance=60000&head_dim=256"
DEAREST = (
    ("relative", f"{SHAW}&seed=1"),
    ("relative", f"{SHAW}&seed=2"),
    ("relative", SHAW.replace("60000", "100000")),  # refused
    ("absolute", "step=0&view=shift&d_model=3300"),
    ("absolute", "step=0&view=shift&d_model=3200"),
    ("absolute", "step=0&view=learned&source=random&length=8192&new_length=2000&d_model=2048"),
    ("live_attention", f"step=0&model=random&encoding=fire&{LONG}"),
    ("live_attention", f"step=0&model=random&encoding=t5&{LONG}"),
    ("live_attention", f"step=0&{LONG}"),
    ("side_by_side", f"a=fire&b=t5&c=kerple&d=alibi&{LONG}"),
    ("lab", "times=8&method=ntk"),
    ("config", "view=scores&target_length=10000000"),
)


def dear_tabs(target: Target, record: Record) -> str:
    """The dearest pictures in twelve tabs at once: memory at its peak, and a light page meanwhile."""
    before, peak, over = target.memory(), 0, threading.Event()
    light: list[float] = []

    def look() -> None:
        nonlocal peak
        while not over.wait(0.02):
            peak = max(peak, target.memory())

    def read() -> None:
        while not over.wait(0.5):
            begun = time.monotonic()
            with Tab(target.address, "units") as tab:
                tab.run()
            light.append(time.monotonic() - begun)

    def open_one(screen: str, query: str) -> None:
        with Tab(target.address, screen, query) as tab:
            _judged(record, target, tab, (screen, query))

    watchers = [threading.Thread(target=one) for one in (look, read)]
    tabs = [threading.Thread(target=open_one, args=one) for one in DEAREST]
    begun = time.monotonic()
    for thread in (*watchers, *tabs):
        thread.start()
    for thread in tabs:
        thread.join()
    seconds = time.monotonic() - begun
    over.set()
    for thread in watchers:
        thread.join()
    if peak - before > BUDGET + ROOM:
        record.find("memory", f"{(peak - before) / 2**20:.0f} MiB above")
    return (
        f"{len(DEAREST)} dearest tabs at once: {seconds:.1f} s, memory {before / 2**20:.0f} MiB before, "
        f"{peak / 2**20:.0f} MiB at its peak; a light page beside them in "
        f"{statistics.median(light) if light else 0:.1f} s (median)"
    )


def _judged(record: Record, target: Target, tab: Tab, about: object) -> None:
    record.tried["dearest tabs"] += 1
    try:
        page = tab.run()
    except (ConnectionClosed, TimeoutError, OSError) as error:
        record.find(f"no answer ({type(error).__name__})", about)
        return
    if page.exceptions:
        record.find("error box", about)

"""The peak of memory of the dearest pictures of a screen, and what they compute in no seat.

    python -m tests.pages.seats SCREEN

In a process of its own: what an older one has freed and kept would hide a peak, or be one.
"""

import ctypes
import gc
import json
import sys
import time
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.pages.drive import ids, open_screen
from ui.screen.budget import Pool

PEAK = Path("/proc/self/clear_refs")
MMAP_THRESHOLD = -3
WORDS = "ab " * 500
LEFT = {"config": "window", "why_position": "text"}
"""Controls whose most is refused beside that of the others."""


class Charges:
    """What all that is drawn from here on is charged: bytes now and at most, seconds in seats."""

    def __init__(self) -> None:
        self.now = self.most = self.seats = 0
        self.seconds = 0.0
        take, give_back = Pool.take, Pool.give_back

        def taking(pool: Pool, needed: int, patience: float) -> bool:
            if taken := take(pool, needed, patience):
                self._sit(1, needed)
            return taken

        def giving(pool: Pool, needed: int) -> None:
            self._sit(-1, -needed)
            give_back(pool, needed)

        Pool.take = taking  # type: ignore[method-assign]
        Pool.give_back = giving  # type: ignore[method-assign]

    def _sit(self, seats: int, needed: int) -> None:
        if not min(self.seats, self.seats + seats):  # the first comes, or the last goes
            self.seconds -= seats * time.process_time()
        self.seats, self.now = self.seats + seats, self.now + needed
        self.most = max(self.most, self.now)


def memory(name: str) -> int:
    return 1024 * int(Path("/proc/self/status").read_text().split(f"{name}:")[1].split()[0])


def most(app: AppTest, share: float, left: str) -> dict[str, str]:
    """The numbers of a screen, so far up what its controls allow."""
    found = {}
    for one in (*app.number_input, *app.slider):
        if one.key and one.key != "step" and one.max is not None:
            least = one.min or 0
            value = least + share * (one.max - least)
            found[one.key] = str(int(value) if isinstance(one.value, int) else value)
    typed = {one.key for one in (*app.text_input, *app.text_area)}
    found |= {"text": WORDS} if "text" in typed else {}
    return {name: value for name, value in found.items() if name != left}


def dearest(screen: str, view: dict[str, str]) -> dict[str, str]:
    """The settings of the largest picture that is not refused; its modules are then loaded."""
    app, share, asked = open_screen(screen, **view), 1.0, view
    while share > 0.001:
        asked = view | most(app, share, LEFT.get(screen, ""))
        large = open_screen(screen, **asked)
        if not large.error and (more := view | most(large, share, LEFT.get(screen, ""))) != asked:
            large, asked = open_screen(screen, **more), more  # some go as far as others say
        if not large.error:
            break
        share /= 2
    return asked


def peaks(screen: str) -> dict[str, tuple[int, int, float]]:
    """Bytes that each picture takes at its peak, what it is charged, and seconds in no seat."""
    libc = ctypes.CDLL(None)
    libc.mallopt(MMAP_THRESHOLD, 1 << 17)  # what large arrays took is given back at once
    charges, found = Charges(), {}
    groups = open_screen(screen).get("button_group")
    views = next((ids(one) for one in groups if one.key == "view"), [""])
    for name in views:
        asked = dearest(screen, ({"view": name} if name else {}))
        gc.collect()
        libc.malloc_trim(0)
        charges.most = 0
        charges.seconds = 0.0
        PEAK.write_text("5")
        before = memory("VmRSS")
        # Another text and seed, so that nothing of it is kept from before.
        others = {"text": WORDS[::-1], "seed": "1"}
        begun = time.process_time()
        open_screen(screen, **asked | {name: others[name] for name in others if name in asked})
        seconds = time.process_time() - begun - charges.seconds
        found[name] = (memory("VmHWM") - before, charges.most, seconds)
    return found


if __name__ == "__main__":
    print(json.dumps(peaks(sys.argv[1])))

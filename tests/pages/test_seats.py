"""What the dearest pictures take is what they are charged: a seat for all above small."""

import ctypes
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.drive import SCREENS, ids, open_screen
from ui.screen.budget import SMALL, Pool

PEAK = Path("/proc/self/clear_refs")
MMAP_THRESHOLD, USUAL = -3, 32 << 20
WORDS = "ab " * 500
LEFT = {"config": "window", "why_position": "text"}
"""Controls whose most is refused beside that of the others."""
pytestmark = pytest.mark.skipif(
    not os.access(PEAK, os.W_OK), reason="the peak of memory is told by Linux alone"
)


@pytest.fixture
def libc() -> Iterator[ctypes.CDLL]:
    """The C library, which gives back at once what large arrays took."""
    libc = ctypes.CDLL(None)
    libc.mallopt(MMAP_THRESHOLD, 1 << 17)
    yield libc
    libc.mallopt(MMAP_THRESHOLD, USUAL)


@pytest.fixture
def held(monkeypatch) -> list[int]:
    """Bytes that are charged now, and at most."""
    held = [0, 0]
    take, give_back = Pool.take, Pool.give_back

    def taking(pool: Pool, needed: int, patience: float) -> bool:
        taken = take(pool, needed, patience)
        held[0] += taken * needed
        held[1] = max(held)
        return taken

    def giving(pool: Pool, needed: int) -> None:
        held[0] -= needed
        give_back(pool, needed)

    monkeypatch.setattr(Pool, "take", taking)
    monkeypatch.setattr(Pool, "give_back", giving)
    return held


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


@pytest.mark.parametrize("screen", SCREENS)
def test_no_picture_takes_more_than_it_is_charged(screen, libc, held):
    (views,) = [
        ids(one) for one in open_screen(screen).get("button_group") if one.key == "view"
    ] or [[""]]
    for name in views:
        asked = dearest(screen, {"step": "0"} | ({"view": name} if name else {}))
        gc.collect()
        libc.malloc_trim(0)
        held[1] = held[0] = 0
        PEAK.write_text("5")
        before = memory("VmRSS")
        # Another text and seed, so that nothing of it is kept from before.
        others = {"text": WORDS[::-1], "seed": "1"}
        open_screen(screen, **asked | {name: others[name] for name in others if name in asked})
        taken = memory("VmHWM") - before
        assert taken < held[1] + SMALL, f"{name}: {taken >> 20} MiB, charged {held[1] >> 20}"

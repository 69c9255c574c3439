"""The dearest pictures take no more than they are charged: a seat for all above small."""

import json
import os
import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.pages.drive import SCREENS
from tests.pages.seats import PEAK
from ui.screen.budget import SMALL

pytestmark = pytest.mark.skipif(
    not os.access(PEAK, os.W_OK), reason="the peak of memory is told by Linux alone"
)

LONG = 1.0
"""Seconds of the processor that a run may take beside its seats; most was 0.2."""


def charges(screen: str) -> bool:
    """Whether one of its pictures asks for a seat."""
    files = (ROOT / "pages" / screen).glob("*.py")
    return any(re.search(r"\b(seat\(|memory=)", file.read_text("utf-8")) for file in files)


CHARGED = [screen for screen in SCREENS if charges(screen)]
"""The others are measured by `python -m tests.pages.seats SCREEN`."""


def test_some_screens_are_charged_and_some_are_not() -> None:
    assert {"kv_cache", "live_attention", "side_by_side"} < {*CHARGED} < {*SCREENS}


@pytest.mark.slow
@pytest.mark.parametrize("screen", CHARGED)
def test_no_picture_takes_more_than_it_is_charged(screen: str) -> None:
    command = [sys.executable, "-m", "tests.pages.seats", screen]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name, (taken, charged, seconds) in json.loads(told.splitlines()[-1]).items():
        assert taken < charged + SMALL, f"{name}: {taken >> 20} MiB, charged {charged >> 20}"
        assert seconds < LONG, f"{name}: computes for {seconds:.1f} s in no seat"

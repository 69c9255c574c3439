"""What the dearest pictures take is what they are charged: a seat for all above small."""

import json
import os
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


@pytest.mark.parametrize("screen", SCREENS)
def test_no_picture_takes_more_than_it_is_charged(screen: str) -> None:
    command = [sys.executable, "-m", "tests.pages.seats", screen]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name, (taken, charged) in json.loads(told.splitlines()[-1]).items():
        assert taken < charged + SMALL, f"{name}: {taken >> 20} MiB, charged {charged >> 20}"

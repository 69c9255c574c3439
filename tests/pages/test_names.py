"""Names of controls that a screen lists for its address are those that it draws."""

import re
from pathlib import Path

import pages
from pages.config.controls import NAMES as CONFIG
from pages.lab.controls import NAMES as LAB

DRAWN = re.compile(r'controls\.[a-z_]+\(\s*"([a-z]\w*)"')


def drawn(screen: str) -> set[str]:
    folder = Path(*pages.__path__, screen)
    return {name for path in folder.rglob("*.py") for name in DRAWN.findall(path.read_text())}


def test_a_screen_lists_the_controls_that_it_draws():
    assert drawn("lab") == set(LAB)
    assert drawn("config")
    assert drawn("config") <= CONFIG

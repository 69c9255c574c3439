from pathlib import Path

from course.page import menu
from pages.home.links import SCREENS
from posenc.catalogue import CATALOGUE

ROOT = Path(__file__).resolve().parents[3]


def test_every_encoding_has_a_screen_of_the_app():
    assert set(SCREENS) == set(CATALOGUE)
    for name in SCREENS.values():
        assert (ROOT / "pages" / name / "screen.py").is_file()
        assert name in menu.SCREENS

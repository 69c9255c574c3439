import pytest

from scripts.course_data import CHAPTERS, FOLDER, written


@pytest.mark.parametrize("screen", CHAPTERS)
def test_what_a_picture_draws_is_what_was_measured(screen: str) -> None:
    assert (FOLDER / f"{screen}.js").read_text("utf-8") == written(CHAPTERS[screen]())

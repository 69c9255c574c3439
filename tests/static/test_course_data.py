import re

import pytest

from models.files.find import installed
from scripts.course_data import CHAPTERS, FOLDER, written

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
OF_THE_MODEL = ("rope",)
LAST_DIGIT = 0.0015  # a language model on another processor may round the third digit otherwise


@pytest.mark.parametrize("screen", CHAPTERS)
def test_what_a_picture_draws_is_what_was_measured(screen: str) -> None:
    if screen in OF_THE_MODEL and installed() is None:
        pytest.skip("the language model is not installed")
    kept, computed = (FOLDER / f"{screen}.js").read_text("utf-8"), written(CHAPTERS[screen]())
    if screen not in OF_THE_MODEL:
        assert kept == computed
    assert NUMBER.sub("", kept) == NUMBER.sub("", computed)
    found = [[float(one) for one in NUMBER.findall(text)] for text in (kept, computed)]
    assert found[0] == pytest.approx(found[1], rel=0, abs=LAST_DIGIT)

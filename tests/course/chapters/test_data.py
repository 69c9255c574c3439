import json
import platform
import re
import shutil

import pytest
import torch

from course.chapters import COURSE
from course.chapters.absolute.data import BYTES_ALONE, MEASURED, measured
from course.chapters.absolute.data import data as absolute
from course.chapters.why_position.data import IDS
from course.page.chapter import step_words
from course.page.words import chapter
from lab.tasks.corpus import corpus
from models.files.find import installed
from scripts import course_told
from scripts.course_data import WITH_DATA, made, place
from ui.text.tokens import word_tokens

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
OF_THE_MODEL = ("rope", "measured", "live_attention")
LAST_DIGIT = 0.0015  # a language model on another processor may round the third digit otherwise


@pytest.mark.slow
@pytest.mark.parametrize("screen", WITH_DATA)
def test_what_a_picture_draws_is_what_was_measured(screen: str) -> None:
    if screen in OF_THE_MODEL and installed() is None:
        pytest.skip("the language model is not installed")
    kept, computed = place(screen).read_text("utf-8"), made(screen)
    if screen not in OF_THE_MODEL:
        assert kept == computed
    assert NUMBER.sub("", kept) == NUMBER.sub("", computed)
    found = [[float(one) for one in NUMBER.findall(text)] for text in (kept, computed)]
    assert found[0] == pytest.approx(found[1], rel=0, abs=LAST_DIGIT)


@pytest.mark.skipif(platform.python_version() != "3.11.7", reason="its standard library was read")
def test_a_byte_by_its_frequency_costs_what_the_words_say() -> None:
    read = corpus()
    counts = torch.bincount(read.train.long(), minlength=256).double() + 1
    bits = -(counts / counts.sum()).log2()
    cost = bits[torch.tensor(list(b"".join(read.validation)))].mean()
    assert float(cost) == pytest.approx(BYTES_ALONE, abs=0.005)


@pytest.mark.skipif(platform.python_version() != "3.11.7", reason="its standard library was read")
def test_bits_by_place_are_those_of_the_model() -> None:
    kept, found = json.loads(MEASURED.read_text("utf-8")), measured()
    assert found["bits"] == pytest.approx(kept["bits"], abs=0.011)
    assert found["errors"] == pytest.approx(kept["errors"], abs=0.011)


def test_learned_rows_are_like_their_neighbours() -> None:
    made = absolute()
    near, far = made["likeness"][100][99], made["likeness"][100][0]
    assert near > 80 > 0 > far


def test_words_have_the_ids_that_the_screen_gives_them() -> None:
    assert list(IDS) == word_tokens("the dog bites man").ids


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
@pytest.mark.parametrize("name", COURSE)
def test_numbers_of_who_has_no_scripts_are_those_of_the_picture(name: str) -> None:
    kept = course_told.place(name).read_text("utf-8")
    assert kept == course_told.made(chapter(name))
    words = "".join(step_words(chapter(name), step, "h2") for step in chapter(name).steps)
    assert words.count("…") == (name == "measured")  # how far off the reader's own curve is

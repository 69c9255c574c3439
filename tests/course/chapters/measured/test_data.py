"""The keys that the picture of Measured shows stand in the texts that were asked about."""

import pytest

from course.chapters.measured.data import ASKED, LENGTHS, TEXTS, WAYS, data
from models.files.find import installed
from models.measuring.passkey import KEY_TEXT, NAMES, quiz
from models.opened import open_model
from models.results.losses import bits
from models.results.tables import SLIDE, Way, load, usual_length, way


def test_a_key_stands_where_it_is_drawn_amid_the_filler() -> None:
    found = installed()
    if found is None:
        pytest.skip("the language model is not installed")
    model, made = open_model(found), data()
    decode, filler = model.vocabulary.tokenizer.decode, made["filler"]
    for length in LENGTHS:
        its = made["keys"][str(length)]
        for text in range(TEXTS):
            context = quiz(model, length, text).context
            for place, after, (name, number) in zip(
                its["places"], its["filler"], made["asked"][text], strict=True
            ):
                told = KEY_TEXT.format(name=name, number=number)
                before = "".join(filler[(after - back) % len(filler)] for back in (3, 2, 1))
                following = "".join(filler[(after + on) % len(filler)] for on in range(3))
                around = decode(context[max(0, place - 3) : place + 60])
                assert around.startswith((before if place else "") + told + following)


def test_what_was_asked_was_asked_of_every_key() -> None:
    for length in LENGTHS:
        rows = [row for row in load().passkeys if int(row["length"]) == length]
        for method in ASKED:
            asked = [(row["text"], row["name"]) for row in rows if way(row) == WAYS[method]]
            assert len(asked) == len(set(asked)) == TEXTS * len(NAMES)


def test_yarn_by_2_costs_more_than_the_window_in_each_text() -> None:
    its = load()
    half, length, trained = Way("yarn", 2.0), usual_length(its.losses), its.about.trained
    gains = bits(its, length, [half, SLIDE]).gain(half, SLIDE, trained, length)
    assert len(gains.values) == 6
    assert min(gains.values) > 0

"""Bad input gets one clear sentence, and the page goes on working."""

import pytest

from tests.pages.drive import address, figures, open_screen, sentences


def only_sentence(app) -> str:
    assert not app.exception
    said = sentences(app)
    assert len(said) == 1, said
    return said[0]


@pytest.mark.parametrize("typed", ["1, nan, 3, 4", "one, two"])
def test_numbers_that_are_none(typed):
    app = open_screen("rope", view="Score")
    app.text_input(key="query").set_value(typed).run()
    assert "Query q" in only_sentence(app)
    assert figures(app)


def test_a_text_of_a_megabyte_is_refused_and_kept():
    app = open_screen("why_position")
    text = "word " * 200_000
    app.text_area(key="text").set_value(text).run()
    assert "1,000,000 characters" in only_sentence(app)
    assert app.text_area(key="text").value == text
    assert "text" not in address(app)
    assert figures(app)


def test_an_empty_text_explains_itself():
    app = open_screen("why_position")
    app.text_area(key="text").set_value("   \n").run()
    assert not app.exception
    assert sentences(app) == []
    assert figures(app)
    assert any(one.value.startswith("Type a text") for one in app.info)


def test_a_text_of_signs_that_are_no_words_draws_something():
    app = open_screen("cope")
    app.text_area(key="text").set_value("😀😀 👩‍👩‍👧").run()
    assert not app.exception
    assert sentences(app) == []
    assert figures(app)


def test_what_needs_too_much_memory_is_refused_with_the_number():
    app = open_screen("side_by_side", tokens="bytes", num_heads="16")
    app.text_area(key="text").set_value("a b " * 2000).run()
    sentence = only_sentence(app)
    assert "GiB" in sentence
    assert "512.0 MiB" in sentence


def test_a_parameter_that_no_control_has_is_named():
    told = "The address says `width`, which is no setting here."
    app = open_screen("rope", width="200", view="matrix", rotation_cell="0,1", utm_source="mail")
    assert only_sentence(app) == told
    assert only_sentence(app.run()) == told
    both = "The address says `foo`, `b·r`, which are no settings here."
    assert only_sentence(open_screen("rope", **{"foo": "1", "b*r": "2"})) == both


@pytest.mark.parametrize(
    "screen", ["config", "engines", "home", "lab", "live_attention", "own", "pitfalls"]
)
def test_a_screen_of_its_own_kind_names_such_a_parameter_too(screen):
    told = "The address says `foo`, which is no setting here."
    assert only_sentence(open_screen(screen, foo="1")) == told
    assert sentences(open_screen(screen)) == []


def test_a_part_of_a_name_is_that_of_the_control_which_has_it():
    told = "The address says `heads`, which is no setting here. Is `num_heads` meant?"
    assert only_sentence(open_screen("alibi", heads="12")) == told


def test_a_misspelt_parameter_is_told_with_the_nearest_name():
    app = open_screen("alibi", num_head="12", utm_source="mail")
    told = "The address says `num_head`, which is no setting here. Is `num_heads` meant?"
    assert only_sentence(app) == told
    assert figures(app)
    assert only_sentence(app.run()) == told
    assert sentences(open_screen("alibi", num_heads="12")) == []

"""A screen's settings are its own: they wait for the return and reach no other screen."""

import numpy as np
import pytest

from tests.pages.drive import (
    SCREENS,
    address,
    figures,
    go_to,
    open_screen,
    sentences,
)
from ui.streamlit import run

SENTENCE = "one two three"


@pytest.fixture
def back(monkeypatch):
    """A function that goes back to an address, as the browser's button does."""

    def go(app, screen, **query):
        with monkeypatch.context() as patch:
            patch.setattr(run, "is_history", lambda: True)
            return go_to(app, screen, **query)

    return go


def check_clean(app):
    assert not app.exception
    assert sentences(app) == []
    assert address(app) == {}
    assert figures(app)


def press(app, key, name):
    next(group for group in app.get("button_group") if group.key == key).set_value(name).run()


def test_a_sentence_stays_on_its_screen():
    app = open_screen("why_position")
    example = open_screen("cope").text_area(key="text").value
    app.text_area(key="text").set_value(SENTENCE).run()
    go_to(app, "cope")
    check_clean(app)
    assert app.text_area(key="text").value == example
    app.text_area(key="text").set_value("Another.").run()
    go_to(app, "why_position")
    assert app.text_area(key="text").value == SENTENCE
    assert address(app) == {"text": [SENTENCE]}
    go_to(app, "cope")
    assert address(app) == {"text": ["Another."]}


def test_where_a_chart_was_zoomed_to_stays_on_its_screen():
    app = open_screen("rope", view="angles")
    zoom = {"r": [0.0, 1.0, 2.0, 5.0], "w": 500, "h": 300, "whole": False, "rev": ""}
    app.session_state["angles"] = {"view": zoom, "cell": None}
    app.run()
    assert address(app)["angles_window"] == ["2:6, 0:2"]
    go_to(app, "absolute", view="shift")
    assert "angles_window" not in app.session_state
    assert "_chart_view_angles" not in app.session_state["_app"]
    go_to(app, "rope")
    assert address(app) == {"view": ["angles"], "angles_window": ["2:6, 0:2"]}


def test_a_link_with_parameters_says_all_else_nothing():
    app = open_screen("rope", head_dim="8", layout="half", view="matrix")
    go_to(app, "alibi")
    go_to(app, "rope", head_dim="32")
    assert address(app) == {"head_dim": ["32"]}
    go_to(app, "alibi")
    go_to(app, "rope")
    assert address(app) == {"head_dim": ["32"]}


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_that_is_gone_back_to_is_as_it_was_left(back, screen):
    app = open_screen(screen)
    numbers = (*app.slider, *app.number_input)
    movable = [one for one in numbers if one.value is not None and one.value + one.step <= one.max]
    if movable:
        movable[0].set_value(movable[0].value + movable[0].step).run()
        assert address(app), "the address holds the change"
    left, shown = address(app), [figure["data"] for figure, _ in figures(app)]
    go_to(app, "cope" if screen == "alibi" else "alibi")
    check_clean(app)
    back(app, screen, **left)
    assert not app.exception
    for same in (app, open_screen(screen, **left)):
        assert address(same) == left
        np.testing.assert_equal([figure["data"] for figure, _ in figures(same)], shown)


def test_a_text_too_long_for_an_address_is_there_again(back):
    app = open_screen("kv_cache")
    text = "again and again " * 100
    app.text_area(key="text").set_value(text).run()
    assert "text" not in address(app)
    go_to(app, "rope")
    back(app, "kv_cache")
    assert app.text_area(key="text").value == text


def test_a_control_not_drawn_keeps_its_value():
    app = open_screen("rope", view="angles", value="sin")
    press(app, "view", "hands")
    assert address(app) == {}
    press(app, "view", "angles")
    assert address(app) == {"view": ["angles"], "value": ["sin"]}


def test_a_parameter_waits_for_the_control_that_reads_it():
    app = open_screen("rope", value="sin", dtype="float64")
    assert address(app) == {"value": ["sin"], "dtype": ["float64"]}
    assert sentences(app) == []
    press(app, "view", "precision")
    assert "dtype = float64" in sentences(app)[0]
    assert address(app) == {"view": ["precision"], "value": ["sin"]}

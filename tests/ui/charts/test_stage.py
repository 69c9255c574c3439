"""One picture alone: what is drawn, what the address says, and the ways in and out."""

from streamlit.testing.v1 import AppTest

from tests.pages.drive import address, figures, moving, open_screen, sentences


def keys(app: AppTest) -> list[str]:
    return [figure["key"] for figure, _ in figures(app)]


def test_presenting_is_one_picture_and_a_line() -> None:
    app = open_screen("measured", present="1", view="keys")
    assert keys(app) == ["found"]
    assert [chart["staged"] for chart, _ in figures(app)] == [True]
    assert not app.get("tab")
    assert address(app)["present"] == ["1"]
    app.button(key="present_leave").click().run()
    assert "present" not in address(app)
    assert address(app)["view"] == ["keys"]
    assert len(app.get("tab")) == 4
    app.button(key="present_enter").click().run()
    assert address(app)["present"] == ["1"]
    assert keys(app) == ["found"]


def test_a_picture_is_shown_with_settings_of_the_address() -> None:
    app = open_screen("absolute", present="1", picture="curve", view="similarity", d_model="8")
    assert keys(app) == ["curve"]
    assert [title.value for title in app.title] == [
        "How do sine waves tell position 7 from position 8, and what does a learned table do "
        "instead?"
    ]
    assert float(figures(app)[0][0]["data"][0]["y"][0]) == 4.0, "of eight channels"
    app = open_screen("why_position", present="1", picture="slide")
    assert moving(app, "slide")["staged"] is True


def test_home_presents_the_picture_that_it_opens_with() -> None:
    app = open_screen("home", present="1")
    assert keys(app) == []
    assert moving(app, "idea")["staged"] is True
    assert keys(open_screen("home", present="1", picture="places")) == ["places"]


def test_one_picture_of_live_attention_is_presented() -> None:
    assert keys(open_screen("live_attention", present="1")) == ["both"]
    assert keys(open_screen("live_attention", present="1", stage="weights")) == ["stage_matrix"]
    for picture in ("stage_matrix", "whole"):
        assert keys(open_screen("live_attention", present="1", picture=picture)) == [picture]


def test_a_presented_pitfall_has_its_name() -> None:
    app = open_screen("pitfalls", present="1", pitfall="layout")
    ((figure, _size),) = figures(app)
    assert figure["layout"]["title"]["text"].startswith("Layout not converted: ")


def test_a_wrong_name_or_number_gets_a_sentence() -> None:
    app = open_screen("absolute", present="1", picture="`<b>waves`", view="similarity")
    assert keys(app) == []
    assert sentences(app) == [
        "This screen has no picture `bwaves` now. Pictures here: `similarity`, `curve`."
    ]
    (sentence,) = sentences(open_screen("absolute", present="banana"))
    assert sentence == "`present` in the address may be 1 or 0. The whole screen is shown."


def test_controls_that_were_not_shown_are_told_what_they_say():
    app = open_screen("rope", present="1", view="matrix", n="3")
    assert {one.key for one in app.number_input} == {"head_dim", "m"}, "what is changed first"
    app.button(key="present_leave").click().run()
    assert app.number_input(key="n").proto.set_value
    assert app.number_input(key="n").value == 3

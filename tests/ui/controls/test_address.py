"""Controls with ids and labels: what they return, keep and write into the address."""

import json
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from tests.conftest import PATIENCE
from tests.pages.drive import address, ids, preset, presets, sentences
from ui import controls
from ui.controls.claims import nearest
from ui.streamlit import run

SCRIPT = """
import streamlit as st
from ui import controls
from ui.streamlit import run
from ui.controls import address

LETTERS = {"alpha": "Alpha, the first", "beta": "Bêta", "gamma": "Gamma"}
with address.visit("here", ["here", "there"]):
    controls.sentences_here()
    options = dict(list(LETTERS.items())[: st.session_state.get("_app_few", 3)])
    controls.presets(
        {
            "start": ("The start", {"view": "alpha", "many": ["alpha"]}),
            "other": ("Something else", {"view": "beta", "many": []}),
        }
    )
    view = controls.choice("view", "Picture", options, wide=True, help="One.")
    listed = controls.choice("listed", "List", LETTERS, "beta", help="One of a list.")
    many = controls.choices("many", "Many", LETTERS, ["alpha"], help="Some.")
    most = st.session_state.get("_app_most", 10)
    whole = controls.number("whole", "Whole", 3, 0, most, help="A number.")
    part = controls.slider("part", "Part", 0.5, 0.0, 1.0, step=0.1, help="A number.")
    power = controls.powers("power", "Power", 8, 2, 64, help="A power.")
    on = controls.toggle("on", "On", True, help="A switch.")
    line = controls.line("line", "Line", "5, 1", help="A line.")
    tabs = controls.tabs("tab", {"one": "Erster", "two": "Zweiter"})
    st.session_state["_app_said"] = {
        "view": view, "listed": listed, "many": many, "whole": whole, "part": part,
        "power": power, "on": on, "line": line,
        "tab": [name for name, tab in tabs.items() if tab.open],
    }
"""
DEFAULTS = {
    "view": "alpha",
    "listed": "beta",
    "many": ["alpha"],
    "whole": 3,
    "part": 0.5,
    "power": 8,
    "on": True,
    "line": "5, 1",
    "tab": ["one"],
}


def opened(**query) -> AppTest:
    app = AppTest.from_string(SCRIPT, default_timeout=PATIENCE)
    app.query_params.update(query)
    return app.run()


def said(app: AppTest) -> dict:
    assert not app.exception
    return app.session_state["_app_said"]


def group(app: AppTest, key: str):
    return next(one for one in app.get("button_group") if one.key == key)


def steps(app: AppTest) -> int:
    proto = next(
        element.proto
        for element in app.get("bidi_component")
        if element.proto.component_name == "posenc_address"
    )
    return int(json.loads(proto.json)["step"])


def test_defaults_need_no_address():
    app = opened()
    assert said(app) == DEFAULTS
    assert address(app) == {}
    assert preset(app) == "start"


def test_a_choice_is_an_id_and_a_label_on_the_screen():
    app = opened()
    assert group(app, "view").options == ["Alpha, the first", "Bêta", "Gamma"]
    assert ids(group(app, "view")) == ["alpha", "beta", "gamma"]
    group(app, "view").set_value("beta").run()
    app.selectbox(key="listed").set_value("gamma").run()
    app.multiselect(key="many").set_value(["beta", "gamma"]).run()
    assert said(app) == DEFAULTS | {"view": "beta", "listed": "gamma", "many": ["beta", "gamma"]}
    assert address(app) == {"view": ["beta"], "listed": ["gamma"], "many": ["beta", "gamma"]}
    assert app.session_state["view"] == "beta"


WRITTEN = {
    "view": "gamma",
    "listed": "alpha",
    "many": ["gamma", "beta"],
    "whole": "7",
    "part": "0.25",
    "power": "32",
    "on": "false",
    "line": "1:2, 3:4",
    "tab": "two",
}


def test_an_address_sets_what_it_writes_again():
    app = opened(**WRITTEN)
    assert said(app) == {
        "view": "gamma",
        "listed": "alpha",
        "many": ["gamma", "beta"],
        "whole": 7,
        "part": 0.25,
        "power": 32,
        "on": False,
        "line": "1:2, 3:4",
        "tab": ["two"],
    }
    expected = {key: raw if isinstance(raw, list) else [raw] for key, raw in WRITTEN.items()}
    assert address(app) == expected
    assert sentences(app) == []
    app.run()
    assert address(app) == expected


def test_nothing_chosen_is_an_address_too():
    app = opened(many="")
    assert said(app)["many"] == []
    assert address(app) == {"many": [""]}


def test_the_case_of_an_id_does_not_matter_and_a_label_will_do():
    assert said(opened(view="BETA", tab="Two")) == DEFAULTS | {"view": "beta", "tab": ["two"]}
    assert said(opened(view="bêta", tab="zweiter")) == DEFAULTS | {"view": "beta", "tab": ["two"]}


def test_of_many_options_the_nearest_are_named():
    options = {f"id{n}": f"Encoding {n}" for n in range(23)} | {"t5": "T5 bias"}
    assert nearest("t5bias", options) == (
        "`t5` (T5 bias), `id0` (Encoding 0), `id1` (Encoding 1), `id2` (Encoding 2), "
        "`id3` (Encoding 3) and 19 others"
    )
    few = dict(list(options.items())[:6])
    assert nearest("id5", few).startswith("`id5` (Encoding 5), ")
    assert "others" not in nearest("", few)


def test_a_parameter_is_named_as_the_address_writes_it():
    script = SCRIPT.replace(
        "    whole = ", '    address.renamed("entire", "whole", str)\n    whole = '
    )
    app = AppTest.from_string(script, default_timeout=PATIENCE)
    app.query_params["entire"] = "11"
    (sentence,) = sentences(app.run())
    assert sentence.startswith("The address says `entire = 11`; allowed here: ")


def test_what_was_perhaps_meant_is_named():
    (sentence,) = sentences(opened(view="Gama"))
    assert sentence.startswith("The address says `view = Gama`, perhaps for `view = ")
    (sentence,) = sentences(opened(view="zz"))
    assert "perhaps" not in sentence


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("view", "Bête", "beta (Bêta), alpha (Alpha, the first), gamma. Using Alpha, the first."),
        ("listed", "delta", "beta (Bêta), alpha (Alpha, the first), gamma. Using Bêta."),
        ("many", "gamme", "gamma, alpha (Alpha, the first), beta (Bêta). Using Alpha, the first."),
        ("tab", "drei", "one (Erster), two (Zweiter). Using Erster."),
        ("whole", "11", "a whole number from 0 to 10. Using 3."),
        ("whole", "2.5", "a whole number from 0 to 10. Using 3."),
        ("whole", "9" * 400, "a whole number from 0 to 10. Using 3."),
        ("part", "nan", "0 to 1. Using 0.5."),
        ("power", "9", "the powers of 2 from 2 to 64. Using 8."),
        ("on", "perhaps", "true, false. Using true."),
    ],
)
def test_a_bad_parameter_is_told_until_a_control_moves(key, value, allowed):
    app = opened(**{key: value})
    (sentence,) = (sentence.replace("`", "") for sentence in sentences(app))
    assert sentence.startswith(f"The address says {key} = {value[:40]}")
    assert sentence.endswith(f"; allowed here: {allowed}")
    assert said(app) == DEFAULTS
    assert address(app) == {}
    assert len(sentences(app.run())) == 1
    moved = app.text_input(key="line") if key == "on" else app.toggle(key="on")
    assert sentences(moved.set_value("1" if key == "on" else False).run()) == []
    assert sentences(app.run()) == []


def test_a_wrong_address_is_told_until_closed():
    app = opened(whole="11", many="delta")
    (both,) = sentences(app.run())
    assert "whole" in both
    assert "many" in both
    app.button(key="close_said").click().run()
    assert sentences(app) == []
    assert sentences(app.run()) == []


def test_each_moved_control_is_one_step_of_the_history():
    app = opened(whole="4")
    assert steps(app) == 0
    for to in (0.75, 0.8, 0.6):
        app.slider(key="part").set_value(to).run()
        assert steps(app) == 1
    app.number_input(key="whole").set_value(5).run()
    assert steps(app) == 2
    app.slider(key="part").set_value(0.7).run()
    assert steps(app) == 3
    app.toggle(key="on").set_value(False)
    app.text_input(key="line").set_value("2, 2").run()
    assert steps(app) == 4
    app.run()
    assert steps(app) == 4


def test_each_picture_and_each_preset_is_a_step():
    app = opened()
    for number, name in enumerate(("gamma", "beta"), 1):
        group(app, "view").set_value(name).run()
        assert steps(app) == number
    presets(app)["other"].click().run()
    assert steps(app) == 3
    assert said(app)["view"] == "beta"
    assert said(app)["many"] == []
    assert preset(app) == "other"
    app.number_input(key="whole").set_value(5).run()
    assert steps(app) == 4


def test_a_preset_is_marked_for_the_address_that_it_makes():
    assert preset(opened(view="beta", many="")) == "other"
    assert preset(opened(view="beta")) is None


def test_only_a_value_outside_new_limits_goes_back():
    app = opened(whole="9")
    app.session_state["_app_most"] = 5
    assert said(app.run())["whole"] == 3
    app.number_input(key="whole").set_value(4).run()
    app.session_state["_app_most"] = 20
    assert said(app.run())["whole"] == 4
    group(app, "view").set_value("beta").run()
    app.session_state["_app_few"] = 2
    assert said(app.run())["view"] == "beta"
    app.session_state["_app_few"] = 1
    assert said(app.run())["view"] == "alpha"


def test_parameters_of_a_frame_around_the_app_are_none_of_ours():
    app = opened(embed="true", whole="4")
    assert parse_qs("whole=4") == address(app)


def test_a_page_at_a_new_server_shows_what_it_showed(monkeypatch):
    # Streamlit's page then sends its widgets' values, and the address that it was opened at.
    monkeypatch.setattr(run, "held_by_browser", lambda: {"whole": "", "view": ""})
    app = AppTest.from_string(SCRIPT, default_timeout=PATIENCE)
    app.query_params.update(whole="5", line="1:2, 3:4")
    app.session_state["whole"], app.session_state["view"] = 7, "gamma"
    told = said(app.run())
    assert (told["whole"], told["view"]) == (7, "gamma")
    assert told["line"] == "1:2, 3:4"  # the browser holds no such control: it was not drawn
    assert address(app) == {"whole": ["7"], "view": ["gamma"], "line": ["1:2, 3:4"]}
    assert said(app.run())["whole"] == 7


def test_a_browser_brings_the_address_that_it_showed_last(monkeypatch):
    held = {"length": "1"}
    monkeypatch.setattr(run, "held_by_browser", lambda: held)
    assert controls.address._last_address() is None
    held["address"] = '{"again": ["?view=score&embed=true&step=", 1]}'
    assert controls.address._last_address() == {"view": ["score"], "step": [""]}
    forged = ("", "{", "[1]", '"x"', '{"again": null}', '{"again": []}', '{"again": [1]}')
    for said in (*forged, "[" * 100_000):
        held["address"] = said
        assert controls.address._last_address() is None


def test_a_first_run_that_is_given_up_asks_no_old_address(monkeypatch):
    monkeypatch.setattr(run, "held_by_browser", lambda: {"whole": ""})
    drawn = "    controls.sentences_here()"
    script = GIVEN_UP + SCRIPT.replace(drawn, f"    given_up()\n{drawn}")
    app = AppTest.from_string(script, default_timeout=PATIENCE)
    app.query_params.update(whole="5")
    app.session_state["whole"] = 7
    app.run()
    assert said(app.run())["whole"] == 7


def test_what_a_browser_does_not_show_yet_is_sent_again(monkeypatch):
    # Two runs may follow each other before the page has drawn anything of the first.
    with monkeypatch.context() as slow:
        slow.setattr(run, "held_by_browser", dict)
        app = opened(whole="5").run()
        assert app.number_input(key="whole").proto.set_value
    app.run()
    assert not app.number_input(key="whole").proto.set_value  # it may be moving
    assert said(app)["whole"] == 5


GIVEN_UP = """
import streamlit as st

def given_up():
    if "_app_once" not in st.session_state:
        st.session_state["_app_once"] = True
        st.stop()

"""

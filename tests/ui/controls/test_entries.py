"""Controls of a dataclass: each field is one, and may depend on those before it."""

from streamlit.testing.v1 import AppTest

from tests.conftest import PATIENCE


def page() -> None:
    from dataclasses import dataclass
    from typing import Any

    import streamlit as st

    from posenc.words import say
    from ui import controls

    help = say("A control.")

    @dataclass(frozen=True, kw_only=True)
    class Settings:
        heads: int = controls.entry(controls.number, say("Heads"), 4, 1, 9, help=help)
        head: int = controls.entry(
            controls.number, say("Head"), 0, 0, lambda s: s.heads - 1, help=help
        )
        shared: bool = controls.entry(controls.toggle, say("Shared"), help=help)
        group: Any = controls.entry(
            controls.number, say("Group"), 2, 1, 4, help=help, when=lambda s: s.shared
        )
        order: str = controls.entry(
            controls.choice,
            say("Order"),
            {"a": "A", "b": "B"},
            "b",
            help=help,
            when=lambda s: s.shared,
        )

    st.text(repr(controls.read(Settings)).partition("(")[2])


def test_every_field_is_a_control_in_order_and_has_its_default():
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert [one.label for one in app.number_input] == ["Heads", "Head"]
    assert app.text[0].value == "heads=4, head=0, shared=False, group=2, order='b')"


def test_a_limit_may_depend_on_an_earlier_field():
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert app.number_input(key="head").max == 3
    app.number_input(key="heads").set_value(7).run()
    assert app.number_input(key="head").max == 6


def test_a_field_is_asked_for_only_where_it_means_something():
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    app.toggle(key="shared").set_value(True).run()
    app.number_input(key="group").set_value(3).run()
    assert app.text[0].value == "heads=4, head=0, shared=True, group=3, order='b')"
    app.toggle(key="shared").set_value(False).run()
    assert app.text[0].value == "heads=4, head=0, shared=False, group=2, order='b')"


def named() -> None:
    from dataclasses import dataclass

    import streamlit as st

    from posenc.words import say
    from ui import controls

    @dataclass(frozen=True, kw_only=True)
    class Settings:
        words: str = controls.entry(controls.line, say("Words"), "", help=say("A control."))

    controls.read(Settings)
    st.text(controls.changed())


def test_a_long_text_is_not_told_with_the_one_before() -> None:
    app = AppTest.from_function(named, default_timeout=PATIENCE).run()
    assert app.text[0].value == "[]"
    app.text_input(key="words").set_value("two words").run()
    assert app.text[0].value == "['Words: two words']"
    app.text_input(key="words").set_value("more words than a name of a file takes").run()
    assert app.text[0].value == "[]"

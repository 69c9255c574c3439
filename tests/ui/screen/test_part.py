"""A moved control draws its part of a screen alone, and the page is as if it were opened anew."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.server import served
from benchmarks.visitor import Page, Tab

OWN_SETTINGS = ("value", "set_value", "values", "raw_value", "raw_values", "default")
"""Fields of a control's value: a browser knows those of the controls that it moved."""


class Seen(Tab):
    """A browser that remembers what it shows, the last address, and how much the last run sent."""

    def __init__(self, *what) -> None:
        super().__init__(*what)
        self.shown: dict[tuple[int, ...], tuple[str, str, str]] = {}
        self.address = ""

    def run(self, *states, fragment: str = "", **more) -> Page:
        before, self.shown, self.part = self.shown, {}, fragment
        self.told = 0
        page = super().run(*states, fragment=fragment, **more)
        kept = {path: what for path, what in before.items() if what[0] != fragment}
        self.sent = set(self.shown)
        self.shown = (kept if self.part else {}) | self.shown
        return page

    def answers(self) -> Iterator[ForwardMsg]:
        for message in super().answers():
            if message.WhichOneof("type") == "delta":
                self._see(message)
            elif message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                self.shown, self.part = {}, ""  # the whole screen comes instead
            yield message

    def _see(self, message: ForwardMsg) -> None:
        delta, path = message.delta, tuple(message.metadata.delta_path)
        if not delta.HasField("new_element"):
            self.shown[path] = delta.fragment_id, "block", str(delta.add_block)
            return
        element = Element.FromString(delta.new_element.SerializeToString())
        kind = element.WhichOneof("type")
        what = getattr(element, kind)
        if kind == "bidi_component" and what.component_name == "posenc_address":
            self.address = json.loads(what.json)["query"]
            self.told += 1
            return
        element.ClearField("has_one_shot_effect")
        for name in set(OWN_SETTINGS) & set(what.DESCRIPTOR.fields_by_name):
            what.ClearField(name)
        self.shown[path] = delta.fragment_id, kind, str(element)


Open = Callable[[str, str], Seen]


@pytest.fixture(scope="module")
def opened() -> Iterator[Open]:
    with ExitStack() as stack:
        server = stack.enter_context(served("app.py"))

        def open_page(screen: str, query: str) -> Seen:
            tab = stack.enter_context(Seen(server.address, screen, query))
            tab.open()
            return tab

        yield open_page


@pytest.mark.parametrize(
    ("screen", "query", "key", "value"),
    [
        ("alibi", "", "head", 3),
        ("kv_cache", "", "original_length", 7),
        ("rope", "view=score", "base", 1005),
    ],
)
def test_a_moved_page_is_as_one_that_is_opened_at_its_address(
    opened: Open, screen: str, query: str, key: str, value: int
) -> None:
    moved = opened(screen, query)
    whole, before = len(moved.sent), dict(moved.shown)
    moved.move(key, value)
    assert f"{key}=" in moved.address
    assert len(moved.sent) < 0.8 * whole
    assert moved.told == 1
    fresh = opened(screen, moved.address)
    assert fresh.address == moved.address
    assert seen(moved.shown) == seen(fresh.shown) != seen(before)


def seen(shown: dict[tuple[int, ...], tuple[str, str, str]]) -> dict[tuple[int, ...], list[str]]:
    """Elements by place, without times."""
    return {
        path: [kind, re.sub(r"[\d.,]+ ms", "? ms", told)] for path, (_, kind, told) in shown.items()
    }


def test_a_tab_that_shows_the_settings_follows_a_move(opened: Open) -> None:
    page = opened("alibi", "tab=code")
    (before,) = [what for _, kind, what in page.shown.values() if kind == "code"]
    page.move("num_heads", 16)
    (after,) = [what for _, kind, what in page.shown.values() if kind == "code"]
    assert ("num_heads = 8" in before, "num_heads = 16" in after) == (True, True), after

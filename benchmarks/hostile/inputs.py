# ruff: noqa: E501, SIM905, lists of inputs are read as words
"""Addresses and controls with what no page of this app would put there."""

import json
import random
import urllib.parse
from functools import partial
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.hostile.trial import LINK, ROOT, Trial
from benchmarks.visitor import Tab, Widget, cookie_of

NAMES = sorted(
    path.parent.name for path in (ROOT / "pages").glob("*/*.py") if path.stem in ("screen", "page")
)
WORDS = (
    *r"""0 -1 1e999 nan inf -inf 1e-999 0x10 ١٢ true null None [] {} ' " \ % %00 {0} {x.__class__}
    ${7*7} {{7*7}} <script>alert(1)</script> `code` $x^{2}$ :material/bolt: :red[x] x 1,2,3 1:2 2:1
    -5:5 0:999999999 1e5 3.5 -- ![x](https://elsewhere.example/)""".split(),
    *("", " ", "\0", "\n", "\u202eabc", "\u200b", "\ud7ff", "a b c", "1, , 2", LINK),
    *("9" * 400, "a" * 5000, "字" * 2000, "é" * 100, "👩‍👩‍👧‍👦" * 50),
    "../../etc/passwd",
    "<img src=x onerror=alert(1)>",
    "| a | b |\n|---|---|",
    "; DROP TABLE lab_jobs; --",
)
NUMBERS = (
    *map(float, "nan inf -inf -1 0 0.5 1.5 1e9 1e18 1e300 -1e300 5e-324".split()),
    *(2.0**31, 2.0**53 + 2, 2.0**63, 2.0**64),
)
OF_PAGES = ("step", "view", "embed", "present", "picture", "lang", "list", "item", "part")


def hostile(draw: random.Random) -> str:
    """A text, or a number as one."""
    return draw.choice(WORDS) if draw.random() < 0.6 else str(draw.choice(NUMBERS))


def addresses(trial: Trial, draw: random.Random, count: int) -> None:
    """Parameters of every screen with what no screen writes there."""
    known = {}
    for name in NAMES:
        with Tab(trial.address, name, "") as tab:
            known[name] = [key.rsplit("-", 1)[-1] for key in tab.run().widgets]
    for _ in range(count):
        screen = draw.choice(NAMES)
        keys = [*known[screen], *OF_PAGES]
        chosen = {draw.choice(keys): hostile(draw) for _ in range(3)}
        with Tab(trial.address, screen, urllib.parse.urlencode(chosen)) as tab:
            trial.page("addresses", (screen, chosen), tab.run)


def controls(trial: Trial, draw: random.Random, count: int) -> None:
    """Values that no control of a page can have, and after each a page that still answers."""
    cookie = cookie_of(trial.address)
    for screen in NAMES:
        left = max(1, count // len(NAMES))
        while left > 0:
            with Tab(trial.address, screen, "", Cookie=cookie) as tab:
                left -= _until_refused(trial, draw, tab, left)


def _until_refused(trial: Trial, draw: random.Random, tab: Tab, most: int) -> int:
    """Move controls of a page until Streamlit has refused a value, which its session then keeps."""
    page = tab.run()
    for done in range(most):
        usable = [
            one
            for one in page.widgets.values()
            if "button" not in one.kind or one.kind == "button_group"
        ]
        if not usable:
            return most
        widget = draw.choice(usable)
        # A part of the screen that has been drawn anew is no longer asked by its old name.
        fragment = draw.choice((widget.fragment, ""))
        value = value_for(widget, draw)
        about = (tab.screen, widget.element.id.rsplit("-", 1)[-1], str(value)[:200])
        told = trial.page(
            f"controls: {widget.kind}", about, partial(tab.run, value, fragment=fragment)
        )
        if told is None or told.exceptions:
            return done + 1
        page = told if told.widgets else tab.run()
    return most


def value_for(widget: Widget, draw: random.Random) -> WidgetState:
    """A value of the kind that a browser sends for a control, out of its range."""
    state = WidgetState(id=widget.element.id)
    word = hostile(draw)
    number = draw.choice(NUMBERS)
    twice = draw.randint(1, 2)
    match widget.kind:
        case "number_input":
            state.double_value = number
        case "slider" if not widget.element.options:
            state.double_array_value.data.extend([number] * twice)
        case "slider" | "button_group" | "multiselect":
            state.string_array_value.data.extend([word] * twice)
        case "text_input" | "text_area" | "selectbox" | "radio":
            state.string_value = word
        case "checkbox":
            state.bool_value = draw.choice((True, False))
        case _:
            state.json_value = draw.choice(reports(draw))
    return state


def reports(draw: random.Random) -> list[str]:
    """Reports that a picture might send: its window, a click, its state."""
    number = draw.choice((1e308, -1, 0, 2**70, 1e-300, "x", None, True, [], {}))
    word = hostile(draw)
    window = {"r": [number] * 4, "w": number, "h": number, "rev": word, "whole": number}
    cell = dict.fromkeys(("x", "y", "z", "curve", "frame", "at"), number)
    cell |= {"i": [number] * draw.randint(0, 3), "rev": word}
    state = dict.fromkeys(("m", "n", "pair", "content", "at", "way", "p"), number)
    state |= {"method": word, "encoding": word}
    made: dict[str, Any] = {"view": window, "cell": cell, "report": state}
    parts = [{name: one} for name in made for one in (made[name], {}, word, number)]
    whole = [json.dumps(part) for part in (*parts, {"view": window, "cell": cell})]
    return [*whole, "", "[", "NaN", "[]", "9" * 5000, '{"view": NaN}', word]


def wrong_types(trial: Trial, draw: random.Random, count: int) -> None:
    """Values of another kind than a control has. Streamlit refuses them: the page must come back."""
    values: tuple[dict[str, Any], ...] = (
        {"string_value": "x"},
        {"double_value": 1.5},
        {"double_array_value": {"data": [1, 2, 3]}},
        {"json_value": "{}"},
        {"bytes_value": b"\xff"},
        {"trigger_value": True},
        {"string_array_value": {"data": ["x"] * 99}},
    )
    for _ in range(count):
        screen = draw.choice(NAMES)
        with Tab(trial.address, screen, "") as tab:
            name = draw.choice(list(tab.run().widgets))
            told = tab.run(WidgetState(id=name, **draw.choice(values)))
            trial.tried["controls: of another kind"] += 1
            trial.search("\n".join(told.texts + told.exceptions), screen)
        with Tab(trial.address, screen, "") as tab:
            if tab.run().exceptions:
                trial.find("a screen that does not come back", (screen, name))

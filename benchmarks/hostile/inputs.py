# ruff: noqa: E501, SIM905, lists of inputs are read as words
"""Addresses and controls with what no page of this app would put there."""

import json
import random
import urllib.parse
from functools import partial
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.hostile.target import LINK, ROOT, Record, Target, judged
from benchmarks.visitor import Tab, cookie_of

UP = "../" * 2
NAMES = sorted(
    path.parent.name for path in (ROOT / "pages").glob("*/*.py") if path.stem in ("screen", "page")
)
WORDS = (
    *r"""0 -1 1e999 nan inf -inf 1e-999 0x10 ١٢ true null None [] {} ' " \ % %00 {0} {x.__class__}
    ${7*7} {{7*7}} <script>alert(1)</script> `code` $x^{2}$ :material/bolt: :red[x] x 1,2,3 1:2 2:1
    -5:5 0:999999999 1e5 3.5 -- ![x](https://elsewhere.example/)""".split(),
    *("", " ", "\0", "\n", "\u202eabc", "\u200b", "\ud7ff", "a b c", "1, , 2", LINK),
    *("9" * 400, "a" * 5000, "字" * 2000, "é" * 100, "👩‍👩‍👧‍👦" * 50),
    f"{UP}etc/passwd",
    "<img src=x onerror=alert(1)>",
    "| a | b |\n|---|---|",
    "; DROP TABLE lab_jobs; --",
)
NUMBERS = (
    *map(float, "nan inf -inf -1 0 0.5 1.5 1e9 1e18 1e300 -1e300 5e-324".split()),
    *(2.0**31, 2.0**53 + 2, 2.0**63, 2.0**64),
)
OF_PAGES = ("step", "view", "embed", "present", "picture", "lang", "list", "item", "part")


def addresses(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Parameters of every screen with what no screen writes there."""
    known = {name: parameters_of(target, name) for name in NAMES}
    for _ in range(count):
        screen = draw.choice(NAMES)
        keys = [*known[screen], *OF_PAGES]
        chosen = {draw.choice(keys): hostile(draw) for _ in range(draw.randint(1, 4))}
        query = urllib.parse.urlencode(chosen | ({} if "step" in chosen else {"step": "0"}))
        with Tab(target.address, screen, query) as tab:
            judged(record, target, "addresses", tab.run, (screen, chosen))


def parameters_of(target: Target, screen: str) -> list[str]:
    """The keys of the controls that a screen draws."""
    with Tab(target.address, screen, "step=0") as tab:
        return [name.rsplit("-", 1)[-1] for name in tab.run().widgets]


def hostile(draw: random.Random) -> str:
    """A text, or a number as one."""
    return draw.choice(WORDS) if draw.random() < 0.6 else str(draw.choice(NUMBERS))


def controls(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Values that no control of a page can have, and after each a page that still answers."""
    cookie = cookie_of(target.address)
    for screen in NAMES:
        left = max(1, count // len(NAMES))
        while left > 0:
            with Tab(target.address, screen, "step=0", Cookie=cookie) as tab:
                left -= _until_refused(target, record, draw, tab, left)


def _until_refused(target: Target, record: Record, draw: random.Random, tab: Tab, most: int) -> int:
    """Move controls of a page until Streamlit has refused a value, which its session then keeps."""
    page = tab.run()
    for done in range(most):
        usable = [
            one for one in page.widgets.values() if "button" not in one[0] or "group" in one[0]
        ]
        if not usable:
            return most
        kind, element, fragment = draw.choice(usable)
        # A part of the screen that has been drawn anew is no longer asked by its old name.
        fragment = fragment if draw.random() < 0.5 else ""
        value = value_for(kind, element, draw)
        about = (tab.screen, element.id.rsplit("-", 1)[-1], str(value)[:200])
        told = judged(
            record, target, f"controls: {kind}", partial(tab.run, value, fragment=fragment), about
        )
        if told is None or told.exceptions:
            return done + 1
        page = told if told.widgets else tab.run()
    return most


def value_for(kind: str, element: Any, draw: random.Random) -> WidgetState:
    """A value of the kind that a browser sends for a control, out of its range."""
    state = WidgetState(id=element.id)
    word = hostile(draw)
    number = draw.choice(NUMBERS)
    if kind == "number_input":
        state.double_value = number
    elif kind == "slider" and element.options:
        state.string_array_value.data.extend([word] * draw.randint(1, 2))
    elif kind == "slider":
        state.double_array_value.data.extend([number] * draw.randint(1, 2))
    elif kind in ("text_input", "text_area") or kind in ("selectbox", "radio"):
        state.string_value = word
    elif kind in ("button_group", "multiselect"):
        state.string_array_value.data.extend([word] * draw.randint(1, 2))
    elif kind in ("checkbox",):
        state.bool_value = draw.random() < 0.5
    else:
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
    made = {"view": window, "cell": cell, "report": state}
    parts = [{name: one} for name in made for one in (made[name], {}, word, number)]
    whole = [json.dumps(part) for part in (*parts, {"view": window, "cell": cell})]
    return [*whole, "", "[", "NaN", "[]", "9" * 5000, '{"view": NaN}', word]


def wrong_types(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Values of another kind than a control has. Streamlit refuses them: the page must come back."""
    for _ in range(count):
        screen = draw.choice(NAMES)
        with Tab(target.address, screen, "step=0") as tab:
            page = tab.run()
            _, element, _ = draw.choice(list(page.widgets.values()))
            state = WidgetState(id=element.id)
            draw.choice(
                (
                    lambda s: setattr(s, "string_value", "x"),
                    lambda s: setattr(s, "double_value", 1.5),
                    lambda s: s.double_array_value.data.extend([1, 2, 3]),
                    lambda s: setattr(s, "json_value", "{}"),
                    lambda s: setattr(s, "bytes_value", b"\xff"),
                    lambda s: setattr(s, "trigger_value", True),
                    lambda s: s.string_array_value.data.extend(["x"] * 99),
                )
            )(state)
            record.tried["controls: of another kind"] += 1
            told = tab.run(state)
            record.search("\n".join(told.texts + told.exceptions), screen, target.secrets)
        with Tab(target.address, screen, "step=0") as tab:
            if tab.run().exceptions:
                record.find("a screen that does not come back", (screen, element.id))

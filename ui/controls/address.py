"""Settings of each screen, kept apart from every other screen, and the address that states them.

Streamlit can bind a widget to the address (`bind="query-params"`), and no widget here is bound.
Tried with one screen on 1.67: the label that the reader sees is what the address gets and takes, so
that a link works in one language alone (`test_what_is_chosen_is_an_id_everywhere_and_a_label_on_
the_screen` fails); a value that is not allowed is dropped without a word, and an odd one is taken
where the step is 2 (`test_a_bad_parameter_is_told_until_a_control_moves`); and moves
of a slider are no step for Back (`test_back_undoes_a_picture_a_preset_show_me_and_the_
moves_of_a_control`). The controls of `widgets` go through this file instead:

- `claim` before the widget is drawn: its value is what the address asks for, what it was when
  this screen was last seen, or its default.
- `note` after it: the value is remembered for this screen, and belongs into its address if it is
  not the default.

`navigation.py` runs a screen inside `visit`, which puts away what the session knows of the screen
before and, once the screen is drawn, tells the browser its address. The address is read when it is
news: when the session begins, when the reader goes back or forward, and when a link has parameters.
In every other run it only follows.

Back goes to what was seen before. A screen is a step; on a screen each of these is one: a picture,
an example, "Show me" (whatever calls `step`), a link to the screen that it stands on, and a control
that is moved. Moves of the same control that follow one another are one step, so Back undoes all of
a drag, and then leaves the control that was moved before. What is moved there and back is none.

Widgets have names without an underscore; what else a screen remembers stands in `ui.memory`.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any
from urllib.parse import parse_qs, urlencode

import streamlit as st

from ui.charts.served import component, no_callback
from ui.memory import memory
from ui.streamlit import run
from ui.words import language

MAX_URL_TEXT = 1500
"""Longest text that is kept in the address: servers refuse much longer ones."""
SESSION = "_app_visits"
READ_AGAIN = "_app_read_again"
WHOLE = "_app_whole"
LINKED = "linked"
"""Parameter of a link to the screen that it stands on, which Streamlit sends as it sends a move.

It counts the links that were followed: in a window of its own, Streamlit's page sends the address
that it was opened at with every move.
"""


@dataclass
class Screen:
    """The session's memory of one screen."""

    values: dict[str, Any] = field(default_factory=dict)
    """Control to value, also of the controls that are not drawn just now."""
    asked: dict[str, list[str]] = field(default_factory=dict)
    """Parameters of an address that no control has read yet."""
    shown: dict[str, list[str]] = field(default_factory=dict)
    """Parameters of the controls drawn in this run that do not stand at their defaults."""
    noted: dict[str, tuple[int, Any]] = field(default_factory=dict)
    """Control to the reading of the address that it follows, and what it said last."""
    drawn: dict[str, tuple[int, Any]] = field(default_factory=dict)
    """Control to the reading of the address that it follows, and its limits."""
    refused: dict[str, Any] = field(default_factory=dict)
    """Control to a value that is not allowed, which was not taken."""
    older: dict[str, str] = field(default_factory=dict)
    """Control to the name that the address has for it, where that is an older one."""
    complaints: list[str] = field(default_factory=list)
    """Sentences on what is wrong with the address, until a control is moved."""
    memory: dict[str, Any] = field(default_factory=dict)
    """Its entries of memory, while another screen is open."""
    reading: int = 0
    """How often an address has decided what this screen is set to."""
    inside: set[str] = field(default_factory=set)
    """Controls of the part that a move draws alone."""


@dataclass
class Visits:
    """The screens of one session."""

    name: str = ""
    names: Sequence[str] = ()
    """Those of all screens."""
    screens: dict[str, Screen] = field(default_factory=dict)
    everywhere: Mapping[str, str | None] = field(default_factory=dict)
    """Parameters of the app and of no screen; None where the address does not have one now."""
    links: int = 0
    """Links that were followed to the screen on which they stood."""
    steps: int = 0
    """History steps made on a screen; the browser adds an entry when the number has grown."""
    moved: set[str] = field(default_factory=set)
    """Controls that were moved since the address was written last."""
    moving: frozenset[str] = frozenset()
    """Controls whose further moves belong to the last step."""
    is_step: bool = False
    """Whether what was done since the address was written last is a step already."""
    reconnected: frozenset[str] = frozenset()
    """Widgets not drawn yet that have values, in a session whose browser was there before.

    Streamlit's page then asks with the address that it was opened at, which is old by now; and
    it may ask again before the first run has drawn everything.
    """
    held: frozenset[str] = frozenset()
    """Widgets whose values the browser sent with this run: it shows them.

    Of any other it may not know: the run that set it was cut off or followed at once by another,
    or the control was not drawn while a picture was presented.
    """
    in_part: bool = False
    """While the part of a screen is drawn whose moves draw nothing else."""
    parts: int = 0
    """Runs that have drawn only a part; the browser hears of the next whole run."""


@contextmanager
def visit(
    name: str, names: Sequence[str] = (), everywhere: Mapping[str, str | None] | None = None
) -> Iterator[None]:
    """Run a screen on its own state, and then write its address.

    Args:
        name: The last part of its path, empty for the start page.
        names: The same of every screen.
        everywhere: Parameters of the app, which stay in the address from screen to screen.
    """
    visits = _visits()
    asked = _asked()
    kept = memory()
    first = SESSION not in kept
    again = _is_asked_again()
    is_linked = not first and _link() > visits.links
    visits.links = max(visits.links, _link())
    visits.held = frozenset(run.held_by_browser())
    kept[SESSION] = visits
    changed = visits.name != name
    visits.everywhere = everywhere = everywhere or {}
    asked = {key: raw for key, raw in asked.items() if key not in everywhere}
    if first:
        visits.reconnected = visits.held
        if (last := _last_address()) is not None:
            asked = {key: raw for key, raw in last.items() if key not in everywhere}
        asked = {key: raw for key, raw in asked.items() if key not in visits.reconnected}
    elif changed:
        visits.reconnected = frozenset()
        _leave(visits)
    visits.name = name
    here = visits.screens.setdefault(name, Screen())
    if changed:
        kept.update(here.memory)
    if is_linked:
        visits.steps += 1
    kept.pop(READ_AGAIN, None)
    if changed:
        here.complaints = []
    if is_linked or again or (first and not visits.reconnected) or (changed and asked):
        # An address cannot say what was too long for it: a long text stays when it is gone back to.
        here.values = {k: v for k, v in here.values.items() if run.is_history() and _long(v)}
        here.asked = asked
        here.older = {}
        here.reading += 1
        here.complaints = []
    here.shown = {}
    visits.names = names
    is_other = changed or is_linked or again
    if is_other:
        visits.moving = frozenset()
    yield
    if is_other:  # what differs now was moved by nobody
        visits.moved.clear()
    _mount(data=_data(visits) | {"whole": True}, key="address", on_again_change=no_callback)


def is_news(name: str) -> bool:
    """Whether the address of this run was asked for, and does not only follow; before `visit`."""
    is_new = SESSION not in memory() or _visits().name != name
    return is_new or _is_asked_again() or _link() > _visits().links


def linked(name: str, query: Mapping[str, str | Sequence[str]]) -> dict[str, str | Sequence[str]]:
    """The parameters of a link, told apart from a move where it leads to its own screen."""
    visits = _visits()
    return {**query, LINKED: str(visits.links + 1)} if name == visits.name else {**query}


@contextmanager
def part() -> Iterator[None]:
    """Draw the part of a screen that moves draw alone: what it shows takes the place of before."""
    visits = _visits()
    alone = run.only_a_part()
    here = _here(visits)
    visits.held = frozenset(run.held_by_browser())
    around = {}
    if alone:
        visits.reconnected = frozenset()
        around = {key: raw for key, raw in here.shown.items() if key not in here.inside}
        here.shown = {}
    here.inside = set()
    visits.in_part = True
    try:
        yield
    finally:  # also where the reader moves on while this is drawn
        visits.in_part = False
        here.shown |= around


def request_full_rerun() -> None:
    """Go on in a run of the whole screen: what takes long there ends when the reader moves on.

    Streamlit ends a run for another of the whole screen, and never for one of a part.
    """
    memory()[WHOLE] = True
    if _visits().in_part:
        st.rerun()


def pop_full_rerun() -> bool:
    """Whether a run of the whole screen was requested; the request is then forgotten."""
    return bool(memory().pop(WHOLE, False))


def follow_part() -> None:
    """Write the address after a run of a part alone, in which `visit` does not run."""
    visits = _visits()
    visits.parts += 1
    _mount(data=_data(visits), key="address_part")


def claim(
    key: str,
    default: Any,
    *,
    read: Callable[[list[str]], Any],
    fits: Callable[[Any], bool],
    limits: Any,
) -> str | None:
    """Give a control its value in session state, before its widget is drawn.

    Args:
        key: The control.
        default: Its value before anybody touches it.
        read: Makes the value of what stands in the address; a ValueError if it cannot.
        fits: Whether a value is allowed.
        limits: Equal as long as the widget is the same for Streamlit, which forgets the value of
            one whose label, options or range are new.

    Returns:
        What stands in the address, if that is not allowed; the default is then in its place.
    """
    visits = _visits()
    state = st.session_state
    here = _here(visits)
    wrong = None
    before = here.drawn.get(key)
    now = (here.reading, limits)
    here.drawn[key] = now
    there = key in state and (before is None or before[0] == here.reading)
    if key in here.asked:
        raw = here.asked.pop(key)
        try:
            value = read(raw)
        except (ValueError, OverflowError):
            wrong = raw[-1]
        else:
            wrong = None if fits(value) else raw[-1]
        value = default if wrong is not None else value
    elif there:
        value = state[key]
        if before == now and fits(value) and key in visits.held:
            return None  # written again, it would set back a slider that is moving
        if not fits(value):
            here.refused[key] = value
            value = here.values.get(key, default)
    elif key in visits.reconnected:
        return None
    else:
        value = here.values.get(key, default)
    state[key] = value if fits(value) else default
    return wrong


def refused(key: str) -> Any:
    """A control's value that was typed or chosen before, and is not allowed; asks once."""
    return _here().refused.pop(key, None)


def complaints() -> list[str]:
    """Sentences on what is wrong with the address, for more of them; empty once a control moves.

    A run that nobody asked for, as for what the browser keeps, leaves them where they are.
    """
    here = _here()
    state = st.session_state
    noted = here.noted.items()
    if any(read == here.reading and state.get(key, said) != said for key, (read, said) in noted):
        here.complaints = []
    return here.complaints


def note(key: str, value: Any, default: Any, *, packed: str | None = None) -> None:
    """Remember what a control says, once its widget is drawn.

    Args:
        key: The control.
        value: What it says.
        default: What it says before anybody touches it; that does not stand in the address.
        packed: What stands in the address instead of the value; "" for nothing.
    """
    visits = _visits()
    here = _here(visits)
    here.values[key] = value
    reading, before = here.noted.get(key, (-1, None))
    if reading == here.reading and before != value:
        visits.moved.add(key)
    here.noted[key] = here.reading, value
    visits.reconnected -= {key}
    here.shown.pop(key, None)
    if visits.in_part:
        here.inside.add(key)
    if packed:
        here.shown[key] = [packed]
    elif packed is None and value != default and not _long(value):
        here.shown[key] = written(value)
    if run.only_a_part() and not visits.in_part:  # a smaller one: `visit` does not run
        visits.parts += 1
        _mount(data=_data(visits), key=f"address_{key}")


def value(key: str, default: Any = None) -> Any:
    """Value of a control of this screen, also where it is not drawn or not yet."""
    here = _here()
    state = st.session_state
    if key in state and here.drawn.get(key, (here.reading,))[0] == here.reading:
        return state[key]
    return here.values.get(key, default)


def agrees(key: str, wanted: Any, default: Any) -> bool:
    """Whether a control of this screen says so, or is asked for it by the address."""
    here = _here()
    if key in here.asked:
        return here.asked[key] == written(wanted)
    return written(value(key, default)) == written(wanted)


def asked_for(key: str) -> str:
    """Value in this screen's address of a parameter that no control reads; "" if there is none."""
    return _here().asked.get(key, [""])[-1]


def from_browser(key: str, read: Callable[[list[str]], Any], default: Any) -> Any:
    """Value from the address, without a widget, for when only the session is lost."""
    try:
        return read(st.query_params.get_all(key))
    except (ValueError, IndexError):
        return default


LONGEST_NAME, MOST_NAMES = 40, 20
"""Letters of a typed name, and names, that are compared with those of controls."""
NO_SETTINGS = {"lang", "picture", "present", "story", "step", "tab", LINKED}
"""Parameters of the app itself; those of advertisements, "utm_…", say nothing to it either."""


def misspelt(names: Collection[str]) -> list[tuple[str, str]]:
    """Parameters of the address that no control has, each with the name that is nearly the same.

    Where no name is, it is "". Once the pictures are drawn, which have controls of their own.
    """
    asked = _here().asked
    known = {*names, *NO_SETTINGS, *_here().values}
    unknown = [key for key in asked if key not in known and not key.startswith("utm_")][:MOST_NAMES]
    found = []
    for key in unknown:
        near = [name for name in sorted(names) if key in name.split("_")]
        if not near and len(key) <= LONGEST_NAME:
            near = get_close_matches(key, names, n=1, cutoff=0.8)
        del asked[key]
        found.append((key, near[0] if near else ""))
    return found


def is_set(key: str) -> bool:
    """Whether a control has been drawn on this screen, or the address or a click asks for it."""
    here = _here()
    return key in here.asked or key in here.values or key in st.session_state


def is_shown(key: str) -> bool:
    """Whether a control stands in the address: it has been drawn, and not with its default."""
    return key in _here().shown


def put(key: str, value: Any) -> None:
    """Set a control before its widget is drawn: from a callback, or from a click on a picture."""
    here = _here()
    here.asked.pop(key, None)
    here.values[key] = value
    if key in st.session_state:
        st.session_state[key] = value


def read_again() -> None:
    """The next run's address decides what its screen is set to, also where the screen stays."""
    memory()[READ_AGAIN] = True


def elsewhere(name: str) -> dict[str, Any]:
    """Values of another screen's controls; changes hold once it is opened."""
    return _visits().screens.setdefault(name, Screen()).values


def here_as_text(home: str) -> str:
    """This screen as it is, in the words of its address: "rope?view=score&length=64"."""
    visits = _visits()
    here = _here()
    query = urlencode(here.asked | here.shown, doseq=True, safe=",:")
    return (visits.name or home) + (f"?{query}" if query else "")


def renamed(key: str, to: str, is_old: Callable[[str], bool]) -> None:
    """Read a parameter of an old link under the new name of its control."""
    asked = _here().asked
    if key in asked and is_old(asked[key][-1]):
        asked.setdefault(to, asked.pop(key))
        _here().older[to] = key


def written_as(key: str) -> str:
    """Name of a control's parameter as the address has it."""
    return _here().older.get(key, key)


def otherwise(key: str, value: str) -> None:
    """Let an address that says nothing of a control ask for a value that is not its default."""
    here = _here()
    if key not in here.values:  # it has not been drawn since the address was read
        here.asked.setdefault(key, [value])


def merged(were: Mapping[str, str], to: str) -> None:
    """Read several parameters of an old link, with these defaults, as the one of today."""
    asked = _here().asked
    if were.keys() & asked.keys():
        values = [asked.pop(key, [default])[-1] for key, default in were.items()]
        asked.setdefault(to, [", ".join(values)])


def step() -> None:
    """Make the reader's present action a step of its own for Back."""
    visits = _visits()
    visits.steps += 1
    visits.is_step = True


def written(value: Any) -> list[str]:
    """A value as the address has it; a list has one entry for each, or an empty one."""
    if isinstance(value, list | tuple):
        return [str(item) for item in value] or [""]
    if isinstance(value, bool):
        return [str(value).lower()]
    return [f"{value:.15g}" if isinstance(value, float) else str(value)]


def _long(value: Any) -> bool:
    return isinstance(value, str) and len(value) > MAX_URL_TEXT


def _visits() -> Visits:
    # A script without `visit` has one screen, whose address is read once.
    visits = memory().get(SESSION)
    return visits if isinstance(visits, Visits) else Visits()


def _here(visits: Visits | None = None) -> Screen:
    visits = _visits() if visits is None else visits
    if visits.name not in visits.screens:
        visits.screens[visits.name] = Screen(asked=_asked())
        memory()[SESSION] = visits
    return visits.screens[visits.name]


def _asked() -> dict[str, list[str]]:
    return {key: st.query_params.get_all(key) for key in st.query_params if key != LINKED}


def _link() -> int:
    """The number of the link that this run follows; 0 for none."""
    said = st.query_params.get(LINKED, "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 9 else 0


def _is_asked_again() -> bool:
    """Whether a step in the history or a program asks for an address, whatever screen it has."""
    return run.is_history() or READ_AGAIN in memory()


def _leave(visits: Visits) -> None:
    kept = memory()
    ours = {name: kept.pop(name) for name in [*kept] if not name.startswith("_app")}
    visits.screens[visits.name].memory = {
        name: value for name, value in ours.items() if not name.startswith("__")
    }
    for name in [name for name in map(str, st.session_state) if not name.startswith("_app")]:
        del st.session_state[name]


def _last_address() -> dict[str, list[str]] | None:
    """The parameters that a browser showed when its line broke, if it was there before."""
    said = run.held_by_browser().get("address")
    if not said:
        return None
    try:
        asked = parse_qs(json.loads(said)["again"][0].removeprefix("?"), keep_blank_values=True)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None  # no page of ours has sent that
    return {key: raw for key, raw in asked.items() if not key.startswith("embed")}


def _data(visits: Visits) -> dict[str, Any]:
    here = _here(visits)
    _count(visits)
    # A parameter that no control has read yet may be of one that is not drawn just now.
    everywhere = {key: value for key, value in visits.everywhere.items() if value is not None}
    query = everywhere | here.asked | here.shown
    return {
        "query": urlencode(query, doseq=True, safe=",:"),
        "step": visits.steps,
        "link": visits.links,
        "language": language(),
        "parts": visits.parts,
        "elsewhere": [other for other in visits.names if other != visits.name],
    }


def _count(visits: Visits) -> None:
    """Count a step for Back where other controls were moved than in the last one."""
    if visits.is_step:
        visits.moving = frozenset()
    elif not visits.moved <= visits.moving:
        visits.steps += 1
        visits.moving = frozenset(visits.moved)
    visits.is_step = False
    visits.moved.clear()


_mount = component("address", "screen/address.js")

"""A list of addresses of this app that is shown one after the other: what it may hold, and playing.

The list is itself an address: `/playlist?list=course/rope/lock absolute?view=shift`. While it is
played, `list` and `item` stand in the address of every screen and of every step of the course,
beside `present=1`; a step is a plain page, and `course/page/present.js` goes on from there.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from course.chapters import COURSE
from course.page.menu import FIGURES
from course.page.words import chapter, step_at
from posenc.catalogue import CATALOGUE
from posenc.scaling.methods import METHODS
from posenc.words import say
from ui.charts import stage
from ui.charts.served import component
from ui.controls import address
from ui.controls.claims import listed
from ui.memory import memory
from ui.screen import course
from ui.screen.lesson import PAGES
from ui.words import _, translate

PLAYED = "_app_list"  # in memory, while a list is played
OWN = "_app_list_own"  # in memory, once the list is the reader's own
KEPT = "playlist_kept"
SCREEN, LIST, ITEM = "playlist", "list", "item"
HOME = "home"
PICTURES = {address: title for title, address, *_words in FIGURES}
NAMES = {name: one.title for name, one in (METHODS | CATALOGUE).items() if name != "none"}
"""Names of settings by their ids: encodings and methods of scaling."""
SCREENS = sorted(path.parent.name for path in PAGES.glob("*/screen.py"))
MOST, MOST_CHARS, MOST_FIELDS = 60, 4000, 40
NOT_SETTINGS = {stage.PRESENT, LIST, ITEM}

TOO_LONG = say(
    "A playlist holds at most {most} addresses of {chars:,} characters together. The last ones "
    "are left out.",
    most=MOST,
    chars=MOST_CHARS,
)


@dataclass(frozen=True)
class Entry:
    """One address of a playlist."""

    screen: str
    """Its id; "course/rope/lock" for a step of the course, "course/rope" for a chapter."""
    settings: tuple[tuple[str, str], ...] = ()
    """Parameters in their order; a name may come twice."""

    @property
    def packed(self) -> str:
        """As it stands in a list: "rope?view=score", without spaces."""
        return self.screen + (f"?{urlencode(self.settings, safe=',:')}" if self.settings else "")

    @property
    def is_of_course(self) -> bool:
        """Whether it is a plain page."""
        return self.screen.startswith("course/")


def entry(line: str, screens: Collection[str], here: str) -> Entry:
    """Read one address, whole or without its beginning.

    Args:
        line: "rope?view=score", "/rope?view=score" or "https://this.app/rope?view=score".
        screens: Ids of the screens there are.
        here: An address of this app, for comparison.

    Raises:
        ValueError: If it is not an address of a screen of this app, with what is allowed.
    """
    shown = plain(line)
    try:
        parts = urlsplit(line)
        ours = urlsplit(here)
        fields = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise ValueError(say("This is not an address: {line}", line=shown)) from None
    if (parts.scheme or parts.netloc) and (parts.scheme, parts.netloc) != (
        ours.scheme,
        ours.netloc,
    ):
        raise ValueError(
            say(
                "Another site cannot be part of a playlist: {line}. Only screens of {here} can be "
                "added.",
                line=shown,
                here=f"{ours.scheme}://{ours.netloc}",
            )
        )
    kept = [
        (key, value)
        for key, value in fields
        if key not in NOT_SETTINGS and not key.lower().startswith("embed")
    ]
    if found := _step(parts.path, dict(kept).get("step", ""), shown):
        return Entry(found)
    name = parts.path.strip("/").rsplit("/")[-1] or HOME
    if name not in screens:
        raise ValueError(
            say(
                "There is no screen of this name: {line}. The screens are {names}.",
                line=shown,
                names=listed(list(screens)),
            )
        )
    return Entry(name, tuple(pair for pair in kept if pair != ("step", "0")))


def _step(path: str, step: str, shown: str) -> str:
    """A page of the course as an entry has it; "" for another page.

    Args:
        path: "/course/rope/lock/"; "/rope" in addresses of earlier times.
        step: Id or number of the step in such an address.
        shown: The address as it may be said again.

    Raises:
        ValueError: If the course has no such chapter or step.
    """
    _before, is_course, rest = f"/{path.strip('/')}/".rpartition("/course/")
    if is_course:
        name, _slash, step = rest.strip("/").partition("/")
    else:
        name = path.strip("/").rpartition("/")[2]
    if name not in COURSE:
        if is_course and name:
            told = {"line": shown, "names": listed(COURSE)}
            raise ValueError(
                say("There is no chapter of this name: {line}. The chapters are {names}.", **told)
            )
        return ""
    lesson, at = step_at(name, step)
    if is_course and step and not at:
        told = {"line": shown, "names": listed([one.id for one in lesson.steps])}
        raise ValueError(
            say("There is no step of this name: {line}. The steps are {names}.", **told)
        )
    if not at and not is_course and name in SCREENS:
        return ""
    return f"course/{lesson.id}" + (f"/{lesson.steps[at - 1].id}" if at else "")


def entries(
    lines: Sequence[str], screens: Collection[str], here: str
) -> tuple[list[Entry], list[str]]:
    """Read a playlist; what cannot be part of it is left out.

    Returns:
        The entries, and a sentence for each line that is none, and for a list that is too long.
    """
    found: list[Entry] = []
    wrong: list[str] = []
    for line in filter(None, map(str.strip, lines[: MOST + 1])):
        try:
            found.append(entry(line, screens, here))
        except ValueError as error:
            wrong.append(error.args[0])
    while len(found) > MOST or len(packed(found)) > MOST_CHARS:
        if not wrong or wrong[-1] is not TOO_LONG:
            wrong.append(TOO_LONG)
        found.pop()
    return found, wrong


def packed(found: Sequence[Entry]) -> str:
    """A playlist as its address has it."""
    return " ".join(one.packed for one in found)


def link(found: Sequence[Entry]) -> str:
    """The parameter of the page that opens with this playlist."""
    return urlencode({LIST: packed(found)}, safe=",:?=/")


def settle(*, is_news: bool) -> None:
    """Settle what is played; for the start of a whole run."""
    state = memory()
    query = st.query_params
    if stage.mode() != "present":
        left = state.pop(PLAYED, "")
        if left and not is_news:  # by Leave or Escape: where it began
            address.read_again()
            st.switch_page(course.script_of(SCREEN), query_params={LIST: left})
    elif is_news and LIST in query:
        state[PLAYED], state["_app_item"] = query[LIST][:MOST_CHARS], _number(query.get(ITEM, "1"))


def parameters() -> dict[str, str | None]:
    """The playlist's parameters in the address of every screen, while it is played."""
    state = memory()
    if PLAYED not in state:
        return {}
    return {LIST: state[PLAYED], ITEM: str(state["_app_item"])}


def keys() -> None:
    """While a list is played: the ways to its next and its last address, for keys and remotes."""
    state = memory()
    if PLAYED not in state:
        return
    found, _wrong = entries(state[PLAYED].split(), SCREENS, st.context.url or "")
    at = min(max(state["_app_item"], 1), max(len(found), 1))
    with st.container(key="alone_list", horizontal=True, vertical_alignment="center"):
        ways = {
            "list_back": ("←", _("Back in the list"), at - 1),
            "list_next": ("→", _("On in the list"), at + 1),
            "list_first": ("⇤", _("First in the list"), 1),  # these two for keys alone
            "list_last": ("⇥", _("Last in the list"), len(found)),
        }
        pressed = None
        for key, (sign, name, to) in ways.items():
            is_out = not 1 <= to <= len(found)
            if st.button(sign, key=key, help=name, disabled=is_out, on_click=_leave):
                pressed = to
            if key == "list_back":
                st.caption(_("{at} of {count}", at=at, count=len(found)), width="content")
    if pressed is not None:
        play(found, pressed)


def _leave() -> None:
    """Let the played list say what its entry was moved to; for callbacks."""
    state = memory()
    here = st.context.url or ""
    found, _wrong = entries(state[PLAYED].split(), SCREENS, here)
    left, _wrong = entries([address.here_as_text(HOME)], SCREENS, here)
    at = state["_app_item"] - 1
    if at not in range(len(found)) or not left or left[0].screen != found[at].screen:
        return
    if sorted(left[0].settings) == sorted(found[at].settings):
        return  # in another order, nothing was moved
    found[at] = left[0]
    if len(packed(found)) <= MOST_CHARS:
        state[PLAYED] = packed(found)


def play(found: Sequence[Entry], at: int) -> None:
    """Show an address of a playlist for a projector; ends the run."""
    one = found[at - 1]
    state = memory()
    state["_app_present"] = True  # its step in the history is that of the page that is opened
    state[PLAYED] = packed(found)
    state["_app_item"] = at
    address.read_again()
    ways = {stage.PRESENT: ["1"], LIST: [packed(found)], ITEM: [str(at)]}
    if one.is_of_course:
        _go(key="go", data={"href": f"{one.screen}/?{urlencode(ways, doseq=True)}"})
        st.stop()
    query: dict[str, list[str]] = {}
    for key, value in one.settings:
        query.setdefault(key, []).append(value)
    st.switch_page(course.script_of(one.screen), query_params=query | ways)


def name_of(one: Entry) -> str:
    """Title of the picture or screen and the names it is set to, or of the chapter and its step."""
    if one.is_of_course:
        _course, name, *steps = one.screen.split("/")
        lesson = chapter(name)
        if not steps:
            return lesson.title
        at = lesson.number_of(steps[0])
        words = lesson.steps[at - 1].title
        return _("{title}, step {step}: {words}", title=lesson.title, step=at, words=words)
    view = dict(one.settings).get("view", "")
    figure = PICTURES.get(f"/{one.screen}?view={view}")
    title = translate(figure) if figure else course.title(one.screen)
    chosen = dict.fromkeys(
        NAMES[value]
        for key, values in one.settings
        for value in values.split(",")
        if key != "view" and value in NAMES
    )
    if not chosen:
        return title
    return _("{title} ({names})", title=title, names=", ".join(map(translate, chosen)))


def plain(typed: str) -> str:
    """A typed text, shortened and without markup; an underscore within a name is none."""
    return re.sub(r"[`$\\\[\]<>*#|]", "·", typed if len(typed) <= 60 else typed[:60] + "…")


def menu() -> None:
    """On a whole screen: to the projector, or into the playlist."""
    with st.container(key="in_class", horizontal=True):
        st.button(
            _("Add to playlist"),
            key="playlist_add",
            type="tertiary",
            on_click=lambda: add(address.here_as_text(HOME)),
            help=_("This screen as it is now becomes the last entry of the page Playlist."),
        )
        stage.menu()
        keep()


def add(added: str) -> None:
    """Make an address the last entry of the reader's list; one that is none is left out there."""
    controls = address.elsewhere(SCREEN)
    lines = [line for line in str(controls.get(LIST, "")).splitlines() if line.strip()]
    controls[LIST] = "\n".join([*lines, added])
    own()
    found, _wrong = entries([added], SCREENS, st.context.url or "")
    st.toast(
        _(
            "Entry {count} of the [playlist](playlist): {name}",
            count=len(lines) + 1,
            name=", ".join(map(name_of, found)),
        )
    )


def own() -> None:
    """The list is the reader's own from now on, and no longer that of a link; for callbacks."""
    memory()[OWN] = True


def keep() -> None:
    """Keep the reader's list in the browser: another tab and another day begin with it."""
    listed = str(address.elsewhere(SCREEN).get(LIST, ""))
    told = listed if memory().get(OWN) else None
    _kept(key=KEPT, data={"list": told}, on_kept_change=_take_kept)


def _take_kept() -> None:
    state = st.session_state.get(KEPT)
    kept = state.get("kept") if isinstance(state, Mapping) else None
    is_anothers = address.elsewhere(SCREEN).get(LIST) and not memory().get(OWN)
    if isinstance(kept, str) and len(kept) <= 2 * MOST_CHARS and not is_anothers:
        address.elsewhere(SCREEN)[LIST] = kept
        if LIST in st.session_state:
            st.session_state[LIST] = kept
        own()


_kept = component("playlist", "screen/playlist.js")
_go = component("go", "screen/go.js")


def _number(raw: str) -> int:
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 4 else 1

"""A browser of one tab, without a screen: a page over the websocket, any value for any control."""

import json
import ssl
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

PATIENCE = 120.0
"""Seconds in which an answer must come."""
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname = False
TRUSTING.verify_mode = ssl.CERT_NONE
"""For certificates that nobody signed."""


def cookie_of(address: str, path: str = "lab") -> str:
    """The cookie that the server gives to a new browser at a path."""
    with urllib.request.urlopen(f"{address}/{path}", timeout=PATIENCE) as answer:
        return answer.headers["Set-Cookie"].split(";")[0]


class Widget(NamedTuple):
    kind: str
    element: Any
    fragment: str
    """The part of the screen in which it stands."""


def find(widgets: Mapping[str, Widget], name: str) -> Widget:
    """A control by its key or by its label.

    Raises:
        LookupError: If there is none.
    """
    for key, widget in widgets.items():
        if key.endswith(f"-{name}") or getattr(widget.element, "label", "") == name:
            return widget
    raise LookupError(f"there is no {name}")


@dataclass
class Page:
    """The server's messages about one run of a screen."""

    widgets: dict[str, Widget] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    """Markdown, captions and boxes, in their order."""
    exceptions: list[str] = field(default_factory=list)
    """Error boxes for what no screen has foreseen."""
    session: str = ""

    def control(self, name: str) -> Any:
        """A control by its key or by its label."""
        return find(self.widgets, name).element


class Tab:
    """One page that is open; a context manager.

    Args:
        address: Of the server, http://…
        screen: Name of the page; "" for the first.
        query: What stands behind the question mark.
        network: Address of this machine from which the page comes; "" for the usual one.
        headers: More of them for the handshake.
    """

    def __init__(
        self, address: str, screen: str = "", query: str = "", network: str = "", **headers: str
    ) -> None:
        self.screen = screen
        self.query = query
        self.hash = ""  # the server's name of the page, once it has said it
        self.widgets: dict[str, Widget] = {}
        self.states: dict[str, WidgetState] = {}
        self.kept: dict[str, ForwardMsg] = {}  # large messages, which come once
        self.bytes = 0  # of the last answer
        self.context = connect(
            address.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=[Subprotocol("streamlit")],
            additional_headers={name.replace("_", "-"): text for name, text in headers.items()},
            ssl=TRUSTING if address.startswith("https") else None,
            source_address=(network, 0) if network else None,
            open_timeout=PATIENCE,
            close_timeout=1,  # what was not read is in the way of the server's goodbye
            ping_interval=None,
            max_size=None,
        )

    def __enter__(self) -> "Tab":
        self.connection: ClientConnection = self.context.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.context.__exit__(None, None, None)

    def open(self) -> None:
        """Ask for the page; raises LookupError where it has an error box."""
        self._answered()

    def move(self, key: str, value: Any) -> None:
        """Move a control as a reader does, and read the answer to its end.

        Raises:
            LookupError: If there is no such control, or an error box comes.
        """
        widget = find(self.widgets, key)
        self._answered(moved(widget.element, value), fragment=widget.fragment)

    def _answered(self, *states: WidgetState, fragment: str = "") -> None:
        if exceptions := self.run(*states, fragment=fragment).exceptions:
            raise LookupError(f"{self.screen}: {exceptions[0]}")

    def run(self, *states: WidgetState, query: str | None = None, fragment: str = "") -> Page:
        """Send controls and read the answer to its end.

        Raises:
            ConnectionError: If the server ends the connection instead.
            TimeoutError: If no answer comes within `PATIENCE`.
        """
        self.query = self.query if query is None else query
        self.send(*states, fragment=fragment)
        page = Page()
        for message in self.answers():
            _take(page, message)
            ended = message.WhichOneof("type") == "script_finished"
            if ended and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                break
        self.widgets |= page.widgets
        return page

    def send(self, *states: WidgetState, fragment: str = "") -> None:
        """Send controls, and do not wait for the answer."""
        for state in states:
            self.states[state.id] = state
        asked = BackMsg()
        run = asked.rerun_script
        run.query_string = self.query
        run.page_script_hash = self.hash
        run.page_name = "" if self.hash else self.screen
        run.fragment_id = fragment
        run.widget_states.widgets.extend(self.states.values())
        run.cached_message_hashes.extend(self.kept)
        self.bytes = 0
        self.connection.send(asked.SerializeToString())
        for key in [key for key, state in self.states.items() if state.HasField("trigger_value")]:
            del self.states[key]  # a press of a button is over at once

    def answers(self) -> Iterator[ForwardMsg]:
        """The server's messages as they come; what was kept stands for what is only named."""
        while True:
            told = self.connection.recv(PATIENCE)
            assert isinstance(told, bytes)
            self.bytes += len(told)
            message = ForwardMsg.FromString(told)
            self.hash = message.navigation.page_script_hash or self.hash
            if message.WhichOneof("type") == "ref_hash":
                place = message.metadata
                message = self.kept[message.ref_hash]
                message.metadata.CopyFrom(place)
            elif message.metadata.cacheable and message.hash:
                self.kept[message.hash] = message
            yield message


def address_of(tab: Tab) -> str:
    """What the page itself has written behind the question mark of its address."""
    parts = [widget.element for widget in tab.widgets.values() if widget.kind == "bidi_component"]
    part = next(one for one in parts if one.component_name == "posenc_address")
    return str(json.loads(part.json or part.mixed.json)["query"])


def pressed(button: Any) -> WidgetState:
    """Widget state that a browser sends when a button is pressed."""
    return WidgetState(id=button.id, trigger_value=True)


def moved(element: Any, value: Any) -> WidgetState:
    """Widget state that a browser sends for a moved control; a number may be a place in a list."""
    state = WidgetState(id=element.id)
    kind = element.DESCRIPTOR.name
    if kind == "NumberInput":
        state.double_value = value
    elif kind == "Selectbox":
        state.string_value = element.options[value]
    elif kind == "TextInput":
        state.string_value = value
    elif kind == "ButtonGroup":
        state.string_array_value.data.append(element.options[value].content)
    elif kind == "Slider" and element.options:
        state.string_array_value.data.append(element.options[value])
    else:
        state.double_array_value.data.append(value)
    return state


def _take(page: Page, message: ForwardMsg) -> None:
    if message.WhichOneof("type") == "new_session":
        page.session = message.new_session.initialize.session_id
    if message.WhichOneof("type") != "delta":
        return
    element = message.delta.new_element
    kind = element.WhichOneof("type")
    if kind is None:
        return
    if kind == "exception":
        page.exceptions.append(f"{element.exception.type}: {element.exception.message}")
        return
    one: Any = getattr(element, kind)
    if getattr(one, "id", ""):
        page.widgets[one.id] = Widget(kind, one, message.delta.fragment_id)
    for name in ("body", "help"):
        text = getattr(one, name, "")
        if isinstance(text, str) and text:
            page.texts.append(text)

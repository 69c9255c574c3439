"""A visitor without a screen: cookies, one page over the websocket, any value for any control."""

import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

PATIENCE = 120.0
"""Seconds in which an answer must come."""


def cookie_of(address: str) -> str:
    """The cookie that the server gives to a new browser."""
    with urllib.request.urlopen(f"{address}/lab", timeout=PATIENCE) as answer:
        return answer.headers["Set-Cookie"].split(";")[0]


@dataclass
class Page:
    """The server's messages about one run of a screen."""

    widgets: dict[str, tuple[str, Any, str]] = field(default_factory=dict)
    """Id of a control to its kind, what it is, and the fragment in which it stands."""
    texts: list[str] = field(default_factory=list)
    """Markdown, captions and boxes, in their order."""
    exceptions: list[str] = field(default_factory=list)
    """Error boxes for what no screen has foreseen."""
    bytes: int = 0
    session: str = ""

    def control(self, name: str) -> Any:
        """A control by its key or by its label.

        Raises:
            LookupError: If there is none.
        """
        for key, (_, element, _) in self.widgets.items():
            if key.endswith(f"-{name}") or getattr(element, "label", "") == name:
                return element
        raise LookupError(f"there is no {name}")


class Tab:
    """One page that is open; a context manager.

    Args:
        address: Of the server, http://…
        screen: Name of the page; "" for the first.
        query: What stands behind the question mark.
        headers: More of them for the handshake.
    """

    def __init__(self, address: str, screen: str = "", query: str = "", **headers: str) -> None:
        self.screen = screen
        self.query = query
        self.states: dict[str, WidgetState] = {}
        self.context = connect(
            address.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=[Subprotocol("streamlit")],
            additional_headers={name.replace("_", "-"): text for name, text in headers.items()},
            open_timeout=PATIENCE,
            close_timeout=1,  # what was not read is in the way of the server's goodbye
            ping_interval=None,
            max_size=None,
        )

    def __enter__(self) -> "Tab":
        self.line: ClientConnection = self.context.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.context.__exit__(None, None, None)

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
            if message.WhichOneof("type") == "script_finished":
                break
        return page

    def send(self, *states: WidgetState, fragment: str = "") -> None:
        """Send controls, and do not wait for the answer."""
        for state in states:
            self.states[state.id] = state
        asked = BackMsg()
        run = asked.rerun_script
        run.query_string = self.query
        run.page_name = self.screen
        run.fragment_id = fragment
        run.widget_states.widgets.extend(self.states.values())
        self.line.send(asked.SerializeToString())
        for key in [key for key, state in self.states.items() if state.HasField("trigger_value")]:
            del self.states[key]  # a press of a button is over at once

    def answers(self) -> Iterator[ForwardMsg]:
        while True:
            told = self.line.recv(PATIENCE)
            assert isinstance(told, bytes)
            message = ForwardMsg.FromString(told)
            yield message


def pressed(button: Any) -> WidgetState:
    """Widget state that a browser sends when a button is pressed."""
    return WidgetState(id=button.id, trigger_value=True)


def _take(page: Page, message: ForwardMsg) -> None:
    page.bytes += message.ByteSize()
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
        page.widgets[one.id] = (kind, one, message.delta.fragment_id)
    for name in ("body", "help"):
        text = getattr(one, name, "")
        if isinstance(text, str) and text:
            page.texts.append(text)

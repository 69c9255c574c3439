"""What a page's script hands on to Streamlit, message by message (serving/begin.js)."""

import base64
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from serving.index import SCRIPT

pytestmark = pytest.mark.browser
# One socket, and the names of the messages that its listener has heard.
SOCKET = """
  window.heard = [];
  const socket = new EventTarget();
  const hear = (event) => heard.push(event.name);
  WebSocket.prototype.addEventListener.call(socket, "message", hear);
  window.come = (messages) => messages.map(([name, text]) => {
    const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
    socket.dispatchEvent(Object.assign(new Event("message"), { data, name }));
  });
"""
# Nothing is handed on because time has passed.
PATIENT = "window.setTimeout = (call, ms) => ms ? 0 : queueMicrotask(call);"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    page = context.new_page()

    def blank(route: Route) -> None:
        route.fulfill(content_type="text/html", body="<p>")

    page.route("**/*", blank)
    page.goto("http://blank.test/")
    for script in (PATIENT, SCRIPT, SOCKET):
        page.add_script_tag(content=script)
    yield page
    context.close()


def begins(name: str) -> tuple[str, ForwardMsg]:
    message = ForwardMsg()
    message.navigation.page_script_hash = name
    return name, message


def fold(*path: int, is_open: bool = False) -> tuple[str, ForwardMsg]:
    message = ForwardMsg()
    message.metadata.delta_path[:] = path
    message.delta.add_block.expandable.label = "More"
    message.delta.add_block.expandable.expanded = is_open
    return f"fold {path}", message


def text(*path: int) -> tuple[str, ForwardMsg]:
    message = ForwardMsg()
    message.metadata.delta_path[:] = path
    message.delta.new_element.markdown.body = "words"
    return f"text {path}", message


def picture(*path: int) -> tuple[str, ForwardMsg]:
    message = ForwardMsg()
    message.metadata.delta_path[:] = path
    component = message.delta.new_element.bidi_component
    component.id, component.component_name = "$$ID-hash-waves", "posenc_chart"
    component.bytes = b"data"
    return f"picture {path}", message


def ends() -> tuple[str, ForwardMsg]:
    message = ForwardMsg()
    message.session_status_changed.SetInParent()
    return "end", message


def heard_after(page: Page, *messages: tuple[str, ForwardMsg]) -> list[str]:
    coded = [(n, base64.b64encode(m.SerializeToString()).decode()) for n, m in messages]
    page.evaluate("messages => { heard.length = 0; come(messages); }", coded)
    heard: list[str] = page.evaluate("heard")
    return heard


def painted(page: Page) -> list[str]:
    page.evaluate("heard.length = 0; dispatchEvent(new Event('posenc-painted'))")
    heard: list[str] = page.evaluate("heard")
    return heard


def test_a_picture_comes_before_what_closed_folds_hold(page: Page) -> None:
    before = [begins("rope"), text(0, 0), fold(0, 1), text(0, 1, 0), text(0, 200), picture(0, 3)]
    assert heard_after(page, *before, text(0, 4), fold(0, 5), text(0, 5, 0), ends()) == [
        "rope", "text (0, 0)", "fold (0, 1)", "text (0, 200)", "picture (0, 3)",
    ]  # fmt: skip
    assert painted(page) == [
        "text (0, 1, 0)", "text (0, 4)", "fold (0, 5)", "text (0, 5, 0)", "end",
    ]  # fmt: skip


def test_the_picture_in_an_open_fold_is_the_first(page: Page) -> None:
    messages = [begins("rope"), fold(0, 1, is_open=True), picture(0, 1, 0), text(0, 2)]
    assert heard_after(page, *messages) == ["rope", "fold (0, 1)", "picture (0, 1, 0)"]


def test_the_picture_in_a_closed_fold_is_not(page: Page) -> None:
    messages = [begins("rope"), fold(0, 1), picture(0, 1, 0), picture(0, 2), ends()]
    assert heard_after(page, *messages) == ["rope", "fold (0, 1)", "picture (0, 2)"]
    assert painted(page) == ["picture (0, 1, 0)", "end"]


def test_an_answer_without_a_picture_keeps_its_order(page: Page) -> None:
    messages = [begins("verified"), fold(0, 1), text(0, 1, 0), text(0, 2), ends()]
    assert heard_after(page, *messages) == [name for name, _ in messages]


def test_an_answer_that_begins_anew_keeps_its_order(page: Page) -> None:
    messages = [begins("rope"), fold(0, 1), text(0, 1, 0), begins("rope")]
    assert heard_after(page, *messages) == [name for name, _ in messages]
    again = [fold(0, 1), text(0, 1, 0), picture(0, 2)]
    assert heard_after(page, *again) == ["fold (0, 1)", "picture (0, 2)"]


def test_a_later_answer_of_a_page_waits_for_nothing(page: Page) -> None:
    heard_after(page, begins("rope"), picture(0, 1), ends())
    painted(page)
    messages = [begins("rope"), fold(0, 0), text(0, 0, 0), picture(0, 1), text(0, 2), ends()]
    assert heard_after(page, *messages) == [name for name, _ in messages]


def test_words_wait_until_charts_that_are_drawn_ahead_are_painted(page: Page) -> None:
    heard_after(page, begins("rope"), picture(0, 1), ends())
    painted(page)
    page.evaluate("addEventListener('posenc-data', (event) => event.preventDefault())")
    page.evaluate("window.later = []; window.requestAnimationFrame = (call) => later.push(call)")
    messages = [begins("rope"), picture(0, 1), text(0, 2), ends()]
    assert heard_after(page, *messages) == []
    page.evaluate("later.pop()()")
    assert page.evaluate("heard") == []
    page.evaluate("later.pop()()")
    assert page.evaluate("heard") == [name for name, _ in messages]

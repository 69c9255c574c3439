"""Lets through what a page sends over its line, within bounds; the rest reaches no session.

Streamlit serves every message that its own browser half can send. Some of them empty the caches of
all readers, ask git about the server's folder or write files into it, and one that asks for many
names of files keeps all readers waiting while they are made.
"""

import logging

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from ui.jobs import visitor

LOG = logging.getLogger("posenc.server")
OWNER = b"x-posenc-owner"
"""Header that says whose a line is; what a browser says there is not believed."""
LONGEST = 5 << 20
"""Bytes of a message: the longest is a pasted config of a million characters."""
MOST_CONTROLS, MOST_KEPT, MOST_FILES = 2000, 20_000, 100
"""Controls of a page, messages that its browser has kept, and files that it is about to send."""
LONGEST_WORD = 1 << 16
"""Characters of a page's address and of other words; no server takes a longer address."""
KNOWN = ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request")
OPERATIONS = ("deferred_file", "dataframe_chunk")


class Messages:
    """Drops messages that no page of this app sends, and ends the line of who sends too much."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one line."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return

        async def heard() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                asked = read(message.get("bytes"))
                if asked is None:
                    LOG.warning("a line is ended: it brought a message of no page")
                    await send({"type": "websocket.close", "code": 1008})
                    return {"type": "websocket.disconnect", "code": 1008}
                if is_known(asked):
                    return message

        await self.app(owned(scope), heard, send)


def owned(scope: Scope) -> Scope:
    """The same line, whose session then belongs to the browser that opened it.

    Who knows a session's id comes back to it after a failure, and Streamlit asks that the header of
    `.streamlit/config.toml` says the same as before.
    """
    owner = visitor.owner_in(HTTPConnection(scope).cookies.get(visitor.COOKIE, ""))
    others = [(name, value) for name, value in scope["headers"] if name != OWNER]
    return {**scope, "headers": [*others, (OWNER, owner.encode())]}


def read(message: bytes | None) -> BackMsg | None:
    """One of Streamlit's messages; None where it is none, or too large to be served at once."""
    if message is None or len(message) > LONGEST:
        return None
    try:
        asked = BackMsg.FromString(message)
    except DecodeError:
        return None
    run, about = asked.rerun_script, asked.rerun_script.context_info
    words = (run.query_string, run.page_script_hash, run.page_name, run.fragment_id,
             about.timezone, about.locale, about.url, about.color_scheme)  # fmt: skip
    fits = (
        len(run.widget_states.widgets) <= MOST_CONTROLS
        and len(run.cached_message_hashes) <= MOST_KEPT
        and len(asked.file_urls_request.file_names) <= MOST_FILES
        and all(len(word) <= LONGEST_WORD for word in words)
    )
    return asked if fits else None


def is_known(asked: BackMsg) -> bool:
    """Whether a page of this app sends such a message."""
    kind = asked.WhichOneof("type")
    if kind == "backend_operation_request":
        return asked.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return kind in KNOWN

"""Lets through what a page sends over its line, within bounds; the rest reaches no session.

Streamlit serves every message that its own browser half can send. Some of them empty the caches of
all readers, ask git about the server's folder or write files into it, and one that asks for many
names of files keeps all readers waiting while they are made. It also serves them as fast as they
come, and for a line of another site it asks an outside service for its own address first.
"""

import asyncio
import gc
import logging

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from serving.crowd import HANDSHAKE, LINE_BURST, LINE_RATE, LINES, Bucket, Crowd
from serving.origin import is_own_page
from ui.jobs import visitor

LOG = logging.getLogger("posenc.server")
OWNER = b"x-posenc-owner"
"""Header that says whose a line is; what a browser says there is not believed."""
LONGEST = 5 << 18
"""Bytes of a message: the longest is a pasted config of a million characters."""
LARGE = 1 << 18
"""Bytes of a message after which memory is looked through: what it left behind may be a circle."""
MOST_CONTROLS, MOST_KEPT, MOST_FILES = 2000, 20_000, 100
"""Controls of a page, messages that its browser has kept, and files that it is about to send."""
MOST_VALUES = 10_000
"""Values of one control."""
LONGEST_WORD = 1 << 16
"""Characters of a page's address and of other words; no server takes a longer address."""
KNOWN = ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request")
OPERATIONS = ("deferred_file", "dataframe_chunk")


class Messages:
    """Drops messages that no page of this app sends, and ends the line of who sends too much."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.crowd = Crowd()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one line."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        network = self.crowd.network(scope)
        if not is_own_page(scope):
            await _refuse(scope, receive, send, 403, "This server takes lines of its own pages.")
        elif network.lines >= LINES or not network.bucket.take(HANDSHAKE):
            told = "Too many pages are open at this network address. Close some, or wait a minute."
            await _refuse(scope, receive, send, 429, told)
        else:
            network.lines += 1
            try:
                await self._serve(scope, receive, send, network.bucket)
            finally:
                network.lines -= 1

    async def _serve(self, scope: Scope, receive: Receive, send: Send, shared: Bucket) -> None:
        own = Bucket(LINE_BURST, LINE_RATE)

        async def heard() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                # Streamlit takes what waits in one go, and nobody else is served meanwhile.
                await asyncio.sleep(0)
                if not (own.take() and shared.take()):
                    return await _end(send, "too many messages")
                asked = read(message.get("bytes"))
                if asked is None:
                    return await _end(send, "a message of no page")
                if len(message["bytes"]) > LARGE:
                    asyncio.get_running_loop().call_later(1.0, gc.collect)
                if is_known(asked):
                    return message

        await self.app(owned(scope), heard, send)


async def _end(send: Send, reason: str) -> Message:
    LOG.warning("a line is ended: %s", reason)
    await send({"type": "websocket.close", "code": 1008, "reason": reason})
    return {"type": "websocket.disconnect", "code": 1008}


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, told: str) -> None:
    line = WebSocket(scope, receive, send)
    if "websocket.http.response" in scope.get("extensions", {}):
        await line.send_denial_response(PlainTextResponse(told, status))
    else:
        await line.close(1008)


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
        and all(map(_is_small, run.widget_states.widgets))
        and all(len(word) <= LONGEST_WORD for word in words)
    )
    return asked if fits else None


def _is_small(state: WidgetState) -> bool:
    """Whether a control has no more values than any here can have."""
    values = (state.double_array_value, state.int_array_value, state.string_array_value)
    files = (state.file_uploader_state_value, state.chat_input_value.file_uploader_state)
    return all(len(one.data) <= MOST_VALUES for one in values) and all(
        len(one.uploaded_file_info) <= MOST_FILES for one in files
    )


def is_known(asked: BackMsg) -> bool:
    """Whether a page of this app sends such a message."""
    kind = asked.WhichOneof("type")
    if kind == "backend_operation_request":
        return asked.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return kind in KNOWN

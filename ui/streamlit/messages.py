"""Messages between a page and its session, as far as the server has to understand them."""

from google.protobuf.message import DecodeError, Message  # type: ignore[import-untyped]
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

LONGEST = 5 << 18
"""Bytes of a message: the longest is a pasted config of a million characters."""
LONGEST_WORDS = {
    **dict.fromkeys(("string_value", "json_value"), LONGEST),  # typed, or told by a picture
    **dict.fromkeys(("query_string", "url"), 1 << 16),  # no server takes a longer address
}
"""Characters of words that may be long, by the names of their fields."""
LONGEST_WORD = 1000
"""Characters of all others; Streamlit writes some of them into the log."""
MOST = 20_000
"""Parts of a message, such as controls, numbers and names: a million numbers take 20 MB."""
MOST_FILES = 100
"""Names of files that a page is about to send: each takes the server 50 microseconds."""
KNOWN = ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request")
OPERATIONS = ("deferred_file", "dataframe_chunk")
SHORT = 200
"""Bytes above which no message of the server is the end of an answer."""


def read(message: bytes | None) -> BackMsg | None:
    """One of Streamlit's messages; None where it is none, or too large to be served at once."""
    if message is None or len(message) > LONGEST:
        return None
    try:
        asked = BackMsg.FromString(message)
    except DecodeError:
        return None
    fits = (
        len(asked.file_urls_request.file_names) <= MOST_FILES
        and is_small(asked)
        # A name without the sign of a control would be looked for among the app's own.
        and all(one.id.startswith("$$") for one in asked.rerun_script.widget_states.widgets)
    )
    return asked if fits else None


def is_small(message: Message) -> bool:
    """Whether a message has no more parts, and no longer words, than those of a page."""
    left = MOST
    waiting = [message]
    while waiting:
        part = waiting.pop()
        for field, value in part.ListFields():
            many = value if field.is_repeated else (value,)
            left -= len(many)
            if left < 0:
                return False
            if field.message_type is not None:
                waiting.extend(many)
            elif isinstance(many[0], str) and len(max(many, key=len)) > LONGEST_WORDS.get(
                field.name, LONGEST_WORD
            ):
                return False
    return True


def is_known(asked: BackMsg) -> bool:
    """Whether a page of this app sends such a message."""
    kind = asked.WhichOneof("type")
    if kind == "backend_operation_request":
        return asked.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return kind in KNOWN


def asked_screen(message: bytes) -> str | None:
    """The hash of the screen that a page asks to be run; None for any other message."""
    try:
        asked = BackMsg.FromString(message)
    except DecodeError:  # the server says what is wrong
        return None
    is_run = asked.WhichOneof("type") == "rerun_script"
    return asked.rerun_script.page_script_hash if is_run else None


def ending(message: bytes) -> str:
    """How a message of the server ends an answer: "ended" or "replaced"; "" where it does not."""
    if len(message) > SHORT:
        return ""
    said = ForwardMsg.FromString(message)
    if said.WhichOneof("type") != "script_finished":
        return ""
    is_replaced = said.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
    return "replaced" if is_replaced else "ended"

"""Messages between a page and its session, as far as the server has to understand them."""

from typing import Any, NamedTuple

from google.protobuf.message import DecodeError, Message  # type: ignore[import-untyped]

from ui.streamlit.private import miss, private

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
LOST = "what pages say is not bounded, and runs take no turns"

_back = private("proto.BackMsg_pb2", "BackMsg", None, LOST)
_forward = private("proto.ForwardMsg_pb2", "ForwardMsg", None, LOST)


class Asked(NamedTuple):
    """The wish of a page."""

    screen: str | None
    """The hash of the screen that is to be run; None where the message is about something else."""
    is_known: bool
    """Whether a page of this app sends such a message."""


def read(message: bytes | None) -> Asked | None:
    """The wish in a message; None where that is no message, or too large to be served at once."""
    if message is None:
        return None
    if not IS_READ:
        return Asked(None, True)
    try:
        return _read(_back.FromString(message))
    except DecodeError:
        return None


def _read(asked: Any) -> Asked | None:
    kind = asked.WhichOneof("type")
    fits = (
        len(asked.file_urls_request.file_names) <= MOST_FILES
        and is_small(asked)
        # A name without the sign of a control would be looked for among the app's own.
        and all(one.id.startswith("$$") for one in asked.rerun_script.widget_states.widgets)
    )
    if not fits:
        return None
    if kind == "backend_operation_request":
        operation = asked.backend_operation_request.WhichOneof("payload")
        return Asked(None, operation in OPERATIONS)
    return Asked(
        asked.rerun_script.page_script_hash if kind == "rerun_script" else None, kind in KNOWN
    )


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


def ending(message: bytes) -> str:
    """How a message of the server ends an answer: "ended" or "replaced"; "" where it does not."""
    if len(message) > SHORT or not IS_READ:
        return ""
    said = _forward.FromString(message)
    if said.WhichOneof("type") != "script_finished":
        return ""
    is_replaced = said.script_finished == _forward.FINISHED_EARLY_FOR_RERUN
    return "replaced" if is_replaced else "ended"


def _is_read() -> bool:
    """Whether this Streamlit's messages have the names that are read here."""
    try:
        run = {"page_script_hash": "", "widget_states": {"widgets": [{"id": "$$"}]}}
        asked = [
            _back(rerun_script=run),
            _back(file_urls_request={"file_names": ["a"]}),
            *(_back(backend_operation_request={name: {}}) for name in OPERATIONS),
            *(_back(**{name: True}) for name in ("stop_script", "app_heartbeat")),
        ]
        told = _forward(script_finished=_forward.FINISHED_EARLY_FOR_RERUN)
        there = all(map(_read, asked)) and told.WhichOneof("type") == "script_finished"
    except (AttributeError, TypeError, ValueError):
        there = False
    if not there:
        miss("messages with the names of before", LOST)
    return there


IS_READ = _is_read()
"""Else every message passes as it is."""

"""Messages between a page and its session, as far as the server has to understand them.

Without these names no line could be kept within bounds, and the app does not start.
"""

import re
from collections.abc import Sequence

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

LONGEST = 5 << 18
"""Bytes of a message: the longest is a pasted config of a million characters."""
MOST_CONTROLS = 500
MOST_KEPT = 20_000
"""Messages that a browser has kept."""
MOST_FILES = 100
"""Files that it is about to send, or has sent."""
MOST_VALUES = 10_000
"""Values of all its controls: a million numbers take 20 MB of the session."""
LONGEST_WORD = 1 << 16
"""Characters of a page's address and of other words; no server takes a longer address."""
NAME = re.compile(r"[\w-]{0,64}", re.ASCII)
"""Names of screens, of their parts and of requests in Streamlit, which it writes into the log."""
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
    run = asked.rerun_script
    about = run.context_info
    words = [
        run.query_string,
        run.page_name,
        about.timezone,
        about.locale,
        about.url,
        about.color_scheme,
    ]
    names = [
        run.page_script_hash,
        run.fragment_id,
        asked.file_urls_request.request_id,
        asked.backend_operation_request.request_id,
    ]
    fits = (
        all(map(NAME.fullmatch, names))
        and len(run.widget_states.widgets) <= MOST_CONTROLS
        and len(run.cached_message_hashes) <= MOST_KEPT
        and len(asked.file_urls_request.file_names) <= MOST_FILES
        and _are_small(run.widget_states.widgets)
        and all(len(word) <= LONGEST_WORD for word in words)
    )
    return asked if fits else None


def _are_small(states: Sequence[WidgetState]) -> bool:
    """Whether these are controls, with no more values than those of a page can have."""
    values = files = 0
    for state in states:
        kind = state.WhichOneof("value")
        if not state.id.startswith("$$"):  # it would be looked for among the names of the app
            return False
        if kind in ("double_array_value", "int_array_value", "string_array_value"):
            values += len(getattr(state, kind).data)
        elif kind == "file_uploader_state_value":
            files += len(state.file_uploader_state_value.uploaded_file_info)
        elif kind == "chat_input_value":
            files += len(state.chat_input_value.file_uploader_state.uploaded_file_info)
    return values <= MOST_VALUES and files <= MOST_FILES


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


def draws(message: bytes) -> str:
    """The name of the component that a message of the server draws; "" where it draws none."""
    if b"posenc_" not in message:
        return ""
    return str(ForwardMsg.FromString(message).delta.new_element.bidi_component.component_name)

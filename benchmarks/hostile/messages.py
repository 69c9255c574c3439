"""Forged messages over a page's websocket. Bytes that are none: networks.py."""

import json
import random
import time

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from benchmarks.hostile.inputs import NAMES, hostile
from benchmarks.hostile.trial import Trial, ask
from benchmarks.visitor import Page, Tab

WAIT = 5.0
"""Seconds that everybody else may wait while one message is served."""
FLAGS = (
    "clear_cache",
    "set_run_on_save",
    "load_git_info",
    "debug_disconnect_websocket",
    "debug_shutdown_runtime",
    "stop_script",
    "app_heartbeat",
)
OPERATIONS = ("install_skills", "dismiss_skills_nudge", "deferred_file", "dataframe_chunk")
FORGED = (
    *("fragment", "page", "controls of a neighbour", "unknown controls", "browser", "address"),
    *("2,000 controls", "200,000 controls", "20,000 kept messages", "500,000 kept messages"),
    *("100 files", "200,000 files", *FLAGS, *OPERATIONS),
)
"""Forged messages; large ones are at the bounds and beyond."""


def forged(trial: Trial, draw: random.Random, count: int) -> None:
    """Messages that Streamlit knows, with what no page of this app would say in them."""
    for _ in range(count):
        with (
            Tab(trial.address, draw.choice(NAMES), "") as tab,
            Tab(trial.address, "units", "") as other,
        ):
            page = tab.run()
            neighbour = other.run()
            name = draw.choice(FORGED)
            message = BackMsg()
            message.rerun_script.page_name = tab.screen
            message.rerun_script.query_string = ""
            forge(message, name, page, neighbour, draw)
            try:
                with trial.timed("messages, forged", name):
                    tab.connection.send(message.SerializeToString())
                    time.sleep(0.02)  # the server begins
                    status, _ = ask(f"{trial.address}/_stcore/health")
                waited = trial.seconds["messages, forged"][-1]
                if status != 200 or waited > WAIT:
                    trial.find(f"everybody waits for {waited:.1f} s", name)
                tab.connection.recv(timeout=0.2)
            except (ConnectionClosed, TimeoutError):
                pass
            # The neighbour's page is as it was.
            told = trial.page("messages, forged: a neighbour", name, other.run)
            if told is not None and sorted(told.widgets) != sorted(neighbour.widgets):
                trial.find("another page of a neighbour", name)


def forge(message: BackMsg, name: str, page: Page, neighbour: Page, draw: random.Random) -> None:
    """Write into a message what no page of this app says."""
    run = message.rerun_script
    states = run.widget_states.widgets
    word = hostile(draw)
    match name.split():
        case ["fragment"]:
            fragments = [one.fragment for one in neighbour.widgets.values() if one.fragment]
            run.fragment_id = draw.choice((word, "x" * 60_000, "x" * 1_000_000, *fragments))
        case ["page"]:
            run.page_script_hash = draw.choice((word, "../../app.py", "x" * 60_000))
            run.page_name = word
        case ["controls", *_]:
            for one in neighbour.widgets:
                states.add(id=one, trigger_value=True)
        case ["unknown", _]:
            large = draw.choice(("[" * 1_000_000, '{"a":' * 100_000, "9" * 100_000))
            states.add(id=f"$$ID-{word}-x", json_value=large)
            states.add(id="", bytes_value=b"\xff" * 1_000_000)
            states.add(id="$$ID--None", int_array_value={"data": [2**62] * 9999})
        case ["browser"]:
            about = run.context_info
            about.timezone = word
            about.locale = word
            about.color_scheme = word
            about.url = draw.choice(("javascript:alert(1)", "//elsewhere.example", "x" * 60_000))
            about.timezone_offset = draw.choice((2**31 - 1, -(2**31)))
        case ["address"]:
            many = "&".join(f"a{n}=1" for n in range(8000))
            run.query_string = draw.choice(("a=1&" * 15_000, many, "" * 9000, "%ff" * 20_000))
        case [size, "controls"]:
            one = WidgetState(id=next(iter(page.widgets), "$$ID-x"), string_value="x")
            states.extend([one] * whole(size))
        case [size, "kept", _]:
            run.cached_message_hashes.extend([f"{n:08x}" for n in range(whole(size))])
        case [size, "files"]:
            asked = message.file_urls_request
            asked.request_id = word
            asked.session_id = neighbour.session
            asked.file_names.extend([word[:40]] * whole(size))
        case [flag] if flag in FLAGS:
            setattr(message, flag, True)
        case [operation]:
            wanted = message.backend_operation_request
            wanted.request_id = json.dumps(word)
            wanted.session_id = draw.choice((page.session, neighbour.session))
            getattr(wanted, operation).SetInParent()


def whole(size: str) -> int:
    return int(size.replace(",", ""))

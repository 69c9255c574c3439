"""Attacks over a page's websocket: bytes that are no messages, forged messages, endless ones."""

import json
import random
import time
from collections.abc import Callable
from functools import partial

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.hostile.inputs import NAMES, hostile
from benchmarks.hostile.target import Record, Target, ask, judged
from benchmarks.visitor import Page, Tab

WAIT = 5.0
"""Seconds that everybody else may wait while one message is served."""


def garbage(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Messages that are none of Streamlit's."""
    for _ in range(count):
        record.tried["messages"] += 1
        try:
            with Tab(target.address, "rope") as tab:
                tab.line.send(draw.randbytes(draw.choice((0, 1, 50, 5000))))
                tab.line.send(
                    draw.choice(("text", "{}", "\0")) if draw.random() < 0.3 else b"\xff" * 9
                )
                tab.line.recv(timeout=0.05)
        except (ConnectionClosed, TimeoutError, InvalidStatus):
            continue


def forged(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Messages that Streamlit knows, with what no page of this app would say in them."""
    for _ in range(count):
        with (
            Tab(target.address, draw.choice(NAMES), "step=0") as tab,
            Tab(target.address, "units", "step=0") as other,
        ):
            page = tab.run()
            neighbour = other.run()
            name, write = draw.choice(FORGED)
            message = BackMsg()
            message.rerun_script.page_name = tab.screen
            message.rerun_script.query_string = "step=0"
            write(message, page, neighbour, draw)
            record.tried["messages, forged"] += 1
            begun = time.monotonic()
            try:
                tab.line.send(message.SerializeToString())
                time.sleep(0.02)  # the server begins
                status, _ = ask(f"{target.address}/_stcore/health")
                waited = time.monotonic() - begun
                record.seconds.setdefault("messages, forged", []).append(waited)
                if status != 200 or waited > WAIT:
                    record.find(f"everybody waits for {waited:.1f} s", name)
                tab.line.recv(timeout=0.2)
            except (ConnectionClosed, TimeoutError):
                pass
            # The neighbour's page is as it was.
            told = judged(record, target, "messages, forged: a neighbour", other.run, name)
            if told is not None and sorted(told.widgets) != sorted(neighbour.widgets):
                record.find("another page of a neighbour", name)


Write = Callable[[BackMsg, Page, Page, random.Random], None]


def _fragment(message: BackMsg, page: Page, neighbour: Page, draw: random.Random) -> None:
    fragments = [one[2] for one in neighbour.widgets.values() if one[2]]
    names = (hostile(draw), "x" * draw.choice((60_000, 1_000_000)), *fragments)
    message.rerun_script.fragment_id = draw.choice(names)


def _page(message: BackMsg, page: Page, neighbour: Page, draw: random.Random) -> None:
    message.rerun_script.page_script_hash = draw.choice(
        (hostile(draw), "../../asgi.py", "x" * 60_000)
    )
    message.rerun_script.page_name = hostile(draw)


def _foreign(message: BackMsg, page: Page, neighbour: Page, draw: random.Random) -> None:
    for name in neighbour.widgets:
        message.rerun_script.widget_states.widgets.add(id=name, trigger_value=True)


def _many(size: int, message: BackMsg, page: Page, neighbour: Page, draw: random.Random) -> None:
    one = WidgetState(id=next(iter(page.widgets), "$$ID-x"), string_value="x")
    message.rerun_script.widget_states.widgets.extend([one] * size)


def _unknown(message: BackMsg, page: Page, neighbour: Page, draw: random.Random) -> None:
    states = message.rerun_script.widget_states.widgets
    states.add(
        id=f"$$ID-{hostile(draw)}-x",
        json_value=draw.choice(("[" * 1_000_000, '{"a":' * 100_000, "9" * 100_000)),
    )
    states.add(id="", bytes_value=b"\xff" * 1_000_000)
    states.add(id="$$ID--None", int_array_value={"data": [2**62] * 9999})


def _about(message: BackMsg, page: Page, neighbour: Page, draw: random.Random) -> None:
    about = message.rerun_script.context_info
    about.timezone = hostile(draw)
    about.locale = hostile(draw)
    about.color_scheme = hostile(draw)
    about.url = draw.choice(
        ("javascript:alert(1)", "//elsewhere.example", hostile(draw), "x" * 60_000)
    )
    about.timezone_offset = draw.choice((2**31 - 1, -(2**31)))


def _address(message: BackMsg, page: Page, neighbour: Page, draw: random.Random) -> None:
    parts = (
        "a=1&" * 15_000,
        "&".join(f"a{n}=1" for n in range(8000)),
        "step=0&" * 9000,
        "%ff" * 20_000,
    )
    message.rerun_script.query_string = draw.choice(parts)


def _kept(size: int, message: BackMsg, page: Page, neighbour: Page, draw: random.Random) -> None:
    message.rerun_script.cached_message_hashes.extend([f"{n:08x}" for n in range(size)])


def _files(size: int, message: BackMsg, page: Page, neighbour: Page, draw: random.Random) -> None:
    message.file_urls_request.request_id = hostile(draw)
    message.file_urls_request.session_id = neighbour.session
    message.file_urls_request.file_names.extend([hostile(draw)] * size)


def _flag(kind: str, message: BackMsg, page: Page, neighbour: Page, draw: random.Random) -> None:
    setattr(message, kind, True)


def _operation(
    kind: str, message: BackMsg, page: Page, neighbour: Page, draw: random.Random
) -> None:
    asked = message.backend_operation_request
    asked.request_id = json.dumps(hostile(draw))
    asked.session_id = draw.choice((page.session, neighbour.session))
    getattr(asked, kind).SetInParent()


FLAGS = (
    "clear_cache",
    "set_run_on_save",
    "load_git_info",
    "debug_disconnect_websocket",
    "debug_shutdown_runtime",
    "stop_script",
    "app_heartbeat",
)
FORGED: tuple[tuple[str, Write], ...] = (
    ("fragment", _fragment),
    ("page", _page),
    ("controls of a neighbour", _foreign),
    ("2,000 controls", partial(_many, 2000)),
    ("200,000 controls", partial(_many, 200_000)),
    ("unknown controls", _unknown),
    ("browser", _about),
    ("address", _address),
    ("20,000 kept messages", partial(_kept, 20_000)),
    ("500,000 kept messages", partial(_kept, 500_000)),
    ("100 files", partial(_files, 100)),
    ("200,000 files", partial(_files, 200_000)),
    *((kind, partial(_flag, kind)) for kind in FLAGS),
    *(
        (kind, partial(_operation, kind))
        for kind in ("install_skills", "dismiss_skills_nudge", "deferred_file", "dataframe_chunk")
    ),
)
"""Forged messages and the functions that write them; large ones are at the bounds and beyond."""

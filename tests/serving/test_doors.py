"""Files are let in within bounds: what one session and all of them hold, and how long one takes."""

import asyncio

import pytest
from starlette.responses import Response

from serving import doors
from serving.doors import Doors
from tests.conftest import awaited


def upload(manager, size, session="session", body=(b"",)):
    """Status for an upload that announces `size` bytes and sends those of `body`."""
    told, coming = [], list(body)

    async def receive():
        if not coming:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": coming.pop(0), "more_body": bool(coming)}

    async def send(message):
        told.append(message)

    path = f"/_stcore/upload_file/{session}/file"
    headers = [(b"content-length", str(size).encode())] if size is not None else []
    scope = {"type": "http", "method": "PUT", "path": path, "query_string": b"", "headers": headers}
    awaited(manager(scope, receive, send))
    return told[0]["status"]


@pytest.fixture
def held(monkeypatch):
    """One session with a file of 100 bytes, and room for 300."""
    monkeypatch.setattr(doors, "is_open", lambda session: session == "session")
    monkeypatch.setattr(doors, "held_bytes", lambda _session: (100, 100))
    monkeypatch.setattr(doors, "SESSION_BYTES", 300)


def test_a_session_holds_only_so_many_bytes_of_files(held):
    gate = Doors(Response(status_code=204))
    assert [upload(gate, size) for size in (200, 201, None, 200)] == [204, 413, 411, 204]
    assert upload(gate, 200, "of another replica") == 404  # a proxy asks the next one


async def takes_all(scope, receive, send):
    """Hears a body to its end."""
    while (await receive()).get("more_body"):
        pass
    await Response(status_code=204)(scope, receive, send)


def test_what_comes_of_a_file_counts_and_not_what_was_announced(held, monkeypatch):
    gate = Doors(takes_all)
    assert upload(gate, 200, body=[bytes(100), bytes(100)]) == 204
    assert upload(gate, 200, body=[bytes(100), bytes(101)]) == 413
    # Who says nothing is in nobody's way, and is not waited for without end.
    monkeypatch.setattr(doors, "UPLOAD_SECONDS", 0.2)
    assert upload(gate, 200, body=[]) == 408
    assert upload(gate, 200, body=[bytes(200)]) == 204
    assert gate.coming == {}

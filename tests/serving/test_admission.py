"""Files are let in within bounds: what one session and all of them hold."""

import asyncio

import pytest
from starlette.responses import Response

from serving import admission
from serving.admission import Admission
from tests.conftest import awaited


def upload_of(size, session="session", told=None):
    """A file that announces `size` bytes; what is answered is `told`."""

    async def send(message):
        if told is not None:
            told.append(message)

    path = f"/_stcore/upload_file/{session}/file"
    headers = [(b"content-length", str(size).encode())] if size is not None else []
    scope = {"type": "http", "method": "PUT", "path": path, "query_string": b"", "headers": headers}
    return scope, None, send


def upload(gate, *about):
    """Status of the answer."""
    told = []
    awaited(gate(*upload_of(*about, told=told)))
    return told[0]["status"]


@pytest.fixture
def held(monkeypatch):
    """One session with a file of 100 bytes, and room for 300."""
    monkeypatch.setattr(admission, "is_open", lambda session: session == "session")
    monkeypatch.setattr(admission, "held_bytes", lambda _session: (100, 100))
    monkeypatch.setattr(admission, "SESSION_BYTES", 300)


def test_a_session_holds_only_so_many_bytes_of_files(held):
    gate = Admission(Response(status_code=204))
    assert [upload(gate, size) for size in (200, 201, None, 200)] == [204, 413, 411, 204]
    assert upload(gate, 200, "of another replica") == 404  # a proxy asks the next one


def test_files_that_are_coming_count_as_held(held):
    """The proxy hands a file on when all of it has come; many may come at once."""

    async def both():
        arrived = asyncio.Event()

        async def takes(scope, receive, send):
            arrived.set()
            await asyncio.Event().wait()

        gate = Admission(takes)
        first = asyncio.create_task(gate(*upload_of(150)))
        await arrived.wait()
        told = []
        await gate(*upload_of(100, told=told))
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        return told[0]["status"], gate.coming

    assert awaited(both()) == (413, {})

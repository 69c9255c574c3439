"""The server of the container: headers, small downloads, lifetimes."""

import asyncio
import gzip
import json
import os
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from starlette.responses import Response

import asgi
from tests.conftest import PATIENCE, ROOT, free_port, wait_until_healthy
from ui.controls.model_config import LARGEST_UPLOAD
from ui.jobs.corpus import UPLOAD

TOKEN = "a token that is long enough"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "uvicorn", "asgi:app", "--port", str(port)]
    server = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"POSENC_LAB_ADMIN": TOKEN},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until_healthy(address, server)
        yield address
    finally:
        server.terminate()
        server.wait(PATIENCE)


def fetch(address: str, **headers: str) -> tuple[dict[str, str], bytes]:
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"} | headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return {k.lower(): v for k, v in answer.headers.items()}, answer.read()


def test_every_answer_has_the_security_headers(address):
    for path in ("/", "/rope", "/app/static/chart/chart.js", "/_stcore/health"):
        headers, _ = fetch(address + path)
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe-eval" not in policy
        assert "'sha256-" in policy


def test_the_chart_library_is_sent_small_and_kept(address):
    name = "plotly-cartesian-4.1.1.min.js"
    headers, body = fetch(f"{address}/app/static/chart/{name}?v=0123456789ab")
    plain = (ROOT / "static" / "chart" / name).read_bytes()
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == plain
    assert len(body) < len(plain) / 2
    assert "immutable" in headers["cache-control"]


def test_without_a_hash_nothing_is_kept_for_ever(address):
    headers, _ = fetch(f"{address}/app/static/chart/chart.js")
    assert "immutable" not in headers.get("cache-control", "")


def test_pictures_may_be_framed_by_any_page_and_buttons_that_destroy_by_none(address):
    for path, framed_by in (("/rope", "*"), ("/lab", "'self'"), ("/own", "'self'")):
        headers, _ = fetch(address + path)
        policy = headers["content-security-policy"].split("; ")
        assert f"frame-ancestors {framed_by}" in policy
        assert "form-action 'self'" in policy
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "camera=()" in headers["permissions-policy"]


def test_tls_is_asked_for_again_where_it_was_used(address):
    headers, _ = fetch(f"{address}/rope")
    assert "strict-transport-security" not in headers
    headers, _ = fetch(f"{address}/rope", **{"X-Forwarded-Proto": "https"})
    assert headers["strict-transport-security"] == "max-age=31536000"
    assert "Secure" in headers["set-cookie"]


def test_a_browser_gets_a_signed_cookie_and_keeps_its_name(address):
    headers, _ = fetch(f"{address}/lab")
    cookie, *marks = headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(marks)
    again, _ = fetch(f"{address}/lab", Cookie=cookie)
    assert again["set-cookie"].split(".")[0] == cookie.split(".")[0]
    forged = cookie[:-4] + "AAAA"
    other, _ = fetch(f"{address}/lab", Cookie=forged)
    assert other["set-cookie"].split(".")[0] != cookie.split(".")[0]
    assert "set-cookie" not in fetch(f"{address}/app/static/chart/chart.js")[0]


def test_figures_of_the_server_are_the_operators(address):
    assert b"active_sessions" in fetch(f"{address}/_stcore/metrics")[1]
    with pytest.raises(urllib.error.HTTPError, match="404"):
        fetch(f"{address}/_stcore/metrics", **{"X-Forwarded-For": "198.51.100.7"})
    token = {"X-Forwarded-For": "198.51.100.7", "Authorization": f"Bearer {TOKEN}"}
    assert b"active_sessions" in fetch(f"{address}/_stcore/metrics", **token)[1]


def test_no_other_site_may_steer_the_page(address):
    assert json.loads(fetch(f"{address}/_stcore/host-config")[1])["allowedOrigins"] == []


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("POSENC_LAB", "everybody"),
        ("POSENC_LAB_DATABASE", "mysql://host/name"),
        ("POSENC_LAB_WORK", "lab.quue"),
        ("POSENC_MODELS_MAX_MEMORY", "lots"),
    ],
)
def test_a_wrong_variable_is_said_at_the_start(variable, value, monkeypatch):
    monkeypatch.setenv(variable, value)
    with pytest.raises(SystemExit, match=r"The app does not start\. .*" + value.split(":")[0]):
        asgi.check_configuration()


def upload(manager, size):
    """What the server answers to a file of so many bytes."""
    told = []

    async def receive():
        return {"type": "http.request", "body": b""}

    async def send(message):
        told.append(message)

    path = "/_stcore/upload_file/session/file"
    headers = [(b"content-length", str(size).encode())] if size is not None else []
    scope = {"type": "http", "method": "PUT", "path": path, "headers": headers}
    asyncio.run(manager(scope, receive, send))
    return told[0]["status"]


def test_a_session_holds_only_so_many_bytes_of_files(monkeypatch):
    held = {"session": {"a": SimpleNamespace(data=bytes(100))}}
    runtime = SimpleNamespace(uploaded_file_mgr=SimpleNamespace(file_storage=held))
    monkeypatch.setattr(asgi.Runtime, "instance", lambda: runtime)
    monkeypatch.setattr(asgi, "SESSION_BYTES", 300)
    doors = asgi.Doors(Response(status_code=204))
    assert [upload(doors, size) for size in (200, 201, None, 200)] == [204, 413, 411, 204]


def test_what_the_screens_take_the_server_takes_too():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["server"]
    assert max(UPLOAD, LARGEST_UPLOAD) < settings["maxUploadSize"]

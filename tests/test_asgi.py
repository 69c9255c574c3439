"""The server of the container: headers, small downloads, lifetimes."""

import gzip
import subprocess
import sys
import urllib.request
from collections.abc import Iterator

import pytest

from tests.conftest import PATIENCE, ROOT, free_port, wait_until_healthy


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "uvicorn", "asgi:app", "--port", str(port)]
    server = subprocess.Popen(
        command,
        cwd=ROOT,
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


def fetch(address: str) -> tuple[dict[str, str], bytes]:
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
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

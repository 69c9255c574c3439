"""Readiness knows the database, liveness does not, and strangers are told neither figures."""

import asyncio
import socket
from importlib import import_module

import pytest
import streamlit as st
from sqlalchemy import text
from starlette.responses import Response
from streamlit.errors import StreamlitAuthError
from streamlit.testing.v1 import AppTest

from lab.queue import database, texts
from lab.queue.settings import LabSettings
from serving import health
from serving.admission import Admission
from tests.conftest import PATIENCE, awaited
from ui.jobs import desk

import_module("app")  # which begins to tell figures

TOKEN = "a token that is long enough"


@pytest.fixture
def silent():
    """Address of a server that takes connections, and everything that is said, without a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"postgresql://tests@127.0.0.1:{listening.getsockname()[1]}/tests"


def answer(path, client="127.0.0.1", app=None, **headers):
    """Status and words with which the server answers."""
    told = []

    async def send(message):
        told.append(message)

    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": pairs, "client": (client, 1)}
    awaited(Admission(app or Response("alive"))(scope, None, send))
    return told[0]["status"], told[1]["body"].decode()


def test_the_app_is_ready_when_its_database_answers(monkeypatch):
    assert answer("/ready") == (200, "ready")
    monkeypatch.setenv("POSENC_LAB_DATABASE", "postgresql://tests@127.0.0.1:1/tests")
    monkeypatch.setenv("POSENC_LAB", "off")
    assert answer("/ready") == (200, "ready")


def test_with_its_database_down_the_app_is_alive_not_ready(monkeypatch):
    monkeypatch.setenv("POSENC_LAB_DATABASE", "postgresql://tests@127.0.0.1:1/tests")
    status, words = answer("/ready")
    assert (status, words.split(",")[0]) == (503, "The lab does not answer")
    assert answer("/_stcore/health") == (200, "alive")
    figures = answer("/metrics")[1]
    assert "posenc_lab_up 0.0" in figures
    assert "posenc_jobs{" not in figures
    assert "posenc_budget_bytes" in figures


@pytest.mark.parametrize("break_it", ["dropped", "corrupt", "read-only"])
def test_a_database_without_tables_or_writing_is_not_ready(break_it, monkeypatch, tmp_path):
    monkeypatch.setenv("POSENC_LAB_HOME", str(tmp_path))
    assert answer("/ready") == (200, "ready")
    lab = desk.lab_of_all()
    broken = {
        "dropped": "DROP TABLE lab_texts",
        "read-only": "CREATE TRIGGER no BEFORE INSERT ON lab_texts "
        "BEGIN SELECT RAISE(ABORT, 'full'); END",
        "corrupt": "SELECT 1",
    }
    with database.writing(lab.engine) as connection:
        connection.execute(text(broken[break_it]))
    if break_it == "corrupt":
        lab.engine.dispose()
        file = tmp_path / "runs.sqlite"
        file.write_bytes(file.read_bytes()[:4096] + b"x" * (file.stat().st_size - 4096))
    status, words = answer("/ready")
    assert (status, words.split(",")[0]) == (503, "The lab does not answer")


def test_a_disk_without_room_is_not_ready_and_is_told_before(monkeypatch, tmp_path):
    monkeypatch.setenv("POSENC_LAB_HOME", str(tmp_path))
    assert answer("/ready") == (200, "ready")
    monkeypatch.setattr(LabSettings, "free_bytes", lambda _: 3_000_000)
    words = "The lab's disk has 3 MB left: no job is started, and others wait."
    assert answer("/ready") == (503, words)
    assert "posenc_lab_free_bytes 3e+06" in answer("/metrics")[1]
    assert answer("/_stcore/health") == (200, "alive")


def test_what_readiness_writes_does_not_stay(monkeypatch, tmp_path):
    monkeypatch.setenv("POSENC_LAB_HOME", str(tmp_path))
    assert answer("/ready") == (200, "ready")
    assert texts.stored(desk.lab_of_all()) == []


@pytest.mark.slow
def test_a_database_that_hangs_ends_in_a_sentence(monkeypatch, silent):
    monkeypatch.setenv("POSENC_LAB_DATABASE", silent)
    monkeypatch.setattr(health, "PATIENCE", 0.3)

    async def ask():
        readiness = health.Readiness()
        words, again = await readiness.missing(), await readiness.missing()
        assert words == again == "The lab's database has not answered within 0.3 seconds."
        # Who looks at the lab's pages waits longer, and not for ever.
        said = await asyncio.wait_for(readiness.asked, PATIENCE)
        assert said.startswith("The lab does not answer")

    awaited(ask())


@pytest.mark.parametrize("status", [302, 400, 500, None])
def test_a_provider_of_accounts_that_is_wrong_ends_in_a_sentence(status, monkeypatch, caplog):
    async def streamlit(scope, receive, send):
        if status is None:
            raise RuntimeError("no such provider")
        await Response("Authentication error", status)(scope, receive, send)

    told, words = answer("/auth/login", app=streamlit)
    if status == 302:
        assert (told, words) == (302, "Authentication error")
    else:
        assert told == 503
        assert "Signing in does not work: the provider of accounts does not answer" in words
    assert ("no such provider" in caplog.text) == (status is None)


def test_a_name_that_no_file_can_have_is_asked_of_no_disk():
    assert answer("/app/static/" + "a" * 256) == (404, "")
    assert answer("/app/static/" + "é" * 128) == (404, "")
    assert answer("/app/static/" + "a" * 255) == (200, "alive")


def test_signing_in_that_is_not_set_up_is_a_sentence(monkeypatch):
    def page():
        import streamlit as st

        from ui.jobs.desk import sign_in

        st.button("Sign in", on_click=sign_in)

    def login():
        raise StreamlitAuthError("no client_id")

    monkeypatch.setattr(st, "login", login)
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    app.button[0].click().run()
    assert not app.exception
    assert app.error[0].value.startswith("Signing in is not set up as it must be")


@pytest.mark.parametrize("path", ["/metrics", "/ready", "/_stcore/metrics"])
def test_only_the_token_opens_the_operators_paths(path, monkeypatch):
    """Headers that a proxy adds are of many kinds, and some proxies add none."""
    assert answer(path)[0] == 200
    monkeypatch.setenv("POSENC_LAB_ADMIN", TOKEN)
    for lie in ("X-Forwarded-Server", "X-Cluster-Client-Ip", "Fly-Client-IP", "X-Own-Header"):
        assert answer(path, **{"Host": "localhost", lie: "x"}) == (404, "")
    assert answer(path) == (404, "")
    assert answer(path, Authorization=f"Bearer {TOKEN}")[0] == 200


@pytest.mark.parametrize("path", ["/metrics", "/ready", "/app/metrics", "/_stcore/metrics"])
def test_strangers_are_told_no_figures(path, monkeypatch):
    monkeypatch.setenv("POSENC_LAB_ADMIN", TOKEN)
    for client, headers in (
        ("198.51.100.7", {}),
        ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}),
        ("127.0.0.1", {"Host": "rebound.example"}),
        ("127.0.0.1", {"Host": "[x"}),
        ("198.51.100.7", {"Authorization": f"Bearer {TOKEN[:-1]}"}),
        ("198.51.100.7", {"Authorization": "Bearer "}),
    ):
        assert answer(path, client, **headers) == (404, "")
    assert answer(path, "198.51.100.7", Authorization=f"Bearer {TOKEN}")[0] == 200

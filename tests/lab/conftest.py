"""Labs whose jobs are toys, in SQLite and in a PostgreSQL that is started for the tests."""

import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from lab.queue.jobs import Lab
from lab.queue.limits import Limits
from lab.queue.settings import LabSettings
from scripts import postgres
from tests.conftest import PATIENCE
from tests.lab import toy


def toy_settings(home: Path, database: str | None = None, **changes) -> LabSettings:
    """A lab of toys that notices a death within seconds, and not one where a core is busy."""
    values = {"silence": 3.0, "limits": Limits(deaths=1000)} | changes
    database = database or f"sqlite:///{home}/runs.sqlite"
    return LabSettings(home=home, database=database, **values)


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are toys, here and in the workers that are started from here."""
    toy.install(monkeypatch.setattr)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Address of a PostgreSQL in a temporary folder, on a Unix socket, as a user without rights."""
    programs = postgres.find_or_install()
    if programs is None:
        pytest.skip("PostgreSQL is not installed, and only root on Debian could install it here")
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # short: the path of a socket has 107 bytes
    command, rights = postgres.prepare(programs, folder)
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **rights}
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stderr=log, start_new_session=True, **quiet)
    address = postgres.address(folder)
    try:
        wait_for_server(server, address)
        yield address
    finally:
        server.send_signal(signal.SIGINT)  # "fast": clients that are left are sent away
        server.wait(PATIENCE)
        shutil.rmtree(folder)


def wait_for_server(server: subprocess.Popen, address: str) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        assert server.poll() is None, f"PostgreSQL ended with status {server.returncode}"
        try:
            psycopg.connect(address).close()
            return
        except psycopg.OperationalError:
            assert time.monotonic() < end, f"no PostgreSQL within {PATIENCE:g} seconds"
            time.sleep(0.1)


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """Address of an empty database."""
    name = f"lab_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres_server.replace("///postgres?", f"///{name}?")


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> LabSettings:
    """Of a lab in either database."""
    if request.param == "sqlite":
        return toy_settings(tmp_path)
    return toy_settings(tmp_path, request.getfixturevalue("postgres_url"))


@pytest.fixture
def lab(settings: LabSettings, toys: None) -> Iterator[Lab]:
    """A lab of toys in either database."""
    with Lab(settings) as opened:
        yield opened

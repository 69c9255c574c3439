"""Set-up of all tests: one torch thread, a fixed hypothesis profile, the app in a server."""

import asyncio
import gc
import os
import pickle
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Coroutine, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import settings
from streamlit.components.v2 import manifest_scanner

from advisor.families import classes
from plots.figure import Figure, Part
from scripts import browser

# Each time that it is kept from writing, every logger there is would be walked over.
os.environ["TRANSFORMERS_VERBOSITY"] = "critical"

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 300.0
"""Seconds after which a wait fails: a machine whose cores are all taken is slow, not wrong."""

torch.set_num_threads(1)
# Derandomised: a run says the same thing twice. No deadline: first calls pay for torch's start.
settings.register_profile("house", max_examples=40, deadline=None, derandomize=True)
settings.load_profile("house")
# AppTest reads the metadata of every installed package each time that it opens an app, which takes
# four times as long as to draw a screen. What is installed stays the same while the tests run.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
# The tests read some thousand files, many of them again and again; the app keeps the last few.
classes._reading = cache(classes._reading.__wrapped__)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_healthy(address: str, server: subprocess.Popen) -> None:
    """Return when the server answers its health check; fail when it ends or stays silent."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert server.poll() is None, f"the server ended with status {server.returncode}"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"no healthy server at {address} within {PATIENCE:g} seconds")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What imports and the collection leave, a million objects, stays: it is not walked over again.

    Python's collector takes half a second for them each time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Try a browser test that failed once more; the summary names it as rerun.

    `-p no:rerunfailures` looks for those that need it.
    """
    for item in items:
        if item.get_closest_marker("browser") and config.pluginmanager.hasplugin("rerunfailures"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session", autouse=True)
def empty_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test sees, or starts, the jobs of whoever runs the tests; in its own it may do all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POSENC_LAB", "open")
        patch.setenv("POSENC_LAB_HOME", str(tmp_path_factory.mktemp("lab")))
        yield


@pytest.fixture(scope="session", autouse=True)
def models_home() -> Iterator[None]:
    """The installed model is converted once for all runs of the tests; no other model is seen."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POSENC_MODELS_HOME", str(ROOT / ".pytest_cache" / "models"))
        yield


@pytest.fixture(scope="session", autouse=True)
def checked_figures() -> Iterator[None]:
    """Every figure that a test draws is one that plotly's classes accept.

    One that they have accepted is not given to them again: most figures are those of screens at
    their defaults.
    """
    plain = Figure.to_dict
    accepted: set[bytes] = set()

    def to_dict(figure: Figure) -> Part:
        import plotly.graph_objects as go  # half a second, for tests that draw

        parts = plain(figure)
        packed = pickle.dumps(parts)
        if (known := blake2b(packed).digest()) not in accepted:
            go.Figure(pickle.loads(packed))  # a copy: plotly puts its keys into another order
            accepted.add(known)
        return parts

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "to_dict", to_dict)
        yield


@contextmanager
def running_app(
    folder: Path, script: str = "app.py", where: Path = ROOT, **environment: str
) -> Iterator[str]:
    """Serve the app, or another script; its address while it runs. The log goes into `folder`."""
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless", "true"]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port)]
    with (folder / "log.txt").open("wb") as output:
        server = subprocess.Popen(
            command,
            cwd=where,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until_healthy(address, server)
            yield address
        finally:
            server.terminate()
            server.wait(PATIENCE)


@pytest.fixture(scope="session")
def app_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the app, started once for all browser tests of this process.

    It speaks the made-up language to who asks for it in the address.
    """
    with running_app(tmp_path_factory.mktemp("server"), POSENC_PSEUDO="1") as address:
        yield address


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Path of the Chromium that the browser tests drive; `make test` finds or installs it."""
    path = os.environ.get("CHROMIUM") or browser.find()
    assert path, "no Chromium was found: run `make test`, or set CHROMIUM to its path"
    return path


def awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Result of a coroutine, run in a thread: Playwright keeps a loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def said_number(text: str) -> float:
    """A number as the screens write it: 16,384 or −0.5."""
    return float(text.replace(",", "").replace("−", "-"))

"""The real server in a process of its own, with what it takes: CPU time and memory."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from benchmarks.visitor import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
TIED = ("setpriv", "--pdeathsig", "TERM") if shutil.which("setpriv") else ()
"""Words before a command whose process is told to end when who started it was killed."""


class Server:
    def __init__(self, port: int, process: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.process = process
        # The kernel's clock of another process: all threads, nanoseconds.
        self.clock = (~process << 3) | 2

    def milliseconds(self) -> float:
        """CPU time of the process so far."""
        return 1000 * time.clock_gettime(self.clock)

    def megabytes(self) -> float:
        return megabytes(self.process)


def megabytes(process: int) -> float:
    """Memory of a process that is in use now (resident)."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) / 1000 if found else 0.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def started(
    program: Sequence[str], folder: Path, environment: Mapping[str, str], log: BinaryIO
) -> Iterator[Server]:
    """Run a server, a module of Python whose last option takes the port, in a checkout."""
    port = free_port()
    path = os.pathsep.join(str(folder / name) for name in (".", "encodings", "advisor"))
    process = subprocess.Popen(
        [*TIED, sys.executable, "-m", *program, str(port)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path} | environment,
        stdout=log,
        stderr=log,
    )
    try:
        _wait(port, process)
        yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait(PATIENCE)


@contextmanager
def served(script: str, folder: Path = ROOT) -> Iterator[Server]:
    command = ["streamlit", "run", script, "--server.headless", "true"]
    command += ["--server.address", "127.0.0.1", "--server.port"]
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryFile() as log:
        try:
            with started(command, folder, {"POSENC_LAB_HOME": home}, log) as server:
                yield server
        except SystemExit:
            log.seek(0)
            sys.stderr.buffer.write(log.read())  # why a page failed stands here alone
            raise


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit("the server did not start")

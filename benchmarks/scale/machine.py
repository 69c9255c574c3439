"""The programs of `deploy/` on this one machine: started, killed, and started again.

Commands are those of the units in `deploy/systemd`, and nginx reads `deploy/nginx/nginx.conf`: with
other ports and folders, because this machine may use the usual ones for something else.
"""

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.server import ROOT, TIED, free_port
from scripts import postgres

DEPLOY = ROOT / "deploy"
PATIENCE = 300.0
"""Seconds after which a wait fails: a machine whose cores are all taken is slow, not wrong."""
REPLICA = "X-Replica"
"""Header in which nginx says here whom it has asked, the last one after a comma."""
RESTART = 1.0
"""Seconds after which a program that ended by itself is started again, as systemd does it."""


@dataclass
class Program:
    """One program in a process group of its own."""

    command: Sequence[str]
    ready: Callable[[], bool]
    log: Path
    release: Path
    """The folder of the program that is started."""
    settings: Mapping[str, Any]
    """Of the process."""
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    wanted: bool = False
    """Whether it is started again when it ends."""

    def start(self) -> None:
        """Start it; it need not be ready yet."""
        code = python_path(self.release)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*TIED, *self.command],
                env={**os.environ, "PYTHONPATH": code, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **{"cwd": self.release, **self.settings},
            )
        self.wanted = True  # now: before, the keeper would see the old process, which has ended

    def kill(self) -> None:
        """End it and its children at once, as a machine ends that loses its power."""
        self.wanted = False
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(PATIENCE)

    def stop(self) -> None:
        """Ask it to end, as an upgrade does; after half a minute it has to."""
        assert self.process is not None
        self.wanted = False
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(30)
        self.kill()

    @property
    def ended(self) -> bool:
        """Whether it should run and does not."""
        return self.wanted and self.process is not None and self.process.poll() is not None


class Machine:
    """All programs, with something that starts them again.

    Args:
        release: The folder of the program that all begin with.
        log: Folder of what they write.
        environment: Variables of all of them.
    """

    def __init__(self, release: Path, log: Path, environment: Mapping[str, str]) -> None:
        self.release = release
        self.log = log
        self.environment = environment
        self.programs: dict[str, Program] = {}
        self.restarts: list[str] = []
        self.over = threading.Event()
        self.keeper = threading.Thread(target=self._keep, daemon=True)
        self.keeper.start()

    def start(
        self,
        name: str,
        command: Sequence[str],
        ready: Callable[[], bool] = lambda: True,
        **settings: Any,
    ) -> None:
        """Start a program; it need not be ready yet."""
        log = self.log / f"{name.replace(' ', '')}.log"
        self.programs[name] = Program(
            command, ready, log, self.release, settings, dict(self.environment)
        )
        self.programs[name].start()

    def wait(self, name: str) -> None:
        until(self.programs[name].ready, f"{name} is ready")

    def close(self) -> None:
        """End everything, the last one first."""
        self.over.set()
        self.keeper.join()
        for program in reversed(self.programs.values()):
            program.kill()

    def make_tables(self, release: Path) -> None:
        code = {"PYTHONPATH": python_path(release)}
        subprocess.run(
            [sys.executable, "-m", "lab", "upgrade"],
            cwd=release,
            check=True,
            env={**os.environ, **code, **self.environment},
            stdout=subprocess.DEVNULL,
        )

    def start_replica(self, number: int, port: int) -> None:
        command = unit("posenc-app@.service", {"%i": str(port)})
        address = f"http://127.0.0.1:{port}/ready"
        self.start(f"replica {number}", command, lambda: answers(address))

    def start_scheduler(self, port: int) -> None:
        command = unit("posenc-scheduler.service", {"8786": str(port)})
        self.start("scheduler", command, lambda: listens(port))

    def start_worker(self, number: int, port: int) -> None:
        """A worker of the cluster with one thread, and the nanny that starts it again."""
        folder = f"--local-directory={self.log}"
        changes = {"8786": str(port), "--local-directory=/tmp": folder}
        command = ["env", "OMP_NUM_THREADS=1", "nice", "-n", "10"]  # as in the unit
        self.start(f"worker {number}", [*command, *unit("posenc-worker@.service", changes)])

    def start_supervisor(self) -> None:
        self.start("supervisor", unit("posenc-supervisor.service", {}))

    def start_database(self, programs: Path, folder: Path) -> None:
        command, rights = postgres.prepare(programs, folder)

        def ready() -> bool:
            with suppress(psycopg.OperationalError):
                psycopg.connect(postgres.address(folder), connect_timeout=5).close()
                return True
            return False

        self.start("PostgreSQL", command, ready, **rights)

    def start_proxy(
        self, program: str, folder: Path, replicas: Sequence[int], *, encrypted: bool = True
    ) -> str:
        """Start nginx with the project's configuration; its address.

        Without TLS where `encrypted` is False: a client with a thread for reading and another for
        writing may lose what it says over one encrypted connection, before Python 3.13.
        """
        port = free_port()
        file = nginx_files(folder, replicas, port)
        if not encrypted:
            file.write_text(file.read_text().replace(f":{port} ssl http2;", f":{port};"))
        self.start("nginx", [program, "-c", str(file), "-g", "daemon off;"], lambda: listens(port))
        return f"http{'s' * encrypted}://127.0.0.1:{port}"

    def _keep(self) -> None:
        while not self.over.wait(RESTART):
            for name, program in list(self.programs.items()):
                if program.ended:
                    self.restarts.append(name)
                    program.start()


def python_path(release: Path) -> str:
    """Where a release has its code, the library and the advisor."""
    return os.pathsep.join(str(release / name) for name in (".", "encodings", "advisor"))


def nginx() -> str | None:
    """Path of nginx, where it is installed."""
    return shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")


def older(commit: str, folder: Path) -> Path:
    """A folder with the program as it was."""
    folder.mkdir()
    archive = subprocess.run(
        ["git", "archive", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    subprocess.run(["tar", "-x"], cwd=folder, check=True, input=archive.stdout)
    return folder


def release_before() -> str:
    """The last tag, or else the commit before."""
    asked = ["git", "describe", "--tags", "--abbrev=0"]
    told = subprocess.run(asked, cwd=ROOT, check=False, capture_output=True, text=True)
    return told.stdout.strip() or "HEAD~1"


def until(true: Callable[[], object], what: str) -> None:
    """Wait.

    Raises:
        TimeoutError: If it does not come true.
    """
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {PATIENCE:g} seconds: {what}")
        time.sleep(0.1)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def sessions(port: int) -> int:
    """Pages that are open at a replica."""
    address = f"http://127.0.0.1:{port}/_stcore/metrics?families=active_sessions"
    with urllib.request.urlopen(address, timeout=30) as answer:
        told = re.findall(r"^active_sessions (\d+)", answer.read().decode(), re.MULTILINE)
    return int(told[0])


def unit(name: str, changes: Mapping[str, str]) -> list[str]:
    """The command of a unit of deploy/systemd, with these parts of it changed."""
    text = (DEPLOY / "systemd" / name).read_text()
    (line,) = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", text, re.MULTILINE)
    words = shlex.split(line)
    for old, new in {"exec": "", "$$(pwd -P)/.venv/bin/python": sys.executable, **changes}.items():
        if not any(old in word for word in words):
            raise ValueError(f"{old} is not in the command of {name}")
        words = [word.replace(old, new) for word in words]
    return [word for word in words if word]


def nginx_files(folder: Path, replicas: Sequence[int], port: int) -> Path:
    """The project's configuration of nginx for these ports, in a folder; its path."""
    folder.mkdir()
    folder.chmod(0o755)
    certificate(folder)
    text = (DEPLOY / "nginx" / "nginx.conf").read_text()
    temporary = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"    {name}_temp_path {folder}/{name};\n" for name in temporary)
    changes = {
        "/run/nginx.pid": f"{folder}/pid",
        "/var/log/nginx/access.log": f"{folder}/access.log",
        "/var/log/nginx/error.log": "stderr",
        "/var/cache/posenc": f"{folder}/cache",
        "/etc/nginx/tls": str(folder),
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443": f"listen 127.0.0.1:{port}",
        "        listen [::]:80;\n": "",
        "        listen [::]:443 ssl http2;\n": "",
        "worker_processes auto": "worker_processes 2",
        # The answer that opens a reader's connection says which replica is at the other end.
        "http {\n": f"http {{\n{paths}    add_header {REPLICA} $upstream_addr always;\n",
    }
    for old, new in changes.items():
        if old not in text:
            raise ValueError(f"{old} is not in nginx.conf")
        text = text.replace(old, new)
    if os.geteuid() == 0:  # else its workers are somebody who may not look into this folder
        text = f"user root;\n{text}"
    lines = (DEPLOY / "nginx" / "replicas.conf").read_text().splitlines()
    servers = [line for line in lines if line.strip().startswith("server ")]
    # As many lines as there are replicas here, each as the file writes them.
    ours = [re.sub(r":\d+", f":{number}", servers[0]) for number in replicas]
    kept = [line for line in lines if line not in servers]
    at = kept.index("    keepalive 32;")
    (folder / "replicas.conf").write_text("\n".join([*kept[:at], *ours, *kept[at:]]) + "\n")
    (folder / "nginx.conf").write_text(text)
    return folder / "nginx.conf"


def certificate(folder: Path) -> None:
    """One that nobody signed, for a day."""
    asked = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
    names = "-subj /CN=127.0.0.1 -keyout privkey.pem -out fullchain.pem"
    command = shlex.split(f"{asked} {names}")
    subprocess.run(command, cwd=folder, check=True, capture_output=True)

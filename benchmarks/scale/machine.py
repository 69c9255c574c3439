"""The programs of `deploy/` on this one machine: started, killed, and started again.

Commands are those of the units in `deploy/systemd`, and nginx reads `deploy/nginx/nginx.conf`: with
other ports and folders, because this machine may use the usual ones for something else.
"""

import datetime
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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from benchmarks.moves import ROOT, free_port
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

    name: str
    command: Sequence[str]
    ready: Callable[[], bool]
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    rights: Mapping[str, Any] = field(default_factory=dict)
    release: Path = ROOT
    """The folder of the program that is started."""
    process: subprocess.Popen[bytes] | None = None
    wanted: bool = False
    """Whether it is started again when it ends."""

    def start(self) -> None:
        """Start it; it need not be ready yet."""
        code = os.pathsep.join([str(self.release), str(self.release / "encodings")])
        environment = {**os.environ, "PYTHONPATH": code, **self.environment}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **{"cwd": self.release, **self.rights},
            )
        self.wanted = True  # now: before, the keeper would see the old process, which has ended

    def kill(self) -> None:
        """End it and its children at once, as a machine ends that loses its power."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to end, as an upgrade does; after half a minute it has to."""
        assert self.process is not None
        self.wanted = False
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(30)
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        self.wanted = False
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, how)
            self.process.wait(PATIENCE)

    @property
    def ended(self) -> bool:
        """Whether it should run and does not."""
        return self.wanted and self.process is not None and self.process.poll() is not None


class Machine:
    """All programs, with something that starts them again."""

    def __init__(self, release: Path) -> None:
        self.release = release
        self.programs: dict[str, Program] = {}
        self.restarts: list[str] = []
        self.over = threading.Event()
        self.keeper = threading.Thread(target=self._keep, daemon=True)
        self.keeper.start()

    def start(self, program: Program) -> None:
        """Start a program of this release; it need not be ready yet."""
        self.programs[program.name] = program
        program.release = self.release
        program.start()

    def run(self, program: Program) -> None:
        self.start(program)
        self.wait(program.name)

    def wait(self, name: str) -> None:
        until(self.programs[name].ready, f"{name} is ready")

    def close(self) -> None:
        """End everything, the last one first."""
        self.over.set()
        self.keeper.join()
        for program in reversed(self.programs.values()):
            program.kill()

    def _keep(self) -> None:
        while not self.over.wait(RESTART):
            for program in list(self.programs.values()):
                if program.ended:
                    self.restarts.append(program.name)
                    program.start()


def older(commit: str, folder: Path) -> Path:
    folder.mkdir()
    packed = subprocess.run(
        ["git", "archive", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE
    ).stdout
    subprocess.run(["tar", "-x"], cwd=folder, check=True, input=packed)
    return folder


def release_before() -> str:
    """The last tag, or else the commit before."""
    asked = ["git", "describe", "--tags", "--abbrev=0"]
    told = subprocess.run(asked, cwd=ROOT, check=False, capture_output=True, text=True)
    return told.stdout.strip() or "HEAD~1"


def make_tables(release: Path, environment: Mapping[str, str]) -> None:
    subprocess.run(
        [sys.executable, "-m", "lab", "upgrade"],
        cwd=release,
        check=True,
        env={**os.environ, "PYTHONPATH": str(release / "encodings"), **environment},
        stdout=subprocess.DEVNULL,
    )


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


def database(folder: Path, log: Path) -> tuple[Program, str] | None:
    """PostgreSQL and the address of its database; None where its programs are not installed."""
    programs = postgres.find()
    if programs is None:
        return None
    folder.mkdir()
    command, rights = postgres.prepare(programs, folder)
    address = postgres.address(folder)

    def ready() -> bool:
        with suppress(psycopg.OperationalError):
            psycopg.connect(address, connect_timeout=5).close()
            return True
        return False

    return Program(
        "PostgreSQL", command, ready, folder.parent / "postgres.log", {}, rights
    ), address


def proxy(folder: Path, replicas: Sequence[int], log: Path) -> tuple[Program, str] | None:
    """Nginx with the project's configuration, and its address; None where it is not installed."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        return None
    port = free_port()
    command = [program, "-c", str(nginx_files(folder, replicas, port)), "-g", "daemon off;"]
    ready = lambda: listens(port)  # noqa: E731
    return Program("nginx", command, ready, log / "nginx.log"), f"https://127.0.0.1:{port}"


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
        # The answer that opens a reader's line says which replica is at the other end.
        "http {\n": f"http {{\n{paths}    add_header {REPLICA} $upstream_addr always;\n",
    }
    for old, new in changes.items():
        if old not in text:
            raise ValueError(f"{old} is not in nginx.conf")
        text = text.replace(old, new)
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
    """One that nobody signed, for an hour."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    begin = datetime.datetime.now(datetime.UTC) - datetime.timedelta(minutes=5)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "privkey.pem").write_bytes(secret)


def replica(number: int, port: int, folder: Path, environment: Mapping[str, str]) -> Program:
    command = unit("posenc-app@.service", {"%i": str(port)})
    ready = lambda: answers(f"http://127.0.0.1:{port}/ready")  # noqa: E731
    return Program(
        f"replica {number}", command, ready, folder / f"replica{number}.log", environment
    )


def scheduler(port: int, folder: Path, environment: Mapping[str, str]) -> Program:
    command = unit("posenc-scheduler.service", {"8786": str(port)})
    return Program(
        "scheduler", command, lambda: listens(port), folder / "scheduler.log", environment
    )


def dask_worker(number: int, port: int, folder: Path, environment: Mapping[str, str]) -> Program:
    """A worker of the cluster with one thread, and the nanny that starts it again."""
    changes = {"8786": str(port), "--local-directory=/tmp": f"--local-directory={folder}"}
    command = ["nice", "-n", "10", *unit("posenc-worker@.service", changes)]  # Nice=10 there
    log = folder / f"worker{number}.log"
    environment = {**environment, "OMP_NUM_THREADS": "1"}
    return Program(f"worker {number}", command, lambda: True, log, environment)


def supervisor(folder: Path, environment: Mapping[str, str]) -> Program:
    command = unit("posenc-supervisor.service", {})
    log = folder / "supervisor.log"
    return Program("supervisor", command, lambda: True, log, environment)

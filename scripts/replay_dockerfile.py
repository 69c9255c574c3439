"""Replay the Dockerfile without a container engine (`make replay`; root on Debian or Ubuntu).

Every stage starts from a clean root file system made by debootstrap: Debian's own Python stands in
for the official slim image. COPY, RUN, ENV, ARG, WORKDIR and USER are replayed in it by chroot.
Then the last stage's CMD is started as its USER, with the root mounted read-only and a tmpfs on
/tmp, and asked for its health, by the HEALTHCHECK's own command, and for its page.

Not replayed: the base image itself, layers and their cache, networks and port mapping, signals,
resource limits. The machine's own pip settings are passed to RUN, so that a mirror works.
"""

import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = "python3,python3-venv,ca-certificates"
PASSED_ON = re.compile(r"(PIP_\w+|\w+_proxy|\w+_PROXY|SSL_CERT_FILE|REQUESTS_CA_BUNDLE)$")


@dataclass(frozen=True)
class Instruction:
    """One instruction of a Dockerfile: its word and the rest of its line."""

    word: str
    rest: str


@dataclass
class Stage:
    """A stage while it is replayed."""

    name: str
    root: Path
    variables: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "0:0"
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)


def parse(text: str) -> list[Instruction]:
    """Instructions of a Dockerfile, continued lines joined and comments left out."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    pairs = [line.strip().split(None, 1) for line in joined.splitlines() if line.strip()]
    return [Instruction(word.upper(), rest) for word, rest in pairs]


def options_and_rest(rest: str) -> tuple[dict[str, str], str]:
    """Split the leading --name=value options off an instruction."""
    options = {}
    while match := re.match(r"--([\w-]+)=(\S+)\s+", rest):
        options[match[1]] = match[2]
        rest = rest[match.end() :]
    return options, rest


def substitute(text: str, variables: dict[str, str]) -> str:
    """Put the values of $NAME and ${NAME} into a text; an unknown name is empty."""
    return re.sub(r"\$\{?(\w+)\}?", lambda match: variables.get(match[1], ""), text)


def exec_form(text: str) -> list[str]:
    """The words of a command, which is written as a JSON list or as a shell line."""
    return json.loads(text) if text.startswith("[") else ["/bin/sh", "-c", text]


def say(text: str) -> None:
    """Print one line of the report."""
    print(f"replay: {text}", flush=True)


def mirror_and_suite() -> tuple[str, str]:
    """The Debian mirror that this machine's apt uses, and the release it runs."""
    suite = platform.freedesktop_os_release()["VERSION_CODENAME"]
    wanted = ["--format", "$(REPO_URI)", f"Codename: {suite}"]
    command = ["apt-get", "indextargets", *wanted]
    addresses = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    if not addresses:
        sys.exit("This machine's apt knows no mirror of its own release; try apt-get update.")
    return addresses[0], suite


def make_base(folder: Path) -> Path:
    """A clean root file system with Python, as a stand-in for python:<version>-slim."""
    if not shutil.which("debootstrap"):
        command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "debootstrap"]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    mirror, suite = mirror_and_suite()
    base = folder / "base"
    command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", suite, str(base)]
    with (folder / "debootstrap.log").open("wb") as log:
        subprocess.run([*command, mirror], check=True, stdout=log)
    (base / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    shutil.copy("/etc/resolv.conf", base / "etc/resolv.conf")
    return base


def machine_settings() -> tuple[str, dict[str, str], list[Path]]:
    """This machine's pip settings as a pip.conf, its variables, and the paths that both name."""
    listing = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True
    ).stdout
    pairs = re.findall(r"^global\.([\w-]+)='(.*)'$", listing, re.MULTILINE)
    config = "[global]\n" + "".join(f"{k} = {v}\n" for k, v in pairs).replace("\\n", "\n  ")
    variables = {k: v for k, v in os.environ.items() if PASSED_ON.match(k)}
    named = re.findall(r"(?<![\w:/])/[\w./-]+", config.replace("file://", "") + str(variables))
    # The files of a package index lie beside its pages, which are called "simple".
    paths = {Path(name.removesuffix("/simple")) for name in named}
    return config, variables, sorted(p for p in paths if p.exists() and len(p.parts) > 2)


def mount(*arguments: str | Path) -> None:
    """Mount, in the namespace of this process only."""
    subprocess.run(["mount", *map(str, arguments)], check=True)


def mount_system(root: Path) -> None:
    """Give a root the few system files that a process needs."""
    mount("-t", "proc", "proc", root / "proc")
    for name in ("null", "zero", "random", "urandom"):
        (root / "dev" / name).touch()
        mount("--bind", f"/dev/{name}", root / "dev" / name)


def unmount_all(root: Path) -> None:
    """Undo every mount below a root, the innermost first."""
    points = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    for point in sorted(points, reverse=True):
        if Path(point).is_relative_to(root):
            subprocess.run(["umount", "--lazy", point], check=True)


def chroot(stage: Stage, command: list[str], extra: dict[str, str]) -> list[str]:
    """The command that runs another one in a stage's root, folder, user and variables."""
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    variables = {"PATH": path, **extra, **stage.variables}
    inside = ["env", "-i", f"--chdir={stage.folder}", *(f"{k}={v}" for k, v in variables.items())]
    return ["chroot", f"--userspec={stage.user}", str(stage.root), *inside, *command]


def run(stage: Stage, rest: str) -> None:
    """RUN, with this machine's pip settings and the folders they name."""
    config, variables, paths = machine_settings()
    pip_conf = stage.root / "etc/pip.conf"
    pip_conf.write_text(config)
    try:
        mount_system(stage.root)
        for path in paths:
            inside = stage.root / path.relative_to("/")
            inside.parent.mkdir(parents=True, exist_ok=True)
            inside.mkdir(exist_ok=True) if path.is_dir() else inside.touch()
            mount("--bind", "-o", "ro", path, inside)
        subprocess.run(chroot(stage, exec_form(rest), variables), check=True)
    finally:
        unmount_all(stage.root)
        pip_conf.unlink()


def copy(stage: Stage, rest: str, stages: dict[str, Stage]) -> None:
    """COPY from the checkout, without what .dockerignore names anywhere, or from a stage."""
    options, rest = options_and_rest(rest)
    *sources, target = rest.split()
    origin = stages[options["from"]].root if "from" in options else ROOT
    lines = [] if "from" in options else (ROOT / ".dockerignore").read_text().split()
    ignored = [line.removeprefix("**/") for line in lines]
    place = stage.root / os.path.join(stage.folder, target).lstrip("/")
    for path in (origin / source.lstrip("/") for source in sources):
        if path.is_dir():
            patterns = shutil.ignore_patterns(*ignored)
            shutil.copytree(path, place, symlinks=True, ignore=patterns, dirs_exist_ok=True)
        else:
            destination = place / path.name if target.endswith("/") else place
            destination.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, destination)


def replay(stage: Stage, step: Instruction, stages: dict[str, Stage]) -> None:
    """One instruction inside a stage."""
    rest = step.rest if step.word in ("RUN", "CMD") else substitute(step.rest, stage.variables)
    if step.word in ("ENV", "ARG"):
        for pair in shlex.split(rest):
            name, _, default = pair.partition("=")
            value = os.environ.get(name, default) if step.word == "ARG" else default
            stage.variables[name] = value
    elif step.word == "WORKDIR":
        stage.folder = os.path.join(stage.folder, rest)
        (stage.root / stage.folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
    elif step.word == "USER":
        stage.user = rest
    elif step.word == "RUN":
        run(stage, rest)
    elif step.word == "COPY":
        copy(stage, rest, stages)
    elif step.word == "HEALTHCHECK":
        stage.health = exec_form(options_and_rest(rest)[1].removeprefix("CMD").strip())
    elif step.word == "CMD":
        stage.command = exec_form(rest)
    elif step.word != "EXPOSE":
        sys.exit(f"The replay does not know the instruction {step.word}.")


def build(folder: Path, base: Path) -> Stage:
    """Replay every stage; the last one is the image."""
    stages: dict[str, Stage] = {}
    before_stages: dict[str, str] = {}
    for step in parse((ROOT / "Dockerfile").read_text()):
        started = time.monotonic()
        if step.word == "ARG" and not stages:
            name, _, default = step.rest.partition("=")
            before_stages[name] = default
            continue
        if step.word == "FROM":
            image, *alias = substitute(step.rest, before_stages).split()
            name = alias[1] if alias else str(len(stages))
            stage = stages[name] = Stage(name, folder / f"stage-{name}")
            subprocess.run(["cp", "-a", base, stage.root], check=True)
            say(f"FROM {image}: Debian's Python stands in for it, as stage {name}")
            continue
        replay(stage, step, stages)
        say(f"{step.word} {step.rest[:70]} ({time.monotonic() - started:.1f} s)")
    return stage


def wait_for_health(stage: Stage, server: subprocess.Popen) -> None:
    """Ask by the image's own HEALTHCHECK until it is content."""
    started = time.monotonic()
    while subprocess.run(chroot(stage, stage.health, {}), stderr=subprocess.DEVNULL).returncode:
        if server.poll() is not None or time.monotonic() - started > 60:
            sys.exit("The app did not become healthy.")
        time.sleep(0.5)
    say(f"HEALTHCHECK content after {time.monotonic() - started:.1f} s")


def serve_and_check(stage: Stage) -> None:
    """Start the image as it would run: read-only root, a tmpfs on /tmp, its own user."""
    mount("--bind", stage.root, stage.root)
    mount_system(stage.root)
    mount("-o", "remount,bind,ro", stage.root)
    mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", stage.root / "tmp")
    as_root = chroot(replace(stage, user="0:0"), ["touch", "/app/x"], {})
    if subprocess.run(as_root, stderr=subprocess.DEVNULL).returncode == 0:
        sys.exit("The root file system could be written to.")
    say("the root file system is read-only, to root too")
    server = subprocess.Popen(chroot(stage, stage.command, {}))
    try:
        wait_for_health(stage, server)
        assert server.poll() is None, "another server answers on port 8501"
        say(f"the server runs as user {Path(f'/proc/{server.pid}').stat().st_uid}")
        with urllib.request.urlopen("http://127.0.0.1:8501", timeout=5) as answer:
            assert b"<html" in answer.read(), "the page was not served"
        chart = "static/chart/chart.js"
        with urllib.request.urlopen(f"http://127.0.0.1:8501/app/{chart}", timeout=5) as answer:
            assert answer.read() == (ROOT / chart).read_bytes(), "another chart was served"
        say("the page and the chart's script are served")
        run_page = (
            "from streamlit.testing.v1 import AppTest\n"
            "page = AppTest.from_file('/app/app.py', default_timeout=120).run()\n"
            "assert not page.exception and page.main.children, page.exception"
        )
        command = chroot(stage, [stage.command[0], "-c", run_page], {})
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        say("the first page runs without an exception under the same user and root")
    finally:
        server.terminate()
        server.wait(timeout=20)
        unmount_all(stage.root)


def main() -> None:
    """Replay in a namespace of its own, so that no mount and no process outlives the replay."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit("The replay needs root on Debian or Ubuntu, for chroot and mounts.")
    if "--inside" not in sys.argv:
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        sys.exit(subprocess.run([*command, sys.executable, __file__, "--inside"]).returncode)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        base = make_base(Path(folder))
        say(f"a clean root file system after {time.monotonic() - started:.0f} s")
        serve_and_check(build(Path(folder), base))
    say(f"done in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()

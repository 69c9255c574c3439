"""scripts/lint_static.sh, with an npm that answers as it does where something is missing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "lint_static.sh"


def linted(folder: Path, npm: str | None) -> subprocess.CompletedProcess[str]:
    """Run of the script in a checkout where npm is this shell script, or is not there."""
    for name in ("scripts", "bin"):
        (folder / name).mkdir()
    shutil.copy(SCRIPT, folder / "scripts")
    lock = folder / "package-lock.json"
    lock.touch()
    os.utime(lock, (0, 0))
    for tool in ("sh", "dirname", "grep"):
        (folder / "bin" / tool).symlink_to(shutil.which(tool) or pytest.skip(f"no {tool}"))
    if npm is not None:
        (folder / "bin" / "npm").write_text(f"#!/bin/sh\n{npm}\n")
        (folder / "bin" / "npm").chmod(0o755)
    return run(folder)


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    command, path = folder / "scripts" / SCRIPT.name, str(folder / "bin")
    return subprocess.run([command], env={"PATH": path}, capture_output=True, text=True)


def failing(code: str) -> str:
    return f"[ $1 != ci ] || {{ echo 'npm error code {code}' >&2; exit 1; }}; echo npm: $1"


def test_without_npm_it_says_so_and_nothing_fails(tmp_path: Path) -> None:
    done = linted(tmp_path, None)
    assert (done.returncode, done.stdout) == (0, "npm is not here: static/ is not linted\n")


@pytest.mark.parametrize("code", ["ENOTFOUND", "ECONNREFUSED", "EAI_AGAIN", "E503", "EBADENGINE"])
def test_what_cannot_be_installed_here_is_said_and_does_not_fail(tmp_path: Path, code: str) -> None:
    done = linted(tmp_path, failing(code))
    assert done.returncode == 0, done.stderr
    assert f"npm error code {code}" in done.stdout
    assert done.stdout.endswith("static/ is not linted\n")
    assert "npm: run" not in done.stdout


@pytest.mark.parametrize("code", ["EUSAGE", "EINTEGRITY", "E404"])
def test_a_lock_that_does_not_fit_fails(tmp_path: Path, code: str) -> None:
    done = linted(tmp_path, failing(code))
    assert done.returncode == 1
    assert "not linted" not in done.stdout


@pytest.mark.parametrize("status", [0, 1])
def test_what_the_linters_say_counts(tmp_path: Path, status: int) -> None:
    assert linted(tmp_path, f"[ $1 = ci ] || exit {status}").returncode == status


def test_the_tools_are_installed_once(tmp_path: Path) -> None:
    installed = tmp_path / "node_modules" / ".package-lock.json"
    installed.parent.mkdir()
    npm = f"[ $1 != ci ] || : >>{installed.as_posix()!r}; echo npm: $1"
    assert "npm: run" in linted(tmp_path, npm).stdout
    assert run(tmp_path).stdout == "npm: run\n"
    os.utime(tmp_path / "package-lock.json", (2**32, 2**32))
    assert run(tmp_path).stdout.startswith("Installing")

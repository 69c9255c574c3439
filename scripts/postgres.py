"""Find PostgreSQL's programs for the tests, installing Debian's package where there are none.

Nothing is started and nothing else of the machine is changed; the tests run a server of their own.
"""

import os
import pwd
import shutil
import subprocess
from pathlib import Path
from typing import Any

from scripts import debian


def find() -> Path | None:
    """Folder of initdb and postgres: on the PATH, or where Debian puts them; else None."""
    on_path = shutil.which("initdb")
    if on_path and shutil.which("postgres"):
        return Path(on_path).parent
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    found = [folder for folder in versions if (folder / "initdb").is_file()]
    return max(found, key=lambda folder: float(folder.parent.name), default=None)


def find_or_install() -> Path | None:
    """As `find`, after installing Debian's package where there is nothing yet."""
    if find() is None:
        debian.install("postgresql")
    return find()


def prepare(programs: Path, folder: Path) -> tuple[list[str], dict[str, Any]]:
    """An empty server in a folder: its command, and the rights it is started with.

    It listens at a Unix socket in the folder alone (whose path must be short: 107 bytes in all),
    trusts the user `tests`, and runs as somebody without rights, as PostgreSQL asks for.
    """
    rights: dict[str, Any] = {"cwd": folder}
    if os.geteuid() == 0:
        there = {entry.pw_name for entry in pwd.getpwall()}
        user = next(name for name in ("postgres", "nobody") if name in there)
        shutil.chown(folder, user)
        rights |= {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    initdb = [programs / "initdb", "-D", folder / "data", "-U", "tests", "-A", "trust", "-N"]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    subprocess.run(initdb, check=True, **quiet, **rights)
    command = [programs / "postgres", "-D", folder / "data", "-k", folder, "-F"]
    return [*map(str, command), "-c", "listen_addresses="], rights


def address(folder: Path) -> str:
    """Of the database that a server in this folder has from the beginning."""
    return f"postgresql:///postgres?host={folder}&user=tests"

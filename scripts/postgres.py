"""Find PostgreSQL's programs for the tests, installing Debian's package where there are none.

Nothing is started and nothing else of the machine is changed; the tests run a server of their own.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path


def find() -> Path | None:
    """Folder of initdb and postgres: on the PATH, or where Debian puts them; else None."""
    on_path = shutil.which("initdb")
    if on_path and shutil.which("postgres"):
        return Path(on_path).parent
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    found = [folder for folder in versions if (folder / "initdb").is_file()]
    return max(found, key=lambda folder: float(folder.parent.name), default=None)


def find_or_install() -> Path | None:
    """As `find`, after installing Debian's package as root where there is nothing yet."""
    if find() is None and shutil.which("apt-get") and os.geteuid() == 0:
        for command in (["update"], ["install", "-y", "--no-install-recommends", "postgresql"]):
            subprocess.run(
                ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=120", *command],
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr,
                check=False,
            )
    return find()

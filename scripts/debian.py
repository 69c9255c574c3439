"""Debian's packages for the tests, where we are root on a Debian."""

import os
import shutil
import subprocess
import sys


def install(*packages: str) -> None:
    """Install packages, as far as this is possible; what apt prints goes to standard error."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        subprocess.run(
            ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=120", *command],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            check=False,
        )

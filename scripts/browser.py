"""Find a Chromium for the browser tests, installing one where there is none; print its path.

In this order: the CHROMIUM variable, a Chromium or Chrome of the machine, Debian's package when
root, Playwright's own download.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from scripts import debian

# Playwright's own is a shell too: it needs a tenth less than a whole browser without a window.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def on_this_machine() -> str | None:
    """Path of a browser that the variable names or that is installed, else None."""
    candidates = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES), MAC]
    return next((path for path in candidates if path and Path(path).is_file()), None)


def playwrights_own() -> str | None:
    """Path of the browser that Playwright has downloaded, else None."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def find() -> str | None:
    """Path of a browser that is there, else None."""
    return on_this_machine() or playwrights_own()


def main() -> None:
    if not on_this_machine():
        debian.install(SHELL, "libatomic1")  # which Playwright's driver needs
    path = find()
    if path is None:
        command = [sys.executable, "-m", "playwright", "install", "chromium"]
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
        path = playwrights_own()
    if path is None:
        sys.exit("No Chromium was found and none could be installed; set CHROMIUM to its path.")
    print(path)


if __name__ == "__main__":
    main()

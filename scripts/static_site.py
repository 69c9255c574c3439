"""The walks as plain files: `make static`, or `python -m scripts.static_site OUT_DIR`.

Each chapter is a page, drawn by the same JavaScript as in the app from the same data. Any web
server gives them to as many readers as it can send files to: nothing is computed, kept or asked for
elsewhere. What needs the app is left out: controls, typed text, jobs.
"""

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.site.files import WORKER, Site
from ui.screen import course

ROOT = Path(__file__).resolve().parent.parent


def export(folder: Path, screens: Sequence[str] = course.COURSE, address: str = "") -> None:
    """Build the site beside its place and put it there whole; what stood there is replaced.

    Args:
        folder: Its place: an earlier export, or nothing.
        screens: Ids of the walks.
        address: Where it will be found, with a slash at its end, for links that are shared.

    Raises:
        SystemExit: If something else is in the folder.
    """
    if folder.exists() and not (folder / WORKER).is_file() and any(folder.iterdir()):
        raise SystemExit(f"{folder} holds something else; name another folder.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        new = Path(work) / "site"
        new.mkdir()
        Site(new, screens, address).build()
        if folder.exists():
            shutil.rmtree(folder)
        new.rename(folder)
    folder.chmod(0o755)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build" / "static")
    parser.add_argument("--address", default="", help="where the site will be found, https://…/")
    options = parser.parse_args()
    address = options.address and options.address.rstrip("/") + "/"
    export(options.folder, address=address)
    print(f"{options.folder}: python3 -m http.server --directory {options.folder}")


if __name__ == "__main__":
    main()

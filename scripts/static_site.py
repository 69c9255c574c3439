"""The course as plain files: `make static`, or `python -m scripts.static_site OUT_DIR`.

The pages are those that the app serves, without the ways to its screens. Any web server gives them
to as many readers as it can send files to: nothing is computed, kept or asked for elsewhere.
"""

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

from course import build
from course.chapters import MOVED
from course.page.files import COURSE, FONT, PLACE, STATIC, script, served
from ui.streamlit.page import STATIC as STREAMLIT

ROOT = Path(__file__).resolve().parent.parent
WORKER = "worker.js"
KEPT = (".html", ".css", ".js", ".png", ".woff2")
"""Endings of the files that a browser keeps for times without a network."""


def export(folder: Path, public: str = "") -> None:
    """Build the site beside its place and put it there whole; what stood there is replaced.

    Args:
        folder: Its place: an earlier export, or nothing.
        public: Where it will be found, with a slash at its end, for links that are shared.

    Raises:
        SystemExit: If something else is in the folder.
    """
    if folder.exists() and not (folder / WORKER).is_file() and any(folder.iterdir()):
        raise SystemExit(f"{folder} holds something else; name another folder.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        new = Path(work) / "site"
        write(new, public)
        if folder.exists():
            shutil.rmtree(folder)
        new.rename(folder)
    folder.chmod(0o755)


def write(folder: Path, public: str) -> None:
    """Write every page and every file that pages ask for into a new folder."""
    shutil.copytree(STATIC / "site", folder / script("site").strip("/"))
    release = folder / script("course/").strip("/")
    for name, path in served().items():
        # Small pictures are asked for by an address that was shared, maybe long ago.
        place = folder / PLACE.strip("/") if path.suffix == ".png" else release.parent
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place / name)
    font = folder / FONT.strip("/")
    font.parent.mkdir(parents=True)
    shutil.copy(STREAMLIT / FONT.strip("/"), font)  # its notice and its licence are in the file
    for path, html in build.site(public=public, alone=True).items():
        place = folder / path.strip("/")
        place.mkdir(parents=True, exist_ok=True)
        (place / "index.html").write_bytes(html)
    for (name, step), there in MOVED.items():
        place = folder / "course" / name / step
        place.mkdir()
        way = "../" * 2 + "/".join(there) + "/"
        (place / "index.html").write_text(f'<meta http-equiv="refresh" content="0; url={way}">\n')
    _write_worker(folder)


def _write_worker(folder: Path) -> None:
    """Write the script by which a second visit needs no network, with the names of all files."""
    kept = sorted(path for path in folder.rglob("*") if path.suffix in KEPT)
    names = [str(path.relative_to(folder)).removesuffix("index.html") for path in kept]
    version = hashlib.sha256(b"".join(path.read_bytes() for path in kept)).hexdigest()[:12]
    told = (COURSE / "page" / WORKER).read_text("utf-8")
    told = told.replace('"VERSION"', json.dumps(version))
    (folder / WORKER).write_text(told.replace('["FILES"]', json.dumps(names)), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build" / "static")
    parser.add_argument("--address", default="", help="where the site will be found, https://…/")
    options = parser.parse_args()
    export(options.folder, options.address and options.address.rstrip("/") + "/")
    print(f"{options.folder}: python3 -m http.server --directory {options.folder}")


if __name__ == "__main__":
    main()

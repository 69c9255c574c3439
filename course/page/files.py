"""Where the files of a plain page are found, from the root of the site.

Those of `static/` are below /app/static/, as Streamlit serves them, and those of `course/` below
/course/-/, where addresses go on as paths of the project do: a module finds another by its place.
So are the pictures of the screens, `static/pictures/`: they stand on the stage of the course.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
STATIC = ROOT / "static"
COURSE = ROOT / "course"
PLACE = "/course/-"
"""Address of the course's files."""
KINDS = {".js", ".css", ".png", ".txt"}
SHARED = tuple(
    f"static/{name}.js"
    for name in ("presenter", "lines", "slide", "svg", "saving", "embed", "screen/copy")
)
"""Files of the screens that modules of the course import."""
FONT = "/static/media/SourceSansVF-Upright.ttf.BsWL4Kly.woff2"
"""The letters of the app, Source Sans by Adobe, SIL Open Font License 1.1: Streamlit's file."""
IMPORT = re.compile(r'^\s*(?:import|export|\} from)\b[^;]*?"(\.{1,2}/[^"]+)"', re.MULTILINE)


@cache
def version() -> str:
    """A hash of all scripts and styles: addresses are new whenever one of them is."""
    found = [*STATIC.rglob("*.*"), *COURSE.rglob("*.*")]
    files = sorted(path for path in found if path.suffix in (".js", ".css"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


@cache
def served() -> Mapping[str, Path]:
    """The course's files by their paths in the project, "course/page/course.js"."""
    files = [path for path in COURSE.rglob("*") if path.suffix in KINDS]
    files += [ROOT / name for name in SHARED]
    return {path.relative_to(ROOT).as_posix(): path for path in files}


@cache
def drawn() -> Mapping[str, Path]:
    """Pictures of the screens and all that they import, as in `served`."""
    pictures = sorted((STATIC / "pictures").glob("*.js"))
    names = modules(*(path.relative_to(ROOT).as_posix() for path in pictures))
    return {name: ROOT / name for name in names}


def script(name: str) -> str:
    """Address of a script or style that a browser may keep for ever.

    The hash stands in the path, so a module that a script imports by its own place has it too.

    Args:
        name: "course/page/course.js" or "static/pictures/life.js" in the project;
            "site/header.js" in `static/`.
    """
    place = PLACE if name.startswith(("course/", "static/")) else "/app/static"
    return f"{place}/release-{version()}/{name}"


def preview(chapter: str) -> str:
    """Address of the small picture of a chapter."""
    return f"{PLACE}/course/chapters/{chapter}/preview.png"


@cache
def modules(*names: str) -> tuple[str, ...]:
    """Modules of the course and all that they import, so that a browser asks for them at once.

    Args:
        names: Their paths in the project.
    """
    found: list[Path] = []
    waiting = [ROOT / name for name in reversed(names)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.append(path)
            imported = IMPORT.findall(path.read_text("utf-8"))
            waiting += [(path.parent / name).resolve() for name in reversed(imported)]
    return tuple(path.relative_to(ROOT).as_posix() for path in found)

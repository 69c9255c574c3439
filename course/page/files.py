"""Where the files of a plain page are found, from the root of the site.

Those of `static/` are below /app/static/, as Streamlit serves them.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
STATIC = ROOT / "static"
FONT = "/static/media/SourceSansVF-Upright.ttf.BsWL4Kly.woff2"
"""The letters of the app, Source Sans by Adobe, SIL Open Font License 1.1: Streamlit's file."""
IMPORT = re.compile(r'^\s*(?:import|export|\} from)\b[^;]*?"(\.[^"]+)"', re.MULTILINE)


@cache
def version() -> str:
    """A hash of all scripts and styles: addresses are new whenever one of them is."""
    files = sorted([*STATIC.rglob("*.js"), *STATIC.rglob("*.css")])
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


def script(name: str) -> str:
    """Address of a script or style that a browser may keep for ever.

    The hash stands in the path, so a module that a script imports by its own place has it too.
    """
    return f"/app/static/release-{version()}/{name}"


@cache
def modules(*names: str) -> tuple[str, ...]:
    """Names of modules and of all that they import, so that a browser asks for them at once."""
    found: list[Path] = []
    waiting = [STATIC / name for name in reversed(names)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.append(path)
            imported = IMPORT.findall(path.read_text("utf-8"))
            waiting += [(path.parent / name).resolve() for name in reversed(imported)]
    return tuple(path.relative_to(STATIC).as_posix() for path in found)

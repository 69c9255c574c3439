"""The project's code as one file, for those who train or check on a machine of their own."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from zipfile import ZIP_DEFLATED, ZipFile

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from ui.site.public import CODE

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (
    *("encodings", "advisor", "models", "exhibits", "lab", "plots", "ui", "pages", "course"),
    *("data", "notebooks", "serving", "static", "scripts"),
)
"""What `make install` and `make run` need. Nothing else of the server is handed out."""
FILES = ("*.py", "Makefile", "LICENSE", "README.md", "requirements*.txt", "constraints.txt")
KINDS = {
    *("", ".css", ".csv", ".ipynb", ".js", ".json", ".mako", ".md", ".png", ".py"),
    *(".safetensors", ".toml", ".txt", ".typed", ".yaml"),
}
INSIDE = "positional-encodings"
"""The folder in the file."""
_ONE_AT_A_TIME = Lock()


def routes(under: str) -> list[Route]:
    """The route of the file.

    Args:
        under: Where the app is, "/base"; "" for the top of the server.
    """

    async def hand_out(request: Request) -> Response:
        path = await run_in_threadpool(archive)
        return FileResponse(path, filename=f"{INSIDE}.zip")

    return [Route(f"{under}/{CODE}", hand_out)]


def archive() -> Path:
    """The file; it is written once and lasts as long as the server."""
    with _ONE_AT_A_TIME:
        return Path(_written().name) / CODE


@cache
def _written() -> TemporaryDirectory[str]:
    place = TemporaryDirectory()
    with ZipFile(Path(place.name) / CODE, "w", ZIP_DEFLATED) as code:
        for path in sorted(sources()):
            code.write(path, f"{INSIDE}/{path.relative_to(ROOT)}")
    return place


def sources() -> set[Path]:
    """The files that are handed out."""
    found = {ROOT / ".streamlit" / "config.toml"}
    for pattern in FILES:
        found |= {*ROOT.glob(pattern)}
    for folder in FOLDERS:
        found |= {path for path in (ROOT / folder).rglob("*") if path.suffix in KINDS}
    hidden = {"__pycache__", "build", "made.json"}
    return {
        path
        for path in found
        if path.is_file()
        and not path.is_symlink()
        and not hidden & {*path.relative_to(ROOT).parts}
        and not any(part.endswith(".egg-info") for part in path.parts)
    }

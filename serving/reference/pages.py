"""Pages of the library's modules, each made of docstrings when it is asked for and then kept.

`make api` writes all of them into a folder: `python -m serving.reference.pages FOLDER`.
"""

import importlib
import inspect
import pkgutil
import re
import sys
import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from threading import Lock
from types import ModuleType

import pdoc.doc
import pdoc.render

import advisor
import posenc
from ui.site.public import folder

LOOKS = Path(__file__).parent
"""Where pdoc finds `theme.css`, dark where the reader's screen is; the words of the first page."""
START = "posenc.html"
PACKAGES = (posenc, advisor)
ONE_AT_A_TIME = Lock()  # pdoc keeps what it is making in variables of its modules

pdoc.render.configure(
    docformat="google",
    search=False,  # it would need a script in the page
    show_source=False,
    footer_text=f"posenc {posenc.__version__}",
    template_directory=LOOKS,
)


@cache
def modules() -> Mapping[str, pdoc.doc.Module]:
    """Every public module of the library and of the advisor by its name."""
    names: list[str] = []
    for package in PACKAGES:
        found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        names += [package.__name__, *(one.name for one in found if "._" not in one.name)]
    known = {name: pdoc.doc.Module(importlib.import_module(name)) for name in names}
    start = known["posenc"]
    for package in PACKAGES:  # the tables link to them: each stands on the page of its module
        known[package.__name__].members = {}
    beginning = (LOOKS / "start.md").read_text("utf-8")
    start.docstring = (
        f"{start.docstring}\n\n{_install()}\n\n{beginning}\n"
        f"## Names\n\n{_names(posenc)}\n\n{_names(advisor)}"
    )
    return known


def page(path: str) -> str | None:
    """A page of the reference.

    Args:
        path: Of the file: `posenc/rope/formula.html`.

    Returns:
        HTML that asks for nothing else; None where there is no such module.
    """
    with ONE_AT_A_TIME:
        name = ".".join(PurePosixPath(path).with_suffix("").parts)
        known = path.endswith(".html") and name in modules()
        return _rendered(name) if known else None


def path_of(name: str) -> str:
    """The path of a module's page."""
    return name.replace(".", "/") + ".html"


@cache
def _rendered(name: str) -> str:
    with warnings.catch_warnings():
        # Before Python 3.12 a TypedDict does not say from which other one it has a field.
        warnings.filterwarnings("ignore", "Cannot determine where .* is taken from", UserWarning)
        html = pdoc.render.html_module(modules()[name], modules())
    # Its links to a place on the page say nothing to voices, and its headings skip four levels.
    html = re.sub(r'<a class="headerlink" href="#([^"]+)"', r'\g<0> aria-label="Link to \1"', html)
    # The way back to the app, which lies a folder above the reference; its first page is the index.
    up = "../" * (path_of(name).count("/") + 1)
    html = html.replace('<main class="pdoc">', f'<main class="pdoc">{_home(up)}')
    html = re.sub(r'href="((?:\.\./)*)index\.html"', rf'href="\1{START}"', html)
    return re.sub(r"<(/?)h[56]\b", r"<\1h2", html)


def _home(up: str) -> str:
    return f'<p><a href="{up}">← Positional encodings</a></p>'


def _install() -> str:
    return (
        f"## Install\n\nIn {folder('../')}: `pip install ./encodings` brings the library alone, "
        "`pip install ./advisor` the advisor and its command `posenc` as well."
    )


def _names(package: ModuleType) -> str:
    """The names that a package offers: where each stands, and what it is."""
    lines = [f"| `from {package.__name__} import` | what it is |", "|---|---|"]
    for name in sorted(package.__all__, key=str.lower):
        value = getattr(package, name)
        first = (inspect.getdoc(value) or "").split("\n")[0].replace("|", "\\|")
        lines.append(f"| [{name}]({path_of(value.__module__)}#{name}) | {first} |")
    return "\n".join(lines)


def write(folder: Path) -> int:
    """Write every page into a folder; returns how many."""
    for name in modules():
        file = folder / path_of(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page(path_of(name)) or "", "utf-8")
    return len(modules())


if __name__ == "__main__":
    print(f"{write(Path(sys.argv[1]))} pages in {sys.argv[1]}, from {START} on")

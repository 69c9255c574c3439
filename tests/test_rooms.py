"""How the house is filed: no import circles, small folders, no name said twice."""

from collections import Counter
from pathlib import PurePath

import grimp
import pytest

from tests.conftest import ROOT

PACKAGES = ("posenc", "advisor", "plots", "course", "exhibits", "lab", "models", "ui", "pages")
HOMES = {package: ROOT / package for package in PACKAGES}
HOMES |= {"posenc": ROOT / "encodings/posenc", "advisor": ROOT / "advisor/advisor"}
MOST_FILES = 14


def circles(imports: dict[str, set[str]]) -> list[set[str]]:
    """Every set of modules (or folders) that import each other, however many steps it takes."""
    reached = {name: set(direct) for name, direct in imports.items()}
    while True:
        further = {
            name: far.union(*(reached.get(step, set()) for step in far))
            for name, far in reached.items()
        }
        if further == reached:
            break
        reached = further
    found: list[set[str]] = []
    for name, far in reached.items():
        together = {name} | {other for other in far if name in reached.get(other, set())}
        if name in far and len(together) > 1 and together not in found:
            found.append(together)
    return found


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    """Module to the modules it imports, those for types alone and inside functions too."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    return {name: set(graph.find_modules_directly_imported_by(name)) for name in graph.modules}


def folder(module: str) -> str:
    """The concept that a module belongs to: `posenc.rope` for `posenc.rope.steps`."""
    return ".".join(module.split(".")[:2])


def test_circles_are_found() -> None:
    chain = {"a": {"b"}, "b": {"c"}, "c": set(), "d": {"a"}}
    assert circles(chain) == []
    assert circles(chain | {"c": {"a"}}) == [{"a", "b", "c"}]


def test_no_module_imports_itself_by_a_detour(imports: dict[str, set[str]]) -> None:
    assert circles(imports) == []


def test_no_folder_of_the_library_imports_itself_by_a_detour(imports: dict[str, set[str]]) -> None:
    between: dict[str, set[str]] = {}
    for name, direct in imports.items():
        if name.startswith("posenc."):
            outside = {folder(other) for other in direct} - {folder(name)}
            between.setdefault(folder(name), set()).update(outside)
    assert circles(between) == []


def files() -> list[PurePath]:
    """Every Python file of the packages, by its path in the import system."""
    return [
        PurePath(package, path.relative_to(home))
        for package, home in HOMES.items()
        for path in home.rglob("*.py")
    ]


def test_a_folder_is_read_at_a_glance() -> None:
    counts = Counter(path.parent for path in files())
    assert {str(at): n for at, n in counts.items() if n > MOST_FILES} == {}


def test_a_name_says_its_thing_once() -> None:
    twice = [str(path) for path in files() if path.parent.name in path.stem.split("_")]
    assert twice == []

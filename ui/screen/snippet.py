"""The snippets of the Code tabs: templates name what they use, this finds where it stands."""

import ast
import re
from functools import cache
from pathlib import Path

import exhibits
import posenc

IMPORT = re.compile(r"^from posenc import (?:\(([^)]*)\)|(.*))\n", re.MULTILINE)


def runnable(code: str) -> str:
    """The snippet with its imports of `posenc` made into imports that Python follows.

    Args:
        code: A snippet whose lines `from posenc import a, b` name what it may use, wherever in the
            library or in `exhibits` that stands.

    Returns:
        The same snippet with one line for each module, of the names that it does use.
    """
    lines = IMPORT.findall(code)
    if not lines:
        return code
    rest = IMPORT.sub("", code)
    listed = {name.strip() for line in lines for name in "".join(line).split(",")} - {""}
    modules: dict[str, list[str]] = {}
    for name in sorted(name for name in listed if re.search(rf"\b{name}\b", rest)):
        modules.setdefault(home(name), []).append(name)
    imports = "".join(_line(module, names) for module, names in sorted(modules.items()))
    start = code.index("from posenc import")
    return code[:start] + imports + IMPORT.sub("", code[start:])


def home(name: str) -> str:
    """The module that a public name is imported from: `posenc` itself where it offers it."""
    return "posenc" if hasattr(posenc, name) else _homes()[name]


@cache
def _homes() -> dict[str, str]:
    """Every public name that a module of the library or of the exhibits defines, by module."""
    homes: dict[str, str] = {}
    for package in (exhibits, posenc):
        root = Path(str(package.__file__)).parent
        for path in sorted(root.rglob("*.py")):
            module = ".".join(path.relative_to(root.parent).with_suffix("").parts)
            homes |= dict.fromkeys(_defined(path.read_text("utf-8")), module)
    return homes


def _defined(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return {name for name in names if not name.startswith("_")}


def _line(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}\n"
    if len(line) <= 101:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"

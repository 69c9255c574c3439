"""The one template of the snippets in the Code tabs: screens write what is computed, this the rest.

A screen's snippet uses names of `posenc`, `advisor`, `exhibits` and torch as if they were there
and leaves the first picture's numbers in `values`. Here it gets its imports and prints them.
"""

import ast
import builtins
from functools import cache
from pathlib import Path

import advisor
import exhibits
import posenc


def runnable(code: str) -> str:
    """The snippet as a program that runs as it stands.

    Args:
        code: What is computed; imports of anything but torch and our packages stand first.

    Returns:
        The same with a line for each module that its names come from. It prints `values` at the
        end if it prints nothing there.
    """
    statements = ast.parse(code).body
    own = [one for one in statements if isinstance(one, ast.Import | ast.ImportFrom)]
    lines = code.splitlines(keepends=True)
    start = max((one.end_lineno or 0 for one in own), default=0)
    modules: dict[str, list[str]] = {}
    missing = _missing(code)
    for name in missing - {"torch"}:
        modules.setdefault(home(name), []).append(name)
    imports = ["import torch\n"] if "torch" in missing else []
    imports += [_line(module, sorted(names)) for module, names in sorted(modules.items())]
    body = "".join(lines[start:]).lstrip("\n")
    shown = "" if ast.unparse(statements[-1]).startswith("print(") else "print(values)\n"
    head = [*lines[:start], *imports]
    return "".join([*head, "\n" if head else "", body, shown])


def _missing(code: str) -> set[str]:
    """Names that the program uses and does not make."""
    used: set[str] = set()
    made = set(dir(builtins))
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            made |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return used - made


def home(name: str) -> str:
    """The module that a public name is imported from: the package itself where it offers it."""
    for package in (posenc, advisor):
        if name in vars(package):
            return package.__name__
    return _homes()[name]


@cache
def _homes() -> dict[str, str]:
    """Every public name that a module of the library or of the exhibits defines, by module."""
    homes: dict[str, str] = {}
    for package in (exhibits, posenc, advisor):
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

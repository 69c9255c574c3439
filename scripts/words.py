r"""The texts of the project for translators: extract and check.

    python scripts/words.py                       what `make words` does: extract, update, check
    python scripts/words.py add de                begin a language

What is extracted: the texts of `_`, `say`, `plural`, `say_count` and `reason`, which must be
written out at the call, and the words inside \text{…} in the formulas of the library.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from course.chapters import COURSE
from ui.words.languages import has_chapter, has_screen

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ROOT / "locales"
TEMPLATE = LOCALES / "messages.pot"
CODE = (
    "navigation.py",
    "pages",
    "ui",
    "plots",
    "course",
    "exhibits",
    "models",
    "lab",
    "encodings/posenc",
    "advisor/advisor",
)

WRAPPERS = {
    "_": (0,),
    "say": (0,),
    "plural": (0, 1),
    "say_count": (0, 1),
    "words": (0,),
    "no_value": (1,),
    "Outcome": (2,),
    "reason": (1,),
}
"""Functions with texts among their arguments, and which of them are texts."""
OF_FORMULAS = {"words", "no_value"}
"""Those for words in formulas; their values stand by number."""
HOMES = {
    "posenc.words",
    "ui.words",
    "ui.words.telling",
    "plots.words",
    "posenc.quantity.step",
    "advisor.choosing.choice",
    "advisor.endpoint.result",
}
"""Modules that they come from; another function by such a name is none of them."""
AT_ONCE = {"_", "plural"}
"""Those of them that tell a text at once: not for what is set when a module is loaded."""
IN_DATA = {
    "advisor/advisor/known_models.json": ("source",),
    "advisor/advisor/other_models.json": ("source",),
    "advisor/advisor/evidence.json": ("source", "caution"),
    "data/verified.json": ("encoding", "what", "reference", "reason"),
}
"""Files of JSON, and which fields of the objects in their list are texts."""
TEXT = re.compile(r"\\text\{([^{}]*)\}")
WRITTEN = (ast.Constant, ast.JoinedStr, ast.BinOp)
"""Expressions of a text that stands at the call."""
VALUE = "\0"
"""Stands for a value in an f-string."""


@dataclass(frozen=True)
class Text:
    path: str
    line: int
    singular: str
    plural: str | None = None


@dataclass(frozen=True)
class Problem:
    """Something to put right, and where."""

    path: str
    line: int
    words: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.words}"


# Extraction


def python_files(places: Sequence[str] = CODE) -> list[Path]:
    """The Python files of some files and folders, given from the project's root."""
    found: list[Path] = []
    for place in places:
        path = ROOT / place
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path] * path.is_file()
    return found


def extract(source: str, path: str) -> tuple[list[Text], list[Problem]]:
    """The texts of a file, and the calls from which none can be taken.

    Args:
        source: Python code.
        path: Its name, for the translators.
    """
    tree = ast.parse(source)
    wrappers = _wrappers(tree)
    texts: list[Text] = []
    problems: list[Problem] = []
    problems += [Problem(path, line, "_ is the function here") for line in _rebound(tree, wrappers)]
    for node, in_function in _nodes(tree):
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) in wrappers:
            found = _call_texts(node, wrappers[name])
            if (
                found is None
                and name in OF_FORMULAS
                and not any(isinstance(node.args[index], WRITTEN) for index in wrappers[name])
            ):
                continue  # a variable, whose text is written out elsewhere
            if found is None:
                words = f"{name}(…) needs its text written out, in one string"
                problems.append(Problem(path, node.lineno, words))
                continue
            if name in AT_ONCE and not in_function:
                words = f"{name}(…) tells its text when the module is loaded: take say(…)"
                problems.append(Problem(path, node.lineno, words))
            problems += [Problem(path, node.lineno, words) for words in _misfits(node, found)]
            texts.append(Text(path, node.lineno, *found))
        elif isinstance(node, ast.Constant | ast.JoinedStr):
            for inside in TEXT.findall(written(node)):
                inside = inside.strip()
                if VALUE in inside and inside != VALUE:
                    words = rf"\text{{…}} with a value amid its words: {inside!r}"
                    problems.append(Problem(path, node.lineno, words.replace(VALUE, "…")))
                elif re.search(r"[^\W\d_]{2}", inside):
                    texts.append(Text(path, node.lineno, inside))
    return texts, problems


def written(node: ast.expr) -> str:
    """Text of a string literal; a value in an f-string is one NUL."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(written(part) or VALUE for part in node.values)
    return ""


def _nodes(tree: ast.Module) -> Iterator[tuple[ast.AST, bool]]:
    """Every node but docstrings and parts of f-strings; with whether it is run by a call alone."""
    todo: list[tuple[ast.AST, bool]] = [(tree, False)]
    while todo:
        node, in_function = todo.pop()
        yield node, in_function
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            body = node.body if isinstance(node.body, list) else [node.body]
            inner = set(map(id, body))
            children = [(child, in_function or id(child) in inner) for child in _children(node)]
        else:
            children = [(child, in_function) for child in _children(node)]
        todo += reversed(children)


def _children(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.JoinedStr):
        parts = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        return [part.value for part in parts]
    return list(ast.iter_child_nodes(node))


def _wrappers(tree: ast.Module) -> dict[str, tuple[int, ...]]:
    """The wrappers that a module has imported."""
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module in HOMES]
    names = {alias.name for node in imports for alias in node.names}
    return {name: which for name, which in WRAPPERS.items() if name in names}


def _rebound(tree: ast.Module, wrappers: Mapping[str, tuple[int, ...]]) -> list[int]:
    """Lines that give the name of the function `_` to something else in the same scope."""
    if "_" not in wrappers:
        return []
    comprehended = {
        id(name)
        for node in ast.walk(tree)
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target)
    }
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "_")
    return [
        node.lineno
        for node in names
        if isinstance(node.ctx, ast.Store) and id(node) not in comprehended
    ]


def _call_texts(node: ast.Call, which: tuple[int, ...]) -> tuple[str, ...] | None:
    texts = tuple(
        one.value
        for index, one in enumerate(node.args)
        if index in which and isinstance(one, ast.Constant) and isinstance(one.value, str)
    )
    return texts if len(texts) == len(which) else None


def _misfits(node: ast.Call, texts: tuple[str, ...]) -> Iterator[str]:
    """Places of a template that get no value, and values that have no place."""
    given = {keyword.arg for keyword in node.keywords}
    if None in given or (not given and len(texts) == 1):
        return  # **values are not known here; without values braces are braces
    given |= {"count"} if len(texts) == 2 else set()
    try:
        named = set().union(*(places(text) for text in texts))
    except ValueError as error:
        yield f"{texts[0]!r}: {error}"
        return
    if missing := named - given:
        yield f"{texts[0]!r} gets no value for {', '.join(sorted(missing))}"
    if spare := {name for name in given - named if name != "count"}:
        yield f"{texts[0]!r} has no place for {', '.join(sorted(map(str, spare)))}"


def places(template: str) -> set[str]:
    """Names of the places for values in a template."""
    fields = (name for _, name, _, _ in Formatter().parse(template) if name is not None)
    return {re.split(r"[.\[]", name)[0] for name in fields}


def extract_all() -> tuple[Catalog, list[Problem]]:
    """The template of all catalogues, and what is wrong in the code."""
    template = Catalog(project="posenc", charset="utf-8")
    problems = []
    for path in python_files():
        name = path.relative_to(ROOT).as_posix()
        texts, wrong = extract(path.read_text("utf-8"), name)
        problems += wrong
        for text in texts:
            message = text.singular if text.plural is None else (text.singular, text.plural)
            try:
                template.add(message, locations=[(name, 0)])
            except ValueError as error:
                problems.append(Problem(name, text.line, f"{text.singular!r}: {error}"))
    for name, fields in IN_DATA.items():
        data = json.loads((ROOT / name).read_text("utf-8"))
        for row in data if isinstance(data, list) else data["comparisons"]:
            for field in fields:
                if row.get(field):
                    template.add(row[field], locations=[(name, 0)])
    return template, problems


# Catalogues


def update(catalogue: Catalog, template: Catalog) -> None:
    """Bring a language in step with the code; texts that are gone are dropped."""
    template.creation_date = catalogue.creation_date  # no new date where nothing else is new
    catalogue.update(template)
    catalogue.obsolete.clear()


def check(catalogue: Catalog, name: str) -> list[Problem]:
    """Translations with other places for values; what is missing or a guess is told in English."""
    problems = []
    for message in catalogue:
        if not message.id:
            continue
        ids, strings = _strings(message.id), _strings(message.string)
        if any(strings) and not message.fuzzy:
            problems += [
                Problem(name, 0, f"{string!r} must have the places of {ids[0]!r}")
                for string in strings
                if not _same_places(message, string)
            ]
    return problems


def told(name: str) -> str:
    """A line that says which screens and chapters are there in a language."""
    screens = sorted(path.parent.name for path in (ROOT / "pages").glob("*/lesson.en.md"))
    there = [
        *(f"/{one}" for one in screens if has_screen(name, one)),
        *(f"/course/{one}/" for one in COURSE if has_chapter(name, one)),
    ]
    count = len(screens) + len(COURSE)
    return f"{name}: {len(there)} of {count} screens and chapters. {' '.join(there)}"


def _same_places(message: Message, string: str) -> bool:
    def braces(text: str) -> set[str]:
        return {re.split(r"[:!.\[]", name)[0] for name in re.findall(r"\{([^{}]*)\}", text)}

    ids = _strings(message.id)
    named = set().union(*map(braces, ids))
    optional = {"count"} if len(ids) == 2 else set()  # "one word" needs no number
    return named - optional <= braces(string) <= named


def _strings(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ("",))


def save(catalogue: Catalog, path: Path) -> None:
    """Write a catalogue so that the same texts give the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=100, sort_output=True, include_lineno=False)


def load(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.name)


def make() -> int:
    """Extract, update every language, check; the number of problems."""
    template, problems = extract_all()
    save(template, TEMPLATE)
    for path in sorted(LOCALES.glob("*/messages.po")):
        catalogue = load(path)
        update(catalogue, template)
        save(catalogue, path)
        problems += check(catalogue, path.relative_to(ROOT).as_posix())
        print(told(path.parent.name))
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(template)} texts in {TEMPLATE.relative_to(ROOT)}, {len(problems)} problems")
    return len(problems)


def add(language: str) -> None:
    """Begin a language: a catalogue with every text and no translation."""
    template, _ = extract_all()
    catalogue = Catalog(locale=language, project="posenc", charset="utf-8")
    update(catalogue, template)
    save(catalogue, LOCALES / language / "messages.po")


def main(arguments: Sequence[str]) -> int:
    if not arguments:
        return int(make() > 0)
    command, *names = arguments
    if command == "add" and len(names) == 1:
        add(names[0])
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

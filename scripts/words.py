r"""The texts of the project for translators: extract, check, and find those not wrapped yet.

    python scripts/words.py                       what `make words` does: extract, update, check
    python scripts/words.py add de                begin a language
    python scripts/words.py unwrapped pages/rope  texts that readers see and nobody has wrapped

What is extracted: the texts of `_`, `say`, `plural` and `say_count`, which must be written out at
the call, and the words inside \text{…} in the formulas of the library.
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

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ROOT / "locales"
TEMPLATE = LOCALES / "messages.pot"
CODE = ("app.py", "pages", "ui", "plots", "exhibits", "models", "lab", "encodings/posenc")

WRAPPERS = {
    "_": (0,),
    "say": (0,),
    "plural": (0, 1),
    "say_count": (0, 1),
    "words": (0,),
    "nothing": (1,),
}
"""Functions with texts among their arguments, and which of them are texts."""
OF_FORMULAS = {"words", "nothing"}
"""Those for words in formulas; their values stand by number."""
HOMES = {"posenc.words", "ui.words", "ui.words.telling", "plots.words", "posenc.quantity.step"}
"""Modules that they come from; another function by such a name is none of them."""
AT_ONCE = {"_", "plural"}
"""Those of them that tell a text at once: not for what is set when a module is loaded."""
IN_DATA = {
    "encodings/posenc/config/known_models.json": ("source",),
    "encodings/posenc/config/other_models.json": ("source",),
    "encodings/posenc/config/evidence.json": ("source", "caution"),
    "data/verified.json": ("encoding", "what", "reference", "reason"),
}
"""Files of JSON, and which fields of the objects in their list are texts."""
TEXT = re.compile(r"\\text\{([^{}]*)\}")
VALUE = "\0"
"""Stands for a value in an f-string."""


@dataclass(frozen=True)
class Text:
    """One text of the code."""

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
        if isinstance(node, ast.Call) and (name := _called(node)) in wrappers:
            found = _call_texts(node, wrappers[name])
            if (
                found is None
                and name in OF_FORMULAS
                and not any(_is_written(node.args[index]) for index in wrappers[name])
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
    """What a string literal says; a value in an f-string is one NUL."""
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


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


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


def _is_written(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp)


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
    template, problems = Catalog(project="posenc", charset="utf-8"), []
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
    """Translations that are missing, guessed, or with other places for values."""
    problems = []
    for message in catalogue:
        if not message.id:
            continue
        ids, strings = _strings(message.id), _strings(message.string)
        if message.fuzzy:
            problems.append(Problem(name, 0, f"a guess (fuzzy), to be confirmed: {ids[0]!r}"))
        elif not all(strings):
            problems.append(Problem(name, 0, f"not translated: {ids[0]!r}"))
        else:
            problems += [
                Problem(name, 0, f"{string!r} must have the places of {ids[0]!r}")
                for string in strings
                if not _same_places(message, string)
            ]
    return problems


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
    """Read a language's catalogue."""
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
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(template)} texts in {TEMPLATE.relative_to(ROOT)}, {len(problems)} problems")
    return len(problems)


def add(language: str) -> None:
    """Begin a language: a catalogue with every text and no translation."""
    template, _ = extract_all()
    catalogue = Catalog(locale=language, project="posenc", charset="utf-8")
    update(catalogue, template)
    save(catalogue, LOCALES / language / "messages.po")


# Texts that nobody has wrapped


def _set_of(names: str) -> frozenset[str]:
    return frozenset(names.split())


NOT_WORDS = "# not words"
"""At the end of a line: what stands there is the same in every language, or no reader sees it."""
NAMES = _set_of(
    """
    RoPE xPos ALiBi NoPE YaRN NTK CoPE FIRE Kerple Sandwich Shaw XPos T5 LongRoPE Llama GPT BLOOM
    MPT Qwen Mistral Gemma DeepSeek Phi vLLM llama.cpp CSV NPZ HTML PNG SVG JSON CPU CUDA GPU UTF
    FoX Python Transformer Transformer-XL float64 float32 bfloat16 float16 cuda cpu mps posenc
    """
)
SHOWN_METHODS = _set_of(
    """
    button caption checkbox code_label download_button error expander header info link_button
    markdown metric multiselect number_input page_link pills popover radio segmented_control
    select_slider selectbox slider spinner status subheader success tabs text text_area text_input
    title toast toggle warning write Page
    """
)
"""Methods of Streamlit whose first argument is read by people."""
SHOWN_FIRST = _set_of(
    """
    Axis Series Mark Band Finding readouts Picture
    """
)
SHOWN_SECOND = _set_of(
    """
    number slider powers choice choices toggle vector text line Computed Panel Coordinate
    """
)
SHOWN_KEYWORDS = _set_of(
    """
    label title help alt name names x_title y_title placeholder caption unit value_name labels
    row_labels col_labels x_name message remedy prefix columns_name place
    """
)
HIDDEN_CALLS = _set_of(
    """
    compile fullmatch match search sub findall finditer open Path getattr setattr hasattr
    startswith endswith split rsplit replace component html execute getLogger debug exception
    removeprefix removesuffix strip get pop encode import_module joinpath Literal cast Option
    Argument
    """
)
HIDDEN_KEYWORDS = _set_of(
    """
    key keys mime file_name format on_change bind language js css
    """
)
WORD = r"[A-Za-z][a-z'’]+"
SENTENCE = re.compile(rf"\b{WORD}[ ,.;:()\"“”-]+(?:[^\s]+ )*?{WORD}|\b{WORD}\x00|\x00 ?{WORD}\b")
PLOTLY = re.compile("(top|bottom|middle) (left|center|right)|\0 ?(ref|domain)")
CODE_LIKE = re.compile(
    r"(?m)^\s*(import|from|def|const|let|export|SELECT|CREATE|INSERT|<!doctype|PRAGMA)\b|^\s*<\w+"
    r"|\btorch\.|\bprint\(|^[\w, ]+ = \w+[.(]"
)


def unwrapped(source: str, path: str) -> list[Problem]:
    """Texts of a file that look like words for readers and are in no wrapper.

    A guess, made to drive the wrapping: what is no word for readers gets `# not words` behind it.
    """
    lines = source.splitlines()
    found: list[Problem] = []

    tree = ast.parse(source)
    wrappers = _wrappers(tree)

    def visit(node: ast.AST, shown: bool) -> None:
        if isinstance(node, ast.Constant | ast.JoinedStr):
            text = written(node)
            if text and _is_words(text, shown) and not _exempt(node, lines):
                found.append(Problem(path, node.lineno, text.replace(VALUE, "{…}")))
            for child in _children(node):
                visit(child, False)
            return
        for child, its_shown in _visible_children(node, shown, wrappers):
            visit(child, its_shown)

    visit(tree, False)
    return found


def _exempt(node: ast.expr, lines: Sequence[str]) -> bool:
    rows = lines[node.lineno - 1 : node.end_lineno or node.lineno]
    return any(NOT_WORDS in row for row in rows)


def _is_words(text: str, shown: bool) -> bool:
    if CODE_LIKE.search(text) or PLOTLY.fullmatch(text) or "\\" in text or text in NAMES:
        return False
    if "arXiv:" in text:  # a paper is named the same in every language
        return False
    plain = re.sub(r"`[^`]*`|\$[^$]*\$|</?[a-z][^>]*>|&\w+;|%\{[^}]*\}|https?://\S+", " ", text)
    if SENTENCE.search(plain) and not re.fullmatch(r"[\w/.-]+\x00?[\w/.-]*", plain):
        return True
    return shown and any(
        word not in NAMES for word in re.findall(r"(?<![\w.])[A-Za-z]{3,}(?![\w(])", plain)
    )


def _visible_children(
    node: ast.AST, shown: bool, wrappers: Mapping[str, tuple[int, ...]]
) -> Iterator[tuple[ast.AST, bool]]:
    """Children that are looked at, and whether a single word in them counts."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    if isinstance(node, ast.Compare | ast.Import | ast.ImportFrom | ast.Assert | ast.Raise):
        return  # errors are plain English
    if isinstance(node, ast.Subscript):
        yield node.value, False
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            yield node.value, shown
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from (
            (default, False) for default in (*node.args.defaults, *node.args.kw_defaults) if default
        )
        yield from ((child, False) for child in node.body)
    elif isinstance(node, ast.ClassDef):
        yield from ((child, False) for child in node.body)
    elif isinstance(node, ast.Call):
        yield from _visible_arguments(node, wrappers)
    elif isinstance(node, ast.Dict):
        yield from ((key, False) for key in node.keys if key)
        yield from ((value, shown) for value in node.values)
    elif isinstance(node, ast.List | ast.Tuple | ast.Set | ast.IfExp | ast.BoolOp):
        yield from ((child, shown) for child in ast.iter_child_nodes(node))
    elif isinstance(node, ast.BinOp):
        yield from ((child, shown) for child in (node.left, node.right))
    else:
        yield from ((child, False) for child in ast.iter_child_nodes(node))


def _visible_arguments(
    node: ast.Call, wrappers: Mapping[str, tuple[int, ...]]
) -> Iterator[tuple[ast.AST, bool]]:
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else _called(node)
    if name in HIDDEN_CALLS or ast.unparse(function) in ("screen.header", "screen.show"):  # ids
        yield from ((value, False) for value in node.args if not isinstance(value, ast.Constant))
        return
    skipped = wrappers.get(name, ()) if isinstance(function, ast.Name) else ()
    if isinstance(function, ast.Attribute):
        yield function.value, False
    owner = function.value if isinstance(function, ast.Attribute) else None
    is_control = name in SHOWN_SECOND or (isinstance(owner, ast.Name) and owner.id == "controls")
    for index, value in enumerate(node.args):
        if index in skipped:
            continue
        if name == "readouts" and isinstance(value, ast.Dict):  # labels and values
            yield from ((part, True) for part in (*value.keys, *value.values) if part)
            continue
        first = index == 0 and (name in SHOWN_FIRST or (name in SHOWN_METHODS and not is_control))
        yield value, first or (index == 1 and is_control)
    for keyword in node.keywords:
        if keyword.arg not in HIDDEN_KEYWORDS:
            of_plotly = keyword.arg == "label" and isinstance(keyword.value, ast.Dict)
            yield keyword.value, keyword.arg in SHOWN_KEYWORDS and not of_plotly


def list_unwrapped(names: Sequence[str]) -> int:
    """Print what is not wrapped in some files and folders; how much that is."""
    found = [
        problem
        for path in python_files(names)
        for problem in unwrapped(path.read_text("utf-8"), path.relative_to(ROOT).as_posix())
    ]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(found)} texts are not wrapped")
    return len(found)


def main(arguments: Sequence[str]) -> int:
    """Run the command line; 1 if something is to be put right."""
    if not arguments:
        return int(make() > 0)
    command, *names = arguments
    if command == "unwrapped":
        return int(list_unwrapped(names or CODE) > 0)
    if command == "add" and len(names) == 1:
        add(names[0])
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The texts of the code and the catalogues: `make words` has nothing to say."""

import ast
import json
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from advisor import known_models
from advisor.evidence import evidence_for
from scripts import words
from scripts.words import check, extract, update

HEAD = """
from posenc.quantity.step import no_value, words
from posenc.words import say, say_count
from ui.words import _, plural
"""


@cache
def every_text() -> tuple[Catalog, list[words.Problem]]:
    """Read once, which takes seconds."""
    return words.extract_all()


def test_every_text_is_extracted_and_languages_are_in_step(tmp_path: Path) -> None:
    template, problems = every_text()
    assert not problems, "\n".join(map(str, problems))
    assert len(template) > 50
    for path in sorted(words.LOCALES.glob("*/messages.po")):
        catalogue = words.load(path)
        update(catalogue, template)
        words.save(catalogue, tmp_path / path.parent.name / path.name)
        written = (tmp_path / path.parent.name / path.name).read_bytes()
        assert written == path.read_bytes(), "run `make words`"
        assert not check(catalogue, path.parent.name)


def texts(code: str) -> list[str | tuple[str, str]]:
    found, problems = extract(HEAD + code, "x.py")
    assert not problems
    return [one.singular if one.plural is None else (one.singular, one.plural) for one in found]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('say("one")', ["one"]),
        ('say("one "\n    "and two")', ["one and two"]),
        ('def f(): return _("{n} of {m}", n=1, m=say("two"))', ["{n} of {m}", "two"]),
        (
            'def f(n): return plural("{count} word", "{count} words", n)',
            [("{count} word", "{count} words")],
        ),
        ('say_count("a {x}", "{count} {x}", 2, x=1)', [("a {x}", "{count} {x}")]),
        ('words("place {0}", 3)', ["place {0}"]),
        ('no_value("y", "nothing, because")', ["nothing, because"]),
        ("words(name)", []),
        (r'f = rf"{x}\text{{ terms}} \text{{{name}}}"', ["terms"]),
        ('"""a docstring with \\text{words}"""', []),
        ("other.say(x)", []),
    ],
)
def test_texts_are_found(code: str, expected: list) -> None:
    assert texts(code) == expected


@pytest.mark.parametrize(
    "code",
    [
        "say(f'{x} tokens')",
        "say(name)",
        "say('a' + b)",
        "say('a {x}', y=1)",
        "say('a {x}', x=1, y=2)",
        "say('{', x=1)",
        "plural('one', many, 2)",
        "words(f'text {n}')",
        "TITLE = _('told too early')",
        "def f(title=_('told too early')): pass",
        r"rf'\text{{seed {n}}}'",
    ],
)
def test_calls_that_no_translator_could_serve_are_refused(code: str) -> None:
    assert extract(HEAD + code, "x.py")[1]


def catalogue(string: str | tuple[str, ...], *, fuzzy: bool = False) -> Catalog:
    made = Catalog(locale="de")
    ids = ("{count} of {x}", "{count} of {x}s") if isinstance(string, tuple) else "{x:,} tokens"
    made.add(ids, string, flags=["fuzzy"] if fuzzy else [])
    return made


def test_good_and_missing_translations_pass() -> None:
    assert not check(catalogue(""), "de")
    assert not check(catalogue("Token", fuzzy=True), "de")
    assert not check(catalogue("{x:.3g} Token"), "de")
    assert not check(catalogue(("eins von {x}", "{count} von {x}")), "de")


@pytest.mark.parametrize(
    "wrong",
    [
        catalogue("Token"),
        catalogue("{y} Token"),
        catalogue("{x} {y} Token"),
        catalogue(("{count}", "{count} von {x}")),
        catalogue(("eins von {x}", "")),
    ],
)
def test_wrong_translations_are_refused(wrong: Catalog) -> None:
    assert check(wrong, "de")


def test_a_language_is_brought_in_step_and_twice_is_once(tmp_path: Path) -> None:
    old, template = Catalog(locale="de"), Catalog()
    old.add("gone", "weg")
    old.add("stays", "bleibt")
    template.add("stays")
    template.add("new text")
    path = tmp_path / "de" / "messages.po"
    update(old, template)
    words.save(old, path)
    first = path.read_bytes()
    again = words.load(path)
    update(again, template)
    words.save(again, path)
    assert path.read_bytes() == first
    assert {m.id: m.string for m in again if m.id} == {"stays": "bleibt", "new text": ""}


def test_texts_in_data_are_found() -> None:
    template, _ = every_text()
    assert all(model.source in template for model in known_models().values())
    assert all(row.caution in template for row in evidence_for("Qwen2.5-VL-7B"))
    record = json.loads((words.ROOT / "data" / "verified.json").read_text("utf-8"))
    assert all(row["reason"] in template for row in record["comparisons"])


def test_errors_that_are_no_sentences_of_say_have_no_back_quotes() -> None:
    """They are shown as they stand, so a reader would see the quotes and no code."""
    quoted = [
        f"{path.relative_to(words.ROOT)}:{call.lineno}"
        for path in words.python_files(("encodings/posenc", "plots", "lab", "models", "exhibits"))
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "").endswith("Error")
        for argument in call.args
        if not isinstance(argument, ast.Call)
        for part in ast.walk(argument)
        if isinstance(part, ast.Constant) and "`" in str(part.value)
    ]
    assert not quoted


def test_errors_of_the_library_are_plain_english() -> None:
    """Findings, names and advice are told in another language, errors are not."""
    wrapped = [
        f"{path.relative_to(words.ROOT)}:{node.lineno}"
        for path in words.python_files(("encodings/posenc", "plots", "models", "exhibits"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Raise)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in words.WRAPPERS
    ]
    assert not wrapped

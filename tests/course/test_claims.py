"""What the words say was measured, held to the rows that it rests on.

`claims.yaml` of a chapter names `rows`: those of a `file` of the project, or `of` rows that are
named already, `where` something is so. Each of its `claims` has the `step`, the `sentence` as it is
written, the `numbers` in it as expressions of the rows, what its words say that `holds`, and which
rows were `left_out`. All other numbers of the words stand under `computed`: settings, formulas, and
what a reader does.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from string import Formatter
from typing import Any

import frontmatter
import pandas as pd
import pytest
import yaml

from course.chapters import COURSE, FOLDER
from course.page.chapter import compiled, names_told
from course.page.words import chapter, filled
from models.results.keys import share_and_interval
from scripts.course_told import SCRIPT
from tests.conftest import ROOT

CLAIMED = [name for name in COURSE if (FOLDER / name / "claims.yaml").is_file()]
CALLED = {
    "share_of": lambda its: share_and_interval(its.right.sum(), len(its))[1:],
    "wrong": lambda its: 100 * its.wrong / its.asked,
    "found": lambda its: (
        100 * its.groupby("run").right.sum() / its.groupby("run").asked.sum()
    ).mean(),
    "by_text": lambda its: its.groupby("text").bits.mean(),
    **{one.__name__: one for one in (abs, len, max, min, range, round, sum)},
}
"""What expressions may call, beside the methods of their rows."""
HALF = 0.5 + 1e-6  # of the last digit that is printed
UNSIGNED = str.maketrans({"−": "-", ",": "", "+": "", "%": "", " ": ""})


@cache
def claims(name: str) -> Mapping[str, Any]:
    read: Mapping[str, Any] = yaml.safe_load((FOLDER / name / "claims.yaml").read_text("utf-8"))
    return read


@cache
def words(name: str) -> Mapping[str, str]:
    """All that each step says, as it is written."""
    steps = frontmatter.load(str(FOLDER / name / "words.en.md"))["steps"]
    return {step["id"]: " ".join(said(list(step.values()))) for step in steps}


def said(given: Any) -> Iterator[str]:
    """The texts of a step without its settings, with single spaces."""
    if isinstance(given, str):
        yield " ".join(given.split())
    elif isinstance(given, list):
        for one in given:
            yield from said(one)
    elif isinstance(given, dict):
        yield from said([one for key, one in given.items() if not key.startswith("if")])


def names(text: str) -> set[str]:
    """The numbers in words: those that the picture tells, and those of `exhibits.answers`."""
    computed = {name for _, name, _, _ in Formatter().parse(text) if name}
    return names_told(text) | {name for name in computed if name.isidentifier()}


@cache
def printed(name: str) -> Mapping[str, Mapping[str, str]]:
    """What the picture tells once a question is answered, by step: the numbers that are claimed."""
    asked: dict[str, dict[str, list[str]]] = {}
    for one in claims(name)["claims"]:
        told = names_told(one["sentence"]) & {*one["numbers"]}
        its = asked.setdefault(one["step"], {"at": [], "after": []})
        its["after"] += told
    given = json.dumps(compiled(chapter(name)) | {"asked": asked})
    done = subprocess.run(["node", SCRIPT], input=given, capture_output=True, text=True, check=True)
    return {step: its["after"] for step, its in json.loads(done.stdout).items()}


@cache
def read(file: str) -> Any:
    path = ROOT / file
    if path.suffix == ".csv":
        return pd.read_csv(path)
    return json.loads(path.read_text("utf-8"))


@cache
def rows(name: str) -> Mapping[str, Any]:
    """What expressions of a chapter may use: its rows, at least one of each, and functions."""
    found: dict[str, Any] = {}
    for one, given in claims(name)["rows"].items():
        table = found[given["of"]] if "of" in given else read(given["file"])
        found[one] = table.query(given["where"]) if "where" in given else table
        assert len(found[one]), one
    return CALLED | found


def value(expression: str, name: str) -> Any:
    return eval(expression, {"__builtins__": {}, **rows(name)})


def in_words(name: str, one: str, claim: Mapping[str, Any]) -> str:
    """A number as the sentence prints it."""
    if one in names_told(claim["sentence"]):
        return printed(name)[claim["step"]][one]
    (written,) = re.findall(rf"\{{{one}\b[^}}]*\}}", claim["sentence"])
    return filled(written)


def test_every_chapter_with_numbers_has_its_claims() -> None:
    assert list(COURSE) == CLAIMED


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
@pytest.mark.parametrize(
    ("name", "claim"),
    [pytest.param(name, one, id=f"{name}-{one['step']}-{at}")
     for name in CLAIMED for at, one in enumerate(claims(name)["claims"])],
)  # fmt: skip
def test_a_sentence_says_what_its_rows_say(name: str, claim: Mapping[str, Any]) -> None:
    assert claim["left_out"]
    sentence = " ".join(claim["sentence"].split())
    assert sentence in words(name)[claim["step"]]
    assert {*claim["numbers"]} <= names(sentence)
    for one, expression in claim["numbers"].items():
        text = in_words(name, one, claim).translate(UNSIGNED)
        digits = len(text.partition(".")[2])
        measured = float(value(expression, name))
        assert abs(float(text) - measured) <= HALF * 10**-digits, (one, text, measured)
    for one in claim.get("holds", ()):
        assert value(one, name), one


@pytest.mark.parametrize("name", CLAIMED)
def test_a_number_in_words_has_its_rows_or_is_computed(name: str) -> None:
    computed = {*claims(name)["computed"]}
    claimed: dict[str, set[str]] = {}
    for one in claims(name)["claims"]:
        claimed.setdefault(one["step"], set()).update(one["numbers"])
    used = {step: names(text) for step, text in words(name).items()}
    for step, its in used.items():
        assert its - computed == claimed.get(step, set()), step
    assert computed <= set().union(*used.values())
    assert {*claimed} <= {*used}

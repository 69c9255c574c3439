"""Each mistake breaks its invariant and no other, can be seen, and is followed."""

import ast
import inspect
import math
import re

import pytest
import torch

from exhibits.pitfalls.all import PITFALLS
from exhibits.pitfalls.attention import right_cache
from exhibits.pitfalls.case import TOLERANCE, normal
from posenc import RoPE, causal_mask
from posenc.attention.formula import attend
from posenc.scaling.dynamic import DynamicNTK
from posenc.t5.formula import t5_bucket
from tests.conftest import ROOT
from tests.posenc.latex import NAMES, check_lines
from ui.screen.lesson import load


@pytest.mark.parametrize("name", PITFALLS)
def test_the_wrong_form_breaks_its_invariant_alone(name):
    pitfall = PITFALLS[name]
    assert pitfall.check(pitfall.wrong) > 2 * pitfall.tolerance
    assert [check.__name__ for check in pitfall.others if check(pitfall.wrong) > TOLERANCE] == []


@pytest.mark.parametrize("name", PITFALLS)
def test_the_right_form_keeps_all_of_them(name):
    pitfall = PITFALLS[name]
    assert pitfall.check(pitfall.right) <= pitfall.tolerance
    assert all(check(pitfall.right) <= TOLERANCE for check in pitfall.others)


@pytest.mark.parametrize("name", PITFALLS)
def test_the_difference_can_be_seen(name):
    pitfall = PITFALLS[name]
    wrong, right = pitfall.pictures()
    assert wrong.shape == right.shape
    assert wrong.isnan().equal(right.isnan())
    scale = right.nan_to_num().abs().max()
    assert (wrong - right).nan_to_num().abs().max() > 0.2 * scale


def test_where_a_difference_starts():
    assert PITFALLS["bfloat16"].first_difference() == 257
    assert PITFALLS["cached_keys"].first_difference() == 16  # the trained length
    assert PITFALLS["slopes_from_1"].first_difference() == 0


def test_under_a_growing_base_the_last_row_is_that_of_one_pass():
    q, k = normal(24, 16), normal(24, 16, seed=1)
    encoding = RoPE(16, scaling=DynamicNTK(2.0, 8))
    whole = attend(q[None, None], k[None, None], k[None, None], encoding, mask="causal", trace=True)
    apart = (right_cache(q, k, 8) - whole.scaled[0, 0]).nan_to_num().abs()
    seen = causal_mask(24, 24)
    assert apart[-1].max() <= TOLERANCE < 0.05 < (apart * seen)[8:20].amax(dim=1).min()


@pytest.mark.parametrize("name", PITFALLS)
def test_forms_differ_in_the_commented_lines_alone(name):
    pitfall = PITFALLS[name]
    sources = [inspect.getsource(form).splitlines() for form in (pitfall.wrong, pitfall.right)]
    bodies = [source[2:] for source in sources]  # without signature and docstring
    codes = [{line.partition("  #")[0] for line in body} for body in bodies]
    for body, other in zip(bodies, reversed(codes), strict=True):
        changed = [line for line in body if line.partition("  #")[0] not in other]
        assert all("  # " in line for line in changed)
    assert bodies[0] != bodies[1]


@pytest.mark.parametrize("name", PITFALLS)
def test_a_followed_cell_ends_in_what_is_drawn(name):
    pitfall = PITFALLS[name]
    wrong, right = pitfall.pictures()
    difference = (wrong - right).nan_to_num().abs()
    largest = pitfall.largest_difference()
    assert difference[largest] == difference.max()
    last_row, last_col = (size - 1 for size in wrong.shape)
    for row, col in (largest, (0, 0), (0, last_col), (last_row, 0)):
        values = [step.value for step in pitfall.steps(row, col)]
        drawn = [wrong[row, col].item(), right[row, col].item()]
        drawn.append(drawn[0] - drawn[1])
        if math.isnan(drawn[2]):
            assert all(math.isnan(value) for value in values)
        else:
            assert values == drawn


@pytest.mark.parametrize("name", PITFALLS)
def test_both_forms_are_followed_with_formula_and_numbers(name, monkeypatch):
    monkeypatch.setitem(
        NAMES, "bucket", lambda d: int(t5_bucket(torch.tensor(-d), bidirectional=False))
    )
    pitfall = PITFALLS[name]
    wrong, right = pitfall.pictures()
    last = wrong.shape[0] - 1, wrong.shape[1] - 1
    for row, col in (pitfall.largest_difference(), (0, 0), (last[0], 0), last, (17, 3), (5, 4)):
        if row > last[0] or wrong[row, col].isnan():
            continue
        lines = pitfall.lines(row, col)
        check_lines(lines)
        for line, drawn in zip(lines, (wrong, right), strict=True):
            assert line.formula
            assert line.substituted
            assert line.value == pytest.approx(drawn[row, col].item(), rel=1e-9, abs=1e-9)
    by_wrong, by_right = pitfall.lines(*pitfall.largest_difference())
    assert by_wrong.formula != by_right.formula
    assert by_wrong.substituted != by_right.substituted


def imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_only_their_screen_knows_the_pitfalls():
    folders = ("encodings", "plots", "lab", "ui", "pages")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    users = {
        path.parent.name
        for path in files
        if any(name.startswith("exhibits.pitfalls") for name in imports(path))
    }
    assert users == {"pitfalls"}


@pytest.mark.parametrize("name", PITFALLS)
def test_each_says_where_it_was_met(name):
    text = load("pitfalls").sections[name]
    places = re.findall(
        r"\[([\w.-]+/[\w.-]+), (issue|pull request) (\d+)\]\(https://github\.com/(\S+)\)", text
    )
    assert "**Met in.**" in text
    assert places or "No public code that we know" in text
    kinds = {"issue": "issues", "pull request": "pull"}
    for repository, kind, number, address in places:
        assert address == f"{repository}/{kinds[kind]}/{number}"

"""Each mistake breaks its invariant and no other; each right form is the library's own."""

import ast
import inspect
import json
import math

import pytest
import torch

from exhibits import pitfalls as p
from exhibits.pitfall_cases import PITFALLS, TOLERANCE
from posenc import (
    alibi_slopes,
    apply_rope,
    cope_positions,
    rope_angles,
    rope_inv_freq,
    sinusoidal_table,
)
from posenc.alibi.window import alibi_window
from posenc.attention.formula import attend
from posenc.attention.masks import causal_mask
from posenc.precision.rounding import distinct_positions
from posenc.rope.layouts import inverse_layout_permutation
from tests.conftest import ROOT

MAY_IMPORT = {"pitfall_cases.py": "exhibits.pitfalls", "pitfalls.py": "exhibits.pitfall_cases"}


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
    assert PITFALLS["Positions in bfloat16"].first_difference() == 257
    assert PITFALLS["Cached keys, new base"].first_difference() == 16  # the trained length
    assert PITFALLS["Slopes from 1"].first_difference() == 0


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


# The right forms, against the library's functions or another way to write them


def test_right_slopes_and_angles_and_tables():
    assert p.right_slopes(8).equal(alibi_slopes(8))
    positions = torch.arange(512)
    angles = rope_angles(positions, rope_inv_freq(64)[0])
    assert torch.allclose(p.right_angles(positions, 64), angles, rtol=1e-14, atol=0)
    assert torch.allclose(p.right_exponents(64, 33), sinusoidal_table(64, 33), atol=1e-13, rtol=0)


def test_right_layout_is_the_interleaved_rotation():
    x, positions, inv_freq = p.normal(24, 16), torch.arange(24), rope_inv_freq(16)[0]
    assert p.right_switch(x, positions, "interleaved").equal(apply_rope(x, positions, inv_freq))
    half = p.right_switch(x, positions, "half")
    order = inverse_layout_permutation(16)
    turned = apply_rope(x[:, order], positions, inv_freq)
    assert torch.allclose(half[:, order], turned, atol=1e-14, rtol=0)


def test_right_gates_are_copes_positions():
    scores, mask = p.normal(24, 24), causal_mask(24, 24)
    expected = cope_positions(scores.masked_fill(~mask, -torch.inf), 1000)
    assert torch.allclose(p.right_gates(scores, mask), expected * mask, atol=1e-14, rtol=0)


def test_wrong_gates_give_the_known_wrong_numbers():
    golden = json.loads((ROOT / "tests" / "golden" / "golden.json").read_text("utf-8"))
    case = next(c for c in golden["cases"] if c["name"] == "trap_cope_mask_after_sigmoid_positions")
    q, k = (torch.tensor(case["params"][name], dtype=torch.float64) for name in "qk")
    found = p.wrong_gates(q @ k.mT / 2, torch.ones(5, 5, dtype=torch.bool))
    assert torch.allclose(found, torch.tensor(case["expected"], dtype=torch.float64), atol=1e-9)


def test_right_scale_is_attention():
    q, k = p.normal(32, 64), p.normal(32, 64, seed=1)
    weights = attend(q[None, None], k[None, None], k[None, None], trace=True).weights[0, 0]
    assert torch.allclose(p.right_scale(q, k), weights, atol=1e-15)


# The numbers that the lesson names


def test_numbers_of_the_lesson():
    slopes = torch.stack((p.wrong_slopes(8)[0], p.right_slopes(8)[0]))
    assert alibi_window(slopes, 1024).tolist() == [3, 5]
    one_step = torch.arange(2)
    assert p.wrong_operator(one_step, 64)[1, -1].item() == pytest.approx(7499, abs=0.5)
    assert p.wrong_precedence(one_step, 64)[1, 0] == 64
    assert p.wrong_precedence(one_step, 64)[1, 1:].max() < 1e-6
    assert [distinct_positions(n, torch.bfloat16) for n in (384, 131072)] == [321, 1409]
    wrong, right = PITFALLS["Scale forgotten"].pictures()
    shares = [weights.amax(dim=-1).mean().item() for weights in (wrong, right)]
    assert shares == pytest.approx([0.73, 0.14], abs=0.005)


# Nothing uses the wrong forms


def imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_only_the_list_and_the_screen_know_the_pitfalls():
    for folder in ("encodings", "plots", "ui", "pages"):
        for path in (ROOT / folder).rglob("*.py"):
            known = {name for name in imports(path) if name.startswith("posenc.pitfall")}
            allowed = MAY_IMPORT.get(path.name)
            assert all(allowed and name.startswith(allowed) for name in known), path


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

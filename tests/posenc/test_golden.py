"""Every case of golden.json, each covered by an adapter.

An adapter is one entry of a `FORMULAS` dictionary in tests/golden/adapters_*.py: the formula's
name and a function from the case's parameters to the value that `expected` is compared with.
"""

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
FILE = json.loads((GOLDEN / "golden.json").read_text())
CASES = FILE["cases"]
MODULES = [
    importlib.import_module(f"tests.golden.{path.stem}")
    for path in sorted(GOLDEN.glob("adapters_*.py"))
]
FORMULAS = {name: adapter for module in MODULES for name, adapter in module.FORMULAS.items()}


def as_plain(value: Any) -> Any:
    """Tensors and tuples as lists and numbers."""
    if isinstance(value, torch.Tensor):
        return value.detach().tolist()
    if isinstance(value, dict):
        return {key: as_plain(item) for key, item in value.items()}
    return [as_plain(item) for item in value] if isinstance(value, list | tuple) else value


def is_numeric(value: Any) -> bool:
    if isinstance(value, list):
        return all(is_numeric(item) for item in value)
    return isinstance(value, int | float) and not isinstance(value, bool)


def matches(actual: Any, expected: Any, atol: float, rtol: float) -> bool:
    """Element by element within atol + rtol * |expected|, in the same shape."""
    if is_numeric(expected) and is_numeric(actual):
        got, wanted = np.array(actual, dtype=np.float64), np.array(expected, dtype=np.float64)
        return got.shape == wanted.shape and np.allclose(got, wanted, rtol=rtol, atol=atol)
    if isinstance(expected, dict) and isinstance(actual, dict):
        return actual.keys() == expected.keys() and all(
            matches(actual[key], expected[key], atol, rtol) for key in expected
        )
    if isinstance(expected, list) and isinstance(actual, list):
        return len(actual) == len(expected) and all(
            matches(a, b, atol, rtol) for a, b in zip(actual, expected, strict=True)
        )
    return type(actual) is type(expected) and actual == expected


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: dict) -> None:
    actual = as_plain(FORMULAS[case["formula"]](case["params"]))
    equal = matches(actual, case["expected"], case["atol"], case["rtol"])
    assert np.shape(actual) == np.shape(case["expected"]) or isinstance(actual, dict)
    assert equal == (case["kind"] == "equal"), f"{actual} against {case['expected']}"


def test_every_case_is_covered() -> None:
    formulas = {case["formula"] for case in CASES}
    assert len(CASES) == FILE["case_count"]
    assert {case["kind"] for case in CASES} == {"equal", "not_equal"}
    assert formulas <= FORMULAS.keys(), "a formula without an adapter"
    assert FORMULAS.keys() <= formulas, "an adapter that no case uses"


def test_no_formula_has_two_adapters() -> None:
    names = [name for module in MODULES for name in module.FORMULAS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        ([1.0, 2.0], [1.0, 2.001]),
        ([[1.0, 2.0]], [1.0, 2.0]),
        ([1.0], [1.0, 1.0]),
        ([float("nan")], [1.0]),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": "x"}, {"a": "y"}),
        (["x", 1.0], ["x", 2.0]),
        (True, 1),
    ],
)
def test_the_comparison_can_fail(actual: Any, expected: Any) -> None:
    assert not matches(actual, expected, atol=1e-6, rtol=1e-6)
    assert matches(expected, expected, atol=0, rtol=0)

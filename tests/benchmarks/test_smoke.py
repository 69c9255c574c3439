"""The benchmark runs at tiny sizes and prints finite ratios; nothing here asserts a time."""

import json
import math
import subprocess
import sys
from importlib import import_module

import pytest
import torch

from benchmarks import timing, views
from benchmarks.report import markdown
from tests.conftest import ROOT

TASKS = {
    "cos and sin",
    "apply RoPE, half",
    "apply RoPE, interleaved",
    "RoPE from positions",
    "ALiBi, one query",
    "ALiBi, all pairs",
    "T5 bias",
    "attention with ALiBi, prompt",
    "attention with T5, prompt",
    "Shaw scores",
    "CoPE",
    "decode one token",
    "sinusoidal table",
}
INSTALLED = ("transformers", "x-transformers", "rotary-embedding-torch")


@pytest.mark.slow
def test_smoke(tmp_path):
    out = tmp_path / "bench.md"
    command = [sys.executable, "-m", "benchmarks.run", "--extent", "smoke", "--out", str(out)]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert out.read_text() == printed
    record = json.loads(out.with_suffix(".json").read_text())
    assert {row["task"] for row in record["tasks"]} == TASKS
    for row in record["tasks"]:
        assert row["task"] in printed
        for name, values in row["ratios"].items():
            if values is None:
                assert not name.startswith(INSTALLED), name
                continue
            middle, low, high = values
            assert 0 < low <= middle <= high < math.inf
    assert [row["quantity"] for row in record["pictures"]] == ["SinusoidalTable", "T5Buckets, 320"]
    assert all(0 < row["time ratio"] < math.inf for row in record["pictures"])


def test_every_quantity_has_pictures_of_equally_many_cells():
    for name in views.QUANTITIES:
        short, long = (
            views.picture(name, length, cells=10) for length in (views.SHORT, views.LONG)
        )
        assert short.values.shape == long.values.shape == (10, 10), name
        # xPos is defined for the past alone: its future is NaN.
        assert long.values[-1].isfinite().any(), name


def test_a_ratio_is_the_median_of_pairs():
    assert timing.ratio([2.0, 2.0, 8.0], [1.0, 4.0, 2.0]) == (2.0, 1.25, 3.0)


def test_every_round_calls_everything():
    calls = []
    functions = {name: lambda name=name: calls.append(name) for name in "ab"}
    taken = timing.interleaved(functions, torch.device("cpu"), seconds=0)
    assert {name: len(times) for name, times in taken.items()} == dict.fromkeys("ab", timing.ROUNDS)
    assert calls.count("a") == calls.count("b") == timing.ROUNDS + 2


def test_a_missing_peer_is_said():
    from benchmarks.run import bracket  # its peers take three seconds to import

    assert bracket(None) == "not installed"
    assert bracket((1.0, 0.5, 2.0)) == "1.00 (0.50–2.00)"
    assert markdown(["a"], [["1"]]) == "| a |\n| --- |\n| 1 |"


def test_a_case_makes_its_tensors_where_it_runs() -> None:
    """The meta device refuses what lies on another, as a GPU does."""
    from benchmarks.run import EXTENTS, cases

    for make in cases(EXTENTS["smoke"], torch.device("meta")):
        make()


def test_every_benchmark_finds_what_it_imports() -> None:
    paths = (ROOT / "benchmarks").rglob("*.py")
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    for name in {*names} - {"benchmarks.floor_page"}:  # a page, which draws when it is imported
        import_module(name)

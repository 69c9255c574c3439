"""data/verified.json, which the app shows: complete, within bounds, and of the pinned versions."""

import json
import re

import pytest
import torch

from tests.conftest import ROOT
from tests.parity.comparisons import COMPARISONS, agree, difference
from tests.parity.record import FILE, comparison_rows, golden_counts

RECORD = json.loads(FILE.read_text())


def test_every_comparison_is_recorded():
    measured = {"cases", "largest"}
    recorded = [
        {k: v for k, v in row.items() if k not in measured} for row in RECORD["comparisons"]
    ]
    declared = [{k: v for k, v in row.items() if k not in measured} for row in comparison_rows()]
    assert recorded == declared, "run python -m tests.parity.record"


@pytest.mark.parametrize("row", RECORD["comparisons"], ids=list(COMPARISONS))
def test_recorded_differences_are_within_their_bounds(row):
    assert 0 <= row["largest"] <= row["bound"]
    assert row["cases"] >= 20


def test_recorded_versions_are_the_pinned_ones():
    files = ("requirements.txt", "requirements-dev.txt", "requirements-alone.txt")
    pins = "\n".join((ROOT / file).read_text() for file in files)
    pinned = dict(re.findall(r"^([\w.-]+)==([\w.+]+)$", pins, re.MULTILINE))
    for package, version in RECORD["versions"].items():
        assert version.split("+")[0] == pinned[package], package
    assert {row["package"] for row in RECORD["comparisons"]} <= set(RECORD["versions"])


def test_recorded_golden_counts_are_those_of_the_golden_file():
    assert RECORD["golden"] == golden_counts()


def test_a_comparison_can_fail():
    with pytest.raises(AssertionError, match="gptj"):
        agree("hf gptj rotation", torch.tensor([1.0]), torch.tensor([1.001]))
    with pytest.raises(AssertionError, match="against"):
        difference(torch.zeros(2), torch.zeros(2, 1))
    with pytest.raises(AssertionError):
        difference(torch.tensor([torch.nan]), torch.tensor([torch.nan]))
    assert difference(torch.tensor([2.0, 0.0]), torch.tensor([1.0, 0.0]), relative=True) == 1

"""The trained head of the chapter CoPE: what is quick to measure again is what was measured."""

import json

import pytest
import torch

from course.chapters.cope.data import (
    COUNTED,
    LASTS,
    MEASURED,
    MODEL,
    added,
    gates,
    mean,
    opened,
    own,
    shown,
    wrong,
)
from lab.spec import counting_spec
from lab.training.checkpoints import load_checkpoint

KEPT = json.loads(MEASURED.read_text("utf-8"))


def test_the_model_is_one_that_the_lab_trains() -> None:
    found = load_checkpoint(MODEL)
    assert found.spec == counting_spec("cope", 0)


def test_the_head_is_the_one_that_was_measured() -> None:
    torch.testing.assert_close(mean(added), torch.tensor(KEPT["added"]), rtol=0, atol=0.006)
    torch.testing.assert_close(mean(opened), torch.tensor(KEPT["open"]), rtol=0, atol=0.006)
    found = gates(shown()[-64:], LASTS[-1])
    torch.testing.assert_close(found, torch.tensor(KEPT["gates"]["64"]), rtol=0, atol=0.006)


@pytest.mark.parametrize(("length", "last"), [(64, 63), (64, 7), (128, 63), (128, 15)])
def test_counts_are_as_often_wrong(length: int, last: int) -> None:
    at = COUNTED.index(length)
    assert wrong(length, last) == pytest.approx(KEPT["wrong"][str(last)][at], abs=0.2)


def test_the_text_that_is_drawn_has_counts_after_its_last_reset() -> None:
    kinds = shown()[-64:].tolist()
    assert 0 in kinds[30:50]
    assert 0 not in kinds[50:]
    assert kinds[kinds[::-1].index(0) * -1 - 1 :].count(1) == 7


def test_attention_stays_after_the_last_reset() -> None:
    assert own(64, LASTS[-1]) == pytest.approx(KEPT["own"]["63"][0], abs=0.002)

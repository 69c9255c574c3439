"""Numbers of the answers, each against one worked out elsewhere."""

import math

import pandas as pd
import pytest

from course.questions.numbers import NUMBERS, number
from tests.conftest import ROOT

TEXT = pd.read_csv(ROOT / "data/lab/text.csv")
ROUNDING = 1e-11


def bits(model: str, method: str, length: int) -> float:
    """Mean over seeds of the mean over chunks, from the file itself."""
    rows = TEXT[TEXT.run.str.fullmatch(rf"text-{model}-s\d") & (TEXT.measure == "tail")]
    rows = rows[(rows.method == method) & (rows.length == length) & (rows.tuned == 0)]
    return float(rows.groupby("run").bits.mean().mean())


EXPECTED = {
    "paper_width": 512,
    "row_length": math.sqrt(512 / 2),
    "shared_token_length": 1,
    "scaled_token_length": math.sqrt(512),
    "twice_scaled_length": 512,
    "projection": 2**18,
    "joined_projection": 2**19,
    "fastest_wave": 2 * math.pi,
    "slowest_wave": 2 * math.pi * 10000 ** (510 / 512),
    "slowest_wave_of_100": 2 * math.pi * 100 ** (510 / 512),
    "usual_base": 10000,
    "small_base": 100,
    "sine_twin": 22,  # 22/7 is close to π
    "shift_step": 7,
    "gpt2_rows": 1024,
    "gpt2_width": 768,
    "gpt2_table": 786432,
    "bert_rows": 512,
    "lab_length": 128,
    "lab_double": 256,
    "learned_at_trained": bits("learned", "none", 128),
    "learned_at_double": bits("learned", "none", 256),
    "stretched_at_double": bits("learned", "interpolate", 256),
    "alibi_at_double": bits("alibi", "none", 256),
    "nope_at_trained": bits("nope", "none", 128),
    "rope_at_trained": bits("rope", "none", 128),
    "tenth_share": 0.1,
    "moved": 1000,
    "head": 128,
    "query_place": 7,
    "key_place": 3,
    "query_later": 1007,
    "key_later": 1003,
    "distance": 4,
    "ones_near": math.sqrt(128),
    "ones_far": 2 * sum(math.cos(1000 * 10000 ** (-i / 64)) for i in range(64)) / math.sqrt(128),
}
BELOW = {
    "projected_difference": ROUNDING,
    "shift_error": ROUNDING,
    "score_moved": ROUNDING,
    "output_moved_plain": ROUNDING,
    "output_moved_back": ROUNDING,
}
"""Differences that are rounding."""
BETWEEN = {
    "overlap": (0.95 / math.sqrt(512), 1.05 / math.sqrt(512)),
    "learned_neighbours": (0.7, 0.9),
    "learned_far": (-0.5, 0.0),
    # √2 where rotated values have nothing in common with what they were.
    "output_moved_rotated": (1.0, math.sqrt(2)),
    # Root mean squares of 200 numbers whose variance is one: half a standard error is 2.5 %.
    "typical_near": (0.9, 1.1),
    "typical_far": (0.9, 1.1),
}


def test_every_number_is_tested() -> None:
    assert set(NUMBERS) == EXPECTED.keys() | BELOW.keys() | BETWEEN.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_as_worked_out_elsewhere(name: str) -> None:
    assert number(name) == pytest.approx(EXPECTED[name], rel=1e-9)


@pytest.mark.parametrize("name", BELOW)
def test_is_rounding(name: str) -> None:
    assert 0 <= number(name) < BELOW[name]


@pytest.mark.parametrize("name", BETWEEN)
def test_lies_where_the_sentence_says(name: str) -> None:
    low, high = BETWEEN[name]
    assert low < number(name) < high

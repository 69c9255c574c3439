"""Curves of the real model, on numbers that can be worked out by hand."""

import math

import numpy as np
import pytest

from models.results.keys import keys, share_and_interval
from models.results.losses import bits
from models.results.tables import (
    DATA,
    PLAIN,
    SLIDE,
    Measured,
    Way,
    factors,
    load,
    usual_length,
    ways,
)

YARN = Way("yarn", 4.0)


def losses(text: str, way: Way, values: list[float], kind: str = "python", length: int = 4096):
    blocks = [1024] * (len(values) - 1) + [1023]
    return [
        {
            "text": text,
            "kind": kind,
            "method": way.method,
            "factor": way.factor,
            "length": length,
            "first": 1024 * at,
            "tokens": tokens,
            "bits": value,
        }
        for at, (tokens, value) in enumerate(zip(blocks, values, strict=True))
    ]


def measured(*rows, passkeys=()) -> Measured:
    return Measured("smollm2-135m-instruct", tuple(r for some in rows for r in some), passkeys, ())


MADE = measured(
    losses("a", PLAIN, [3, 4, 8, 9]),
    losses("a", YARN, [4, 4, 5, 6]),
    losses("b", PLAIN, [1, 1, 5, 9], kind="prose"),
    losses("b", YARN, [1, 1, 1, 4], kind="prose"),
    losses("c", PLAIN, [2, 2, 2, 2]),
    losses("a", Way("yarn", 2.0), [3, 4, 4, 5]),
)


def test_errors_are_those_of_the_paired_texts() -> None:
    found = bits(MADE, 4096, [PLAIN, YARN])
    assert found.texts == ("a", "b")  # c was not read by YaRN
    paired = found.less(YARN, PLAIN)
    np.testing.assert_array_equal(paired.mean, [0.5, 0, -3.5, -4])
    np.testing.assert_allclose(paired.error, [0.5, 0, 0.5, 1])
    gain = found.gain(YARN, PLAIN, 2048, 4096)
    expected = [(-3 * 1024 - 3 * 1023) / 2047, (-4 * 1024 - 5 * 1023) / 2047]
    np.testing.assert_allclose(gain.values, expected)
    np.testing.assert_allclose(gain.error, abs(expected[0] - expected[1]) / 2)
    assert math.isnan(bits(MADE, 4096, [PLAIN, YARN], "prose").less(YARN, PLAIN).error[0])


def test_a_point_is_followed_to_what_is_drawn() -> None:
    found = bits(MADE, 4096, [PLAIN, YARN])
    assert found.middle.tolist() == [512, 1536, 2560, 3584]
    assert found.steps(YARN, PLAIN, 2560, minus=False)[-1].value == 3
    assert [step.value for step in found.steps(YARN, PLAIN, 2560, minus=True)] == [-3, -4, -3.5]


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(ValueError, match="No text of 4,096 tokens was read in all of these ways"):
        bits(MADE, 4096, [PLAIN, SLIDE])
    assert factors(MADE.losses, 4096) == [2.0, 4.0]
    assert ways(MADE.losses, 4096, 2.0) == [PLAIN, Way("yarn", 2.0)]


def test_keys_are_counted_in_the_texts_that_all_were_asked() -> None:
    rows = [
        {
            "method": way.method,
            "factor": way.factor,
            "length": 1024,
            "text": text,
            "depth": place / 10,
            "right": int(place < right),
        }
        for way, text, right in ((PLAIN, 0, 10), (PLAIN, 1, 0), (YARN, 0, 4))
        for place in range(10)
    ]
    found = keys(measured(passkeys=tuple(rows)), [PLAIN, YARN])
    assert found[PLAIN].right.sum() == 10  # text 1 was not asked under YaRN
    share, low, high = found[YARN].by_length()
    assert share.tolist() == [40]
    assert (round(low[0], 1), round(high[0], 1)) == (16.8, 68.7)
    assert found[YARN].share[:, 0].tolist() == [100] * 4 + [0] * 6
    steps = found[YARN].steps(1024)
    assert [round(step.value, 1) for step in steps] == [4, 10, 16.8, 68.7, 40]
    assert not any("%" in step.formula for step in steps)  # a comment in LaTeX


@pytest.mark.parametrize(
    ("right", "asked", "low", "high"),
    [(7, 10, 39.7, 89.2), (0, 10, 0.0, 27.8), (10, 10, 72.2, 100.0), (15, 148, 6.2, 16.0)],
)
def test_a_share_has_the_interval_of_wilson(right: int, asked: int, low: float, high: float):
    """The last is of Newcombe 1998, "Two-sided confidence intervals for the single proportion"."""
    share, *ends = share_and_interval(np.array(right), np.array(asked))
    assert share == 100 * right / asked
    np.testing.assert_allclose(ends, [low, high], atol=0.06)


def test_a_pass_is_cut_unless_its_method_needs_the_length() -> None:
    dynamic = Way("dynamic_ntk", 4.0)
    rows = measured(
        losses("a", PLAIN, [3, 4], length=2048),
        losses("b", PLAIN, [1, 2, 9], length=3072),
        losses("b", PLAIN, [1, 2, 9, 9]),
        losses("a", dynamic, [5, 6], length=2048),
        losses("b", dynamic, [7, 8, 9], length=3072),
    )
    assert bits(rows, 2048, [PLAIN]).texts == ("a",)
    found = bits(rows, 2048, [PLAIN], cut=True)
    assert (found.texts, found.of[PLAIN].tolist()) == (("a", "b"), [[3, 4], [1, 2]])
    assert (found.first.tolist(), found.tokens.tolist()) == ([0, 1024], [1024, 1023])
    assert bits(rows, 2048, [PLAIN, dynamic], cut=True).texts == ("a",)
    assert bits(rows, 3072, [PLAIN], cut=True).of[PLAIN].tolist() == [[1, 2, 9]]


def test_a_difference_is_told_with_the_range_of_its_texts() -> None:
    found = bits(MADE, 4096, [PLAIN, YARN])
    paired = found.less(YARN, PLAIN)
    np.testing.assert_array_equal(paired.low, [0, 0, -4, -5])
    np.testing.assert_array_equal(paired.high, [1, 0, -3, -3])
    assert found.gain(YARN, PLAIN, 0, 1024).words == "+0.50 (+0.00 to +1.00)"
    assert bits(MADE, 4096, [PLAIN, YARN], "prose").gain(YARN, PLAIN, 0, 1024).words == "+0.00"


def test_a_damaged_file_is_named(tmp_path) -> None:
    with pytest.raises(ValueError, match="python -m models losses"):
        load(tmp_path)
    shipped = (DATA / "losses.csv").read_text()
    (tmp_path / "losses.csv").write_text(shipped.replace("3.66997", "nan", 1))
    with pytest.raises(ValueError, match=r"losses\.csv, line 2: bits is nan"):
        load(tmp_path)


def test_a_long_pass_of_few_texts_does_not_stand_for_all() -> None:
    short = [losses(text, PLAIN, [3, 3], length=2048) for text in "abc"]
    every = [
        row
        for some in (*short, MADE.losses, losses("a", PLAIN, [1] * 8, length=8192))
        for row in some
    ]
    assert usual_length(every) == 4096  # as many texts as the short ones, and longer
    assert usual_length([row for row in every if row["text"] != "c"]) == 4096

"""Claims judged on made-up numbers of a real model: both ways, and undecided."""

import numpy as np
import pytest

from lab.results.comparisons import NOT_REPRODUCED, NOT_RESOLVED, REPRODUCED
from lab.results.literature import real_judgements
from models.results.tables import PLAIN, SLIDE, Measured, Way

L, N = 8192, 16384
TEXTS = "abcdef"
OF_TEXT = [0.02, -0.01, 0.01, -0.02, 0.03, -0.03]  # texts are never quite alike
FACTOR_OF = {"none": 0, "slide": 1, "yarn": 2, "ntk": -1, "linear": 3, "dynamic_ntk": 4}


def read(
    method: str, inside: float, behind: float, length: int = N, factor: float = 4.0, rise: float = 0
):
    """Texts by one method's numbers, up to L and beyond it; `rise` is a trend along positions."""
    way = {"none": PLAIN, "slide": SLIDE}.get(method, Way(method, factor))
    return [
        {
            "text": text,
            "kind": "python",
            "method": way.method,
            "factor": way.factor,
            "length": length,
            "first": first,
            "tokens": 1024,
            "bits": (inside if first < L else behind + rise * (first - L - 3584) / 3584)
            + own * FACTOR_OF[method],
        }
        for text, own in zip(TEXTS, OF_TEXT, strict=True)
        for first in range(0, length, 1024)
    ]


def judged(claim: str, *parts: list[dict]) -> object:
    rows = tuple(row for part in parts for row in part)
    found = real_judgements(Measured("smollm2-135m-instruct", rows, (), ()))
    return next(one for one in found if one.claim.id == claim)


@pytest.mark.parametrize(
    ("claim", "parts", "verdict"),
    [
        ("plain_rope_breaks", [read("none", 3, 6), read("slide", 3, 3)], REPRODUCED),
        ("plain_rope_breaks", [read("none", 3, 2), read("slide", 3, 3)], NOT_REPRODUCED),
        ("plain_rope_breaks", [read("none", 3, 3), read("slide", 3, 3)], NOT_RESOLVED),
        (
            "yarn_extends",
            [read("none", 3, 6), read("slide", 3, 3), read("yarn", 3, 2.9)],
            REPRODUCED,
        ),
        (
            "yarn_extends",
            [read("none", 3, 6), read("slide", 3, 3), read("yarn", 3, 3.4)],
            NOT_REPRODUCED,
        ),
        ("ntk_beats_interpolation", [read("ntk", 3, 3), read("linear", 6, 6)], REPRODUCED),
        ("ntk_beats_interpolation", [read("ntk", 3, 7), read("linear", 6, 6)], NOT_REPRODUCED),
        ("dynamic_leaves_the_inside", [read("none", 3, 6), read("dynamic_ntk", 3, 4)], REPRODUCED),
    ],
)
def test_verdicts(claim: str, parts: list, verdict: str) -> None:
    one = judged(claim, *parts)
    assert one.verdict == verdict
    assert one.change.startswith("Open" if verdict == NOT_RESOLVED else "Closest")


def test_a_single_text_decides_nothing() -> None:
    rows = [row for row in read("none", 3, 6) + read("slide", 3, 3) if row["text"] == "a"]
    one = judged("plain_rope_breaks", rows)
    assert (one.verdict, one.numbers) == (NOT_RESOLVED, ("not measured: more than one text",))


def test_what_would_change_a_verdict_has_the_numbers() -> None:
    one = judged("plain_rope_breaks", read("none", 3, 6), read("slide", 3, 3))
    error = np.std(OF_TEXT, ddof=1) / 6**0.5
    assert f"{3 / error:.1f} standard errors from the bound, where 2.6 decide" in one.change
    assert f"a shift by {3 - 2.57 * error:.3f} bits per token" in one.change
    (number,) = one.numbers
    assert "(6 texts, +2.970 to +3.030)" in number


def test_texts_decide_and_not_blocks_of_them() -> None:
    """A method that gets worse along the text still costs each text the same, on average."""
    window = read("slide", 3, 3)
    one = judged("ntk_breaks_early", read("ntk", 3, 3.1, factor=2.0, rise=2.0), window)
    assert one.verdict == REPRODUCED
    one = judged("plain_rope_breaks", read("none", 3, 3.1, rise=3.0), window)
    assert one.verdict == REPRODUCED
    # texts that disagree leave it open, however sure each is by itself
    half = [
        row | {"bits": row["bits"] - 0.4 * (row["text"] in "abc" and row["first"] >= L)}
        for row in read("none", 3, 3.1)
    ]
    assert judged("plain_rope_breaks", half, window).verdict == NOT_RESOLVED


def asked(method: str, length: int, texts: int, right: int):
    way = PLAIN if method == "none" else Way(method, 4.0)
    return [
        {
            "method": way.method,
            "factor": way.factor,
            "length": length,
            "text": text,
            "depth": place / 10,
            "right": int(place < right),
        }
        for text in range(texts)
        for place in range(10)
    ]


def test_keys_are_compared_at_each_length_beyond_training() -> None:
    keys = (
        asked("none", L, 3, 10),
        asked("yarn", L, 3, 0),
        asked("none", N, 3, 0),
        asked("yarn", N, 3, 8),
        asked("none", 2 * N, 1, 0),
        asked("yarn", 2 * N, 1, 1),
    )
    rows = tuple(row for part in keys for row in part)
    long = tuple(read("none", 3, 6))
    found = real_judgements(Measured("smollm2-135m-instruct", long, rows, ()))
    one = next(one for one in found if one.claim.id == "keys_beyond")
    assert [words.partition(":")[0] for words in one.numbers] == [
        "keys found, YaRN − as trained, 16,384 tokens (24 and 0 of 30)",
        "keys found, YaRN − as trained, 32,768 tokens (1 and 0 of 10)",
    ]
    assert one.verdict == NOT_RESOLVED  # 1 of 10 is not clearly more than none

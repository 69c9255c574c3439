"""Claims judged on made-up numbers of a real model: both ways, and undecided."""

import pytest

from lab.results.comparisons import NOT_REPRODUCED, NOT_RESOLVED, REPRODUCED
from lab.results.literature import real_judgements
from models.results.tables import PLAIN, SLIDE, Measured, Way

L, N = 8192, 16384
CALM = [0.01, -0.01]  # blocks are never quite alike
CALM_OF = {"none": 0, "slide": 1, "yarn": 2, "ntk": 2, "linear": 3, "dynamic_ntk": 4}


def read(method: str, inside: float, behind: float, length: int = N, factor: float = 4.0):
    """A text by each of two methods' numbers, up to L and behind it."""
    way = {"none": PLAIN, "slide": SLIDE}.get(method, Way(method, factor))
    return [
        {"text": text, "kind": "python", "method": way.method, "factor": way.factor,
         "length": length, "first": first, "tokens": 1024,
         "bits": (inside if first < L else behind) + CALM[first // 1024 % 2] * CALM_OF[method]}
        for text in ("a", "b")
        for first in range(0, length, 1024)
    ]  # fmt: skip


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
        ("yarn_extends", [read("none", 3, 6), read("slide", 3, 3), read("yarn", 3, 2.9)],
         REPRODUCED),
        ("yarn_extends", [read("none", 3, 6), read("slide", 3, 3), read("yarn", 3, 3.4)],
         NOT_REPRODUCED),
        ("ntk_beats_interpolation", [read("ntk", 3, 3), read("linear", 6, 6)], REPRODUCED),
        ("ntk_beats_interpolation", [read("ntk", 3, 7), read("linear", 6, 6)], NOT_REPRODUCED),
        ("dynamic_leaves_the_inside", [read("none", 3, 6), read("dynamic_ntk", 3, 4)], REPRODUCED),
    ],
)  # fmt: skip
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
    error = 0.01 * (8 / 7) ** 0.5 / 8**0.5
    assert f"{3 / error:.1f} standard errors from the bound, where 2.0 decide" in one.change
    assert f"a shift by {3 - 2 * error:.3f} bits per token" in one.change

"""Numbers in long prompts: what a server loses of a prompt is seen, wherever in it that is."""

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from advisor.endpoint.prompts import hidden
from tests.advisor.endpoint.standing import NEEDLE, SCALED, TARGET, Engine
from tests.advisor.endpoint.test_check import seen, verdicts

KEPT = 350
"""Words that are kept of the beginning and of the end, less than a third of the shortest prompt."""

WINDOW = 550
"""Words, more than those of the control and less than those of the shortest prompt."""

FINER = 0.3
"""Tokens in a word, beside the one that is counted."""


def middle(words: int) -> Iterable[int]:
    """The places that a server cuts that keeps the beginning and the end."""
    return range(KEPT, words - KEPT)


def window(words: int) -> Iterable[int]:
    """The places that are evicted where four sinks and a window stay."""
    return range(4, words - WINDOW)


def by_chance(words: int) -> Iterable[int]:
    """Blocks of 16 words that a cache under pressure loses, one in two, the ends excepted."""
    draw = random.Random(words)
    blocks = [block for block in range(64, words - 64, 16) if draw.random() < 0.5]
    return (place for block in blocks for place in range(block, block + 16))


def beyond_half(words: int) -> Iterable[int]:
    """All but the last words of a prompt that is longer than half of the target."""
    return range(words - 20) if words > TARGET // 2 else ()


@pytest.mark.parametrize("counts", [True, False])
@pytest.mark.parametrize(
    ("drops", "verdict", "words"),
    [
        (middle, "wrong middle_lost", "the middle of a prompt is cut out"),
        (window, "wrong only_near", "Nothing is found more than "),
        (beyond_half, "wrong all_lost", "Nothing is found in a prompt of 3,0"),
        (lambda words: range(WINDOW, words), "wrong all_lost", "is cut, or it is not read"),
        (lambda words: range(KEPT, words - 30), "wrong middle_lost", "the beginning is found"),
    ],
    ids=["middle", "window", "beyond half", "end", "all but the question"],
)
def test_what_is_lost_of_a_prompt(
    drops: Callable[[int], Iterable[int]], verdict: str, words: str, counts: bool
) -> None:
    """Whether the server counts the whole prompt, or says nothing of tokens."""
    engine = Engine(SCALED, drops=drops, counts=counts)
    result = seen(engine, expected=None)["needles"]
    assert f"{result.verdict} {result.code}" == verdict
    assert words in result.sentence


def test_blocks_lost_by_chance_are_never_right() -> None:
    result = seen(Engine(SCALED, drops=by_chance), expected=None)["needles"]
    assert result.verdict in ("odd", "wrong")
    assert any(one["found"] for one in result.evidence["prompts"][1:])


def test_an_honest_count_tells_of_the_first_cut() -> None:
    """No further prompt is paid for where the server says that it read less."""
    engine = Engine(SCALED, drops=middle, says_what_it_read=True)
    results = seen(engine, expected=None)
    assert verdicts(results)["needles"] == "wrong cut_silently"
    assert len(results["needles"].evidence["prompts"]) == 2


@pytest.mark.parametrize("depth", [0, 1 / 3, 2 / 3, 1])
def test_where_a_number_stands(depth: float) -> None:
    text = hidden(300, random.Random(1), depth=depth).text
    needle = NEEDLE.search(text)
    assert needle is not None
    assert needle.start() / len(text) == pytest.approx(depth, abs=0.02)


def test_an_estimate_that_is_too_short_is_no_fault_of_the_server() -> None:
    """Where it counts no tokens a prompt may be longer than was meant, and be refused rightly."""

    class Finer(Engine):
        def answered(self, prompts: list[str], body: dict[str, Any]) -> tuple[int, Any]:
            return super().answered(
                [f"{'more ' * int(FINER * len(one.split()))}{one}" for one in prompts], body
            )

    result = seen(Finer(SCALED, counts=False), expected=None)["needles"]
    assert (result.verdict, result.code) == ("unseen", "refused_at_limit")
    assert f"the server cuts at {TARGET:,}" in result.sentence
    assert verdicts(seen(Finer(SCALED), expected=None))["needles"].startswith("right")

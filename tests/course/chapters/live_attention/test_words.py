"""Claims of the chapter, against the numbers that it brings along: no model is asked."""

import json

import pytest

from course.chapters import FOLDER
from course.chapters.live_attention.data import APART, GAPS, HEADS, OTHERS, STOPS
from course.page.words import chapter
from posenc.attention.habits import CLEAR

GUESSES = {
    one.id: one.guess.options[one.guess.right]
    for one in chapter("live_attention").steps
    if one.guess
}


@pytest.fixture(scope="module")
def data():
    lines = (FOLDER / "live_attention" / "data.js").read_text("utf-8").splitlines()[2:-1]
    pairs = (line.strip().removesuffix(",").partition(": ") for line in lines)
    return {name: json.loads(value) for name, _, value in pairs}


def rows(triangle, count):
    return [triangle[i * (i + 1) // 2 :][: i + 1] for i in range(count)]


def back(data, stop, words):
    """Mean attention of the head that looks back, so many words back."""
    count = len(data["words"])
    weights = rows(data["pressed"]["previous"][stop], count)
    first = max(2, words + 1)
    return sum(weights[i][i - words] for i in range(first, count)) / (count - first)


def test_it_is_small_and_whole(data) -> None:
    assert (FOLDER / "live_attention" / "data.js").stat().st_size < 100_000
    triangle = len(data["words"]) * (len(data["words"]) + 1) // 2
    for name in HEADS:
        assert [len(one) for one in data["pressed"][name]] == [triangle] * (STOPS + 1)
    for name in APART:
        assert [len(one) for one in data["apart"][name]] == [triangle] * len(GAPS)
    assert len(data["next"]) == STOPS + 1
    assert len(data["nextApart"]) == len(data["found"]) == len(data["error"]) == len(GAPS)
    assert data["texts"] == len(OTHERS) + 1


def test_a_head_looks_one_place_back(data) -> None:
    assert GUESSES["look"] == "The word before"
    assert max(range(1, 9), key=lambda words: back(data, 0, words)) == 1
    assert max(range(1, 9), key=lambda words: back(data, 6, words)) == 3
    last = rows(data["pressed"]["previous"][STOPS], len(data["words"]))[-1]
    assert last[0] == max(last) > 0.5


def test_content_alone_would_choose_another_word(data) -> None:
    content, position = (
        rows(data["scores"][part], len(data["words"]))[-1] for part in ("content", "position")
    )
    assert content[-2] < 0 < position[-2]
    assert max(content) == content[0]


def test_words_further_back_than_two_lose_by_position(data) -> None:
    position = rows(data["scores"]["position"], len(data["words"]))
    assert all(part < 0 for row in position for part in row[1:-3])
    assert max(abs(row[0]) for row in position[3:]) < 0.1
    assert min(part for row in position for part in row[-3:]) > -0.1


def test_moving_the_whole_text_changes_nothing(data) -> None:
    assert GUESSES["shift"] == "Nothing"
    assert data["moved"] < 1e-5


def test_over_half_of_the_heads_rest_and_go_on_resting(data) -> None:
    assert GUESSES["rest"] == "Over half"
    counts = [sum(share >= CLEAR for share in shares) for shares in data["firsts"]]
    assert len(data["firsts"][0]) / 2 < counts[0] < counts[-1]
    assert min(row[0] for row in rows(data["pressed"]["rest"][STOPS], len(data["words"]))) > 0.99


def test_from_street_to_road(data) -> None:
    answer = data["words"][data["second"] - 2]
    first = [words[0][0] for words in data["next"]]
    assert (answer, first[0], set(first[2:])) == ("street", "street", {"road"})


def test_a_head_wakes_where_the_other_has_lost_it(data) -> None:
    assert GUESSES["apart"] == "At some beyond 1,024"
    given = [
        rows(weights, len(data["words"]))[-1][data["second"] - 2]
        for weights in data["apart"]["rest"]
    ]
    assert {gap for gap, share in zip(GAPS, given, strict=True) if share > 0.02} == {2048, 4096}
    at = GAPS.index(2048)
    awake, other = (
        rows(data["apart"][name][at], len(data["words"]))[-1][data["second"] - 2]
        for name in ("rest", "copy")
    )
    assert awake > 0.5 > 0.05 > other
    assert data["nextApart"][at][0][0] == "street"


def test_the_curve_breaks_before_the_longest_text_of_training(data) -> None:
    assert GUESSES["beyond"] == "It breaks before [[trained]]"
    found = dict(zip(GAPS, data["found"], strict=True))
    best = max(found.values())
    assert list(found.values()).index(best) > 0
    assert found[0] < best / 1.5
    assert found[data["trained"] // 2] < best / 3
    assert found[2 * data["trained"]] < 0.05

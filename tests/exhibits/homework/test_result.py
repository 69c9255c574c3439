"""Results: what goes into a link and a file comes out, and nothing else does."""

import json

import pytest

from exhibits.homework.result import (
    MOST_CHARS,
    Answers,
    Result,
    chosen,
    from_file,
    from_link,
    is_whole,
    read,
    score,
    shuffled,
)

QUESTIONS = {"rope": 5, "alibi": 5}
FULL = Result(
    "Ada Lovelace & Söhne",
    {"rope": Answers("BD-CA"), "alibi": Answers("-----", 3)},
    {"rope.same_angles": "head_dim=4&base=4&m=88&n=0"},
)


def test_a_link_and_a_file_hold_the_result() -> None:
    for fields in (
        from_link(f"https://anywhere.example/base/homework?view=result&{FULL.link}"),
        from_file("homework.json", FULL.file.encode()),
    ):
        assert read(fields, QUESTIONS) == (FULL, [])
        assert is_whole(fields, FULL)


def test_a_link_that_was_cut_off_or_changed_is_known() -> None:
    link = f"http://here/homework?{FULL.link}"
    for broken in (link[:-1], link.split("&seal")[0], link.replace("BD-CA", "BD-CB")):
        fields = from_link(broken)
        assert not is_whole(fields, read(fields, QUESTIONS)[0])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"answers": "rope.1.ABCD"}, "does not fit the 5 questions"),
        ({"answers": "rope.1.ABCDE"}, "a letter from A to D"),
        ({"answers": "rope.0.ABCD-"}, "no attempt from 1 to 99"),
        ({"answers": "rope.x.ABCD-"}, "no attempt"),
        ({"answers": "rope.٣.ABCD-"}, "no attempt"),
        ({"answers": "nowhere.1.ABCD-"}, "not the answers to a screen"),
        ({"answers": "<script>"}, "·script·"),
        ({"tasks": "rope.nothing?m=1"}, "no task of this name"),
        ({"answers": "A" * (MOST_CHARS + 1)}, f"at most {MOST_CHARS:,} characters"),
    ],
)
def test_what_cannot_be_read_is_left_out_and_named(fields: dict[str, str], said: str) -> None:
    result, (sentence,) = read(fields, QUESTIONS)
    assert result == Result()
    assert said in sentence
    assert "<" not in sentence


def test_many_wrong_parts_are_a_few_sentences() -> None:
    result, wrong = read({"answers": "x.1.A " * 200 + "rope.1.AAAAA"}, QUESTIONS)
    assert result.answers == {"rope": Answers("AAAAA")}
    assert len(wrong) == 5


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not a result"),
        (b"\xff\xfe", "not a result"),
        (b"[1, 2]", "not a result"),
        (b'{"answers": 5}', "not a result"),
        (b'{"name": "Ada"}', "not a result"),
        (b"[" * 15_000, "not a result"),
        (json.dumps({"answers": "x" * 30_000}).encode(), "larger than any result"),
    ],
)
def test_a_file_that_is_no_result_is_named(data: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        from_file("a<b>.json", data)


@pytest.mark.parametrize("line", ["hello", "http://here/homework", "http://[::1", "?seal=1"])
def test_a_link_that_is_no_result_is_named(line: str) -> None:
    with pytest.raises(ValueError, match="no link to a result"):
        from_link(line)


def test_letters_are_places_in_the_order_of_the_attempt() -> None:
    orders = {tuple(shuffled(4, attempt, "a")) for attempt in range(1, 40)}
    assert len(orders) > 10
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)
    for attempt in (1, 2, 3):
        order = shuffled(4, attempt, "a")
        assert [chosen(letter, 4, attempt, "a") for letter in "ABCD-"] == [*order, None]
    right = "".join("ABCD"[shuffled(4, 2, name).index(0)] for name in ("a", "b"))
    assert score(Answers(right, 2), ["a", "b"], 4) == 2
    assert score(Answers(right[0] + "-", 2), ["a", "b"], 4) == 1


def test_the_first_answer_stays() -> None:
    answers = Answers("--").with_one(0, "C")
    assert answers.with_one(0, "A") == answers == Answers("C-")


def test_settings_that_are_too_long_for_a_link_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter text"):
        FULL.handed_in("cope.shared", "text=" + "x" * MOST_CHARS)

"""Names that a letter or two separates from a known one."""

from typing import Any

import pytest

from advisor.reader import near_miss
from advisor.reader.near_miss import MOST_NAMES, OF_THE_FILE, OF_THE_OBJECT, edits, meant


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("factor", "factor", 0),
        ("facotr", "factor", 1),  # exchanged
        ("factors", "factor", 1),
        ("actor", "factor", 1),
        ("fatcors", "factor", 2),
        ("rope_thetha", "rope_theta", 1),
        ("beta_fast", "beta_slow", 4),
    ],
)
def test_edits(one: str, other: str, count: int) -> None:
    assert edits(one, other, 9) == edits(other, one, 9) == count
    assert edits(one, other, 0) > 0 or not count


def test_short_names_may_differ_in_one_letter_long_in_two() -> None:
    names = ["fator", "fatr", "attention_facto", "atention_facto", "rope_teta", "tpe", "te"]
    assert meant(names, OF_THE_OBJECT) == {
        "fator": "factor",
        "attention_facto": "attention_factor",
        "atention_facto": "attention_factor",
        "rope_teta": "rope_theta",
        "tpe": "type",
    }


def test_a_name_beside_the_right_one_is_no_misspelling() -> None:
    assert meant(["factor", "facotr"], OF_THE_OBJECT) == {}


def test_other_programs_words_are_known_within_the_object_alone() -> None:
    assert meant(["scaling_factor"], OF_THE_OBJECT) == {"scaling_factor": "factor"}
    assert meant(["base", "scale"], OF_THE_FILE) == {}


def test_a_file_of_very_many_names_is_not_compared() -> None:
    for known, right in ((OF_THE_OBJECT, "factor"), (OF_THE_FILE, "rope_theta")):
        names = [f"{right}{n}" for n in range(MOST_NAMES[known] + 1)]
        assert meant(names, known) == {}
        assert meant(names[:2], known) == dict.fromkeys(names[:2], right)


def test_the_cost_of_a_hostile_file_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each name is three letters off the longest known one, and only a band is compared."""
    right = "original_max_position_embeddings"
    names = [f"{right[:-6]}{n:06d}" for n in range(MOST_NAMES[OF_THE_FILE])]
    looks = 0

    class Letters(str):
        def __getitem__(self, at: Any) -> str:
            nonlocal looks
            looks += 1
            return super().__getitem__(at)

    def counted(one: str, other: str, most: int) -> int:
        return edits(one, Letters(other), most)

    monkeypatch.setattr(near_miss, "edits", counted)
    assert meant(names, OF_THE_FILE) == {}
    assert 0 < looks <= 3 * (2 * 2 + 1) * len(right) * len(names)

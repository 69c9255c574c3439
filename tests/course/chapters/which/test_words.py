"""Claims of the last chapter in words or typed numbers."""

from functools import cache
from typing import Any

from advisor.known_models import known_models
from course.chapters.which.data import data as made
from course.page.words import chapter


@cache
def data() -> dict[str, Any]:
    """What the chapter is told; a second to make, for the process that runs these tests."""
    return made()


@cache
def measured() -> dict[str, Any]:
    return {name: one for name, one in data()["encodings"].items() if "near" in one}


def mean(name: str, measure: str, at: int) -> float:
    return float(measured()[name][measure]["mean"][at])


def test_who_finds_nine_in_ten_near_keys_within_the_trained_length_and_at_four_times() -> None:
    at_four = {name for name in measured() if mean(name, "near", 2) >= 90}
    assert at_four == {"alibi", "kerple", "sandwich", "fire", "xpos", "cope"}
    within = {name for name in measured() if mean(name, "near", 0) >= 90}
    assert {*measured()} - within == {"nope"}
    assert {*data()["encodings"]} - {*measured()} == {"shaw", "transformer_xl"}


def test_rope_as_trained_is_last_in_two_of_three_at_sixteen_times() -> None:
    rope, xpos, *others = sorted(measured(), key=lambda name: mean(name, "far", -1))
    assert (rope, xpos) == ("rope", "xpos")
    assert round(mean(rope, "far", -1)) == round(mean(xpos, "far", -1))
    assert mean(others[0], "far", -1) > mean(xpos, "far", -1) + 1
    assert max(measured(), key=lambda name: mean(name, "bits", -1)) == "rope"
    assert min(measured(), key=lambda name: mean(name, "near", -1)) != "rope"


def test_the_table_says_of_far_keys_what_is_measured() -> None:
    labels = chapter("which").labels
    says = {name: labels[f"fails_{name}"] for name in measured()}
    keeps = {name for name, said in says.items() if said == "keeps far keys"}
    assert keeps == {name for name in measured() if mean(name, "far", -1) > 95}
    fading = {name for name, said in says.items() if said == "far keys fade"}
    assert all(mean(name, "far", -1) < 60 < 95 < mean(name, "near", -1) for name in fading)


def test_what_the_homework_says_of_far_keys_and_of_short_texts() -> None:
    assert mean("xpos", "near", -1) > 95
    assert mean("xpos", "far", -1) < 5
    assert mean("t5", "near", -1) < 10
    assert data()["further"]["mean"][0] > 90
    assert mean("rope", "near", -1) < 50
    found = data()["real"]["found"]
    assert found["yarn"][0] < found["none"][0]


def test_no_released_model_that_is_known_has_kerple() -> None:
    configs = str([one.config for one in known_models().values()]).lower()
    assert "kerple" not in configs
    assert "alibi" in configs


def test_the_real_model_finds_nothing_with_linear_scaling_and_nothing_past_its_training() -> None:
    real = data()["real"]
    assert set(real["found"]["linear"]) == {0}
    past = [n for n, length in enumerate(real["lengths"]) if length > real["trained"]]
    assert {real["found"]["none"][n] for n in past} == {0}
    assert {count for counts in real["asked"].values() for count in counts} == {30}

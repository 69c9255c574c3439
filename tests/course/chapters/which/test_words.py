"""Claims of the last chapter in words or typed numbers."""

from functools import cache
from typing import Any

from advisor.known_models import known_models
from course.chapters.which.data import data as made
from models.results.keys import keys
from models.results.tables import Way, load


@cache
def data() -> dict[str, Any]:
    """What the chapter is told; a second to make, for the process that runs these tests."""
    return made()


@cache
def measured() -> dict[str, Any]:
    found: dict[str, Any] = data()["encodings"]
    return found


def mean(name: str, measure: str, at: int) -> float:
    return float(measured()[name][measure]["mean"][at])


def test_who_finds_nine_in_ten_near_keys() -> None:
    at_four = {name for name in measured() if mean(name, "near", 2) >= 90}
    assert at_four == {"alibi", "kerple", "fire", "cope"}
    at_two = {name for name in measured() if mean(name, "near", 1) >= 90}
    assert at_two - at_four == {"rope"}
    within = {name for name in measured() if mean(name, "near", 0) >= 90}
    assert {*measured()} - within == {"nope"}


def test_rope_as_trained_is_last_at_sixteen_times() -> None:
    last = sorted(measured(), key=lambda name: mean(name, "far", -1))
    assert {*last[:2]} == {"rope", "rope_base128"}
    assert mean(last[2], "far", -1) > mean("rope", "far", -1) + 1
    assert min(measured(), key=lambda name: mean(name, "near", -1)) != "rope"


def test_most_that_subtract_go_on_in_longer_texts() -> None:
    goes_on = {name for name in measured() if mean(name, "near", -1) >= 60}
    assert goes_on == {"alibi", "kerple", "fire", "cope"}


def test_a_little_training_is_enough() -> None:
    further = data()["further"]
    assert further["rope"]["low"][0] > 90


def test_what_the_homework_says_of_far_keys_and_of_short_texts() -> None:
    assert mean("alibi", "near", -1) > 99
    assert 50 < mean("alibi", "far", -1) < 60
    assert mean("t5", "near", -1) < 10
    assert mean("rope", "near", -1) < 50
    found = data()["real"]["found"]
    assert found["yarn"][0] < found["none"][0]


def test_ntk_aware_finds_keys_where_its_factor_reaches() -> None:
    reaches = Way("ntk", 8.6)
    found = keys(load(), [reaches])[reaches]
    assert [*found.lengths, found.right.sum(), found.asked.sum()] == [32768, 10, 30]
    assert data()["real"]["found"]["ntk"][-1] == 0


def test_three_rows_find_nine_in_ten_in_the_longest_texts() -> None:
    assert {name for name in measured() if mean(name, "near", -1) >= 90} == {
        "alibi",
        "kerple",
        "fire",
    }


def test_four_of_the_eight_models_mix_layers_of_two_kinds() -> None:
    kinds = [{(window > 0, base) for window, base in model["layers"]} for model in data()["models"]]
    assert sorted(map(len, kinds)) == [1] * 4 + [2] * 4
    assert sum(any(base > 0 for _, base in one) for one in kinds) == 7


def test_no_released_model_that_is_known_has_kerple() -> None:
    configs = str([one.config for one in known_models().values()]).lower()
    assert "kerple" not in configs
    assert "alibi" in configs


def test_the_real_model_finds_nothing_past_its_training() -> None:
    real = data()["real"]
    assert set(real["found"]["linear"]) == {0}
    past = [n for n, length in enumerate(real["lengths"]) if length > real["trained"]]
    assert {real["found"]["none"][n] for n in past} == {0}
    assert {count for counts in real["asked"].values() for count in counts} == {30}

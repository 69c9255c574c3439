"""Values that all sessions share."""

import threading

import pytest

from tests.conftest import PATIENCE
from ui.text.shared import SharedValues


def test_a_value_is_made_once_and_the_oldest_goes():
    made, kept = [], SharedValues(2)

    def value(key):
        return kept.get(key, lambda: made.append(key) or key.upper())

    assert [value(key) for key in "abab"] == ["A", "B", "A", "B"]
    assert made == ["a", "b"]
    value("c")  # drops a, which was asked for before b
    value("b")
    value("a")
    assert made == ["a", "b", "c", "a"]


def test_what_ends_early_is_not_kept():
    kept = SharedValues(2)

    def ends():
        raise InterruptedError

    with pytest.raises(InterruptedError):
        kept.get("a", ends)
    assert kept.get("a", lambda: 1) == 1


def test_who_asks_meanwhile_waits_and_does_not_make_it_again():
    kept, begun, go, made, found = SharedValues(2), threading.Event(), threading.Event(), [], []

    def slow():
        made.append(1)
        begun.set()
        assert go.wait(PATIENCE)
        return "value"

    threads = [threading.Thread(target=lambda: found.append(kept.get("a", slow))) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert begun.wait(PATIENCE)
    assert kept.get("b", lambda: "other") == "other"  # another key does not wait
    go.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert found == ["value"] * 3
    assert made == [1]

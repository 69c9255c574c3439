"""One budget for all readers: what is large waits, what is small does not, who has left ends."""

import threading
import time
from unittest.mock import Mock

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from pages.relative import shaw_terms
from tests.conftest import PATIENCE
from tests.pages.drive import figures, open_screen, sentences
from ui.screen import budget
from ui.screen.budget import SMALL, Pool
from ui.streamlit import run

MIB = 2**20


def test_twelve_readers_never_hold_more_than_the_pool_has():
    pool, held, most, lock = Pool(1000 * MIB, 12), [0], [0], threading.Lock()

    def compute() -> None:
        while not pool.take(300 * MIB, 0.01):
            pass
        with lock:
            held[0] += 300
            most[0] = max(most[0], held[0])
        time.sleep(0.01)
        with lock:
            held[0] -= 300
        pool.give_back(300 * MIB)

    readers = [threading.Thread(target=compute) for _ in range(12)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert most[0] == 900
    assert (pool.memory, pool.seats) == (1000 * MIB, 12)


def page() -> None:
    import streamlit as st

    from ui import screen
    from ui.screen.budget import SMALL, seat

    with screen.guard(), seat(SMALL - 1):
        st.caption("small")
    with screen.guard(), seat(SMALL):
        st.caption("large")


def drawn(app: AppTest) -> list[str]:
    assert not app.exception
    return [caption.value for caption in app.caption]


def test_who_waits_is_served_when_another_is_done_and_may_cancel(monkeypatch):
    pool = Pool(SMALL, 1)
    monkeypatch.setattr(budget, "POOL", pool)
    assert pool.take(SMALL, 0)
    looks = []

    def look() -> None:
        looks.append(pool.seats)
        if looks == [0, 0, 0]:
            pool.give_back(SMALL)

    monkeypatch.setattr(budget, "leave_if_gone", look)
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert drawn(app) == ["small", "large"]
    assert (looks, pool.memory, pool.seats) == ([0, 0, 0], SMALL, 1)
    app.session_state["_app"]["_app_cancelled"] = True
    app.run()
    assert drawn(app) == ["small"]
    assert sentences(app) == ["You cancelled this picture. Move any control to compute it."]
    assert drawn(app.run()) == ["small", "large"]


def test_a_run_whose_page_is_closed_ends(monkeypatch):
    sessions = {"open"}
    monkeypatch.setattr(run, "is_open", sessions.__contains__)
    monkeypatch.setattr(run, "session", lambda: "open")
    monkeypatch.setattr(budget.st, "stop", Mock(side_effect=StopException))
    budget.leave_if_gone()
    sessions.clear()
    with pytest.raises(StopException):
        budget.leave_if_gone()


def test_the_dearest_picture_of_shaw_is_small():
    """Its tables once had 200,001 rows for 24 tokens: 783 MB."""
    app = open_screen("relative", view="shaw", length="24", max_distance="100000", head_dim="8")
    assert sentences(app) == []
    assert len(figures(app)) == 3
    with pytest.raises(ValueError, match=r"Shaw's tables of 2,000,001 rows, and 24 tokens, would"):
        shaw_terms.shaw_trace(24, 1_000_000, 256, 0)


def test_fire_on_a_long_text_is_refused_before_it_is_computed():
    app = open_screen("live_attention", model="trained", encoding="fire")
    app.text_area(key="text").set_value("a b " * 750).run()
    assert "with FIRE and these heads, at most 1,831 are read here" in sentences(app)[0]

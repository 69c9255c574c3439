"""The chart sends exactly the figure's data, and reads correctly what comes back."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from streamlit.testing.v1 import AppTest

from plots.figure import Figure
from plots.heatmap import heatmap
from plots.lines import Series, lines
from posenc.words import say
from tests.conftest import PATIENCE
from ui.charts.component import BUNDLE, FILES, FOLDER, View, pack, unpack
from ui.charts.served import STATIC
from ui.words import telling
from ui.words.pseudo import NAME as MADE_UP
from ui.words.pseudo import pseudo

NUMBERS = arrays.arrays(
    st.sampled_from(["f4", "f8", "u1", "i1", "i2", "u2", "i4", "u4"]),
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
)


@given(NUMBERS)
def test_arrays_arrive_bit_for_bit(values: np.ndarray) -> None:
    trace = {"type": "heatmap", "z": values, "x": values[0]}
    payload = pack(Figure([trace], {}), alt="a")
    trace = unpack(payload)["data"][0]
    assert trace["z"].tobytes() == values.tobytes()
    assert trace["z"].dtype == values.dtype
    assert trace["z"].shape == values.shape
    assert trace["x"].tobytes() == np.ascontiguousarray(values[0]).tobytes()


@given(NUMBERS, st.text(max_size=40))
def test_every_array_starts_on_a_multiple_of_eight(values: np.ndarray, alt: str) -> None:
    traces = [{"type": "heatmap", "z": values}, {"type": "scatter", "y": values[0]}]
    payload = pack(Figure(traces, {}), alt=alt)
    length = int.from_bytes(payload[:4], "little")
    assert (4 + length) % 8 == 0
    header = json.loads(payload[4 : 4 + length])
    assert header["alt"] == alt
    offsets = [header["data"][0]["z"]["$buf"][0], header["data"][1]["y"]["$buf"][0]]
    assert all(offset % 8 == 0 for offset in offsets)
    assert len(payload) % 8 == 0


def test_a_figure_arrives_with_masked_cells_and_layout() -> None:
    figure = heatmap([[1, np.nan]], title="T", x_title="x", y_title="y", signed=True)
    header = unpack(pack(figure, view=None, full=(0, 1, 0, 1)))
    np.testing.assert_array_equal(header["data"][0]["z"], np.float32([[1, np.nan]]))
    assert header["layout"]["title"]["text"] == "T"
    assert header["full"] == [0, 1, 0, 1]


def test_a_large_picture_costs_its_pixels() -> None:
    figure = heatmap(np.zeros((512, 512)), title="T", x_title="x", y_title="y", signed=True)
    assert 512 * 512 * 4 <= len(pack(figure)) < 512 * 512 * 4 + 8000
    curves = [Series(str(i), np.zeros(4096)) for i in range(4)]
    figure = lines(np.arange(4096), curves, title="T", x_title="x", y_title="y")
    assert len(pack(figure)) < 4 * 4096 * (8 + 4) + 12_000


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.5, 9.5, (0, 10)),
        (2.6, 4.4, (3, 5)),
        (2.4, 4.6, (2, 6)),
        (-7.0, 99.0, (0, 10)),
        (20.0, 30.0, (9, 10)),
        (-30.0, -20.0, (0, 1)),
    ],
)
def test_a_window_names_the_visible_positions(low, high, expected: tuple[int, int]) -> None:
    assert View(low, high, 0, 1).cols(10) == expected
    assert View(0, 1, low, high).rows(10) == expected


def page() -> None:
    import numpy as np
    import streamlit as st

    from plots.heatmap import heatmap
    from ui.charts.component import chart, clicked_cell, visible_window

    before = visible_window("c")
    clicked = clicked_cell("c")
    k = st.slider("k", 0, 9, 1)
    values = np.full((2, 3), k)
    figure = heatmap(values, title="T", x_title="x", y_title="y", signed=True)
    rev = st.session_state.get("rev", "a")
    chart(figure, key="c", alt="six cells", height=300, rev=rev)
    st.session_state["seen"] = {"before": before, "clicked": clicked}


def header(app: AppTest) -> dict:
    return unpack(app.get("bidi_component")[0].proto.bytes)


ZOOM = {"r": [0.25, 1.5, -0.5, 0.5], "w": 600, "h": 300, "rev": "a", "whole": False}
CLICK = {"x": 2, "y": 1, "z": 1.0, "i": [1, 2], "curve": 0, "rev": "a", "at": 1}


def test_the_page_sends_the_figure_and_its_words() -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert not app.exception
    assert app.get("bidi_component")[0].proto.component_name == "posenc_chart"
    sent = header(app)
    np.testing.assert_array_equal(sent["data"][0]["z"], np.full((2, 3), 1, np.float32))
    assert (sent["alt"], sent["height"], sent["rev"], sent["view"]) == ("six cells", 300, "a", None)
    app.slider[0].set_value(7).run()
    np.testing.assert_array_equal(header(app)["data"][0]["z"], np.full((2, 3), 7, np.float32))


def test_a_zoom_is_known_before_the_data_and_stays() -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    app.session_state["c"] = {"view": ZOOM, "cell": None}
    app.run()
    assert app.session_state["seen"]["before"] == View(0.25, 1.5, -0.5, 0.5)
    assert header(app)["view"] == ZOOM
    app.session_state["rev"] = "b"
    app.run()
    assert header(app)["view"] is None


def test_the_whole_matrix_is_no_zoom() -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    app.session_state["c"] = {"view": ZOOM | {"whole": True}, "cell": None}
    app.run()
    assert app.session_state["seen"]["before"].whole
    assert header(app)["view"] is None


def test_a_click_is_reported_once() -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    app.session_state["c"] = {"view": None, "cell": CLICK}
    app.run()
    seen = app.session_state["seen"]
    assert (seen["clicked"].row, seen["clicked"].col, seen["clicked"].z) == (1, 2, 1.0)
    app.session_state["c"] = {"view": None, "cell": CLICK}
    app.run()
    assert app.session_state["seen"]["clicked"] is None
    app.session_state["c"] = {"view": None, "cell": CLICK | {"at": 2}}
    app.run()
    assert app.session_state["seen"]["clicked"] is not None


NO_WINDOWS = (
    "x",
    [1],
    {},
    {"rev": "a"},
    *(
        ZOOM | wrong
        for wrong in (
            {"r": [1, 2, 3]},
            {"r": [float("nan"), 1, 0, 1]},
            {"r": [1e300, 0, 0, 1]},
            {"w": -1},
            {"h": "9"},
            {"whole": None},
        )
    ),
)
NO_CLICKS = (
    7,
    {},
    *(
        CLICK | wrong
        for wrong in (
            {"x": None},
            {"y": float("inf")},
            {"z": "1"},
            {"i": []},
            {"i": [1, 2, 3]},
            {"i": [-1]},
            {"curve": -1},
            {"rev": None},
        )
    ),
)


def test_what_no_chart_reports_is_as_if_nothing_was() -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    for report in [{"view": one} for one in NO_WINDOWS] + [{"cell": one} for one in NO_CLICKS]:
        app.session_state["c"] = {"view": None, "cell": None} | report
        app.run()
        assert not app.exception
        seen = app.session_state["seen"]
        told = (seen["before"], seen["clicked"], header(app)["view"])
        assert told == (None,) * 3, report


def test_the_files_that_the_browser_asks_for_are_there() -> None:
    missing = [name for name in FILES if not (STATIC / name).is_file()]
    assert not missing
    scripts = [STATIC / name for name in FILES if BUNDLE not in name]
    found = [
        (script.parent / name).resolve()
        for script in scripts
        for name in re.findall(r'(?:from|import) "(\.+/.+?)"', script.read_text("utf-8"))
    ]
    assert {*found, FOLDER / "chart.js"} == {STATIC / name for name in FILES}


def test_sentences_of_a_figure_are_told_in_the_readers_language(monkeypatch) -> None:
    monkeypatch.setattr(telling, "language", lambda: MADE_UP)
    trace = {"type": "scatter", "x": [0], "y": [1], "name": say("the key"), "text": ["as typed"]}
    layout = {"title": {"text": say("{n} keys", n=2)}, "meta": {"rows": say("query i")}}
    header = unpack(pack(Figure([trace], layout)))
    assert header["data"][0]["name"] == pseudo("the key")
    assert header["data"][0]["text"] == ["as typed"]
    assert header["layout"]["title"]["text"] == "2 " + pseudo("keys")
    assert header["layout"]["meta"]["rows"] == pseudo("query i")

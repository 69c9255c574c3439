"""7 against 8: what the browser is sent is posenc's, and what it reports reaches the controls."""

import numpy as np
import pytest

from posenc import sinusoidal_table
from tests.pages.drive import address, moving, open_screen, sentences


def sent(app) -> dict:
    return moving(app, "odometer")


def test_columns_are_those_of_posenc_in_every_layout() -> None:
    waves = {"s": np.sin, "c": np.cos, "0": np.zeros_like}
    for layout, width in (("interleaved", 7), ("concatenated", 8), ("tensor2tensor", 7)):
        settings = {"layout": layout, "d_model": str(width), "length": "40", "base": "500"}
        data = sent(open_screen("absolute", view="odometer", **settings))
        rows = np.stack(
            [
                waves[letter](np.arange(40) * theta)
                for theta, letter in zip(data["theta"], data["wave"], strict=True)
            ],
            axis=1,
        )
        table = sinusoidal_table(40, width, 500.0, layout).numpy()
        np.testing.assert_allclose(rows, table, rtol=0, atol=1e-13)


def test_a_report_reaches_controls_address_and_program() -> None:
    app = open_screen("absolute", view="odometer", tab="code")
    assert sent(app)["at"] == {"a": 7, "b": 8, "words": "same", "column": 0}
    said = {"a": 20, "b": 97, "words": "two", "column": 9, "at": 1_764_000_000_000}
    app.session_state["odometer"] = {"report": said}
    app.run()
    assert (app.number_input(key="a").value, app.number_input(key="b").value) == (20, 97)
    shown = {"view": "odometer", "a": "20", "b": "97", "words": "two", "odometer_column": "9"}
    shown = {key: [value] for key, value in shown.items()} | {"tab": ["code"]}
    assert address(app) == shown
    assert sent(app)["at"] == {"a": 20, "b": 97, "words": "two", "column": 9}
    program = next(block.value for block in app.code if block.language == "python")
    assert "a = 20\nb = 97\n" in program
    hostile = {"a": -1, "b": 1e99, "words": ["x"], "column": "9", "at": 1_764_000_000_001}
    app.session_state["odometer"] = {"report": hostile}
    app.run()
    assert not app.exception
    assert address(app) == shown


def test_places_behind_the_end_are_shown_at_the_end_and_large_tables_are_refused() -> None:
    app = open_screen("absolute", view="odometer", length="8")
    assert (sent(app)["at"]["a"], sent(app)["at"]["b"]) == (7, 7)
    assert any("7 and 7 are shown" in caption.value for caption in app.caption)
    for size in ({"d_model": "513"}, {"length": "8193"}):
        app = open_screen("absolute", view="odometer", **size)
        (sentence,) = sentences(app)
        assert "at most 512 numbers" in sentence
        assert not sent(app)
    assert sent(open_screen("absolute", view="odometer", length="8192"))


@pytest.mark.parametrize(("width", "layout"), [("1", "interleaved"), ("1", "tensor2tensor")])
def test_a_row_of_one_number_stands(width: str, layout: str) -> None:
    app = open_screen("absolute", view="odometer", d_model=width, layout=layout, length="1")
    assert not app.exception
    assert len(sent(app)["theta"]) == 1

"""A picture that is made up here has on a screen all that a picture has."""

import io
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.alibi import bias
from pages.alibi.settings import Settings
from plots.lines import Series
from posenc.alibi.picture import ALiBiBias
from posenc.quantity.step import Step
from tests.pages.drive import open_screen, sentences
from ui import screen
from ui.charts.matrix import Shown
from ui.screen.budget import SMALL
from ui.words.sheet import npz


def made_up(s: Settings) -> screen.Picture:
    """A matrix and a curve."""
    matrix = screen.MatrixFigure(
        key="bias",
        quantity=ALiBiBias(0.5, 12),
        title="A made-up matrix",
        alt="Numbers that fall with distance",
        cell=(3, 1),
        table="made-up matrix",
        settings={"num_heads": s.num_heads, "head": 0, "mode": "causal", "future": 2.0},
    )
    curve = screen.LinesFigure(
        key="squares",
        alt="A curve that rises",
        x=range(5),
        series=[Series("squares", np.arange(5.0) ** 2)],
        title="A made-up curve",
        x_title="place",
        y_title="square",
        steps=lambda _curve, place: (Step("y", "x^2", f"{place}^2", place**2.0),),
        x_name="place",
        point=(0, 3),
        table="made-up curve",
        settings=None,
    )
    return screen.Picture(
        figures=[matrix, curve, followed_row],
        words="A sentence above.",
        readouts={"made-up readout": "17"},
    )


def followed_row(shown: Shown) -> screen.TableFigure:
    """A table that depends on the cell that is followed."""
    frame = pd.DataFrame({"value": [shown.value]}, index=[f"row {shown.cell[0]}"])
    return screen.TableFigure(name="made-up table", frame=frame, caption="A table.", turned=True)


@pytest.fixture(autouse=True)
def on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bias, "picture", made_up)


def opened(**query: str) -> AppTest:
    app = open_screen("alibi", view="bias", **query)
    assert not app.exception
    return app


def written(app: AppTest) -> str:
    return "\n".join(one.value for one in [*app.markdown, *app.caption])


def test_it_is_drawn_and_its_numbers_are_followed():
    app = opened()
    text = written(app)
    assert "A sentence above." in text
    assert "Row 3, column 1: −1 in float64." in text
    assert "3^2 = 9" in text
    assert [one.label for one in app.metric] == ["made-up readout"]
    assert re.search(r"^computed in [\d.]+ ms$", text, re.MULTILINE)


def test_the_address_says_what_is_followed():
    text = written(opened(bias_cell="5, 1", squares_point="4"))
    assert "Row 5, column 1: −2 in float64." in text
    assert "4^2 = 16" in text


def test_its_tables_are_there():
    app = opened(tab="numbers")
    names = ["made-up matrix", "made-up curve", "made-up table"]
    assert app.selectbox(key="numbers_table").options == names
    assert app.dataframe[-1].value.shape == (12, 12)


def test_tables_of_words_and_of_numbers_go_into_one_file():
    words = pd.DataFrame({"method": ["none", "YaRN"], "pairs": [18, 0]}, ["a", "b"])
    numbers = pd.DataFrame({"x": [1.5, 2.5]})
    kept = np.load(io.BytesIO(npz({"words": words, "numbers": numbers})))
    assert kept["words"].tolist() == [["none", "18"], ["YaRN", "0"]]
    assert kept["numbers"].tolist() == [[1.5], [2.5]]


def test_a_figure_may_depend_on_what_is_followed_in_the_first():
    (table,) = opened(bias_cell="5, 1").dataframe
    assert table.value.to_dict() == {"row 5": {"value": -2.0}}


def test_a_large_picture_waits_for_room(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bias, "picture", lambda s: replace(made_up(s), memory=SMALL))
    app = open_screen("alibi", view="bias")
    app.session_state["_app"]["_app_cancelled"] = True
    app.run()
    assert sentences(app) == ["You cancelled this picture. Move any control to compute it."]


def test_its_program_and_its_notebooks_are_there():
    app = opened(tab="code")
    names: dict[str, Any] = {}
    exec(app.code[0].value, names)
    assert names["values"].shape == (12, 12)
    notebooks = [one.proto.label for one in app.get("download_button")]
    assert notebooks == ["Notebook of `bias`", "Notebook of `squares`"]

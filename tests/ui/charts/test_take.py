"""What a reader takes along of a figure has its numbers and a name that says what it is."""

import io
from base64 import b64decode

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plots.figure import Figure
from plots.heatmap import heatmap, mark_cell, small_multiples
from plots.lines import Series, bars, lines
from ui import notebooks
from ui.charts.take import file_name, one_table, tables, take

AXES = {"x_title": "key", "y_title": "query", "signed": False}


def test_a_file_is_called_by_its_screen_and_title() -> None:
    notebooks.begin("rope")
    figure = heatmap(np.eye(2), title="Rotation matrix at position 3, half layout", **AXES)
    assert file_name("rotation", figure) == "rope-rotation-matrix-at-position-3-half-layout"
    assert file_name("rotation", heatmap(np.eye(2), title="", **AXES)) == "rope-rotation"
    odd = heatmap(np.eye(2), title="../../θ <b>¼</b>: a/b\\c?.", **AXES)
    assert not set(file_name("rotation", odd)) & set('/\\:?<>" ')


@pytest.mark.parametrize(
    ("screen", "title", "named"),
    [
        ("rope", "Rotation matrix at position 3", "RoPE"),
        ("rope", "Scores before and after RoPE", ""),
        ("alibi", "ALiBi bias of head 0", ""),
        ("absolute", "What the model has learned", ""),
        ("absolute", "Similarity of 128 positions", "Sinusoidal & learned"),
        ("forget_gates", "Bias D: logarithms of the gates", "Forget gates"),
        ("home", "Any", ""),
    ],
)
def test_a_saved_title_says_whose_picture_it_is(screen: str, title: str, named: str) -> None:
    notebooks.begin(screen)
    told = take("any", heatmap(np.eye(2), title=title, **AXES), "Cells")
    assert told["screen"] == named
    assert told["title"] == (f"{named} · {title}" if named else title)


@given(
    start=st.integers(0, 10**6),
    step=st.integers(1, 1000),
    rows=st.integers(1, 9),
    cols=st.integers(1, 9),
)
def test_a_cell_is_found_by_its_first_positions(
    start: int, step: int, rows: int, cols: int
) -> None:
    values = np.arange(rows * cols, dtype="f4").reshape(rows, cols)
    edges = [start + step * np.arange(count + 1) for count in (rows, cols)]
    figure = mark_cell(heatmap(values, *edges, title="t", **AXES), start, start)
    (table,) = tables(figure).values()
    np.testing.assert_array_equal(table.to_numpy(), values)
    assert table.index.tolist() == edges[0][:-1].tolist()
    assert table.columns.tolist() == edges[1][:-1].tolist()


def test_uneven_blocks_and_labels_are_found_too() -> None:
    figure = heatmap(np.eye(2), [0, 4, 5], [0, 1, 7], title="t", **AXES)
    (table,) = tables(figure).values()
    assert (table.index.tolist(), table.columns.tolist()) == ([0, 4], [0, 1])
    labelled = heatmap(np.eye(2), title="t", row_labels=["a", "b"], col_labels=["c", "d"], **AXES)
    (table,) = tables(labelled).values()
    assert (table.index.tolist(), table.columns.tolist()) == (["a", "b"], ["c", "d"])


def test_several_matrices_and_curves_make_one_table() -> None:
    panels = small_multiples([("A", np.eye(2)), ("B", np.ones((2, 2)))], title="t", **AXES)
    assert one_table(panels).loc["B"].to_numpy().tolist() == [[1, 1], [1, 1]]
    titles = {"title": "t", "x_title": "distance", "y_title": "score"}
    same = lines([1, 2], [Series("one", [3, 4]), Series("two", [5, 6])], **titles)
    assert one_table(same).to_dict("list") == {"one": [3, 4], "two": [5, 6]}
    other = lines([1, 2], [Series("one", [3, 4]), Series("two", [5], x=[9])], **titles)
    assert one_table(other).loc["two"].to_dict()["score"] == {9: 5}
    assert one_table(bars([7, 8], **titles)).to_numpy().ravel().tolist() == [7, 8]


def test_every_file_that_is_offered_can_be_made(capsys: pytest.CaptureFixture[str]) -> None:
    notebooks.begin("alibi")
    figure = heatmap(np.arange(6).reshape(2, 3), title="t", **AXES)
    told = take("any", figure, "Six numbers")
    assert told["offers"] == ["code", "notebook", "csv", "npz"]
    assert "file" not in told
    made = {kind: take("any", figure, "Six", kind)["file"] for kind in told["offers"]}
    assert pd.read_csv(io.StringIO(made["csv"]["text"]), index_col=0).shape == (2, 3)
    arrays = np.load(io.BytesIO(b64decode(made["npz"]["base64"])), allow_pickle=False)
    assert arrays["values"].tolist() == [[0, 1, 2], [3, 4, 5]]
    computed: dict[str, object] = {}
    exec(made["code"]["text"], computed)  # as a reader runs it
    assert capsys.readouterr().out.strip()
    assert np.array_equal(computed["values"], [[0, 1, 2], [3, 4, 5]])
    assert "pcolormesh" in made["notebook"]["text"]
    assert "file" not in take("any", figure, "Six", "../etc"), "a browser may ask for anything"


def test_a_drawing_offers_no_numbers() -> None:
    notebooks.begin("rope")
    drawing = Figure([{"type": "scatter", "x": [0], "y": [0]}], {"xaxis": {"visible": False}})
    assert take("places", drawing, "A layer")["offers"] == []

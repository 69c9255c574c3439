"""Heatmaps hold exactly the values they were given, at exactly their positions."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plots.heatmap import heatmap, mark_cell, outline, panel_columns, small_multiples
from plots.style import DIVERGING, MAX_CELLS, SEQUENTIAL
from plots.thumbnail import thumbnail
from tests.drawn import as_plotly

NAMES = {"title": "Scores", "x_title": "key position", "y_title": "query position"}


def centres(trace, name: str, cells: int) -> np.ndarray:
    """Where the cells are drawn: from a regular grid, or halfway between explicit edges."""
    edges = trace[name]
    if edges is None:
        return trace[f"{name}0"] + trace[f"d{name}"] * np.arange(cells)
    return (np.asarray(edges)[:-1] + np.asarray(edges)[1:]) / 2


def test_values_are_the_float32_values() -> None:
    values = np.random.default_rng(0).normal(size=(5, 7))
    trace = as_plotly(heatmap(values, **NAMES, signed=True)).data[0]
    assert trace.z.dtype == np.float32
    np.testing.assert_array_equal(trace.z, values.astype(np.float32))


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=12), st.integers(0, 10**8))
def test_a_block_is_drawn_around_its_positions(widths: list[int], start: int) -> None:
    edges = start + np.concatenate([[0], np.cumsum(widths)])
    figure = heatmap(np.zeros((1, len(widths))), None, edges, **NAMES, signed=False)
    trace = as_plotly(figure).data[0]
    expected = [np.mean(np.arange(a, b)) for a, b in pairwise(edges)]
    np.testing.assert_array_equal(centres(trace, "x", len(widths)), expected)


def test_rows_run_down_and_the_whole_matrix_is_shown() -> None:
    figure = as_plotly(heatmap(np.zeros((4, 6)), **NAMES, signed=True))
    assert figure.layout.yaxis.range == (3.5, -0.5)
    assert figure.layout.xaxis.range == (-0.5, 5.5)


@pytest.mark.parametrize(
    ("values", "signed", "expected"),
    [
        ([[-1.0, 3.0]], True, (-3.0, 3.0)),
        ([[-1.0, 3.0]], False, (-1.0, 3.0)),
        ([[0.0, 0.0]], True, (-1.0, 1.0)),
        ([[2.0, 2.0]], False, (2.0, 3.0)),
        ([[np.nan, -np.inf]], True, (-1.0, 1.0)),
        ([[np.nan, 4.0]], True, (-4.0, 4.0)),
    ],
)
def test_colour_range(values, signed: bool, expected: tuple[float, float]) -> None:
    trace = as_plotly(heatmap(values, **NAMES, signed=signed)).data[0]
    assert (trace.zmin, trace.zmax) == expected
    scale = DIVERGING if signed else SEQUENTIAL
    assert [list(pair) for pair in trace.colorscale] == scale


def test_the_middle_of_the_signed_scale_is_white() -> None:
    trace = as_plotly(heatmap([[-1.0, 3.0]], **NAMES, signed=True)).data[0]
    middle = [color for place, color in trace.colorscale if place == pytest.approx(0.5)]
    assert middle == ["#ffffff"]


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([[3.0, np.nan], [4.0, 5.0]], 1),
        ([[3.0, 3.5], [4.0, 5.0]], None),
        ([[0.0, 40.0]], None),
    ],
)
def test_a_bar_of_few_whole_numbers_has_no_halves(values, step: int | None) -> None:
    assert as_plotly(heatmap(values, signed=False, **NAMES)).data[0].colorbar.dtick == step
    panels = small_multiples([("a", values), ("b", values)], signed=False, **NAMES)
    assert as_plotly(panels).data[0].colorbar.dtick == step


def test_cells_without_a_value_are_masked() -> None:
    figure = as_plotly(heatmap([[1.0, -np.inf], [np.nan, 2.0]], **NAMES, signed=False))
    np.testing.assert_array_equal(figure.data[0].z, np.float32([[1, np.nan], [np.nan, 2]]))
    assert figure.data[0].hovertemplatefallback == "masked"
    assert "128" in figure.layout.plot_bgcolor


def test_numbers_stand_in_small_matrices_only() -> None:
    assert as_plotly(heatmap(np.zeros((16, 16)), **NAMES, signed=False)).data[0].texttemplate
    assert (
        as_plotly(heatmap(np.zeros((16, 17)), **NAMES, signed=False)).data[0].texttemplate is None
    )
    assert (
        as_plotly(heatmap(np.zeros((2, 2)), **NAMES, signed=False, cell_text=False))
        .data[0]
        .texttemplate
        is None
    )


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([0.9996, 0.0316, 0, 1, -1, -1e-9, np.nan], "1.000 0.032 0 1 −1 0.000 "),
        ([5.4, 1.0, -0.42345, 0, 1e-17], "5.40 1.00 −0.42 0 0.00"),
        ([57.62, -3.0], "57.6 −3.0"),
        ([1234.5, 0.25], "1234.5 0.2"),
        ([0.0625, 0.00390625], "0.0625 0.0039"),
        ([12, -3, 1234], "12 −3 1234"),  # whole numbers alone
        ([5.55e-17, 2e-16, 0], "5.6e−17 2e−16 0"),  # rounding alone
        ([1.5e7, 0.5], "1.5e+07 0.5"),
    ],
)  # fmt: skip
def test_cells_of_a_matrix_have_the_same_decimals(values: list[float], shown: str) -> None:
    text = as_plotly(heatmap([values], **NAMES, signed=True)).data[0].text
    assert list(text[0]) == shown.split(" ")


def test_labels_stand_at_their_positions() -> None:
    figure = as_plotly(
        heatmap(np.zeros((2, 3)), **NAMES, signed=False, col_labels=["the", "cat", "the"])
    )
    assert figure.layout.xaxis.tickvals == (0, 1, 2)
    assert figure.layout.xaxis.ticktext == ("the", "cat", "the")
    many = as_plotly(
        heatmap(np.zeros((1, 300)), **NAMES, signed=False, col_labels=[f"t{i}" for i in range(300)])
    )
    assert many.layout.xaxis.tickvals == tuple(range(0, 300, 2))
    with pytest.raises(ValueError, match="labels must be 3 strings, got 2"):
        heatmap(np.zeros((2, 3)), **NAMES, signed=False, col_labels=["a", "b"])


def test_hover_names_position_block_and_unit() -> None:
    exact = as_plotly(heatmap([[1.0]], **NAMES, signed=False, unit="logits", value_name="score"))
    assert exact.data[0].hovertemplate == (
        "query position %{y}<br>key position %{x}<br>score (logits): %{z:.6~g}<extra></extra>"
    )
    block = as_plotly(heatmap([[1.0]], [0, 1954], [0, 3], **NAMES, signed=False))
    assert "(block of 1,954)" in block.data[0].hovertemplate


@pytest.mark.parametrize(
    ("values", "edges", "message"),
    [
        (np.zeros(3), None, "values must be a matrix"),
        (np.zeros((0, 3)), None, "values must be a matrix"),
        (np.zeros((513, 512)), None, "at most 262144 cells"),
        (np.zeros((2, 2)), [0, 1], "row_edges must be 3 increasing numbers"),
        (np.zeros((2, 2)), [0, 2, 2], "row_edges must be 3 increasing numbers"),
    ],
)
def test_what_cannot_be_drawn_is_refused(values, edges, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        heatmap(values, edges, **NAMES, signed=False)


def test_no_tick_mark_reads_as_a_second_minus_sign() -> None:
    bar = as_plotly(heatmap([[-1.0, 1.0]], **NAMES, signed=True)).data[0].colorbar
    assert not bar.ticks


def test_panels_share_one_scale_and_one_colour_bar() -> None:
    values = [np.full((3, 4), float(i)) for i in range(5)]
    panels = [(f"head {i}", z) for i, z in enumerate(values)]
    figure = as_plotly(small_multiples(panels, **NAMES, signed=False))
    assert [trace.name for trace in figure.data] == [name for name, _ in panels]
    for trace, z in zip(figure.data, values, strict=True):
        np.testing.assert_array_equal(trace.z, z)
        assert (trace.zmin, trace.zmax) == (0.0, 4.0)
    assert [trace.showscale for trace in figure.data] == [True, False, False, False, False]
    assert figure.layout.xaxis5.matches == "x"
    assert [note.text for note in figure.layout.annotations] == [name for name, _ in panels]


def test_a_panel_apart_has_its_own_scale_and_says_so() -> None:
    panels = [
        (name, np.array([[value, -value / 2]]))
        for name, value in zip("abc", (4, 2, 0.5), strict=True)
    ]
    figure = as_plotly(small_multiples(panels, **NAMES, signed=True, apart=[2]))
    assert [(trace.zmin, trace.zmax) for trace in figure.data] == [(-4, 4), (-4, 4), (-0.5, 0.5)]
    assert [trace.showscale for trace in figure.data] == [True, False, False]
    assert [note.text for note in figure.layout.annotations] == ["a", "b", "c (to ±0.5)"]
    assert figure.data[0].colorbar.title.text == "not for c"


@pytest.mark.parametrize("columns", [None, 1, 3, 8])
@pytest.mark.parametrize("count", [1, 2, 5, 8, 12, 20])
def test_panels_never_overlap(count: int, columns: int | None) -> None:
    panels = [(str(i), np.zeros((1, 1))) for i in range(count)]
    layout = as_plotly(small_multiples(panels, **NAMES, signed=False, columns=columns)).layout
    suffixes = [str(i + 1) if i else "" for i in range(count)]
    boxes = [layout[f"xaxis{s}"].domain + layout[f"yaxis{s}"].domain for s in suffixes]
    for i, (a0, a1, b0, b1) in enumerate(boxes):
        assert 0 <= a0 < a1 <= 1
        assert 0 <= b0 < b1 <= 1
        for c0, c1, d0, d1 in boxes[:i]:
            assert a1 <= c0 or c1 <= a0 or b1 <= d0 or d1 <= b0


def test_panels_must_agree() -> None:
    with pytest.raises(ValueError, match="one shape"):
        small_multiples([("a", [[1]]), ("b", [[1, 2]])], **NAMES, signed=False)
    with pytest.raises(ValueError, match="one shape"):
        small_multiples([], **NAMES, signed=False)
    half = np.zeros((MAX_CELLS // 512, 512))
    with pytest.raises(ValueError, match="262144 cells in all"):
        small_multiples([("a", half), ("b", half)], **NAMES, signed=False)


def test_panel_columns() -> None:
    assert [panel_columns(n) for n in (1, 2, 4, 5, 6, 8, 9, 12, 16)] == [1, 2, 4, 3, 3, 4, 3, 4, 4]


def test_the_mark_stands_on_its_cell_and_leaves_the_values_alone() -> None:
    figure = as_plotly(mark_cell(heatmap([[1.0, 2.0]], **NAMES, signed=False), 0, 1))
    mark = figure.data[1]
    assert set(mark.x) == {1}
    assert set(mark.y) == {0}
    assert mark.hoverinfo == "skip"
    np.testing.assert_array_equal(figure.data[0].z, [[1, 2]])


def test_an_outline_runs_around_its_cells() -> None:
    figure = as_plotly(outline(heatmap(np.zeros((4, 4)), **NAMES, signed=False), (1, 3), (0, 4)))
    boxes = {(s.y0, s.y1, s.x0, s.x1) for s in figure.layout.shapes}
    assert boxes == {(0.5, 2.5, -0.5, 3.5)}


def test_one_panel_has_the_mark_and_all_are_linked() -> None:
    panels = [(name, np.eye(3)) for name in "abc"]
    figure = as_plotly(
        mark_cell(small_multiples(panels, **NAMES, signed=False, linked="group"), 2, 1, panel=1)
    )
    (mark,) = figure.data[3:]
    assert (mark.xaxis, mark.yaxis) == ("x2", "y2")
    assert (mark.x[0], mark.y[0]) == (1, 2)
    assert figure.layout.meta["linked"] == "group"
    assert figure.layout.meta["rows"] == NAMES["y_title"]


def test_a_small_picture_is_square_in_whatever_room_it_has() -> None:
    layout = thumbnail(np.eye(4), x_title="key", y_title="query", value_name="share").layout
    assert layout["yaxis"]["scaleanchor"] == "x"
    assert {layout[axis]["constrain"] for axis in ("xaxis", "yaxis")} == {"domain"}


@pytest.mark.parametrize("rows", [(0, 5000), (5000, 10_000), (0, 4999), (0, 50_000)])
def test_plotly_finds_a_tick_from_above(rows: tuple[int, int]) -> None:
    """It widens an axis by a ten thousandth at each end, and draws no tick if one is there."""
    edges = np.linspace(*rows, 101).round().astype(int)
    first, last = heatmap(np.zeros((100, 1)), edges, **NAMES, signed=False).layout["yaxis"]["range"]
    assert first == pytest.approx(rows[1] - 0.5, abs=0.01)
    begins = first + 1e-4 * (first - last)
    assert begins % 500 > 1e-6
    assert 500 - begins % 500 > 1e-6

"""Curves and bars hold exactly the values they were given and can be told apart without colour."""

import math
import textwrap

import numpy as np
import pytest
import torch

from plots.figure import Figure
from plots.lines import Band, Mark, Series, bars, lines, mark_bar, one_label, with_means
from plots.style import (
    MAX_POINTS,
    OKABE_ITO,
    TITLE_WIDTH,
    base_layout,
    letters,
    shade_outside_training,
    wrapped,
)
from tests.drawn import as_plotly

NAMES = {"title": "Decay", "x_title": "distance", "y_title": "score"}


def test_values_are_exact() -> None:
    x = np.array([1, 2**24 + 1, 10**8 + 1])
    y = np.array([0.1, np.nan, -3.0])
    trace = as_plotly(lines(x, [Series("a", y)], **NAMES)).data[0]
    np.testing.assert_array_equal(trace.x, x)
    assert trace.y.dtype == np.float32
    np.testing.assert_array_equal(trace.y, y.astype(np.float32))


def test_curves_differ_in_more_than_colour() -> None:
    figure = as_plotly(lines([0, 1], [Series(str(i), [i, i]) for i in range(6)], **NAMES))
    looks = [(t.line.dash, t.marker.symbol) for t in figure.data]
    assert len(set(looks)) == 6
    assert [t.line.color for t in figure.data] == list(OKABE_ITO[:6])
    assert figure.layout.showlegend
    chosen = as_plotly(
        lines([0, 1], [Series("a", [0, 1], color="#123456", dash="dot", marker="")], **NAMES)
    )
    assert chosen.data[0].line.color == "#123456"
    assert chosen.data[0].line.dash == "dot"
    assert chosen.data[0].mode == "lines"
    assert not chosen.layout.showlegend


def test_bands_of_uncertainty_come_after_all_curves() -> None:
    series = [Series("a", [1, 2], low=[0, 1], high=[2, 3]), Series("b", [5, 6])]
    figure = as_plotly(lines([0, 1], series, **NAMES))
    assert [t.name for t in figure.data[:2]] == ["a", "b"]
    np.testing.assert_array_equal(figure.data[2].x, [0, 1, 1, 0])
    np.testing.assert_array_equal(figure.data[2].y, [2, 3, 1, 0])


def test_a_series_may_have_its_own_x() -> None:
    figure = as_plotly(lines([0, 1], [Series("a", [1, 2, 3], x=[0, 5, 9])], **NAMES))
    np.testing.assert_array_equal(figure.data[0].x, [0, 5, 9])


def test_logarithmic_axes_and_ranges() -> None:
    figure = as_plotly(
        lines([1, 10], [Series("a", [1, 10])], **NAMES, log_x=True, log_y=True, y_range=(0.1, 100))
    )
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert figure.layout.yaxis.range == (-1, 2)


def test_the_digits_between_two_powers_of_ten_have_room() -> None:
    # Plotly writes 2 and 5 alone where a tick may stand for more than 0.3 decades, all nine
    # digits below that, and powers alone above 0.7.
    for high in (8.0, 20.0, 900.0):
        decades = np.log10(high)
        drawn = [
            lines([0, 1], [Series("a", [1, high])], **NAMES, log_y=True),
            lines([0, 1], [Series("a", [5, 5])], **NAMES, log_y=True, y_range=(1, high)),
            bars([1, high, 0], **NAMES, log_y=True),
        ]
        for figure in map(as_plotly, drawn):
            assert 0.3 <= decades / figure.layout.yaxis.nticks <= 0.7
    alone = as_plotly(lines([0, 1], [Series("a", [np.nan, 0])], **NAMES, log_y=True))
    wide = as_plotly(lines([0, 1], [Series("a", [1, 1e6])], **NAMES, log_y=True))
    assert alone.layout.yaxis.nticks is None
    assert wide.layout.yaxis.nticks == 6, "powers of ten alone"
    assert wide.layout.yaxis.tickformat is None


def test_a_few_counted_places_have_a_tick_each() -> None:
    few = as_plotly(lines([2, 4], [Series("a", [0, 1])], **NAMES)).layout.xaxis
    np.testing.assert_array_equal(few.tickvals, [2, 3, 4])
    # The first report of a training, on an axis for all of its steps: one label for each step
    # took a browser minutes.
    first = as_plotly(lines([10], [Series("a", [0])], **NAMES, bands=[Band(0, 1100)])).layout.xaxis
    assert len(first.tickvals) == 1
    assert first.dtick is None
    for x in ([0, 10], [0, 0.5]):
        assert as_plotly(lines(x, [Series("a", [0, 1])], **NAMES)).layout.xaxis.tickvals is None


def test_marks_and_bands_stand_at_their_values() -> None:
    marks = [Mark("x", 3, "here"), Mark("y", 0.5)]
    figure = as_plotly(
        lines([0, 9], [Series("a", [0, 1])], **NAMES, marks=marks, bands=[Band(1, 2, "near")])
    )
    band, vertical, horizontal = figure.layout.shapes
    assert (band.x0, band.x1, band.yref) == (1, 2, "y domain")
    assert (vertical.x0, vertical.x1, vertical.label.text) == (3, 3, "here")
    assert (horizontal.y0, horizontal.y1, horizontal.xref) == (0.5, 0.5, "x domain")


def test_what_lies_outside_training_is_shaded() -> None:
    figure = lines([0, 1000], [Series("a", [0, 1])], **NAMES)
    assert shade_outside_training(figure, 1000, 1000) is figure
    area, edge = as_plotly(shade_outside_training(figure, 512, 1000)).layout.shapes
    assert (area.x0, area.x1, area.fillcolor) == (512, 1000, "rgba(128, 128, 128, 0.16)")
    assert (edge.x0, edge.x1) == (512, 512)
    assert area.label.textposition == "top left"
    # From a narrow stretch the label reaches to the left, where nothing cuts it off.
    narrow = lines([0, 700], [Series("a", [0, 1])], **NAMES)
    shapes = as_plotly(shade_outside_training(narrow, 512, 700)).layout.shapes
    assert shapes[0].label.textposition == "top right"
    narrow = lines([1, 4096], [Series("a", [0, 1])], **NAMES, log_x=True)
    shapes = as_plotly(shade_outside_training(narrow, 512, 4096)).layout.shapes
    assert shapes[0].label.textposition == "top right"
    rows = as_plotly(shade_outside_training(Figure([], {}), 4, 8, axis="y")).layout.shapes
    assert (rows[0].y0, rows[0].y1, rows[0].xref) == (4, 8, "x domain")


def test_bars_keep_repeated_labels_apart() -> None:
    figure = as_plotly(bars([0.5, 0.3, 0.2], labels=["the", "cat", "the"], **NAMES))
    np.testing.assert_array_equal(figure.data[0].x, [0, 1, 2])
    np.testing.assert_array_equal(figure.data[0].y, np.float32([0.5, 0.3, 0.2]))
    assert figure.layout.xaxis.ticktext == ("the", "cat", "the")
    assert list(figure.data[0].customdata) == ["the", "cat", "the"]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: lines([0, 1], [Series("a", [1, 2, 3])], **NAMES), "x must be 3 numbers"),
        (lambda: lines([], [Series("a", [])], **NAMES), "series 'a' must be 1 to 4096 numbers"),
        (
            lambda: lines(np.zeros(4097), [Series("a", np.zeros(MAX_POINTS + 1))], **NAMES),
            "must be 1 to 4096 numbers",
        ),
        (lambda: bars([1, 2], labels=["a"], **NAMES), "labels must be 2 strings, got 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw()


@pytest.mark.parametrize("log", [False, True])
def test_a_marked_bar_is_framed_and_says_its_number(log: bool) -> None:
    plain = bars([0.5, 0.25, 0.01], title="t", x_title="x", y_title="y", log_y=log)
    figure = as_plotly(mark_bar(plain, 0.25, 1, "0.25"))
    _bar, light, dark = figure.data
    assert {*light.x, *dark.x} == {1}
    assert {*light.y, *dark.y} == {0.25}
    assert light.marker.line.width > dark.marker.line.width > 0
    assert figure.layout.barmode == "overlay"
    (number,) = figure.layout.annotations
    assert (number.text, number.x, number.xanchor) == ("0.25", 1, "center")
    assert number.y == pytest.approx(math.log10(0.25) if log else 0.25)
    ends = [mark_bar(plain, 0.5, place, "").layout["annotations"][0] for place in (0, 2)]
    assert [one["xanchor"] for one in ends] == ["left", "right"]


def test_a_bar_of_height_0_has_no_number_on_a_logarithmic_axis() -> None:
    plain = bars([0.5, 0.0], title="t", x_title="x", y_title="y", log_y=True)
    assert "annotations" not in mark_bar(plain, 0.0, 1, "0").layout


def test_titles_wrap_to_a_phone() -> None:
    title = "How much of the attention of each query falls on keys beyond the training length"
    layout = base_layout(title)
    wrapped = layout["title"]["text"].split("<br>")
    assert " ".join(wrapped) == title
    assert max(map(len, wrapped)) <= TITLE_WIDTH
    assert layout["margin"]["t"] > base_layout("short")["margin"]["t"]


def test_titles_in_a_language_without_spaces_wrap_too() -> None:
    title = "（注意力）在训练长度之外，每个查询看到的键有多远" * 2
    lines = wrapped(title, TITLE_WIDTH)
    assert len(lines) > 1
    assert "".join(lines) == title
    assert max(map(letters, lines)) <= TITLE_WIDTH
    assert not any(line[0] in "，）" or line[-1] == "（" for line in lines)


@pytest.mark.parametrize("width", [9, 14, 30])
def test_english_is_wrapped_as_before(width: int) -> None:
    title = "A self-attention of 4-bit keys, 1,024 (many) of which a query reads"
    assert wrapped(title, width) == textwrap.wrap(title, width)


def test_what_plotly_does_not_know_is_refused_where_it_is_drawn() -> None:
    with pytest.raises(ValueError, match="Invalid property"):
        Figure([{"type": "scatter", "colour": "red"}], {}).to_dict()


def test_a_figure_is_not_changed_by_what_is_made_from_it() -> None:
    first = lines([0, 1], [Series("a", [0, 1])], **NAMES)
    other = first.restyle(0, line={"width": 5}, hovertemplate=None).relayout(xaxis={"dtick": 1})
    other = other.add({"type": "scatter", "y": [1]}, shapes=[{"type": "rect"}])
    assert (first.data[0]["line"]["width"], other.data[0]["line"]["width"]) == (2, 5)
    assert other.data[0]["line"]["color"] == first.data[0]["line"]["color"]
    assert "hovertemplate" in first.data[0]
    assert "hovertemplate" not in other.data[0]
    assert "dtick" not in first.layout["xaxis"]
    assert other.layout["xaxis"]["title"] == first.layout["xaxis"]["title"]
    assert (len(first.data), len(other.data), len(other.layout["shapes"])) == (1, 2, 1)


def test_a_band_skips_what_is_not_known() -> None:
    series = Series("a", [1, 2, np.nan], low=[0, 1, np.nan], high=[2, 3, np.nan])
    figure = as_plotly(lines([1, 2, 3], [series], title="", x_title="", y_title=""))
    band = figure.data[1]
    assert list(band.x) == [1, 2, 2, 1]
    assert list(band.y) == [2, 3, 1, 0]


def test_one_label_names_every_curve_and_the_place() -> None:
    figure = as_plotly(
        one_label(lines([1, 2], [Series("a", [1, 2]), Series("b", [3, 4])], **NAMES))
    )
    assert figure.layout.hovermode == "x unified"
    assert figure.layout.xaxis.unifiedhovertitle.text.startswith(NAMES["x_title"])
    assert [curve.hovertemplate.split(":")[0] for curve in figure.data] == ["a", "b"]


def test_few_places_of_torch_have_a_tick_each() -> None:
    for count in (1, 5):
        figure = lines(
            torch.arange(count), [Series("s", np.ones(count))], title="", x_title="", y_title=""
        )
        assert figure.layout["xaxis"]["tickvals"].tolist() == [*range(count)]


def test_means_stand_over_curves_that_swing() -> None:
    x = np.array([1, 2, 3, 4, 100])
    y = np.array([7.0, 1.0, 3.0, 8.0, -5.0])
    figure = with_means(lines(x, [Series("a", y), Series("b", 2 * y)], log_x=True, **NAMES), 1.5)
    first, second, mean, other = as_plotly(figure).data
    np.testing.assert_array_equal(first.y, y.astype(np.float32))
    np.testing.assert_array_equal(mean.y, [7, 2, 4, 5.5, -5])
    np.testing.assert_array_equal(other.y, 2 * mean.y)
    assert [one.showlegend for one in (first, second, mean, other)] == [False, False, None, None]
    assert [one.legendgroup for one in (first, second, mean, other)] == ["a", "b", "a", "b"]
    assert mean.hoverinfo == "skip"

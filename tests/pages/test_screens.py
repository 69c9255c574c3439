"""Every screen: at its defaults, at every control's ends, and with hostile addresses."""

import contextlib
import io
import re
from functools import cache

import numpy as np
import pytest
import torch

from tests.conftest import said_number
from tests.pages.drive import (
    SCREENS,
    WITHOUT_NOTEBOOK,
    assert_same,
    controls,
    drawn,
    figures,
    ids,
    left,
    open_screen,
    pictures,
    preset,
    presets,
    sentences,
    shown,
    without_notebook,
)
from tests.pages.test_followed import check_marks
from ui.charts.follow import begun
from ui.notebooks.drawing import IMPORTS
from ui.screen.lesson import load

# Each kind of control against more of them: tests/ui/controls/test_address.py.
HOSTILE = ["-1", "<script>alert(1)</script>💥"]
WITHOUT_PRESETS = {"engines", "home", "lab", "own", "pitfalls", "verified"}
WITHOUT_NUMBERS = {"engines", "home", "measured", "own", "pitfalls", "verified"}
OVERVIEWS = {"whole", "three", "three_measured"}
"""Pictures that the program of a screen does not compute."""
PAYLOAD = 1_300_000  # bytes: 512 x 512 float32 and its header


@pytest.mark.parametrize("screen", SCREENS)
def test_every_tab_opens(screen):
    for tab in ("formula", "numbers", "sources"):  # and the code: below
        app = open_screen(screen, tab=tab)
        assert not app.exception
        assert sentences(app) == []
        assert app.title
        assert figures(app), "a screen without a picture"
        assert max(size for _, size in figures(app)) < PAYLOAD


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_what_to_notice_can_be_shown(screen):
    app = open_screen(screen, tab="code")
    check_snippet(app)
    buttons = [b.key for b in app.button if (b.key or "").startswith("notice_")]
    assert len(buttons) == sum(bool(notice.settings) for notice in load(screen).notice)
    for key in buttons:
        app.button(key=key).click().run()
        assert not app.exception
        assert sentences(app) == [], key
        for control, wanted in load(screen).notice[int(key.split("_")[1])].settings.items():
            if control in app.session_state:
                assert app.session_state[control] == wanted, (key, control)
        check_snippet(app)


@pytest.mark.slow
@pytest.mark.parametrize("screen", sorted({*SCREENS} - WITHOUT_PRESETS))
def test_presets_set_the_controls(screen):
    app = open_screen(screen, tab="code")
    assert len(presets(app)) > 1
    for name in list(presets(app)):
        presets(app)[name].click().run()
        assert not app.exception
        assert preset(app) == name, "a control refuses what the preset sets"
        assert sentences(app) == [], name
        check_snippet(app)


@cache
def parameters_of(screen):
    return parameters(open_screen(screen))


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("value", HOSTILE)
def test_hostile_addresses(screen, value):
    """A refused value is its default, as if it were not asked for: so all is asked for at once.

    A value that is not refused may hide or change others, and is asked for alone.
    """
    keys = parameters_of(screen)
    said = check_calm(open_screen(screen, **dict.fromkeys(keys, value)), keys)
    for key in keys:
        if not any(f"`{key} = " in sentence for sentence in said):
            check_calm(open_screen(screen, **{key: value}), key)


def check_calm(app, asked):
    """The screen stands, with sentences at most."""
    assert not app.exception, asked
    assert "Traceback" not in "".join(sentences(app))
    return sentences(app)


@pytest.mark.parametrize("screen", sorted({*SCREENS} - WITHOUT_NUMBERS))
def test_numbers_out_of_range_are_named(screen):
    default = open_screen(screen)
    numbers = [element.key for element in (*default.number_input, *default.slider)]
    assert numbers
    said = sentences(open_screen(screen, **dict.fromkeys(numbers, "1e99")))
    for key in numbers:
        assert sum(f"`{key} = 1e99`" in sentence for sentence in said) == 1, key


@pytest.mark.parametrize("screen", sorted({*SCREENS} - WITHOUT_NUMBERS))
def test_both_ends_of_every_number(screen):
    default = open_screen(screen)
    for element in (*default.number_input, *default.slider):
        for end in (element.min, element.max):
            app = open_screen(screen, **{element.key: str(end)})
            assert not app.exception, (element.key, end)
            for _, size in figures(app):
                assert size < PAYLOAD


@pytest.mark.parametrize("screen", SCREENS)
def test_the_number_followed_is_the_one_drawn(screen):
    app = open_screen(screen)
    views = [ids(group) for group in app.get("button_group") if group.key == "view"]
    charts, controls = set(), set()
    for view in views[0] if views else [None]:
        app = open_screen(screen, view=view) if view else app
        charts |= {figure["key"] for figure, _ in figures(app)}
        assert without_notebook(app) == set()
        check_marks(app)
        controls |= set(parameters(app))
        check_names(app)
        for key in [field.key for field in app.text_input if field.key.endswith("_cell")]:
            check_followed(app, key.removesuffix("_cell"))
        for key in [field.key for field in app.text_input if field.key.endswith("_point")]:
            check_point(app, key.removesuffix("_point"))
        for key in [field.key for field in app.text_input if field.key.endswith("_at")]:
            check_panels(app, key.removesuffix("_at"))
    # What a chart hands back lies under its key: a control of that name, in any view, would get it.
    assert not charts & controls


def check_names(app):
    """Of a picture and a control that are both called "Gates", a reader takes the wrong one."""
    groups = app.get("button_group")
    pictures = {o.content for group in groups if group.key == "view" for o in group.proto.options}
    named = [*app.number_input, *app.slider, *app.select_slider, *app.selectbox, *app.toggle]
    named += [*app.text_input, *app.text_area, *app.multiselect, *groups]
    assert not pictures & {one.label for one in named if one.key != "view"}


def check_followed(app, picture):
    """The last value of the calculation is the picture's cell, bit for bit."""
    row, col = map(int, app.text_input(key=f"{picture}_cell").value.split(","))
    headers = {header["key"]: header for header, _ in figures(app)}
    if picture not in headers:  # one field for several small pictures, whole as they are
        maps = [np.asarray(h["data"][0].get("z", [[]])) for h in headers.values()]
        cells = [z[row, col] for z in maps if z.shape[0] > row and z.shape[1] > col]
    else:
        cells = [drawn_cell(app, picture, row, col)]
    place = f"Row {row:,}, column {col:,}: "
    (said,) = [words for words in captions(app, picture) if words.startswith(place)]
    assert np.float32(said_number(said.removeprefix(place).split()[0])) in cells, (picture, said)


def captions(app, picture):
    """Captions under the calculation of one picture, and of no other on the screen."""

    def blocks(block):
        for child in getattr(block, "children", {}).values():
            yield child
            yield from blocks(child)

    (followed,) = [
        block
        for block in blocks(app.main)
        if str(getattr(block.proto, "id", "")).endswith(f"-follow_{picture}")
    ]
    return [element.value for element in blocks(followed) if element.type == "caption"]


def drawn_cell(app, picture, row, col):
    """The drawn value of a cell; zooms in where the picture draws blocks of cells."""
    (x0, x1, y0, y1), cells = figure_of(app, picture)
    if cells.shape == (y1 - y0, x1 - x0):
        return cells[row, col]
    top, left = max(row - 2, 0), max(col - 2, 0)
    window = f"{top}:{row + 1}, {left}:{col + 1}"
    app.text_input(key=f"{picture}_window").set_value(window).run()
    _, cells = figure_of(app, picture)
    return cells[row - top, col - left]


def check_point(app, picture):
    """The last value of the calculation is the point's, bit for bit."""
    *curve, typed = app.text_input(key=f"{picture}_point").value.split(",")
    place = int(typed)
    header = next(header for header, _ in figures(app) if header["key"] == picture)
    number = "ABCD".find(curve[0]) if curve else 0
    drawn = header["data"][number if number >= 0 else int(curve[0])]
    places = list(np.asarray(drawn.get("x", range(len(drawn["y"])))))
    value = np.asarray(drawn["y"])[places.index(place)]
    said = [words for words in captions(app, picture) if re.search("float64|, an integer", words)]
    # A place that has a name says it: "Token 6 (fell): 0.95".
    pattern = rf".* {place:,}(?: \(.*\))?: (\S+?),? "
    values = [said_number(found[1]) for words in said if (found := re.match(pattern, words))]
    assert value in np.asarray(values, dtype=value.dtype), (picture, value, said)


def check_panels(app, group):
    """The last value of the calculation is the panel's cell, bit for bit."""
    _, row, col = app.text_input(key=f"{group}_at").value.split(", ")
    said = rf"(.*), row {int(row):,}, column {int(col):,}: (\S+?)(?: .*float64|, an integer)"
    place = re.compile(said)
    name, value = next(found for c in app.caption if (found := place.match(c.value))).groups()
    panels = {
        begun(trace.get("name") or header["layout"]["title"]["text"]): trace["z"]
        for header, _ in figures(app)
        for trace in header["data"]
        if trace["type"] == "heatmap"
    }
    assert np.asarray(panels[name])[int(row), int(col)] == np.float32(said_number(value))


def figure_of(app, picture):
    """Whole extent of a picture of a matrix, and the cells it draws now."""
    header = next(header for header, _ in figures(app) if header["key"] == picture)
    return [round(end + 0.5) for end in header["full"]], np.asarray(header["data"][0]["z"])


def parameters(app):
    groups = (app.number_input, app.slider, app.select_slider, app.selectbox, app.toggle)
    groups += (app.text_input, app.text_area, app.multiselect, app.get("button_group"))
    return [e.key for group in groups for e in group if e.key and not e.key.startswith("_")]


OF_OURS = re.compile(r"^(?:from|import) (?:posenc|advisor|exhibits|lab|models)\b", re.MULTILINE)


def check_snippet(app):
    """Run the code as it stands: it prints numbers and leaves those of the first figure.

    A program of `notebooks/` does to what float32 tells apart, Python against `posenc` does bit for
    bit, as `values`. An overview of many small pictures is no figure of its own:
    it leads to the one below.
    """
    names: dict = {}
    printed = io.StringIO()
    snippet = [block.value for block in app.code if block.language == "python"][-1]
    with contextlib.redirect_stdout(printed):
        exec(compile(snippet, "snippet", "exec"), names)
    assert printed.getvalue().strip()
    if "matrix" in names and "values" not in names:  # means of too many values for a notebook
        some = names["matrix"](np.arange(3)[:, None], np.arange(2))
        assert np.broadcast_to(some, (3, 2)).dtype.kind in "fi"
        return
    kept = app.session_state["_app"]["__charts_kept"]
    key = next((key for key in kept if key not in WITHOUT_NOTEBOOK), None)
    programs = app.session_state["_app"]["__notebooks"].programs
    if (key in programs or snippet.startswith(IMPORTS)) and not OF_OURS.search(snippet):
        assert_same(left(names), shown(kept[key].figure.data, turns=key == "clocks"), key)
        return
    values = torch.as_tensor(names["values"]).to(torch.float32).numpy()
    first = next(figure for figure, _ in figures(app) if figure["key"] not in OVERVIEWS)
    expected = drawn(first)
    if values.size > expected.size:  # a panel for each stage
        expected = np.stack([trace["z"] for trace in first["data"] if "z" in trace])
    np.testing.assert_array_equal(
        np.nan_to_num(values).reshape(expected.shape), np.nan_to_num(expected)
    )


VECTORS = {"vectors", "query", "key"}


@pytest.mark.parametrize(
    ("screen", "view", "without"),
    [
        ("rope", "hands", {"typed_angles"}),
        ("rope", "clocks", {"m", "n", "layout", "typed_angles"} | VECTORS),
        ("rope", "angles", {"m", "n", "layout", "typed_angles"} | VECTORS),
        ("rope", "matrix", {"length"}),
        ("rope", "layouts", {"layout"}),
        ("rope", "score", {"m", "n", "typed_angles"}),
        ("rope", "precision", {"m", "n", "layout", "typed_angles"} | VECTORS),
        ("alibi", "bias", set()),
        ("alibi", "heads", set()),
        ("alibi", "slopes", {"head", "length", "mode"}),
        ("alibi", "window", {"mode"}),
        ("alibi", "family", {"mode"}),
    ],
)
def test_a_picture_has_the_controls_that_change_it(
    screen: str, view: str, without: set[str]
) -> None:
    every = {
        "rope": {"head_dim", "length", "m", "n", "layout", "typed_angles"} | VECTORS,
        "alibi": {"num_heads", "head", "length", "mode"},
    }
    assert every[screen] - controls(open_screen(screen, view=view)) == without


def test_a_control_not_needed_meanwhile_has_its_value() -> None:
    app = open_screen("rope", view="matrix", m="3")
    for view in ("clocks", "matrix"):
        app.button_group(key="view").set_value(view).run()
    assert app.number_input(key="m").value == 3


def test_the_bias_of_each_mode_has_a_title_of_its_own() -> None:
    modes = ("causal", "symmetric", "asymmetric")
    for mode in modes:
        figure, _size = figures(open_screen("alibi", view="bias", mode=mode))[0]
        assert figure["layout"]["title"]["text"] == f"ALiBi bias of head 0, slope 0.5, {mode}"


def test_slopes_stand_as_numbers() -> None:
    words = [one.value for one in open_screen("alibi", view="slopes", num_heads="12").markdown]
    listed = "0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625"
    assert any(
        f"Slopes from head 0 on: {listed}, 0.707107, 0.353553, 0.176777, 0.0883883." in one
        for one in words
    )


def test_what_is_saved_says_what_was_set() -> None:
    default, other = (
        pictures(open_screen("absolute", **query))[0]["take"]
        for query in ({}, {"base": "500", "layout": "concatenated"})
    )
    assert default["settings"] == ""
    # The base stands in the title already.
    title = "Sinusoidal table, 128 positions × 64 dimensions"
    assert (default["title"], other["settings"]) == (title, "Layout: concatenated")
    assert other["title"] == f"{title}, base 500 (Layout: concatenated)"
    assert other["name"] == f"{default['name']}-base-500-layout-concatenated"

"""A point is read, written and clicked by its coordinates alone."""

import subprocess
import sys

import pytest
from streamlit.testing.v1 import AppTest

from tests.conftest import PATIENCE, ROOT
from ui.charts.points import Coordinate, PointField, curve_field, lettered

CELL = (Coordinate("row", range(10)), Coordinate("column", range(5)))
PANEL = (Coordinate("panel", ("A", "B-A"), ("RoPE", "ALiBi − RoPE")), *CELL)
CURVES = Coordinate("curve", range(2), ("none", "YaRN"))
CURVE = (CURVES, Coordinate("shift", range(-5, 6)))
MEASURED = (CURVES, Coordinate("n / L", {0: (1, 1.5), 1: tuple(range(1, 41))}))
LETTERED = curve_field(
    "c", ["A none", "B YaRN"], Coordinate("n / L", [(1, 1.5), (1, 2)]), (0, 1), ["c"]
).coordinates
ALONE = (Coordinate("update", {0: (10, 20)}),)


LONG = (Coordinate("distance", range(10**15)),)


def field(coordinates: tuple, default: tuple = ()) -> PointField:
    return PointField("c_point", "point", coordinates, default, {})


@pytest.mark.parametrize(
    ("coordinates", "typed", "point", "words"),
    [
        (CELL, "9, 4", (9, 4), "row 9, column 4"),
        (CELL, " 3,2 ", (3, 2), "row 3, column 2"),
        (PANEL, "b - a, 0, 1", ("B-A", 0, 1), "ALiBi − RoPE, row 0, column 1"),
        (CURVE, "1, -5", (1, -5), "YaRN, shift −5"),
        (MEASURED, "0, 1.5", (0, 1.5), "none, n / L 1.5"),
        (LETTERED, "b, 2", ("B", 2), "B YaRN, n / L 2"),
        (LETTERED, "0, 1.5", ("A", 1.5), "A none, n / L 1.5"),  # an address of earlier times
        (ALONE, "20", (20,), "update 20"),
    ],
)
def test_what_is_typed_is_read_and_written(coordinates, typed, point, words) -> None:
    its = field(coordinates)
    assert its.read(typed) == point
    assert its.read(its.write(point)) == point
    assert its.words(point).replace("-", "−") == words


@pytest.mark.parametrize(
    ("coordinates", "typed", "allowed"),
    [
        (CELL, "10, 0", "row from 0 to 9, column from 0 to 4"),
        (CELL, "1", "row from 0 to 9, column from 0 to 4"),
        (PANEL, "C, 0, 0", "panel A, B-A, row from 0 to 9, column from 0 to 4"),
        (CURVE, "0, 6", "curve from 0 to 1, shift from -5 to 5"),
        (MEASURED, "0, 2", "curve from 0 to 1, n / L 1, 1.5"),
        (
            MEASURED,
            "1, 99",
            "curve from 0 to 1, n / L 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …, 40",
        ),
        (LETTERED, "B, 1.5", "curve A, B, n / L 1, 2"),
        (LETTERED, "1.5", "curve A, B, n / L 1, 1.5"),
        (ALONE, "ten", "update 10, 20"),
        (ALONE, "10, 20", "update 10, 20"),
    ],
)
def test_a_point_that_is_not_there_is_refused_in_a_sentence(coordinates, typed, allowed) -> None:
    by_curve = [isinstance(one.values, dict) for one in coordinates]
    default = (1 if by else one.values[0] for by, one in zip(by_curve, coordinates, strict=True))
    its = field(coordinates, tuple(default))
    assert its.read(typed) is None
    said = its.refusal(typed).replace("−", "-").replace("`", "")
    assert said == (
        f"The point must be {allowed}; got {typed!r}. Showing {its.write(its.default)}."
    )


def test_curves_have_letters_unless_there_is_one_alone() -> None:
    assert lettered(["none", "YaRN"]) == ["A · none", "B · YaRN"]
    assert lettered(["none"]) == ["none"]


def test_what_is_no_number_is_not_sought_among_all_numbers() -> None:
    """Python looks for it in a range one by one, for months, and nobody else is served."""
    program = f"from {__name__} import LONG, field\n" + "\n".join(
        f"assert field(LONG).read({typed!r}) is None" for typed in ("x", "1.5", "9" * 400, "")
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, timeout=PATIENCE)
    assert field(LONG).read("1000000000000") == (10**12,)


def page() -> None:
    import streamlit as st

    from ui.charts.points import cell_field

    state = st.session_state
    shape, default = state.get("shape", (10, 10)), state.get("default", (1, 1))
    other = {"other": lambda clicked, now: (now[0], clicked.col)}
    state["chosen"] = cell_field("c", shape, default, other).choose()


def chosen(app: AppTest, **changes) -> tuple[int, int]:
    for key, value in changes.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app.session_state["chosen"]


CLICK = {"x": 7.0, "y": 3.0, "z": None, "i": [3, 7], "curve": 0, "rev": "", "at": 1}


def test_clicks_write_the_field_and_defaults_are_followed() -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE)
    assert chosen(app) == (1, 1)
    assert chosen(app, default=(2, 2)) == (2, 2)  # nobody has touched it
    assert chosen(app, c={"cell": CLICK}) == (3, 7)
    assert chosen(app, other={"cell": CLICK | {"i": [5]}}) == (3, 5)
    assert chosen(app, default=(1, 1)) == (3, 5)
    app.text_input(key="c_cell").set_value("4, 9").run()
    assert chosen(app) == (4, 9)
    assert chosen(app, shape=(3, 3)) == (1, 1)  # the cell is gone, and nobody is to blame
    assert not app.error
    app.text_input(key="c_cell").set_value("4, 9").run()
    assert app.error[0].value == (
        "The cell must be row from 0 to 2, column from 0 to 2; got '4, 9'. Showing 1, 1."
    )

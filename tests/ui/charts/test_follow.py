import math

import pytest

from posenc.quantity.step import Step
from tests.conftest import said_number
from tests.pages.drive import open_screen
from ui.charts.follow import exact_words, minus, unbroken


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (2.0, "2"),
        (-15.0, "−15"),
        (4096.0, "4096"),
        (536870912.0, "536,870,912"),
        (-0.9899924966004454, "−0.9899924966004454"),
        (-12345.678901234567, "−12,345.678901234567"),
        (1e-17, "1e-17"),
        (-math.inf, "−inf"),
    ],
)
def test_the_exact_value_has_all_digits_and_formulas_signs(value, written) -> None:
    words = exact_words(Step("x", "", "", value), "row 1", "rad")
    assert words == f"Row 1: {written} rad in float64."
    assert said_number(written) == value


def test_an_integer_is_not_said_to_be_a_float() -> None:
    assert exact_words(Step("b", "", "", -14), "row 1") == "Row 1: −14, an integer."


def test_a_hyphen_between_words_and_in_an_exponent_stays() -> None:
    words = "a: -0.5; B-A: -3, Llama-2-7B, 4.4e-16, (m)-1, at -1"
    assert minus(words) == "a: −0.5; B-A: −3, Llama-2-7B, 4.4e-16, (m)-1, at −1"


def test_what_is_followed_has_its_name_on_the_screen() -> None:
    app = open_screen("relative")
    assert "**Follow a number**" in [one.value for one in app.markdown]


def test_short_brackets_stay_in_a_line() -> None:
    assert unbroken(r"h' = 2(h - c) = 2(11 - 8) = 6") == r"h' = 2{(h - c)} = 2{(11 - 8)} = 6"
    long = r"(0.5 \cdot 0.25 + 0.125 \cdot 0.0625)"
    for kept in (long, r"\left(a + b\right)", r"\bigl(a\bigr)"):
        assert unbroken(kept) == kept

"""CoPE: gates, counted positions, the cap and one row, against posenc and against counting."""

import numpy as np
import pytest

from tests.conftest import said_number
from tests.pages.drive import by_title, drawn, figures, metrics, open_screen, sentences
from ui.text.tokens import word_tokens

TEXT = "Sam sat down. Ann left. Then it rained. Who left?"
WORDS = word_tokens(TEXT).texts


def test_other_separators():
    positions = drawn(figures(open_screen("cope", separators="left sat", others="0"))[0][0])
    assert positions[-1, 0] == 3  # sat, left, left


def test_gates_that_are_nearly_shut_make_positions_fractions():
    positions = drawn(figures(open_screen("cope", others="0.1"))[0][0])
    ends = sum(word in ".?" for word in WORDS)
    np.testing.assert_allclose(positions[-1, 0], 0.9 * ends + 0.1 * (len(WORDS) - ends))


def test_separators_to_type_are_shown_as_they_are():
    app = open_screen("cope", gates="separators", separators="!", text="a * $ [")
    note = next(one.value for one in app.info if "separators" in one.value)
    assert r"\*" in note
    assert r"\[" in note
    assert r"\$" in note


def test_the_cap_and_what_it_clamps():
    app = open_screen("cope", gates="open", max_positions="6")
    n = len(WORDS)
    beyond = sum(1 for q in range(n) for k in range(q + 1) if q - k + 1 > 5)
    assert metrics(app)["cells at the cap, 5"] == f"{beyond} of {n * (n + 1) // 2}"


def test_one_row_adds_up():
    table = open_screen("cope", gates="random", positions_cell="12, 0").dataframe[0].value
    assert list(table["token"]) == WORDS[:13]
    np.testing.assert_allclose(table["gate g"][::-1].cumsum()[::-1], table["sum of gates"])
    share = table["p − ⌊p⌋"]
    between = share * table["z[⌈p⌉]"] + (1 - share) * table["z[⌊p⌋]"]
    np.testing.assert_allclose(between, table["c"], atol=1e-12)
    np.testing.assert_allclose(table["q·k / √d"] + table["c"] / 4, table["score"], atol=1e-12)
    assert table["p"].nunique() == 13


def test_a_long_text_is_a_view_and_a_longer_one_is_refused():
    app = open_screen("cope")
    app.text_area(key="text").set_value("One two. " * 200).run()
    assert not app.exception
    assert sentences(app) == []
    before = drawn(figures(app)[0][0])
    app.text_area(key="text").set_value("a " * 9_000).run()
    assert not app.exception
    assert "9,000 tokens" in sentences(app)[0]
    assert "The picture stays as it was." in [one.value for one in app.info]
    np.testing.assert_array_equal(drawn(figures(app)[0][0]), before)


@pytest.mark.parametrize("text", ["他 走。 她 来？ 好！ 谁", "他 走. 她 来? 好! 谁"])
@pytest.mark.parametrize("separators", [". ? !", "。 ？ ！"])
def test_marks_of_other_scripts_end_sentences_too(text, separators):
    app = open_screen("cope", text=text, separators=separators, others="0")
    assert drawn(figures(app)[0][0])[-1, 0] == 3
    assert not app.info


def test_a_text_without_a_separator_says_so():
    app = open_screen("cope", text="red green blue", others="0")
    assert not drawn(figures(app)[0][0])[-1].any()
    (said,) = [one.value for one in app.info]
    assert "every gate is shut" in said
    assert "red green blue" in said


def test_a_click_in_a_small_picture_or_on_a_key_is_followed():
    app = open_screen("cope", gates="random")
    click = {"x": 2.0, "y": 9.0, "z": 1.0, "i": [9, 2], "curve": 0, "rev": "", "at": 1}
    app.session_state["gate"] = {"cell": click}
    app.run()
    assert app.text_input(key="positions_cell").value == "9, 2"
    app.session_state["interpolation"] = {"cell": click | {"x": 1.7, "i": [4], "curve": 1}}
    app.run()
    assert app.text_input(key="positions_cell").value == "9, 4"
    gates = by_title(app, "Gates (random projections, untrained)")["data"][0]["z"]
    said = [c.value for c in app.caption if c.value.startswith("Row 9, column 4: ")]
    values = [np.float32(said_number(words.split(": ")[1].split()[0])) for words in said]
    assert np.asarray(gates)[9, 4] in values
    assert np.float32(6) in values  # i - j + 1


def test_a_reading_names_the_tokens_of_its_cell():
    app = open_screen("cope", text="a < b * _c_ . d", positions_cell="3, 1")
    reading = next(one.value for one in app.markdown if "row 3" in one.value)
    assert reading.startswith(r"Position p at row 3 (\*), column 1 (\<): **")


def test_a_title_names_separators_and_gates_set_by_hand():
    app = open_screen("cope", separators=", ;")
    assert by_title(app, "Gates (set by hand: open on , ;)")

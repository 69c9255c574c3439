"""The Units screen: the numbers of the library, and settings that are safe to paste."""

import numpy as np

from advisor.units.convert import convert_units
from tests.pages.drive import commands, figures, metrics, open_screen, sentences


def pasted(app) -> str:
    return "\n".join(commands(app))


def test_alpha_in_every_unit() -> None:
    app = open_screen("units")
    assert sentences(app) == []
    shown = metrics(app)
    assert (shown["α"], shown["base"], shown["freq-scale"]) == ("2.5", "25,366.3", "1")
    assert shown["tokens without new angles"] == "7,996"
    assert shown["α that 8,192 needs"] == "2.584"
    *traces, _mark = figures(app)[0][0]["data"]
    curves = {trace["name"]: np.asarray(trace["y"]) for trace in traces}
    np.testing.assert_allclose(curves["this setting"], convert_units("alpha", 2.5).slowed)


def test_a_scale_the_wrong_way_round_is_named_and_not_pasted() -> None:
    query = {"unit": "freq_scale", "value": "8", "target": "32768"}
    app = open_screen("units", **query, engine="llama_cpp")
    words = " ".join(element.value for element in app.markdown)
    assert "Write freq" in words
    assert metrics(app)["freq-scale"] == "0.125"
    assert "--rope-scale 8 " in pasted(app)
    assert "rope-scale 0.125" not in pasted(app)
    assert "--ropeconfig 0.125 10000" in pasted(open_screen("units", **query, engine="koboldcpp"))


def test_a_base_given_as_an_alpha_is_written_out() -> None:
    app = open_screen("units", unit="alpha", value="1000000000")
    words = " ".join(element.value for element in app.markdown)
    assert "Write base 1000000000." in words


def test_both_at_once() -> None:
    app = open_screen("units", unit="alpha", value="2", second="compress")
    assert metrics(app)["slowest pair ÷"] == "4"
    assert "applied twice" in " ".join(element.value for element in app.markdown)


def test_two_settings_that_contradict_get_a_sentence() -> None:
    app = open_screen("units", second="base", second_value="30000")
    assert any("must not contradict each other" in sentence for sentence in sentences(app))

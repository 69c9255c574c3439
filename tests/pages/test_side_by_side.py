"""Encodings compared: equal ones differ by nothing, different ones by what posenc says."""

import numpy as np
import pytest
import torch

from posenc import ModelShape
from tests.pages.drive import figures, open_screen
from tests.pages.test_screens import check_snippet
from ui.side_by_side import TITLES, contender

SHAPE = ModelShape(d_model=16, num_heads=2, head_dim=8, length=9)


def readouts(app):
    return {metric.label: float(metric.value) for metric in app.metric}


@pytest.mark.parametrize("title", TITLES)
def test_an_encoding_does_not_differ_from_itself(title):
    app = open_screen("side_by_side", a=title, b=title, c="–")
    assert not app.exception
    assert readouts(app) == {"largest |B − A|": 0.0}
    assert not np.nan_to_num(figures(app)[1][0]["data"][0]["z"]).any()


def test_different_encodings_differ():
    found = readouts(open_screen("side_by_side", a="NoPE", b="ALiBi", c="RoPE", d="T5 bias"))
    assert len(found) == 3
    assert min(found.values()) > 0.1


def test_alibis_difference_to_nothing_is_its_bias():
    app = open_screen("side_by_side", a="NoPE", b="ALiBi", c="–", text="a b c d e f g h")
    difference = figures(app)[1][0]["data"][0]["z"]
    distance = np.arange(8)[:, None] - np.arange(8)
    slope = 2.0**-2  # the first of four heads
    past = distance >= 0
    np.testing.assert_allclose(difference[past], -slope * distance[past], atol=1e-6)


def test_one_word_shows_the_encoding_alone():
    app = open_screen(
        "side_by_side", view="Curves", a="NoPE", b="ALiBi", c="–", text=" ".join(["again"] * 20)
    )
    flat, falling = (trace["y"] for trace in figures(app)[0][0]["data"])
    np.testing.assert_allclose(flat, flat[0], rtol=1e-6)
    np.testing.assert_allclose(falling - flat, -0.25 * np.arange(20), atol=1e-5)


@pytest.mark.parametrize("title", TITLES)
def test_the_code_of_a_contender_builds_it(title):
    one = contender(title, factor=2.0, trained=8)
    names: dict = {}
    exec("from posenc import CATALOGUE, NTK, Linear, RoPE, YaRN", names)
    built = eval(one.code, names | {"shape": SHAPE})
    assert type(built) is type(one.build(SHAPE))
    mine, theirs = one.build(SHAPE), built
    if one.entry == "rope":
        assert torch.equal(mine.inv_freq, theirs.inv_freq)
        assert mine.attention_factor == theirs.attention_factor


@pytest.mark.parametrize("view", ["Curves", "Cost"])
def test_other_views_print_their_numbers(view):
    app = open_screen("side_by_side", view=view, tab="Code", a="CoPE", b="RoPE, YaRN", d="Learned")
    assert not app.exception
    check_snippet(app)


def test_cost_is_measured_for_each():
    app = open_screen("side_by_side", view="Cost", a="T5 bias", b="CoPE", c="–")
    parameters, time, memory = (figure["data"][0]["y"] for figure, _ in figures(app))
    assert parameters.tolist() == [32 * 4, 16 * 33]  # buckets x heads; head_dim x (length + 1)
    assert time.min() > 0
    assert memory.min() > 0


def test_a_head_that_is_not_there_is_named():
    app = open_screen("side_by_side", head="7", num_heads="2")
    assert [warning.value[:14] for warning in app.warning] == ["Head h = 7 is "]

"""M-RoPE: positions and sections on the screen, against transformers' classes."""

import numpy as np
import pytest
import torch
from transformers.models.qwen2_5_vl.modeling_qwen2_5_vl import Qwen2_5_VLModel
from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLModel
from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLModel

from pages.mrope import positions
from posenc import split_video
from tests.pages.drive import controls, curves, drawn, figures, metrics, open_screen, sentences
from tests.posenc.rope.test_mrope import ids_of

AXES = ("time", "row", "column")


def shown(**query):
    """The three curves of the screen, (3, tokens)."""
    drawn_there = curves(figures(open_screen("mrope", **query))[0][0])
    return np.stack([drawn_there[axis] for axis in AXES])


@pytest.mark.parametrize("model", [Qwen2VLModel, Qwen2_5_VLModel, Qwen3VLModel])
def test_an_image_has_the_positions_of_every_class(model):
    theirs, delta = ids_of(model, [5, (1, 7, 4), 2])
    np.testing.assert_array_equal(shown(before="5", rows="7", columns="4", after="2"), theirs)
    read = metrics(open_screen("mrope", before="5", rows="7", columns="4", after="2"))
    assert read["next position − tokens"] == f"−{-delta}"
    assert int(read["next position"]) == int(read["tokens"]) + delta == theirs.max() + 1


@pytest.mark.parametrize(
    ("model", "query", "segments", "seconds"),
    [
        (Qwen2VLModel, {"family": "qwen2"}, [3, (3, 4, 6)], None),
        (Qwen2_5_VLModel, {"family": "qwen2_5", "seconds": "0.75"}, [3, (3, 4, 6)], 0.75),
        (Qwen2_5_VLModel, {"family": "qwen2_5", "seconds": "7"}, [3, (3, 4, 6)], 7.0),
        (Qwen3VLModel, {"family": "qwen3", "stamp": "8"}, [3, *split_video(3, 4, 6, 8)], None),
    ],
)
def test_a_film_has_those_of_its_class(model, query, segments, seconds):
    theirs, _delta = ids_of(model, segments, seconds)
    np.testing.assert_array_equal(shown(frames="3", after="0", **query), theirs)
    for frame in range(3):
        app = open_screen("mrope", view="grid", frames="3", frame=str(frame), axis="time", **query)
        (grid,) = {*drawn(figures(app)[0][0]).ravel().tolist()}
        first = 3 + (frame + 1) * (theirs.shape[1] - 3 - 72) // 3 + frame * 24
        assert grid == theirs[0, first]


def test_words_after_a_long_film_stand_elsewhere_there():
    long = {"frames": "3", "family": "qwen2_5", "seconds": "3"}
    theirs, _delta = ids_of(Qwen2_5_VLModel, [3, (3, 4, 6), 3], 3.0)
    (note,) = [one.value for one in open_screen("mrope", **long).info]
    assert f"begin at {theirs[0, -3]}, within" in note
    assert f"begin at {int(shown(**long)[0, -3])};" in note
    for query in (long | {"seconds": "1"}, long | {"after": "0"}, long | {"family": "qwen3"}, {}):
        assert not open_screen("mrope", **query).info


def test_a_control_that_changes_nothing_is_not_there():
    film = {"family", "seconds", "stamp"}
    assert not film & controls(open_screen("mrope"))
    for family, own in [("qwen2", set()), ("qwen2_5", {"seconds"}), ("qwen3", {"stamp"})]:
        app = open_screen("mrope", frames="2", family=family)
        assert film & controls(app) == {"family", *own}


@pytest.mark.parametrize("token", [0, 2, 3, 8, 9, 26, 27, 29])
@pytest.mark.parametrize("curve", range(3))
def test_a_token_followed_ends_in_its_position(curve, token):
    app = open_screen("mrope", positions_point=f"{curve}, {token}")
    value = int(shown()[2 - curve, token])
    (said,) = [one.value for one in app.caption if f"token {token}: " in one.value]
    assert f": {value} in float64" in said
    steps = next(one.value for one in app.markdown if "n_0 =" in one.value)
    assert steps.endswith(f" {value}$")


def test_many_tokens_are_drawn_by_their_highest_and_lowest():
    ids = torch.stack([torch.arange(90_000) % size for size in (7, 300, 90_000)])
    places = positions.drawn_places(ids)
    assert len(places) <= 4096
    assert {0, 89_999} <= {*places.tolist()}
    for axis in ids:
        for block in range(0, 90_000, 300):
            own = places[(places >= block) & (places < block + 300)]
            ends = axis[block : block + 300]
            assert axis[own].max() == ends.max()
            assert axis[own].min() == ends.min()


def test_too_many_tokens_are_a_sentence():
    app = open_screen("mrope", rows="300", columns="300", frames="2")
    (said,) = sentences(app)
    assert "Rows, columns and frames make 180,006 tokens" in said
    assert not sentences(open_screen("mrope", rows="249", columns="400"))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"sections": "16, 24"}, "Sections must be three whole numbers"),
        ({"sections": "16, 24.5, 23.5"}, "Sections must be three whole numbers"),
        ({"sections": "16, 24, 20"}, "Sections must add up to 64 pairs"),
        (
            {"sections": "4, 30, 30", "order": "interleaved"},
            "may have at most a third of the 64 pairs each: Pairs per section may be 22, 21, 21",
        ),
    ],
)
def test_sections_that_do_not_fit_are_a_sentence(query, words):
    assert words in sentences(open_screen("mrope", view="sections", **query))[0]


@pytest.mark.parametrize(
    ("query", "axes"),
    [
        ({}, [0] * 16 + [1] * 24 + [2] * 24),
        (
            {"sections": "24, 20, 20", "order": "interleaved", "base": "5000000"},
            [0, 1, 2] * 20 + [0] * 4,
        ),
    ],
)
def test_every_pair_has_its_axis_and_turns_by_it(query, axes):
    app = open_screen("mrope", view="sections", time_apart="5", columns_apart="2", **query)
    (pairs, _), (bars, _) = figures(app)
    for axis, name in enumerate(AXES):
        (drawn_there,) = [one for one in pairs["data"] if one.get("name") == name]
        own = np.flatnonzero(np.array(axes) == axis)
        np.testing.assert_array_equal(drawn_there["x"], own)
    theta = float(query.get("base", 1e6)) ** -(np.arange(64) / 64)
    expected = np.degrees(np.array([5, 1, 2])[axes] * theta)
    np.testing.assert_allclose(bars["data"][0]["y"], expected, rtol=1e-6)


def test_a_pair_asked_for_on_another_curve_says_by_what_it_turns():
    app = open_screen("mrope", view="sections", wavelengths_point="0, 20")
    assert not app.exception
    assert any(r"\text{row}" in one.value for one in app.markdown)


def test_the_patch_sought_scores_highest_with_fast_rows():
    app = open_screen("mrope", view="score", rows="9", columns="9", up="1", left="-2")
    (figure,) = [one for one, _ in figures(app) if one["key"] == "scores"]
    title = figure["layout"]["title"]["text"].replace("<br>", " ")
    assert "looks for row 3, column 6" in title
    blocks, interleaved = (np.asarray(trace["z"]) for trace in figure["data"][:2])
    assert np.unravel_index(interleaved.argmax(), interleaved.shape) == (3, 6)
    assert blocks[3, 6] == blocks.max() == interleaved.max() == 1
    assert blocks.min() > 0.99
    assert interleaved[3, 5] < 0.98
    theirs = np.cos(5e6 ** -(np.arange(1, 13, 3) / 64)).mean() / 2 + 0.5  # one row away
    np.testing.assert_allclose(interleaved[4, 6], theirs, rtol=1e-7)

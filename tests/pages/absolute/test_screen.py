import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from lab.training.checkpoints import DATA
from posenc import Learned, rope_wavelengths, sinusoidal_shift, sinusoidal_table
from posenc.learned.longer import interpolate_table
from posenc.random_model import randomise
from posenc.sinusoidal.formula import sinusoidal_inv_freq
from posenc.sinusoidal.shift import sinusoidal_similarity
from tests.pages.drive import drawn, figures, open_screen, pictures, sentences


@pytest.mark.parametrize(
    ("d_model", "length", "layout"), [(5, 7, "interleaved"), (64, 128, "tensor2tensor")]
)
def test_the_table_drawn_is_the_table(d_model, length, layout):
    app = open_screen("absolute", d_model=str(d_model), length=str(length), layout=layout)
    table = sinusoidal_table(length, d_model, layout=layout).float().numpy()
    np.testing.assert_array_equal(drawn(pictures(app)[0]), table)


def test_the_worked_example():
    app = open_screen("absolute", d_model="4", length="10")
    row = drawn(pictures(app)[0])[7]
    np.testing.assert_allclose(row, [0.6570, 0.7539, 0.0699, 0.9976], atol=5e-5)


def test_waves_and_wavelengths():
    app = open_screen("absolute", table_cell="3, 9")
    _, waves, wavelengths = pictures(app)
    # The mark of the followed point has no name.
    names = [trace["name"] for trace in waves["data"] if "name" in trace]
    assert names == [f"dimension {d}" for d in (0, 9, 16, 32, 48)]
    table = sinusoidal_table(128, 64).float().numpy()
    np.testing.assert_array_equal(drawn(waves), table[:, [0, 9, 16, 32, 48]].T)
    expected = rope_wavelengths(sinusoidal_inv_freq(64)).float().numpy()
    np.testing.assert_array_equal(drawn(wavelengths)[0], expected)
    (mark,) = wavelengths["layout"]["shapes"]
    assert (mark["y0"], mark["y1"]) == (128, 128)


def test_similarity_and_its_curve():
    app = open_screen("absolute", view="similarity", d_model="16", length="40")
    matrix, curve = pictures(app)
    table = sinusoidal_table(40, 16)
    np.testing.assert_allclose(drawn(matrix), table @ table.T, atol=1e-6)
    expected = sinusoidal_similarity(torch.arange(40), 16).float().numpy()
    np.testing.assert_array_equal(drawn(curve)[0], expected)


def test_an_odd_width_has_no_curve_of_distance_and_says_so():
    app = open_screen("absolute", view="similarity", d_model="7")
    assert not app.exception
    assert sentences(app) == []
    assert "no one curve of distance" in " ".join(caption.value for caption in app.caption)
    assert len(pictures(app)) == 1


@pytest.mark.parametrize(("layout", "offset"), [("interleaved", -7), ("concatenated", 3)])
def test_the_shift_and_its_checks(layout, offset):
    app = open_screen("absolute", view="shift", d_model="8", layout=layout, offset=str(offset))
    expected = sinusoidal_shift(offset, 8, layout=layout).float().numpy()
    np.testing.assert_array_equal(drawn(pictures(app)[0]), expected)
    assert [float(metric.value) < 1e-12 for metric in app.metric[:3]] == [True] * 3


def test_the_learned_table_is_the_one_that_the_lab_has_trained():
    app = open_screen("absolute", view="learned", tab="code")
    assert not app.exception
    table = load_file(DATA / "text-learned-s0.safetensors")["encoding.table"].double()
    first, alike = pictures(app)[:2]
    np.testing.assert_array_equal(drawn(first), table.float().numpy())
    unit = table / (table**2).sum(1, keepdim=True).sqrt()
    shown = alike["data"][0]["z"]
    np.testing.assert_allclose(shown, unit @ unit.T, atol=1e-6)
    near, far = (np.diagonal(shown, k).mean() for k in (1, 100))
    assert near > 0.8
    assert far < -0.5
    waves = torch.cos(torch.outer(torch.arange(128), sinusoidal_inv_freq(128))).mean(1)
    np.testing.assert_allclose(alike["data"][1]["z"][0], waves, atol=1e-6)
    assert {box.key for box in app.number_input} == {"new_length"}  # its size is not chosen


def test_a_random_table_has_no_rows_that_are_alike():
    app = open_screen("absolute", view="learned", source="random", d_model="512", length="64")
    shown = pictures(app)[1]["data"][0]["z"]
    assert np.abs(shown - np.eye(64)).max() < 0.25


def test_the_learned_table_its_end_and_its_interpolation():
    size = {"source": "random", "d_model": "6", "length": "12"}
    app = open_screen("absolute", view="learned", new_length="20", **size)
    learned = Learned(12, 6)
    table = randomise(learned, 0, std=0.02).table.detach()
    first, _, stretched, rules = pictures(app)
    np.testing.assert_array_equal(drawn(first), table.numpy())
    np.testing.assert_array_equal(drawn(stretched), interpolate_table(table, 20).numpy())
    both = [interpolate_table(table, 20, align_corners=ends)[:, 2] for ends in (False, True)]
    np.testing.assert_array_equal(drawn(rules), torch.stack(both).numpy())
    quoted = [text.value for text in app.markdown if text.value.startswith("> ")]
    assert quoted == [
        "> `positions must lie between 0 and 11, the last row of the learned table, got 12.`"
    ]


def test_a_table_above_the_budget_is_refused_with_its_size():
    size = {"source": "random", "d_model": "8192", "length": "1000000"}
    app = open_screen("absolute", view="learned", **size)
    assert not app.exception
    (sentence,) = sentences(app)
    assert "GiB" in sentence
    assert not figures(app)

import numpy as np
import torch
from safetensors.torch import load_file

from lab.training.checkpoints import DATA
from posenc.sinusoidal.formula import sinusoidal_inv_freq
from tests.pages.drive import drawn, figures, open_screen, pictures, sentences


def test_the_title_says_a_base_that_is_not_the_usual_one():
    for base, ending in (("10000", "64 dimensions"), ("500", "64 dimensions, base 500")):
        layout = figures(open_screen("absolute", base=base))[0][0]["layout"]
        assert layout["title"]["text"].replace("<br>", " ").endswith(ending)


def test_an_odd_width_has_no_curve_of_distance_and_says_so():
    app = open_screen("absolute", view="similarity", d_model="7")
    assert not app.exception
    assert sentences(app) == []
    assert "no one curve of distance" in " ".join(caption.value for caption in app.caption)
    assert len(pictures(app)) == 1


def test_an_odd_width_of_tensor2tensor_has_a_curve_of_distance():
    app = open_screen("absolute", view="similarity", d_model="7", layout="tensor2tensor")
    assert not app.exception
    assert len(pictures(app)) == 2


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


def test_the_end_of_the_learned_table_is_quoted():
    size = {"source": "random", "d_model": "6", "length": "12"}
    app = open_screen("absolute", view="learned", new_length="20", **size)
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

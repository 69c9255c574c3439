"""Without positions: shuffled words keep their outputs without positions, and only then."""

import numpy as np
import pytest
import torch

from posenc import attend
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import RandomProjections, randomise
from tests.pages.drive import drawn, figures, open_screen, sentences
from ui.text.tokens import word_tokens

SENTENCE = "the dog bites the man"


def outputs(ids, encoding, mask):
    model = RandomProjections(0, 4, 1, 4)
    module = randomise(CATALOGUE[encoding].build(ModelShape(4, 1, 4, len(ids))), 0).double()
    with torch.no_grad():
        x = module.embed(model.embed(ids).double(), torch.arange(len(ids)))
        return attend(*model.project(x), module, mask=mask, trace=True)


def largest_difference(app):
    return float(next(m.value for m in app.metric if m.label == "largest difference"))


def order_shown(app):
    typed, shuffled = app.get("text")[0].value.split("\n")
    return typed.removeprefix("typed: ").split(), shuffled.removeprefix("shuffled: ").split()


def test_without_positions_the_output_is_the_same_in_a_new_order():
    app = open_screen("why_position")
    assert 0 < largest_difference(app) < 1e-15
    assert not drawn(figures(app)[2][0]).any()  # rounding is drawn as 0
    app = open_screen("why_position", encoding="rope")
    difference = drawn(figures(app)[2][0])
    assert np.abs(difference).max() == pytest.approx(largest_difference(app), rel=0.05)


def test_the_words_are_really_shuffled_and_really_put_back():
    app = open_screen("why_position", text="one two three four five six", shuffle="3")
    typed, shuffled = order_shown(app)
    assert sorted(typed) == sorted(shuffled)
    assert typed != shuffled
    # Under a mask the shuffled output differs: put back by hand it must be what is drawn.
    app = open_screen(
        "why_position", text="one two three four five six", shuffle="3", causal="true"
    )
    rows = outputs(word_tokens(" ".join(shuffled)).ids, "nope", "causal").output[0, 0]
    expected = torch.stack([rows[shuffled.index(word)] for word in typed]).float().numpy()
    np.testing.assert_array_equal(drawn(figures(app)[1][0]), expected)
    assert largest_difference(app) > 0.01


def test_all_encodings_stand_beside_each_other():
    app = open_screen("why_position")
    trace = figures(app)[-1][0]["data"][0]
    assert list(trace["customdata"]) == [entry.title for entry in CATALOGUE.values()]
    differences = dict(zip(CATALOGUE, trace["y"], strict=True))
    assert differences.pop("nope") < 1e-15
    assert min(differences.values()) > 1e-6


def test_shuffle_again_takes_another_order():
    app = open_screen("why_position", text="one two three four five six", shuffle="9999")
    before = order_shown(app)
    app.button(key="shuffle_again").click().run()
    assert app.number_input(key="shuffle").value == 0
    assert order_shown(app) != before


def test_a_single_word_and_too_many():
    app = open_screen("why_position", text="alone")
    assert not app.exception
    assert largest_difference(app) == 0
    app = open_screen("why_position", text="one two " * 13)
    assert not app.exception
    assert sentences(app) == [
        "The sentence has 26 words and marks; this screen shows at most 24. Leave some out."
    ]


def mirrored(name):
    """Whether it adds nothing but a bias that has the same number for both directions."""
    entry = CATALOGUE[name]
    if {*entry.places} - {"bias"} or entry.causal_only:
        return False
    encoding = randomise(entry.build(ModelShape(4, 1, 4, 8)), 0).double()
    q = torch.arange(32).double().reshape(1, 1, 8, 4).sin()
    positions = torch.arange(8)
    bias = encoding.bias(q, q @ q.mT, positions, positions)
    return bias is None or torch.allclose(bias, bias.mT, rtol=0, atol=1e-12)


@pytest.mark.parametrize("text", [SENTENCE, "only she said that he had come"])
def test_which_encodings_see_no_mirror_image(text):
    ids = word_tokens(text).ids
    same = {
        name
        for name in CATALOGUE
        if torch.allclose(
            outputs(ids, name, None).output,
            outputs(ids[::-1], name, None).output.flip(-2),
            rtol=0,
            atol=1e-12,
        )
    }
    assert {"nope", "alibi", "kerple", "sandwich"} <= same
    assert same == {name for name in CATALOGUE if mirrored(name)}

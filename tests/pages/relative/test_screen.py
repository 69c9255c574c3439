import numpy as np
import pytest
import torch

from posenc import Shaw, attend, relative_position_ids, t5_bucket
from posenc.quantity.step import words
from posenc.random_model import RandomProjections, randomise
from posenc.shaw.memory import relative_bytes
from posenc.transformer_xl.distance_alone import SinusoidalBias, sinusoidal_relative_bias
from tests.pages.drive import drawn, metrics, open_screen, pictures, sentences
from tests.pages.test_screens import check_panels


@pytest.mark.parametrize(
    ("convention", "length", "q_len", "k"),
    [("key_minus_query", 12, 2, 4), ("query_minus_key", 9, 4, 20)],
)
def test_ids(convention, length, q_len, k):
    app = open_screen(
        "relative",
        length=str(length),
        cached=str(length - q_len),
        max_distance=str(k),
        convention=convention,
    )
    ids = relative_position_ids(q_len, length, k, convention).numpy()
    first, signs = pictures(app)
    np.testing.assert_array_equal(drawn(first), ids)
    square = relative_position_ids(length, length, k).numpy()
    np.testing.assert_array_equal(signs["data"][0]["z"], square)
    np.testing.assert_array_equal(signs["data"][1]["z"], 2 * k - square)
    assert metrics(app)["id of the far past"] == ("0" if convention[0] == "k" else str(2 * k))


def test_shaw_terms_add_up():
    app = open_screen(
        "relative", view="shaw", length="10", max_distance="3", head_dim="8", seed="4"
    )
    model = RandomProjections(4, 8, 1, 8)
    with torch.no_grad():
        shaw = randomise(Shaw(8, 3), 4)
        trace = attend(*model.project(model.embed(range(10))), shaw, trace=True)
    first, scores, outputs = pictures(app)
    # The picture sums in float64, the trace in float32: eight products, each rounded.
    np.testing.assert_allclose(drawn(first), trace.bias[0, 0].numpy(), rtol=0, atol=1e-6)
    content, key_term, both = (np.asarray(panel["z"]) for panel in scores["data"][:3])
    np.testing.assert_allclose(content + key_term, both, atol=1e-6)
    # The order of float32 sums depends on torch's threads, which differ here and on the screen.
    np.testing.assert_allclose(both, trace.logits[0, 0].numpy(), rtol=0, atol=2e-6)
    without, value_term, output = (np.asarray(panel["z"]) for panel in outputs["data"][:3])
    np.testing.assert_allclose(without, (trace.weights @ model_values(model))[0, 0], atol=1e-5)
    np.testing.assert_allclose(without + value_term, output, atol=1e-6)


def model_values(model):
    return model.project(model.embed(range(10)))[2]


def test_sinusoidal_bias_of_the_heads():
    app = open_screen("relative", view="sinusoidal", length="9", num_heads="3", d_model="8")
    bias = randomise(SinusoidalBias(3, 8), 0, std=8**-0.5)
    distances = torch.arange(-8, 9)
    expected = sinusoidal_relative_bias(bias.weight.detach().double(), distances).numpy()
    matrix, curves = pictures(app)
    np.testing.assert_allclose(drawn(curves), expected, rtol=2**-23)
    i, j = np.indices((9, 9))
    np.testing.assert_allclose(drawn(matrix), expected[0][i - j + 8], atol=1e-5)


@pytest.mark.parametrize(
    ("bidirectional", "used", "unused", "last"),
    [(True, "31 of 32", "16", "distance 91"), (False, "32 of 32", "none", "distance 113")],
)
def test_t5(bidirectional, used, unused, last):
    app = open_screen("relative", view="t5", length="200", bidirectional=str(bidirectional))
    positions = torch.arange(200)
    buckets = t5_bucket(positions - positions[:, None], bidirectional).numpy()
    matrix, staircase = pictures(app)
    np.testing.assert_array_equal(drawn(matrix), buckets)
    shown = metrics(app)
    assert shown["buckets in use"] == used
    assert shown["never used"] == unused
    assert shown["last bucket starts at"] == last
    past = staircase["data"][0]
    x, y = np.asarray(past["x"]), np.asarray(past["y"])
    assert y[x == 90].max() < y[x == 91].max() or not bidirectional
    np.testing.assert_array_equal(y[::2], t5_bucket(-torch.arange(1, 513), bidirectional))


def test_t5_settings_that_make_no_buckets_get_a_sentence():
    app = open_screen("relative", view="t5", num_buckets="7")
    assert not app.exception
    assert sentences(app) == ["num_buckets must be an even integer of at least 4, got 7."]


def test_memory():
    app = open_screen("relative", view="memory", num_heads="4", head_dim="32")
    found = relative_bytes(2 ** torch.arange(4, 21), 4, 32, 4, 32)
    (figure,) = pictures(app)
    assert [trace["name"] for trace in figure["data"][:7]] == [
        "scores",
        "ids",
        "Shaw, gathered",
        "Shaw, by id",
        "skew",
        "T5 bias",
        "T5 table",
    ]
    expected = torch.stack(list(found.values())).float().numpy()
    np.testing.assert_array_equal(drawn(figure), expected)
    assert metrics(app)["scores, L = 4096"] == "256.0 MiB"


@pytest.mark.parametrize(
    ("view", "key", "places"),
    [
        ("ids", "signs", ("j-i, 3, 9", "i-j, 3, 9")),
        ("shaw", "scores", ("content, 5, 2", "key, 5, 2", "sum, 2, 20")),
        ("shaw", "outputs", ("values, 5, 2", "embeddings, 7, 0", "output, 23, 3")),
        ("padding", "ids_changed", ("rope, 5, 1", "fire, 3, 2", "sinusoidal, 4, 4")),
    ],
)
def test_any_cell_of_any_panel_is_followed_to_the_number_drawn(view, key, places):
    for place in places:
        app = open_screen("relative", view=view, **{f"{key}_at": place})
        assert not app.exception
        assert sentences(app) == []
        check_panels(app, key)


def test_an_encoding_that_refuses_the_ids_has_nothing_to_follow():
    app = open_screen("relative", view="padding", ids="3, 4, 999", ids_changed_at="learned, 2, 0")
    assert not app.exception
    refused = words("the encoding does not take these ids")
    assert any(refused in markdown.value for markdown in app.markdown)

"""Two hands: what the browser is sent is posenc's, and what it reports reaches the controls."""

import numpy as np
import pytest
import torch

from posenc import RoPE, apply_rope, rope_inv_freq
from posenc.rope.score import rope_score_at_distance
from posenc.scaling import NTK, Linear, YaRN
from posenc.scaling.coverage import arc_is_new
from tests.pages.drive import figures, open_screen, sentences, terms

LLAMA = {"head_dim": "128", "base": "10000", "length": "8192", "trained": "4096"}


def sent(app) -> dict:
    """Data that the browser is sent."""
    (hands,) = (figure for figure, _ in figures(app) if figure["key"] == "hands")
    return hands


@pytest.mark.parametrize(
    ("method", "content"), [("none", "alike"), ("linear", "own"), ("ntk", "own"), ("yarn", "own")]
)
def test_bars_add_up_to_the_score_of_rotated_vectors(method, content) -> None:
    settings = {"rotary_dim": "12", "layout": "half", "method": method, "content": content}
    hands = sent(open_screen("rope", m="27", n="3", vectors="random", **settings))
    scalings = {"none": None, "linear": Linear(2.0), "ntk": NTK(2.0), "yarn": YaRN(2.0, 16)}
    assert [one["id"] for one in hands["methods"]] == list(scalings)
    inv_freq, factor = rope_inv_freq(12, 10000.0, scalings[method])
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 16, generator=generator, dtype=torch.float64)
    if content == "alike":
        query = key = torch.cat((torch.ones(6), torch.zeros(6))).double()
    turned = [
        apply_rope(vector[None], torch.tensor([place]), inv_freq, "half", factor)[0]
        for vector, place in ((query, 27), (key, 3))
    ]
    expected = float(turned[0] @ turned[1])
    score = terms(hands).astype("f8").sum() + hands["contents"][content]["passed"]
    np.testing.assert_allclose(score, expected, rtol=1e-5)
    # The hands: the same rotated vectors, pair by pair.
    numbers, theta = hands["contents"][content], inv_freq.numpy()
    for name, vector, place in (("query", turned[0], 27), ("key", turned[1], 3)):
        tips = torch.complex(vector[:6], vector[6:12]).numpy()
        angle = np.array(numbers[f"{name}Angle"]) + place * theta
        np.testing.assert_allclose(tips / np.abs(tips), np.exp(1j * angle), atol=1e-12)
        sizes = np.abs(tips) / np.abs(tips).max()
        np.testing.assert_allclose(sizes, numbers[f"{name}Size"], rtol=1e-12)


@pytest.mark.parametrize(("method", "settings"), [("none", {}), ("ntk", LLAMA), ("yarn", LLAMA)])
def test_an_arc_is_red_where_posenc_calls_its_angle_new(settings, method) -> None:
    hands = sent(open_screen("rope", **settings))
    trained, inv_freq = hands["trained"], torch.tensor(hands["methods"][0]["theta"]).double()
    one = next(one for one in hands["methods"] if one["id"] == method)
    scaled = torch.tensor(one["theta"], dtype=torch.float64)
    inv_freq = RoPE(2 * len(inv_freq), 10000.0).inv_freq
    found = set()
    for distance in (1, trained - 1, trained, trained + 1, hands["length"] - 1):
        limit = torch.tensor(hands["limit"], dtype=torch.float64)
        red = distance * scaled % (2 * torch.pi) > limit
        assert red.tolist() == arc_is_new(distance, inv_freq, trained, scaled).tolist(), distance
        found.add(bool(red.any()))
    assert found == ({False, True} if method in ("none", "ntk") else {False})


def test_places_outside_the_strip_are_said_and_drawn_inside() -> None:
    app = open_screen("rope", m="3", n="9")
    assert (sent(app)["at"]["m"], sent(app)["at"]["n"]) == (3, 3)
    assert any("m = 3 and n = 3 are shown" in caption.value for caption in app.caption)
    app = open_screen("rope", m="100", n="9")
    assert (sent(app)["at"]["m"], sent(app)["at"]["n"]) == (31, 9)


def test_words_are_the_readers_and_a_long_text_has_a_ruler() -> None:
    hands = sent(open_screen("rope", text="<b>one</b> two"))
    assert hands["words"] == ["<", "b", ">", "one", "<", "/", "b", ">", "two"]
    assert len(sent(open_screen("rope"))["words"]) == 32
    assert sent(open_screen("rope", **LLAMA))["words"] == []


@pytest.mark.parametrize("settings", [{"head_dim": "2", "vectors": "ones"}, {"head_dim": "512"}])
def test_one_pair_and_256(settings) -> None:
    app = open_screen("rope", **settings)
    assert sentences(app) == []
    ids = [one["id"] for one in sent(app)["methods"]]
    assert ("ntk" in ids) == (settings["head_dim"] != "2")
    assert figures(app)[0][1] < 120_000


def test_a_method_that_one_pair_has_not_is_named() -> None:
    app = open_screen("rope", head_dim="2", vectors="ones", method="ntk")
    (sentence,) = sentences(app)
    assert "method = ntk" in sentence
    assert sent(app)["at"]["method"] == "none"


def test_the_file_of_all_pictures_has_the_curve_of_the_method() -> None:
    app = open_screen("rope", method="ntk", content="own", vectors="ones", layout="half")
    kept = app.session_state["_app"]["__charts_kept"]["hands"]
    inv_freq, factor = rope_inv_freq(16, 10000.0, NTK(2.0))
    ones, distances = torch.ones(16, dtype=torch.float64), torch.arange(32)
    score = rope_score_at_distance(ones, ones, inv_freq, distances, "half", factor)
    np.testing.assert_array_equal(kept.figure.data[0]["y"], score.to(torch.float32))
    assert kept.alt == sent(app)["alt"]

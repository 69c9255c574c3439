"""Live attention: the pictures are posenc's numbers, whatever the text."""

import numpy as np
import pytest
import torch

from posenc import CATALOGUE, ModelShape, RandomProjections, attend, randomise
from tests.pages.drive import drawn, figures, open_screen, sentences
from ui.tokens import byte_tokens, word_tokens

EXAMPLE = "The animal did not cross the street because the animal was too tired."


def attention(ids, encoding, *, mask="causal", num_heads=4, head_dim=16, seed=0):
    model = RandomProjections(seed, num_heads * head_dim, num_heads, head_dim)
    shape = ModelShape(num_heads * head_dim, num_heads, head_dim, len(ids))
    module = randomise(CATALOGUE[encoding].build(shape), seed).double()
    with torch.no_grad():
        x = module.embed(model.embed(ids).double(), torch.arange(len(ids)))
        return attend(*model.project(x), module, mask=mask, trace=True)


def by_title(app, words):
    return next(f for f, _ in figures(app) if words in f["layout"]["title"]["text"])


@pytest.mark.parametrize("encoding", list(CATALOGUE))
def test_every_encoding_shows_its_own_weights(encoding):
    app = open_screen("live_attention", encoding=CATALOGUE[encoding].title, head="2")
    assert not app.exception
    assert sentences(app) == []
    expected = attention(word_tokens(EXAMPLE).ids, encoding).weights[0, 2].float().numpy()
    seen = np.tri(len(expected), dtype=bool)
    np.testing.assert_array_equal(drawn(figures(app)[0][0])[seen], expected[seen])
    assert np.isnan(drawn(figures(app)[0][0])[~seen]).all()


def test_stages_without_a_mask():
    for stage in ("scaled", "bias", "logits"):
        app = open_screen(
            "live_attention", encoding="CoPE", causal="false", stage=stage, text="a b a c"
        )
        trace = attention(word_tokens("a b a c").ids, "cope", mask=None)
        expected = getattr(trace, stage)[0, 0].float().numpy()
        np.testing.assert_array_equal(drawn(figures(app)[0][0]), expected)


@pytest.mark.parametrize("encoding", list(CATALOGUE))
def test_content_and_position_add_up_to_the_logit(encoding):
    parts = {}
    for stage in ("content", "position", "logits"):
        app = open_screen("live_attention", encoding=CATALOGUE[encoding].title, stage=stage)
        parts[stage] = drawn(figures(app)[0][0]).astype(np.float64)
    seen = np.tri(len(parts["logits"]), dtype=bool)
    total = (parts["content"] + parts["position"])[seen]
    np.testing.assert_allclose(total, parts["logits"][seen], atol=2e-6)


def test_position_part_of_rope_is_zero_on_the_diagonal_and_not_beside_it():
    part = drawn(figures(open_screen("live_attention", encoding="RoPE", stage="position"))[0][0])
    assert np.abs(np.diag(part)).max() < 1e-6
    assert np.abs(np.diag(part, -1)).max() > 0.1


def test_surplus_is_zero_for_an_even_share():
    app = open_screen("live_attention", encoding="NoPE", text="again again again", stage="surplus")
    np.testing.assert_allclose(drawn(figures(app)[0][0])[np.tri(3, dtype=bool)], 0, atol=1e-6)
    app = open_screen("live_attention", stage="surplus")
    weights = attention(word_tokens(EXAMPLE).ids, "rope").weights[0, 0].numpy()
    seen = np.tri(len(weights), dtype=bool)
    share = weights * np.arange(1, len(weights) + 1)[:, None]
    np.testing.assert_allclose(drawn(figures(app)[0][0])[seen], np.log(share[seen]), atol=1e-5)


def test_one_repeated_word_leaves_the_encoding_alone():
    app = open_screen("live_attention", text=" ".join(["again"] * 10), stage="logits")
    logits = drawn(figures(app)[0][0])
    for distance in range(10):
        diagonal = np.diag(logits, -distance)
        np.testing.assert_allclose(diagonal, diagonal[0], atol=1e-6)


def test_row_and_readouts_follow_the_cell():
    app = open_screen("live_attention", stage_matrix_cell="5, 3")
    trace = attention(word_tokens(EXAMPLE).ids, "rope")
    np.testing.assert_array_equal(
        drawn(by_title(app, "query 5"))[0], trace.weights[0, 0, 5].float().numpy()
    )
    shown = {metric.label: metric.value for metric in app.metric}
    assert shown["= logit"] == f"{trace.logits[0, 0, 5, 3]:.4g}"
    assert shown["attention"] == f"{trace.weights[0, 0, 5, 3]:.4g}"


def test_a_masked_cell_says_so():
    app = open_screen("live_attention", stage_matrix_cell="3, 5")
    shown = {metric.label: metric.value for metric in app.metric}
    assert shown["attention"] == shown["= logit"] == "masked"


def test_bytes():
    app = open_screen("live_attention", tokens="bytes", text="añ", encoding="NoPE")
    expected = attention(byte_tokens("añ").ids, "nope").weights[0, 0].float().numpy()
    assert expected.shape == (3, 3)
    np.testing.assert_array_equal(np.nan_to_num(drawn(figures(app)[0][0])), expected)


@pytest.mark.parametrize("text", ["x", "😀", "😀👍🏽🇩🇪 👩‍👩‍👧", "<b>&amp;</b> $x$", "\u202eabc"])
def test_odd_texts(text):
    app = open_screen("live_attention", text=text)
    assert not app.exception
    assert len(drawn(figures(app)[0][0])) == len(word_tokens(text).ids)


def test_labels_are_no_markup():
    app = open_screen("live_attention", text="a <b> &")
    assert figures(app)[0][0]["layout"]["yaxis"]["ticktext"] == ["a", "&lt;", "b", "&gt;", "&amp;"]


@pytest.mark.parametrize("text", ["", " \n\t ", "x" * 1_000_000])
def test_no_text_and_far_too_much(text):
    app = open_screen("live_attention")
    app.text_area(key="text").set_value(text).run()
    assert not app.exception
    assert len(drawn(figures(app)[0][0])) == len(word_tokens(EXAMPLE).ids)
    assert len(app.info) + len(app.error) == 1


def test_memory_is_refused_with_the_numbers():
    app = open_screen("live_attention", tokens="bytes")
    app.text_area(key="text").set_value("x" * 20_000).run()
    assert not app.exception
    [sentence] = sentences(app)
    assert "20,000 tokens" in sentence
    assert "214.6 GiB" in sentence  # 18 copies of 4 heads of 20 000 x 20 000 float64
    assert "512.0 MiB" in sentence
    assert "965 tokens fit" in sentence
    assert app.tabs


def test_odd_head_dim_is_refused_by_rope_alone():
    [sentence] = sentences(open_screen("live_attention", head_dim="7", encoding="RoPE"))
    assert sentence == "head_dim must be an even integer of at least 2, got 7."
    assert sentences(open_screen("live_attention", head_dim="7", encoding="NoPE")) == []


def test_fewer_heads_than_the_one_shown():
    app = open_screen("live_attention", head="3")
    app.number_input(key="num_heads").set_value(2).run()
    assert not app.exception
    assert app.number_input(key="head").value < 2

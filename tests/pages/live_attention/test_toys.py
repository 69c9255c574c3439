"""Live attention of the small models: the pictures are posenc's numbers, whatever the text."""

import re

import numpy as np
import pytest
import torch

from lab.training.checkpoints import DATA, load_checkpoint
from pages.live_attention.texts import PROGRAM, SENTENCE
from posenc import attend
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import RandomProjections, randomise
from tests.pages.drive import by_title, drawn, figures, metrics, open_screen, sentences
from ui.screen.lesson import load
from ui.text.models import RANDOM, TRAINED, trained_encodings
from ui.text.tokens import word_tokens

EXAMPLE = "The animal did not cross the street because the animal was too tired."


def toy_screen(**query):
    """The screen with a small trained model and a program, whatever else is installed."""
    start = {"model": TRAINED, "view": "stage", "text": PROGRAM}
    return open_screen("live_attention", **start | query)


def random_screen(**query):
    """The screen with random projections and words, as the tests below compute them."""
    return open_screen(
        "live_attention",
        **{"model": RANDOM, "view": "stage", "tokens": "words", "text": EXAMPLE} | query,
    )


def attention(ids, encoding, *, mask="causal", num_heads=4, head_dim=16, seed=0):
    model = RandomProjections(seed, num_heads * head_dim, num_heads, head_dim)
    shape = ModelShape(num_heads * head_dim, num_heads, head_dim, len(ids))
    module = randomise(CATALOGUE[encoding].build(shape), seed).double()
    with torch.no_grad():
        x = module.embed(model.embed(ids).double(), torch.arange(len(ids)))
        return attend(*model.project(x), module, mask=mask, trace=True)


@pytest.mark.parametrize("encoding", ["sinusoidal", "xpos", "cope"])
def test_an_encoding_shows_its_own_weights(encoding):
    app = random_screen(encoding=encoding, head="2")
    assert not app.exception
    assert sentences(app) == []
    expected = attention(word_tokens(EXAMPLE).ids, encoding).weights[0, 2].float().numpy()
    seen = np.tri(len(expected), dtype=bool)
    np.testing.assert_array_equal(drawn(figures(app)[0][0])[seen], expected[seen])
    assert np.isnan(drawn(figures(app)[0][0])[~seen]).all()


def test_stages_without_a_mask():
    for stage in ("scaled", "bias", "logits"):
        app = random_screen(encoding="cope", mask="none", stage=stage, text="a b a c")
        trace = attention(word_tokens("a b a c").ids, "cope", mask=None)
        expected = getattr(trace, stage)[0, 0].float().numpy()
        np.testing.assert_array_equal(drawn(figures(app)[0][0]), expected)


def test_a_bias_stands_in_the_scores_after_position_alone():
    app = random_screen(encoding="alibi", view="both", head="2")
    trace = attention(word_tokens(EXAMPLE).ids, "alibi")
    before, after = (np.asarray(panel["z"]) for panel in figures(app)[0][0]["data"][:2])
    seen = np.tri(len(before), dtype=bool)
    np.testing.assert_array_equal(before, trace.content[0, 2].float().numpy())
    np.testing.assert_array_equal(after[seen], trace.logits[0, 2].float().numpy()[seen])
    assert np.isnan(after[~seen]).all()


def test_row_and_readouts_follow_the_cell():
    app = random_screen(stage_matrix_cell="5, 3")
    trace = attention(word_tokens(EXAMPLE).ids, "rope")
    bars = np.asarray(by_title(app, "query 5")["data"][0]["y"])
    np.testing.assert_array_equal(bars, trace.weights[0, 0, 5].float().numpy())
    shown = metrics(app)
    assert shown["= logit"] == f"{trace.logits[0, 0, 5, 3]:.4g}"
    assert shown["attention"] == f"{trace.weights[0, 0, 5, 3]:.4g}"


def test_a_masked_cell_says_so():
    app = random_screen(stage_matrix_cell="3, 5")
    shown = metrics(app)
    assert shown["attention"] == shown["= logit"] == "masked"


def test_labels_are_no_markup():
    app = random_screen(text="a <b> &")
    assert figures(app)[0][0]["layout"]["yaxis"]["ticktext"] == ["a", "&lt;", "b", "&gt;", "&amp;"]


@pytest.mark.parametrize("text", ["", " \n\t ", "x" * 1_000_000])
def test_no_text_and_far_too_much(text):
    """Without a text the example stands in its place; of one that is too long, the last picture."""
    app = random_screen()
    before = len(drawn(figures(app)[0][0]))
    app.text_area(key="text").set_value(text).run()
    assert not app.exception
    expected = len(word_tokens(SENTENCE).ids) if not text.strip() else before
    assert len(drawn(figures(app)[0][0])) == expected
    assert len(app.info) + len(app.error) == 1


def trained_trace(encoding, text, layer, **more):
    model = load_checkpoint(DATA / f"text-{encoding}-s0.safetensors").model
    ids = torch.tensor([list(text.encode())])
    rows = model.attentions(ids, **more)[layer]
    return rows.trace(torch.arange(ids.shape[1]))


@pytest.mark.parametrize("encoding", ["rope", "fire"])
def test_a_trained_model_shows_its_own_attention(encoding):
    app = toy_screen(encoding=encoding, layer="1", head="2", text="a = b + b")
    assert not app.exception
    assert sentences(app) == []
    expected = trained_trace(encoding, "a = b + b", 1).weights[0, 2].numpy()
    seen = np.tri(9, dtype=bool)
    np.testing.assert_array_equal(drawn(figures(app)[0][0])[seen], expected[seen])
    assert [t["type"] for t in by_title(app, "every head")["data"]].count("heatmap") == 8


def test_an_encoding_that_was_not_trained_says_which_were():
    [sentence] = sentences(toy_screen(encoding="shaw"))
    assert sentence.startswith("No trained model with Shaw ships. Choose one of ")
    assert "RoPE" in sentence


@pytest.mark.parametrize(
    ("mask", "allowed"),
    [
        ("window", lambda i, j: j <= i and i - j < 3),
        ("prefix", lambda i, j: j <= i or j < 3),
        ("documents", lambda i, j: j <= i and (i < 3) == (j < 3)),
        ("none", lambda i, j: True),
    ],
)
def test_masks_hide_what_they_say(mask, allowed):
    app = random_screen(mask=mask, reach="3", text="a b. c d e", encoding="nope")
    weights = drawn(figures(app)[0][0])
    for i in range(6):
        for j in range(6):
            assert np.isnan(weights[i, j]) != allowed(i, j), (i, j)
    np.testing.assert_allclose(np.nansum(weights, 1), 1, atol=1e-6)


def test_a_learned_table_has_an_end():
    app = toy_screen(encoding="learned", offset="127", text="ab")
    if "learned" in trained_encodings():
        [sentence] = sentences(app)
        assert "The learned table has 128 rows" in sentence
        assert "position 128" in sentence


def test_what_is_to_be_noticed_names_the_text_that_it_is_true_of() -> None:
    texts = []
    for notice in load("live_attention").notice:
        # The reader's own text may stand beside these sentences.
        assert not re.search("text here|this (short )?text|text like this", notice.text)
        for start in re.findall('"(.+?) …"', notice.text):
            assert notice.settings["text"].startswith(start)
            texts.append(start)
    assert len(texts) == 3

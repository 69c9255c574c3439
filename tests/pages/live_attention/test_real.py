"""Live attention of the real model: every picture is the model's own numbers."""

from pydoc_data.topics import topics

import numpy as np
import pytest
import torch

from models.change import Change
from models.files.find import installed
from models.forward import forward
from models.glance import glance
from models.opened import Model
from pages.live_attention import next_tokens
from pages.live_attention.texts import SENTENCE
from posenc.attention.habits import CLEAR, HABITS
from tests.conftest import said_number
from tests.pages.drive import controls, drawn, figures, ids, metrics, open_screen, sentences
from ui.text.real import model_of


@pytest.fixture(scope="module")
def model() -> Model:
    found = installed()
    assert found is not None
    return model_of(found, torch.device("cpu"))


def expected(model, text, layer, head, stage="weights"):
    return attention_of(forward(model, model.tokens(text).ids), layer, head, stage)


def attention_of(seen, layer, head, stage="weights"):
    rows = seen.attention(layer)
    return rows.stage(stage, torch.arange(rows.length))[head].float().numpy()


def large(app):
    return drawn(figures(app)[0][0])


def test_the_real_model_is_the_default(model) -> None:
    app = open_screen("live_attention", stage="weights")
    assert not app.exception
    assert sentences(app) == []
    assert app.selectbox(key="model").value == model.id
    np.testing.assert_array_equal(large(app), expected(model, SENTENCE, 16, 0))
    labels = figures(app)[0][0]["layout"]["xaxis"]["ticktext"]
    assert labels == model.tokens(SENTENCE).texts
    table = app.table[0].value
    assert table["probability"]["`·street`"] == "76.4%"
    bits = forward(model, model.tokens(SENTENCE).ids).bits().mean()
    assert said_number(metrics(app)["bits per token"]) == pytest.approx(bits.item(), abs=1e-3)


def test_a_token_of_bars_or_backquotes_stands_whole_in_its_row(model) -> None:
    text = "My cat ate the fish because the dog was asleep."
    last = len(model.tokens(text).ids) - 1
    app = open_screen("live_attention", text=text, what_if="offset", stage_matrix_cell=f"{last}, 0")
    table = app.table[0].value
    assert list(table.columns) == ["probability", "as trained"]
    assert table["probability"]["`<|im_end|>`"].endswith("%")
    assert next_tokens.code("·``") == "``` ·`` ```"


def test_every_head_is_there_with_its_habit(model) -> None:
    app = open_screen("live_attention", text="one two one two one two")
    figure = figures(app)[1][0]
    points = figure["data"][1]["text"]
    assert len(points) == 270
    cells = drawn(figure)
    own = expected(model, "one two one two one two", 3, 4)
    side = 6 + 1
    place = cells[4 * side : 4 * side + 6, 3 * side : 3 * side + 6]
    np.testing.assert_allclose(place, own, atol=1e-6)
    assert points[4 * 30 + 3].startswith("layer 3, head 4: ")
    previous = np.diag(own, -1)[1:].mean()
    assert f"{HABITS['previous']}: {previous:.0%}" in points[4 * 30 + 3]
    *shares, overlap, spread = points[4 * 30 + 3].split("<br>")[1:]
    assert not any(HABITS["even"] in share for share in shares), "no share of the attention"
    assert overlap.startswith("These overlap")
    assert spread.startswith("Spread: ")


def test_small_pictures_in_the_order_of_a_habit() -> None:
    app = open_screen("live_attention", order="previous")
    points = figures(app)[1][0]["data"][1]["text"]
    assert points[0].startswith("layer 16, head 0: the token before")
    shares = [int(one.split(f"{HABITS['previous']}: ")[1].split("%")[0]) for one in points]
    assert shares == sorted(shares, reverse=True)


def test_a_clicked_small_picture_opens_its_head(model) -> None:
    app = open_screen("live_attention", view="stage")
    side = figures(app)[1][0]["data"][0]["z"].shape[0] // 9 + 1
    rev = figures(app)[1][0]["rev"]
    click = {"x": 11.0 * side + 2, "y": 1.0 * side + 1, "z": 0.1, "i": [0, 0], "curve": 0}
    app.session_state["whole"] = {"cell": click | {"rev": rev, "at": 1}}
    app.run()
    assert not app.exception
    assert (app.number_input(key="layer").value, app.number_input(key="head").value) == (11, 1)
    np.testing.assert_array_equal(large(app), expected(model, SENTENCE, 11, 1))


@pytest.mark.parametrize("stage", ["content", "position", "logits", "surplus"])
def test_stages(stage, model) -> None:
    app = open_screen("live_attention", stage=stage, layer="2", head="7", text="a b c a")
    np.testing.assert_array_equal(large(app), expected(model, "a b c a", 2, 7, stage))


def test_scores_before_and_after_rope_stand_in_one_picture(model) -> None:
    app = open_screen("live_attention", layer="2", head="7", text="a b c a")
    assert app.session_state["view"] == "both"
    assert "stage" not in controls(app)
    first = figures(app)[0][0]
    shown = ("content", "scaled", "position")
    for panel, stage in zip(first["data"][:3], shown, strict=True):
        np.testing.assert_array_equal(panel["z"], expected(model, "a b c a", 2, 7, stage))
    assert [one["text"] for one in first["layout"]["annotations"]] == [
        "before, qᵢ · kⱼ / √d",
        "after RoPE, Rᵢqᵢ · Rⱼkⱼ / √d",
        "change (to ±0.572)",
    ]
    title = first["layout"]["title"]["text"].replace("<br>", " ")
    assert title == f"{model.title}: scores before and after RoPE, layer 2, head 7"
    texts = model.tokens("a b c a").texts
    assert [first["layout"][axis]["ticktext"] for axis in ("xaxis", "yaxis")] == [texts, texts]
    assert "attention" in metrics(app)


def test_what_to_see_is_said_of_the_model_as_it_was_trained() -> None:
    """YaRN multiplies queries and keys: then the diagonal changes, too."""

    def says(**query: str) -> bool:
        app = open_screen("live_attention", view="both", text="a b c a", **query)
        return any("RoPE keeps the diagonal" in one.value for one in app.markdown)

    assert says()
    assert not says(what_if="method", method="yarn", factor="4")


def test_a_score_is_followed_from_before_the_rotation(model) -> None:
    app = open_screen("live_attention", stage_matrix_cell="9, 4")
    rows = forward(model, model.tokens(SENTENCE).ids).attention(16)
    lines = next(one.value for one in app.markdown if "(R_i q_i)}_c" in one.value).split("\n")
    before = rows.q[0, 0, 9].double() @ rows.k[0, 0, 4].double()
    after = rows.trace(torch.tensor([9])).dot[0, 0, 0, 4].item()
    assert lines[0].endswith(f"{before.item():.6g}$")
    assert r"q_i \cdot k_j = \sum_c q_c k_c" in lines[0]
    assert all("R_i q_i" in line for line in lines[1:4])  # after it, in the difference, scaled
    assert r"\text{rotation}_{9,4}" in lines[2]
    assert lines[2].split()[-1].startswith(f"{after - before.item():.5g}"[:6])


CHANGES = {
    "base": ({"base": "20000"}, Change(base=20000.0)),
    "method": ({"method": "yarn", "factor": "4"}, Change(method="yarn", factor=4.0)),
    "unrotated": ({"which": "half"}, Change(unrotated=tuple(range(1, 30, 2)))),
    "layout": ({}, Change(other_layout=True)),
    "stale": ({"cached": "5"}, Change(cached=5, cached_base=10000.0)),
    "offset": ({}, Change(offset=100_000)),
    "equal": ({}, Change(order="equal")),
    "reversed": ({}, Change(order="reversed")),
    "rounded": ({"shift": "999"}, Change(offset=999, rounded=True)),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_if(what, model) -> None:
    query, change = CHANGES[what]
    text = "one two three one two three one two"
    tokens = model.tokens(text).ids
    app = open_screen("live_attention", text=text, what_if=what, shown="difference", **query)
    assert not app.exception
    assert sentences(app) == []
    before, after = forward(model, tokens), forward(model, tokens, change)
    own, now = attention_of(before, 16, 0), attention_of(after, 16, 0)
    np.testing.assert_allclose(large(app), now - own, atol=1e-6)
    more = after.bits().mean() - before.bits().mean()
    assert said_number(metrics(app)["bits lost"]) == pytest.approx(more.item(), abs=1e-3)
    moved = np.nansum(abs(now - own), -1).mean() / 2
    assert float(metrics(app)["attention moved"].rstrip("%")) == pytest.approx(100 * moved, abs=0.1)
    if what == "offset":
        assert moved < 1e-3
    else:
        assert moved > 1e-3


def test_every_change_is_tried_here() -> None:
    assert {"none", *CHANGES} == set(ids(open_screen("live_attention").selectbox(key="what_if")))


def test_a_text_of_many_tokens_is_refused() -> None:
    app = open_screen("live_attention")
    app.text_area(key="text").set_value("a b " * 5000).run()
    assert not app.exception
    [sentence] = sentences(app)
    assert sentence.endswith("tokens; at most 4,096 are read here. Shorten the text.")
    assert app.tabs


def test_without_the_model_the_small_ones_stand_in(monkeypatch) -> None:
    monkeypatch.setenv("POSENC_NO_MODEL", "1")
    app = open_screen("live_attention")
    assert not app.exception
    assert app.session_state["model"] == "trained"
    said = [one.value for one in app.columns[0].caption]
    assert len([one for one in said if "No language model is installed" in one]) == 1


def test_a_wrong_variable_is_named_and_the_small_models_stand_in(monkeypatch) -> None:
    monkeypatch.setenv("POSENC_MODELS_MAX_MEMORY", "much")
    app = open_screen("live_attention")
    assert not app.exception
    [sentence] = sentences(app)
    assert sentence.startswith("POSENC_MODELS_MAX_MEMORY is 'much'")
    assert app.selectbox(key="model").value == "trained"


def test_fewer_heads_rest_in_longer_texts(model) -> None:
    """The lesson's claim on short texts and on those of 512 tokens."""
    first = list(HABITS).index("first")
    manual = "".join(topics[name] for name in ("lambda", "assert", "import"))
    short, long = (
        glance(model, model.tokens(text).ids[:512]).shares[..., first].flatten()
        for text in (SENTENCE, manual)
    )
    assert len(model.tokens(manual).ids) >= 512
    assert CLEAR == 0.4
    assert (short >= CLEAR).double().mean() > 0.5
    assert (short > 0.5).double().mean() > 0.5
    assert 0.35 < (long >= CLEAR).double().mean() < 0.45
    assert 0.2 < (long > 0.5).double().mean() < 0.3

"""The screen of forget gates: its numbers against loops, and what it refuses."""

import math

import numpy as np
import pytest
import torch

from lab.model.forgetting import read_by_gates
from lab.training.gates import gates_model
from tests.conftest import said_number
from tests.pages.drive import by_title, curves, drawn, metrics, open_screen, sentences
from ui.text.tokens import word_tokens

TEXT = "Ann sang. Bob ran, fell. Who"
WORDS = word_tokens(TEXT).texts
BY_HAND = {"view": "bias", "gates": "separators"}


@pytest.mark.parametrize("head", ["1.2", "2.4"])
def test_learned_gates_are_those_of_the_trained_model(head):
    text = "if a:\n    é = 2"
    app = open_screen("forget_gates", text=text, head=head)
    layer, place = (int(one) - 1 for one in head.split("."))
    read = read_by_gates(gates_model(), torch.tensor([list(text.encode())]))
    bars = np.asarray(by_title(app, "Gate f of")["data"][0]["y"])
    logits = read[layer][1][0] @ read[layer][0].forget.weight[place]
    np.testing.assert_allclose(bars, (logits + read[layer][0].forget.bias[place]).sigmoid())
    others = drawn(by_title(app, "Gates of all heads"))
    assert others.shape == (8, len(text.encode()))
    np.testing.assert_allclose(others[4 * layer + place], bars, rtol=1e-6)


def test_a_sentence_is_what_the_notice_says_of_two_heads():
    app = open_screen("forget_gates")
    bars = np.asarray(by_title(app, "Gate f of")["data"][0]["y"])
    spaces = [gate for gate, letter in zip(bars, TEXT, strict=True) if letter == " "]
    stops = [gate for gate, letter in zip(bars, TEXT, strict=True) if letter == "."]
    assert max(stops) < 0.1
    assert [gate < 0.1 for gate in spaces] == [True, True, True, False, True]
    others = drawn(by_title(app, "Gates of all heads"))
    assert others[4].min() > 0.75
    assert others[5].max() < 0.3


def test_more_bytes_than_the_trained_model_reads_are_refused():
    app = open_screen("forget_gates", text="ä" * 600)
    assert "1,200 bytes" in sentences(app)[0]
    assert "1,024 at most" in sentences(app)[0]


def test_a_bias_sums_the_logarithms_of_the_gates_between():
    app = open_screen("forget_gates", **BY_HAND, shut="0.1", gate="0.9")
    gates = [0.1 if word == "." else 0.9 for word in WORDS]
    bias = drawn(by_title(app, "Bias D"))
    for query in range(len(WORDS)):
        for key in range(len(WORDS)):
            between = sum(math.log(gate) for gate in gates[key + 1 : query + 1])
            expected = between if key <= query else math.nan
            np.testing.assert_allclose(bias[query, key], expected, rtol=1e-6)


def test_the_title_says_at_which_marks_gates_are_shut():
    app = open_screen("forget_gates", **BY_HAND, text="Stop! Go on; now", separators="! <b>")
    title = by_title(app, "Bias D")["layout"]["title"]["text"].replace("<br>", " ")
    assert "shut at ! &lt;b&gt;)" in title
    bias = drawn(
        by_title(open_screen("forget_gates", **BY_HAND, text="Stop! Go on; now"), "Bias D")
    )
    assert bias[1, 0] == pytest.approx(math.log(0.2), rel=1e-6), "at ! as at a full stop"


def test_gates_that_are_all_alike_are_alibi():
    app = open_screen("forget_gates", view="bias", gates="constant", gate="0.8")
    bias = drawn(by_title(app, "Bias D"))
    slope = said_number(metrics(app)["slope of the same ALiBi"])
    places = np.arange(len(WORDS))
    line = -slope * (places[:, None] - places)
    seen = places[:, None] >= places
    np.testing.assert_allclose(bias[seen], line[seen], rtol=1e-3)


def test_a_stick_of_equal_shares_leaves_less_to_each_farther_key():
    app = open_screen("forget_gates", view="stick", share="0.25", stick_cell="6, 0")
    weights = drawn(by_title(app, "Weight of key j"))
    np.testing.assert_allclose(weights[6, :6], 0.25 * 0.75 ** np.arange(5, -1, -1), rtol=1e-6)
    assert np.isnan(weights[6, 6:]).all()
    left = said_number(metrics(app)["left over"].removesuffix("%"))
    assert left == pytest.approx(100 * 0.75**6, abs=1e-3)


def test_a_memory_without_overwriting_only_fades():
    app = open_screen("forget_gates", view="memory", gates="constant", gate="0.8", beta="0")
    assert not np.nan_to_num(drawn(by_title(app, "What is left of token j"))).any()
    app = open_screen("forget_gates", view="memory", gates="constant", gate="0.8")
    places = np.arange(len(WORDS))
    alone = 0.8 ** np.clip(places[:, None] - places, 0, None)
    left = drawn(by_title(app, "What is left of token j"))
    seen = places[:, None] >= places
    assert (left[seen] <= alone[seen] + 1e-6).all()
    first, second = (place for place, word in enumerate(WORDS) if word == ".")
    before, after = left[second - 1, first], left[second, first]
    assert after < 0.8 * before - 0.1  # its own key came again


def test_the_key_that_is_followed_is_one_of_which_half_arrives():
    app = open_screen("forget_gates", gates="separators", gate="0.8", separators="")
    (line,) = curves(by_title(app, "What arrives")).values()
    followed = by_title(app, "What arrives")["data"][-1]["x"][0]
    assert np.flatnonzero(line >= 0.5)[0] == followed == len(line) - 1 - 3  # 0.8³ is 0.512
    app = open_screen("forget_gates")
    assert any(one.value.startswith("Key 24 (␣): **") for one in app.markdown)
    *_, followed = by_title(app, "What arrives")["data"]
    assert followed["x"][0] > 0
    assert followed["y"][0] >= 0.5


def test_what_arrives_follows_the_query():
    app = open_screen(
        "forget_gates", view="bias", gates="constant", gate="0.5", forgetting_cell="4, 1"
    )
    (line,) = curves(by_title(app, "What arrives at query 4, “")).values()
    np.testing.assert_allclose(line, 0.5 ** np.arange(4, -1, -1.0))
    assert metrics(app)["arrives there"] == "12.500%"


def test_tokens_stand_on_both_axes_of_keys():
    app = open_screen("forget_gates", gates="separators", forget_gate_point="2")
    arrives, gates = by_title(app, "What arrives"), by_title(app, "Gate f of")
    read = arrives["layout"]["xaxis"]["ticktext"]
    assert [*read] == [*gates["layout"]["xaxis"]["ticktext"]][: len(read)]
    assert any(one.value.startswith("Token 2 (.): **") for one in app.markdown)


@pytest.mark.parametrize("view", ["bias", "stick", "memory"])
def test_a_text_that_is_too_long_is_refused_with_what_fits(view):
    app = open_screen("forget_gates", view=view, gates="separators", text="a " * 9_000)
    assert not app.exception
    assert "9,000 tokens" in sentences(app)[0]
    assert "tokens fit" in sentences(app)[0]


def test_one_word_is_a_text_too():
    for view in ("gates", "bias", "stick", "memory"):
        app = open_screen("forget_gates", view=view, text="Who")
        assert not app.exception
        assert sentences(app) == []


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        ("learned", "layer 2, head 4, learned"),
        ("separators", "set by hand"),
        ("random", "random, untrained"),
    ],
)
def test_a_title_says_where_the_gates_come_from(gates, said):
    app = open_screen("forget_gates", view="bias", gates=gates)
    title = by_title(app, "Bias D")["layout"]["title"]["text"]
    assert f"added ({said}" in title.replace("<br>", " ")

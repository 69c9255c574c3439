"""The Scaling screen's pictures are posenc's numbers."""

import numpy as np
import pytest
import torch

from posenc import NTK, Linear, YaRN, angle_coverage, rope_inv_freq
from posenc.quantity.sampling import log_positions
from posenc.rope.score import rope_score_at_distance
from posenc.scaling.methods import fitting
from tests.pages.drive import curves, figures, metrics, open_screen, sentences
from tests.pages.test_screens import check_snippet

ALL = list(fitting("trained", "alpha", "inv_freq", "length"))
PLAIN, _ = rope_inv_freq(128, 10000.0)


def summary(app) -> dict[str, dict[str, str]]:
    return app.dataframe[0].value.T.to_dict()


@pytest.mark.parametrize("view", ["wavelengths", "angles", "score"])
@pytest.mark.parametrize(
    "settings",
    [{"methods": ALL}, {"head_dim": "96", "rotary_dim": "24", "train_length": "2048"}],
)
def test_every_view_draws_and_its_snippet_agrees(view, settings) -> None:
    app = open_screen("scaling", view=view, tab="code", **settings)
    assert not app.exception
    assert sentences(app) == []
    check_snippet(app)


def test_wavelengths_of_linear_and_ntk() -> None:
    shown = curves(figures(open_screen("scaling"))[0][0])
    plain = 2 * np.pi / PLAIN.numpy()
    np.testing.assert_allclose(shown["none"], plain, rtol=1e-6)
    np.testing.assert_allclose(shown["linear"], 4 * plain, rtol=1e-6)
    ntk = 2 * np.pi * 40889.942432486 ** (np.arange(64) / 64)
    np.testing.assert_allclose(shown["NTK-aware"], ntk, rtol=1e-6)


def test_18_pairs_of_llama_2_never_finish_a_turn() -> None:
    app = open_screen("scaling")
    shown = metrics(app)
    assert shown["pairs that never finish a turn in training"] == "18"
    assert shown["target length"] == "16,384"
    rows = summary(app)
    assert [rows[name]["pairs that meet unseen angles"] for name in rows] == ["18", "0", "17"]
    assert [rows[name]["base"] for name in rows] == ["10,000", "10,000", "40,890"]
    assert any("4 × as far as in training" in words.value for words in app.markdown)


@pytest.mark.parametrize(
    ("base", "trained", "expected"),
    [("500000", "8192", "29"), ("1000000", "32768", "24")],
)
def test_pairs_of_llama_3_and_qwen_that_never_turn(base, trained, expected) -> None:
    app = open_screen("scaling", base=base, train_length=trained)
    shown = metrics(app)
    assert shown["pairs that never finish a turn in training"] == expected


def test_bases_and_attention_factor() -> None:
    rows = summary(open_screen("scaling", methods=ALL))
    assert rows["NTK base"]["base"] == "40,000"
    assert rows["NTK alpha"]["base"] == rows["dynamic NTK"]["base"] == "72,196"
    assert rows["YaRN"]["attention factor"] == "1.1386"
    assert rows["NTK-aware"]["fastest pair ÷"] == "1"
    assert rows["NTK-aware"]["slowest pair ÷"] == "4"


def test_alpha_of_one_is_ntk_aware() -> None:
    shown = curves(figures(open_screen("scaling", alpha="1", methods=["ntk", "ntk_alpha"]))[0][0])
    np.testing.assert_array_equal(shown["NTK-aware"], shown["NTK alpha"])


def test_unseen_angles_and_turns() -> None:
    (unseen, _), (turns, _) = figures(open_screen("scaling", view="angles"))
    for name, scaling in (("none", None), ("linear", Linear(4.0)), ("NTK-aware", NTK(4.0))):
        scaled, _ = rope_inv_freq(128, 10000.0, scaling)
        coverage = angle_coverage(PLAIN, 4096, 16384, scaled)
        expected = 100 * coverage.unseen / (2 * torch.pi)
        np.testing.assert_allclose(curves(unseen)[name], expected, atol=1e-5)
        expected = coverage.reached / (2 * torch.pi)
        np.testing.assert_allclose(curves(turns)[name], expected, rtol=1e-6)
    seen = 4095 * PLAIN / (2 * torch.pi)
    np.testing.assert_allclose(curves(turns)["seen in training"], seen, rtol=1e-6)


def test_scores_reach_a_million_positions() -> None:
    settings = {"base": "500000", "train_length": "8192", "factor": "128"}
    app = open_screen("scaling", view="score", methods=["none", "yarn"], **settings)
    figure, _ = figures(app)[0]
    distances = log_positions(2**20, 2048)
    np.testing.assert_array_equal(figure["data"][0]["x"], distances)
    ones = torch.ones(128, dtype=torch.float64)
    for name, scaling in (("none", None), ("YaRN", YaRN(128.0, 8192))):
        inv_freq, factor = rope_inv_freq(128, 500000.0, scaling)
        score = rope_score_at_distance(ones, ones, inv_freq, distances, attention_factor=factor)
        np.testing.assert_array_equal(curves(figure)[name], score.to(torch.float32))
    assert figure["layout"]["shapes"][0]["x0"] == 8192


def test_no_method_and_no_alpha_get_a_sentence() -> None:
    app = open_screen("scaling")
    app.multiselect(key="methods").set_value([]).run()
    assert sentences(app) == ["Choose at least one method."]
    app = open_screen("scaling", head_dim="2", methods=["ntk"])
    (sentence,) = sentences(app)
    assert sentence.endswith("head_dim must be an even integer of at least 4, got 2.")


def test_a_known_models_frequencies_lead_to_config() -> None:
    app = open_screen("scaling", base="1000000", train_length="32768", factor="4")
    links = [one.proto.label for one in app.get("page_link")]
    assert "Qwen2.5-7B-Instruct to 131,072 tokens: what to set" in links
    other = open_screen("scaling", base="1234567")
    assert not any("what to set" in one.proto.label for one in other.get("page_link"))

"""The screen that reads a config.json shows posenc's numbers and survives any paste."""

import json
import math
import shlex

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from posenc import RopeConfig, YaRN, known_models, rope_inv_freq, rope_wavelengths
from tests.pages.drive import figures, open_screen, sentences
from tests.pages.test_screens import check_snippet
from ui.model_config import OWN, plain

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "max_position_embeddings": 131072,
    "rope_theta": 1e6,
}


def pasted(text: str, **query: str) -> AppTest:
    app = open_screen("config", model=OWN, **query)
    return app.text_area(key="_config").set_value(text).run()


def curves(figure) -> dict[str, np.ndarray]:
    return {trace["name"]: np.asarray(trace["y"]) for trace in figure["data"]}


def readouts(app) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def blocks(app) -> list[str]:
    return [block.value for block in app.code if block.language != "python"]


@pytest.mark.parametrize("name", known_models())
def test_every_known_model_opens(name) -> None:
    app = open_screen("config", model=name, tab="Code")
    assert not app.exception
    assert sentences(app) == []
    assert not any(block.value.startswith("**Error") for block in app.markdown)
    assert f"Values: {plain(known_models()[name].source)}" in [c.value for c in app.caption]
    if figures(app):
        check_snippet(app)


def test_divisors_of_llama_3_1() -> None:
    app = open_screen("config")
    (wavelengths, _), (divisors, _) = figures(app)
    shown = curves(divisors)["llama3"]
    np.testing.assert_allclose(shown[:29], 1)
    golden = [1.2075, 1.5534, 2.0263, 2.6945, 3.6843, 5.2573]
    np.testing.assert_allclose(shown[29:35], golden, atol=6e-5)
    np.testing.assert_allclose(shown[35:], 8)
    plain_waves = rope_wavelengths(rope_inv_freq(128, 500000.0)[0])
    np.testing.assert_allclose(curves(wavelengths)["unscaled"], plain_waves, rtol=1e-6)
    shapes = wavelengths["layout"]["shapes"]
    assert {131072, 8192} <= {shape.get("y0") for shape in shapes}
    numbers = readouts(app)
    assert numbers["without a full turn in training"] == "29"
    assert numbers["base"] == "500,000"
    assert json.loads(blocks(app)[0])["rope_parameters"]["factor"] == 8


def test_attention_factor_and_softmax_multiplier() -> None:
    numbers = readouts(open_screen("config", model="DeepSeek-V3"))
    assert numbers["attention factor A"] == numbers["A², on the logits"] == "1.0000"
    assert numbers["softmax multiplier"] == f"{(0.1 * math.log(40) + 1) ** 2:.4f}"
    assert numbers["rotated channels"] == "64 of 192"
    numbers = readouts(open_screen("config", model="Qwen2.5-7B-Instruct with YaRN"))
    factor = 0.1 * math.log(4) + 1
    assert numbers["attention factor A"] == f"{factor:.4f}"
    assert numbers["A², on the logits"] == f"{factor**2:.4f}"


def test_a_file_with_yarn_added_reaches_the_target() -> None:
    app = open_screen("config", model="Llama-2-7B", target_length="32768", extension="YaRN")
    assert sentences(app) == []
    scaled, _ = rope_inv_freq(128, 10000.0, YaRN(8.0, 4096))
    shown = curves(figures(app)[0][0])
    np.testing.assert_allclose(shown["YaRN to 32,768"], rope_wavelengths(scaled), rtol=1e-6)
    new, old, vllm, llama_cpp = blocks(app)
    for text in (new, old):
        fields = {**known_models()["Llama-2-7B"].config, "rope_theta": None, **json.loads(text)}
        assert RopeConfig.from_hf(fields).layers["all"].scaling == YaRN(8.0, 4096)
    assert "--max-model-len 32768" in vllm
    assert "--rope-scale 8 --yarn-orig-ctx 4096" in llama_cpp


def test_a_target_within_training_needs_no_scaling() -> None:
    app = open_screen("config", model="Llama-2-7B", target_length="4096", extension="linear")
    expected = "target_length must be an integer of at least 4097, got 4096."
    assert sentences(app) == [f"{expected} The file is shown as it is."]
    assert list(curves(figures(app)[0][0])) == ["unscaled"]
    app = open_screen("config", model="BLOOM-176B", extension="YaRN")
    assert "must have rotary positions" in sentences(app)[0]
    assert len(figures(app)) == 1


def test_layers_that_differ() -> None:
    app = open_screen("config", model="Gemma-3-12B")
    assert readouts(app)["base"] == "1,000,000"
    assert any("no trained length apart" in block.value for block in app.markdown)
    app.selectbox(key="layer_type").set_value("sliding_attention").run()
    assert not any("no trained length apart" in block.value for block in app.markdown)
    assert readouts(app)["base"] == "10,000"
    app.selectbox(key="model").set_value("Llama-4-Scout").run()
    assert not app.exception
    assert sentences(app) == []
    assert readouts(app)["base"] == "500,000"


@pytest.mark.parametrize(
    ("name", "words", "first", "last"),
    [
        ("MPT-7B", "ALiBi", 2**-0.25, 2**-8.0),
        ("T5", "T5", 1.0, 31.0),
        ("GPT-2", "learned", 1.0, 1023.0),
    ],
)
def test_models_without_rotation(name, words, first, last) -> None:
    app = open_screen("config", model=name)
    assert any("do not rotate" in block.value and words in block.value for block in app.markdown)
    values = np.asarray(figures(app)[0][0]["data"][0]["y"])
    assert values[[0, -1]] == pytest.approx([first, last])


def test_a_pasted_file_is_read_and_stays() -> None:
    text = json.dumps({**LLAMA, "rope_scaling": {"rope_type": "yarn", "factor": 2.0}})
    app = pasted(text, tab="Code")
    assert sentences(app) == []
    assert any("**Warning.**" in block.value for block in app.markdown)
    check_snippet(app)
    app.switch_page("pages/alibi.py").run()
    app.switch_page("pages/config.py").run()
    assert app.text_area(key="_config").value == text


def test_a_trailing_comma_is_named_with_its_place() -> None:
    text = '{\n  "model_type": "llama",\n  "rope_theta": 10000.0,\n}'
    app = pasted(text)
    expected = "config.json is not JSON at line 4, column 1: no comma is allowed before }."
    assert sentences(app) == [expected]
    assert app.text_area(key="_config").value == text


HOSTILE = {
    "a million bytes": ("x" * (2**20 + 1), "at most 1048576 bytes, got 1048577"),
    "deep": ("[" * 100000, "at most 64 levels deep"),
    "deep and closed": ('{"a":' * 100 + "1" + "}" * 100, "at most 64 levels deep"),
    "many digits": ('{"rope_theta": ' + "9" * 400 + "}", "at most 40 digits, got 400 digits"),
    "infinite": ('{"rope_theta": 1e999}', "finite numbers, got 1e999"),
    "NaN": ('{"rope_theta": NaN}', "finite numbers, got NaN"),
    "twice": ('{"rope_theta": 1, "rope_theta": 2}', "'rope_theta' twice"),
    "a list": ("[1]", "got a list"),
    "half a character": ('{"a": "\\ud800"}', "valid Unicode"),
    "a word": (json.dumps({**LLAMA, "rope_theta": "many"}), "rope_theta must be"),
    "markup": (json.dumps({**LLAMA, "rope_theta": "![](//a.b)"}), "rope_theta must be"),
    "an object": (json.dumps({**LLAMA, "hidden_size": {}}), "hidden_size must be"),
    "many types": (
        json.dumps({**LLAMA, "rope_parameters": {f"t{i}": {} for i in range(1000)}}),
        "layer types must be an integer from 0 to 16, got 1000",
    ),
    "wide": (json.dumps({**LLAMA, "head_dim": 65536}), "1 to 4096 numbers"),
}


@pytest.mark.parametrize(("text", "words"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_pastes_get_a_sentence(text, words) -> None:
    app = pasted(text)
    assert not app.exception
    assert len(sentences(app)) == 1
    assert words in sentences(app)[0]
    assert "![" not in sentences(app)[0]


def test_an_empty_field_asks_for_a_file() -> None:
    app = open_screen("config", model=OWN)
    assert sentences(app) == []
    assert "Paste the content" in app.info[0].value


def test_long_lists_stand_on_one_line() -> None:
    new, old, vllm, _ = blocks(open_screen("config", model="Phi-3-mini-128k"))
    lists = known_models()["Phi-3-mini-128k"].config["rope_scaling"]
    for written in (json.loads(new)["rope_parameters"], json.loads(old)["rope_scaling"]):
        assert written["short_factor"] == lists["short_factor"]
        assert written["long_factor"] == lists["long_factor"]
    assert max(new.count("\n"), old.count("\n")) < 16
    overrides = json.loads(shlex.split(vllm)[1])
    assert overrides["rope_parameters"]["long_factor"] == lists["long_factor"]


def test_pairs_at_rest_are_left_out() -> None:
    figure, _ = figures(open_screen("config", model="Gemma-4"))[0]
    shown = curves(figure)["proportional"]
    assert np.isnan(shown[64:]).all()
    assert np.isfinite(shown[:64]).all()

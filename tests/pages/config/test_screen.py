"""The screen that reads a config.json shows posenc's numbers and survives any paste."""

import json
import math
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.runtime.uploaded_file_manager import DeletedFile
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner, Result

from advisor import known_models
from advisor.__main__ import app as posenc
from models.results.losses import bits
from models.results.tables import Way, load
from posenc import rope_inv_freq
from posenc.rope.score import rope_score_at_distance
from posenc.scaling.methods import METHODS
from tests.advisor.endpoint.standing import SCALED, Engine, standing
from tests.advisor.inputs import made_gguf
from tests.advisor.inputs.test_link import HOSTILE as HOSTILE_LINKS
from tests.kinds import one_of_each_kind
from tests.pages.drive import (
    address,
    commands,
    curves,
    figures,
    links_of,
    metrics,
    open_screen,
    sentences,
)
from tests.pages.test_screens import check_snippet
from ui.controls import model_config
from ui.controls.model_config import OWN, plain


def rested_on(app: AppTest) -> dict[str, Any]:
    """The first chart below those of the three methods."""
    return next(one for one, _size in figures(app) if not one["key"].startswith("three"))


LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "max_position_embeddings": 131072,
    "rope_theta": 1e6,
}


def pasted(text: str, **query: str) -> AppTest:
    app = open_screen("config", model=OWN, **query)
    return app.text_area(key="config_json").set_value(text).run()


@pytest.mark.parametrize("name", one_of_each_kind())
def test_a_model_of_every_kind_opens(name) -> None:
    app = open_screen("config", model=name, tab="code")
    assert not app.exception
    assert sentences(app) == []
    assert not any(block.value.startswith("**Error") for block in app.markdown)
    source = f"**Where the values come from.** {plain(known_models()[name].source)}"
    assert source in [one.value for one in app.caption]
    if figures(app):
        check_snippet(app)


VIEWS = ("wavelengths", "angles", "resolution", "scores", "short_prompts", "ledger")


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_draws_and_its_snippet_agrees(view) -> None:
    query = {"model": "Llama-2-7B", "target_length": "32768", "tab": "code"}
    app = open_screen("config", view=view, methods=list(METHODS), **query)
    assert not app.exception
    assert sentences(app) == []
    check_snippet(app)


def verdicts(app) -> dict[str, str]:
    """Name of a method to what is said of it."""
    lists = [block.value for block in app.markdown if block.value.startswith("- **")]
    said = lists[-1]  # below the prices of three methods, where these stand
    return {line[4:].split("**")[0]: line for line in said.split("\n")}


def test_what_is_said_of_llama_2_at_32k() -> None:
    app = open_screen(
        "config",
        model="Llama-2-7B",
        target_length="32768",
        methods=["none", "linear", "dynamic_ntk"],
    )
    said = verdicts(app)
    assert "18 pairs meet angles that training never showed, up to 8 times as far" in said["none"]
    assert "slows every pair by a factor of 8." in said["linear"]
    assert "no pair meets an angle" in said["linear"]
    assert "k = 8 is the smallest that covers this length" in said["linear"]
    assert "A prompt of 4,096 tokens is changed too" in said["linear"]
    assert "Neighbouring tokens are 7.81 times closer together" in said["linear"]
    assert "straight across each pair's circle, which shrinks less" in said["linear"]  # so not 8
    assert "Prompts of up to 4,096 tokens are read as in training" in said["dynamic NTK"]


def test_what_training_has_shown_changes_the_verdict() -> None:
    query = {"model": "Llama-3.1-8B", "view": "angles"}
    said = verdicts(open_screen("config", **query, trained_with="unscaled"))
    assert "29 pairs meet angles" in said["as declared"]
    # Of Llama 3.1 it is known that the makers trained with what the file says.
    for more in ({}, {"trained_with": "file"}):
        said = verdicts(open_screen("config", **query, **more))
        assert "leaves every pair as it was trained" in said["as declared"]
    assert "Prompts of up to 8,192 tokens are read as in training" in said["as declared"]


def test_a_method_that_does_not_fit_is_named() -> None:
    app = open_screen("config", methods=["none", "longrope_long"])
    assert sentences(app) == []
    assert list(curves(rested_on(app))) == ["none"]
    assert "does not fit this model" in verdicts(app)["LongRoPE long list"]
    app.multiselect(key="methods").set_value([]).run()
    assert sentences(app) == ["Choose at least one method."]
    assert len(commands(app)) == 2, "the settings stay, and the command that checks them"


def test_the_band_of_the_scores_is_one_deviation_of_the_draws() -> None:
    app = open_screen("config", view="scores", methods=["none"], vectors="independent", seed="3")
    line, band, _mark = rested_on(app)["data"]
    generator = torch.Generator().manual_seed(3)
    query, key = torch.randn(2, 64, 128, generator=generator, dtype=torch.float64)
    at = torch.tensor([int(line["x"][200])])
    plain = rope_inv_freq(128, 500000.0)[0]
    scores = [
        rope_score_at_distance(*pair, plain, at, "half") for pair in zip(query, key, strict=True)
    ]
    deviation = float(torch.cat(scores).std()) / math.sqrt(128)
    assert band["y"][200] - line["y"][200] == pytest.approx(deviation, abs=1e-5)


def test_an_engine_that_cannot_is_said_to_be_one() -> None:
    query = {"model": "Llama-2-7B", "target_length": "32768", "extension": "yarn"}
    app = open_screen("config", **query, engine="exllamav2")
    assert commands(app) == []
    assert any("exllamav2 has --rope_yarn, but" in text.value for text in app.markdown)
    app.selectbox(key="engine").set_value("mlx").run()
    assert json.loads(commands(app)[0])["rope_scaling"]["factor"] == 8
    assert address(app)["engine"] == ["mlx"]
    assert any("mlx-lm 0.32.2 of" in caption.value for caption in app.caption)


def test_a_target_within_training_needs_no_scaling() -> None:
    app = open_screen("config", model="Llama-2-7B", target_length="4096", extension="linear")
    expected = "target_length must be an integer of at least 4097, got 4096."
    assert sentences(app) == [f"{expected} What follows is about the method that is advised."]


def test_layers_that_do_not_rotate_have_no_controls_for_rotation() -> None:
    app = open_screen("config", model="BLOOM-176B", extension="yarn", view="scores")
    assert sentences(app) == []
    keys = {one.key for one in (*app.selectbox, *app.multiselect, *app.get("button_group"))}
    assert keys.isdisjoint({"view", "methods", "trained_with", "extension"})
    assert {one.key for one in app.number_input} == {"batch"}
    rotary = open_screen("config", model="Llama-2-7B")
    keys = {one.key for one in (*rotary.selectbox, *rotary.get("button_group"))}
    assert {"view", "trained_with", "extension"} <= keys
    assert len(figures(app)) == 1


def test_the_headline_is_that_of_the_chosen_engine() -> None:
    app = open_screen("config", model="Mistral-7B-v0.1", engine="llama_cpp")
    assert app.header[0].value == "No setting for llama.cpp at 32,768 tokens."
    assert any("has no windows for mistral" in one.value for one in app.markdown)
    assert not commands(app)
    app.selectbox(key="engine").set_value("vllm").run()
    assert app.header[0].value.startswith("No scaling: every layer that rotates sees a window")
    assert commands(app)[0] == "vllm serve mistralai/Mistral-7B-v0.1 --max-model-len 32768"


def test_the_card_holds_what_the_chosen_engine_reserves() -> None:
    asked = {"model": "Gemma-3-12B", "target_length": "524288"}
    app = open_screen("config", engine="sglang", **asked)
    (told,) = [block.value for block in app.markdown if "× H100" in block.value]
    assert told.startswith("**4 × H100 hold weights and cache in SGLang**, with ")
    assert "What the layers need would fit on 1." in told
    app.selectbox(key="engine").set_value("transformers_5").run()
    assert any("**One H100 holds weights and cache in tr" in one.value for one in app.markdown)


def test_more_than_eight_cards_are_several_machines() -> None:
    asked = {"model": "DeepSeek-V3", "target_length": "131072", "card": "h100"}
    app = open_screen("config", engine="vllm", **asked)
    (told,) = [block.value for block in app.markdown if "× H100" in block.value]
    assert told.startswith("**16 × H100 hold weights and cache in vLLM**, with ")
    assert (
        "Each holds 39.2 GiB of weights and 4.3 GiB of the cache. They are 2 machines of 8." in told
    )
    assert "`--tensor-parallel-size 8 --pipeline-parallel-size 2`" in told
    app.selectbox(key="card").set_value("h200").run()
    (told,) = [block.value for block in app.markdown if "× H200" in block.value]
    assert told.startswith("**8 × H200 hold weights and cache in vLLM**, with ")
    assert "`--tensor-parallel-size 8`." in told
    app.selectbox(key="card").set_value("h100").run()
    app.selectbox(key="engine").set_value("sglang").run()
    (told,) = [block.value for block in app.markdown if "× H100" in block.value]
    assert "`--tp-size 16 --nnodes 2 --node-rank N --dist-init-addr HOST:PORT`" in told


def test_layers_that_differ() -> None:
    app = open_screen("config", model="Gemma-3-12B", trained_with="unscaled")
    assert metrics(app)["base"] == "1,000,000"
    assert any("no trained length apart" in block.value for block in app.markdown)
    app.selectbox(key="layer_type").set_value("sliding_attention").run()
    assert not any("no trained length apart" in block.value for block in app.markdown)
    assert metrics(app)["base"] == "10,000"
    app.selectbox(key="model").set_value("Llama-4-Scout").run()
    assert not app.exception
    assert sentences(app) == []
    assert metrics(app)["base"] == "500,000"


def test_a_pasted_file_is_read_and_stays() -> None:
    text = json.dumps({**LLAMA, "rope_scaling": {"rope_type": "yarn", "factor": 2.0}})
    app = pasted(text, tab="code")
    assert sentences(app) == []
    assert any("**Warning.**" in block.value for block in app.markdown)
    check_snippet(app)
    app.switch_page("pages/alibi/screen.py").run()
    app.switch_page("pages/config/screen.py").run()
    assert app.text_area(key="config_json").value == text


def test_a_file_that_did_not_reach_the_server_is_a_sentence(monkeypatch) -> None:
    value = SimpleNamespace(text="", files=[DeletedFile("gone")])
    state = {model_config.GIVEN: value, model_config.TEXT: "as it was"}
    monkeypatch.setattr(model_config.st, "session_state", state)
    model_config._take()
    assert state["_app"]["_given_problem"].startswith("The file has not reached the server")
    assert state[model_config.TEXT] == "as it was"


def test_a_file_that_is_too_large_is_told_and_the_model_stays(monkeypatch) -> None:
    """The browser keeps back what is too large, and sends what is left: nothing."""
    state = {model_config.GIVEN: SimpleNamespace(text="", files=[]), model_config.TEXT: "as it was"}
    monkeypatch.setattr(model_config.st, "session_state", state)
    model_config._take()
    assert "at most 16 MB" in state["_app"]["_given_problem"]
    assert state[model_config.TEXT] == "as it was"
    assert "model" not in state


def given(app: AppTest, text: str = "", **file: bytes) -> AppTest:
    """The app after a reader has filled the field at the top."""
    field = app.chat_input(key="given").set_value(text)
    for ending, content in file.items():
        field.upload(f"model.{ending}", content)
    return app.run()


def test_a_dropped_file_is_read_and_shown_in_the_field() -> None:
    text = json.dumps({**LLAMA, "rope_theta": 250000.0, "unknown": [1]}, indent=1)
    app = given(open_screen("config"), json=text.encode())
    assert sentences(app) == []
    assert app.text_area(key="config_json").value == text
    assert metrics(app)["base"] == "250,000"
    app = given(app, "16k", json=text.encode())
    assert app.text_input(key="target_length").value == "16384"
    app = given(app, text + "\n 8k")
    assert sentences(app) == []
    assert app.text_input(key="target_length").value == "8192"
    assert app.text_area(key="config_json").value == text
    app = given(app, json=b"\x89PNG\r\n\x1a\n" + bytes(40))
    assert "a picture (PNG)" in sentences(app)[0]
    assert app.text_area(key="config_json").value == text
    app = given(app, json=b"\xff{}")
    assert "UTF-8 text, got byte 0xff" in sentences(app)[0]
    assert app.text_area(key="config_json").value == text


def test_a_gguf_header_is_read_and_shown_in_the_field(tmp_path) -> None:
    counts = {"context_length": 8192, "embedding_length": 576, "attention.head_count": 9}
    data = made_gguf.written(tmp_path, "llama", counts, {"rope.freq_base": 123456.0}, tokens=50)
    app = given(open_screen("config"), gguf=data)
    assert sentences(app) == []
    assert metrics(app)["base"] == "123,456"
    assert '"llama.rope.freq_base": 123456.0' in app.text_area(key="config_json").value
    assert any("interleaved pairs" in caption.value for caption in app.caption)
    app = given(app, gguf=b"GGUF\x01\0\0\0")
    assert sentences(app)[0].endswith("of version 2 or 3, got 1.")


def test_what_is_pasted_or_named_at_the_top_leads_to_its_line() -> None:
    app = given(open_screen("config"), "Qwen/qwen3-8b")
    assert sentences(app) == []
    assert app.selectbox(key="model").value == "Qwen3-8B"
    assert address(app)["model"] == ["Qwen3-8B"]
    assert commands(app)[0] == "vllm serve Qwen/Qwen3-8B --max-model-len 40960"
    app.text_input(key="target_length").set_value("131072").run()
    assert commands(app)[0].endswith("--max-model-len 131072")
    app = given(app, json.dumps(LLAMA, indent=2))
    assert sentences(app) == []
    assert app.selectbox(key="model").value == OWN
    assert metrics(app)["base"] == "1,000,000"
    app = given(app, json.dumps({**LLAMA, "rope_theta": 30000.0}))
    assert metrics(app)["base"] == "30,000"


def test_a_name_that_nobody_has_changes_nothing() -> None:
    app = given(open_screen("config", model="Llama-2-7B"), "Qwen3-9B")
    (said,) = sentences(app)
    assert "Qwen3-8B" in said
    assert "stays" not in said, "no answer stands below it"
    assert app.selectbox(key="model").value == "Llama-2-7B"
    # No earlier answer stands below it, until the reader goes on with the model.
    assert not figures(app)
    assert not any(block.value.startswith(("**Sure", "**Likely")) for block in app.markdown)
    (again,) = [one for one in app.button if one.label == "Back to Llama-2-7B"]
    app = again.click().run()
    assert sentences(app) == []
    assert figures(app)
    assert sentences(given(app, "Qwen3-8B")) == []
    (said,) = sentences(given(app, "Qwen3-8B 2.5.1k"))
    assert "must be a number of tokens" in said


@pytest.mark.parametrize(
    ("typed", "name", "length"),
    [
        ("qwen3 8b at 64k", "qwen3 8b", "65536"),
        ("Qwen3-8B with 64k context", "Qwen3-8B", "65536"),
        ("Qwen3-8B with a context of 64K tokens", "Qwen3-8B", "65536"),
        ("Qwen3-8B up to 131,072", "Qwen3-8B", "131072"),
        ("Qwen3-8B for  1m", "Qwen3-8B", "1048576"),
        ("Phi 4 to 32k", "Phi 4", "32768"),
        ("Qwen2.5-7B-Instruct with YaRN 64k", "Qwen2.5-7B-Instruct with YaRN", "65536"),
        ("Phi 4", "Phi 4", None),
        ("Yarn-Llama-2-7b-64k", "Yarn-Llama-2-7b-64k", None),
    ],
)
def test_words_around_a_length_are_no_part_of_the_name(
    typed: str, name: str, length: str | None
) -> None:
    assert model_config._split(typed) == (name, {"target_length": length} if length else {})


def test_a_name_with_a_length_is_one_step_to_the_line() -> None:
    for typed in ("qwen3-8b 128k", "Qwen3-8B 131,072", "qwen3 8b at 128k"):
        app = given(open_screen("config"), typed)
        assert commands(app)[0].startswith("vllm serve Qwen/Qwen3-8B --hf-overrides")
        assert commands(app)[0].endswith("--max-model-len 131072")
    app = given(app, "Qwen2.5-7B-Instruct with YaRN")
    assert app.selectbox(key="model").value == "Qwen2.5-7B-Instruct with YaRN"
    assert app.text_input(key="target_length").value == "131072"


def test_flags_stand_alone_where_the_weights_are_unknown() -> None:
    app = given(open_screen("config"), "Aya-23-8B 16k")
    assert commands(app)[0].startswith("--")
    place = "after vllm serve MODEL (MODEL: the repository or folder of Aya-23-8B):"
    assert any(place in one.value for one in app.markdown)
    app = open_screen("config", model="qwen3-8b", target="131072", engine="llama_cpp")
    assert not commands(app)[0].startswith("vllm")
    assert "Qwen/" not in commands(app)[0]


def test_a_short_address_says_model_length_and_engine() -> None:
    app = open_screen("config", model="qwen3-8b", target="131072", engine="vllm")
    assert sentences(app) == []
    assert "131,072" in app.header[0].value
    assert commands(app)[0].startswith("vllm serve Qwen/Qwen3-8B --hf-overrides")
    assert address(app)["target_length"] == ["131072"]
    assert "target" not in address(app)
    assert app.chat_input(key="given").placeholder.startswith("1 · Paste")
    steps = [one.value for one in app.caption if "·" in one.value]
    assert steps[:2] == [
        "**2 · The advice for Qwen3-8B**, by its config.json",
        "**3 · Start and check**",
    ]
    app = open_screen("config", model="qwen3-8b", target="128k")
    assert sentences(app) == []
    assert commands(app)[0].endswith("--max-model-len 131072")
    assert address(app)["target_length"] == ["131072"]


def test_a_target_is_typed_as_on_the_command_line() -> None:
    app = open_screen("config", model="Qwen3-8B")
    field = app.text_input(key="target_length")
    assert (field.value, field.placeholder) == ("", "as declared")
    for typed, length in (("64k", 65536), ("131,072", 131072), ("131k", 131072), ("1M", 2**20)):
        app = app.text_input(key="target_length").set_value(typed).run()
        assert sentences(app) == []
        assert commands(app)[0].endswith(f"--max-model-len {length}")
        assert address(app)["target_length"] == [str(length)]
    app = app.text_input(key="target_length").set_value("").run()
    assert commands(app)[0] == "vllm serve Qwen/Qwen3-8B --max-model-len 40960"
    assert "target_length" not in address(app)


BAD_TARGETS = ("64x", "twelve", "1", "-5", "1e30", "k", "nan", "<b>")


def test_a_bad_target_is_told_in_the_words_of_its_label() -> None:
    app = open_screen("config", model="Qwen3-8B", target="64k")
    for typed in BAD_TARGETS:
        app = app.text_input(key="target_length").set_value(typed).run()
        (said,) = sentences(app)
        assert said.startswith("Target length L must be"), typed
        assert said.endswith("It stays at 64k."), typed
        assert app.text_input(key="target_length").value == "64k", typed
        assert commands(app)[0].endswith("--max-model-len 65536"), typed
    assert sentences(app.run()) == []


@pytest.mark.parametrize("typed", BAD_TARGETS)
def test_a_bad_target_in_an_address_leaves_the_field_empty(typed: str) -> None:
    (said,) = sentences(open_screen("config", target=typed))
    assert said.startswith("Target length L must be")
    assert said.endswith("The field is empty, which means as declared.")


def test_a_further_size_keeps_its_name_and_its_source() -> None:
    app = given(open_screen("config"), "Gemma-3-27B 128k")
    assert sentences(app) == []
    assert app.text_area(key="config_json").value == "Gemma-3-27B"
    source = "**Where the values come from.** Shape assumed"
    assert any(one.value.startswith(source) for one in app.caption)
    assert "posenc check http://localhost:8000 Gemma-3-27B --target 131072" in commands(app)
    other = open_screen("config", **{name: value[0] for name, value in address(app).items()})
    assert commands(other) == commands(app)


def test_a_model_that_is_named_is_called_by_its_name() -> None:
    app = given(open_screen("config"), "Qwen/Qwen3-4B-Instruct-2507 64k")
    assert commands(app)[0].startswith("vllm serve Qwen/Qwen3-4B-Instruct-2507 --")
    said = [one.value for one in app.caption]
    assert "**2 · The advice for Qwen/Qwen3-4B-Instruct-2507**" in said
    # What a shell would take for more than a name stands in no command.
    app = given(app, "a;b/Qwen3-4B-Instruct-2507 64k")
    assert commands(app)[0].startswith("--max-model-len")
    app = given(app, json.dumps(LLAMA))
    assert "**2 · The advice for your file**" in [one.value for one in app.caption]


def test_an_unlisted_name_in_the_address_is_read_as_typed() -> None:
    app = open_screen("config", model="Phi-3-mini-4k", target_length="16384")
    assert sentences(app) == []
    assert app.selectbox(key="model").value == OWN
    assert app.text_area(key="config_json").value == "Phi-3-mini-4k"
    assert "Phi-3-mini-4k" in app.selectbox(key="model").options, "not: your own file"
    assert "a window of 2,047 tokens" in app.header[0].value
    app = open_screen("config", model="qwen/qwen3-8b-instruct")
    assert app.selectbox(key="model").value == "Qwen3-8B"
    app = open_screen("config", model="Nobody-9B")
    (said,) = sentences(app)
    assert said.startswith("Nobody-9B is none of the known models")
    assert said.endswith("Shown is Llama-3.1-8B.")


def test_a_length_after_a_name_in_the_address_is_read() -> None:
    app = open_screen("config", model="qwen3 8b at 64k")
    assert sentences(app) == []
    assert commands(app)[0].endswith("--max-model-len 65536")
    assert address(app) == {"model": ["Qwen3-8B"], "target_length": ["65536"]}
    app = open_screen("config", model="Gemma-3-27B 64k", target="128k")
    assert app.text_area(key="config_json").value == "Gemma-3-27B"
    assert address(app)["target_length"] == ["131072"]


def test_a_model_named_in_an_error_is_chosen_by_its_button() -> None:
    app = given(open_screen("config", target_length="100000"), "Qwen3-9B with 128k context")
    assert "the nearest are" in sentences(app)[0]
    button = next(one for one in app.button if one.label == "Qwen3-8B")
    assert button.label in sentences(app)[0]
    app = button.click().run()
    assert sentences(app) == []
    assert app.selectbox(key="model").value == "Qwen3-8B"
    assert app.text_input(key="target_length").value == "131072"
    app = given(app, "Qwen3-9B")
    app = next(one for one in app.button if one.label == "Qwen3-8B").click().run()
    assert app.text_input(key="target_length").value == "131072"


def test_a_pasted_file_drops_the_last_models_target() -> None:
    app = open_screen("config", model="Qwen3-8B", target_length="131072")
    app = given(app, json.dumps({**LLAMA, "max_position_embeddings": 8192}))
    assert app.text_input(key="target_length").value == ""
    assert "8,192" in app.header[0].value


def test_a_name_and_a_params_json_are_read_too() -> None:
    assert metrics(pasted("mistralai/Mistral-7B-v0.1"))["base"] == "10,000"
    assert "nearest are Llama-3.1-8B" in sentences(pasted("Llama-3.1-9B"))[0]
    app = pasted('{"dim": 4096, "n_layers": 32, "n_heads": 32, "rope_theta": 250000}', tab="code")
    assert metrics(app)["base"] == "250,000"
    check_snippet(app)
    assert "a tokenizer's configuration" in sentences(pasted('{"tokenizer_class": "X"}'))[0]


def test_a_link_shows_the_same_to_others() -> None:
    text = json.dumps({**LLAMA, "rope_theta": 250000.0, "use_cache": True}, indent=2)
    app = pasted(text)
    link = address(app)
    assert len(link["config_json"][0]) < 250
    other = open_screen("config", **{name: value[0] for name, value in link.items()})
    assert sentences(other) == []
    assert metrics(other) == metrics(app)
    assert commands(other) == commands(app)
    assert "use_cache" not in other.text_area(key="config_json").value
    assert address(other) == link
    app.text_area(key="config_json").set_value("{").run()
    assert "config_json" not in address(app)
    app.selectbox(key="model").set_value("Llama-2-7B").run()
    assert address(app) == {"model": ["Llama-2-7B"]}


def test_a_hostile_link_gets_one_sentence_and_an_empty_field() -> None:
    link, words = HOSTILE_LINKS["a bomb"]
    app = open_screen("config", model=OWN, config_json=link)
    assert not app.exception
    assert len(sentences(app)) == 1
    assert words in sentences(app)[0]
    assert "The field for a file stays as it was." in sentences(app)[0]
    assert app.text_area(key="config_json").value == ""
    assert "config_json" not in address(app)


def test_markup_in_a_paste_stays_text() -> None:
    """What else is refused: tests/advisor/test_text.py and reader/test_hostile.py."""
    app = pasted(json.dumps({**LLAMA, "rope_theta": "![](//a.b)"}))
    assert not app.exception
    (sentence,) = sentences(app)
    assert "rope_theta must be" in sentence
    assert "![" not in sentence


def test_a_scaling_beyond_counting_gets_a_sentence() -> None:
    scaling = {"rope_type": "yarn", "factor": 1e9, "original_max_position_embeddings": 10**11}
    text = json.dumps({**LLAMA, "rope_scaling": scaling})
    app = pasted(text, trained_with="file", target_length="1000000")
    assert not app.exception
    assert "must reach at most 1,000,000,000,000 tokens" in sentences(app)[-1]


def test_an_empty_field_asks_for_a_file() -> None:
    app = open_screen("config", model=OWN)
    assert sentences(app) == []
    assert "Paste or drop" in app.info[0].value


def test_how_to_see_that_it_took_effect_stands_beside_the_line() -> None:
    query = {"model": "Qwen3-8B", "target_length": "131072"}
    for engine, port, look in (
        ("vllm", 8000, "Using max model len"),
        ("llama_cpp", 8080, "n_ctx_slot"),
    ):
        app = open_screen("config", **query, engine=engine)
        asked = f"posenc check http://localhost:{port} Qwen3-8B --target 131072"
        assert commands(app)[1] == asked
        (fold,) = [one for one in app.expander if one.label == "Did it take effect?"]
        words = fold.markdown[0].value
        assert look in words
        assert "whether positions are scaled, it does not say" in words


UNKNOWN = json.dumps({**LLAMA, "model_type": "nobodys", "num_hidden_layers": 32})


def checked(app: AppTest, url: str) -> Result:
    """The line to check with, run as it stands, for a server at its usual port."""
    _, command, _, *rest = shlex.split(commands(app)[1])
    return CliRunner().invoke(posenc, [command, url, *rest])


def test_the_line_to_check_with_runs_as_it_stands(tmp_path, monkeypatch) -> None:
    """From a folder without the model's file too, and for a file that is read as another."""
    monkeypatch.chdir(tmp_path)
    app = open_screen("config", model="SmolLM2-135M", target_length="16384", engine="vllm")
    with standing(Engine(SCALED, admits=16384, reads=16384)) as url:
        found = checked(app, url)
        assert found.exit_code == 0, found.output
        assert "held against what is advised for 16,384" in found.stderr
        assert "right     length   The server admits to 16,384 tokens" in found.stdout

        app = pasted(UNKNOWN, read_as="llama", target_length="262144", engine="llama_cpp")
        found = checked(app, url)
        assert found.exit_code == 2
        assert found.stderr.startswith("config.json cannot be read: there is no such file here.")
        Path("config.json").write_text(UNKNOWN)
        found = checked(app, url)
        assert "held against what is advised for 262,144" in found.stderr
        assert "WRONG     length   Capped: the server admits to 16,384" in found.stdout


def test_a_model_that_is_not_known_can_be_read_as_one_that_is() -> None:
    app = pasted(UNKNOWN)
    assert "No advice" in app.warning[0].value
    assert not commands(app)
    app = app.selectbox(key="read_as").set_value("llama").run()
    assert not app.exception
    assert not app.warning
    told = "The file is read as llama because that was asked for"
    # Beside the headline, among the findings, under the settings.
    assert sum(told in plain_text.value for plain_text in app.markdown) == 3
    assert any("A guess" in one.value for one in app.markdown)
    assert commands(app)
    assert "Read as llama, as you asked." in " ".join(one.value for one in app.caption)
    assert address(app)["read_as"] == ["llama"]
    # A model that is known is not asked for.
    assert not [one for one in pasted(json.dumps(LLAMA)).selectbox if one.key == "read_as"]


def test_links_to_other_screens_have_the_models_numbers() -> None:
    app = open_screen("config", model="Llama-2-7B", target_length="32768")
    links = {one.proto.page.rpartition("/")[2]: one.proto.query_string for one in links_of(app)}
    assert links["scaling"].endswith(
        "head_dim=128&rotary_dim=0&base=10000.0&train_length=4096&factor=8"
    )
    assert "trained_length=4096&rotary_dim=128&rope_base=10000.0&prompt=4096" in links["kv_cache"]


def test_three_measured_methods_stand_under_the_advice() -> None:
    app = open_screen("config", model="Llama-2-7B", target_length="32768")
    assert not app.exception
    analytic, found = figures(app)[0][0], figures(app)[1][0]
    assert analytic["layout"]["title"]["text"].startswith("Llama-2-7B at 32,768 tokens")
    slowed = curves(analytic)
    assert list(slowed) == ["linear", "NTK-aware", "YaRN"]
    np.testing.assert_allclose(slowed["linear"], 8, rtol=1e-6)
    np.testing.assert_allclose(slowed["NTK-aware"], 8 ** (np.arange(64) / 63), rtol=1e-5)
    assert "(measured)" in found["layout"]["title"]["text"].replace("<br>", " ")
    dots = curves(found)
    assert list(dots) == ["as trained", "linear", "NTK-aware", "YaRN"]
    data = load()
    for at, (times, length) in enumerate(((2.0, 16384), (4.0, 32768))):
        ways = [Way("linear", times), Way("ntk", times), Way("yarn", times), Way("none", 1.0)]
        its = bits(data, length, ways, cut=True)
        expected = its.between(ways[0], data.about.trained, length).mean()
        assert dots["linear"][at] == pytest.approx(expected, rel=1e-6)
    assert "not measured" in str(found["layout"]["shapes"]), "eight times was not"
    prices = next(one.value for one in app.markdown if "**linear** crowds" in one.value)
    assert "**NTK-aware** leaves" in prices
    assert "**YaRN** does neither" in prices


def test_no_methods_are_compared_where_nothing_is_stretched() -> None:
    app = open_screen("config", model="Llama-2-7B", target_length="4096")
    assert "three" not in [one["key"] for one, _size in figures(app)]

"""python -m posenc explain: a document that keeps its schema, and sentences for bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from posenc import RopeConfig, known_models
from posenc.__main__ import app
from posenc.config.engines.readings import engine_readings
from posenc.config.explain import explain, schema
from posenc.config.explain_text import text

ORIGINAL = "original_max_position_embeddings"
QWEN = known_models()["Qwen2.5-7B-Instruct with YaRN"].config
LLAMA = known_models()["Llama-2-7B"].config
VALIDATOR = jsonschema.Draft202012Validator(schema())


def run(*arguments: str, stdin: str | bytes | None = None) -> Any:
    return CliRunner().invoke(app, ["explain", *arguments], input=stdin)


def known(name: str) -> RopeConfig:
    return RopeConfig.from_hf(known_models()[name].config)


def strict(document: str) -> dict:
    """As strict readers read it: no NaN, no Infinity."""

    def refuse(word: str) -> float:
        raise AssertionError(word)

    return json.loads(document, parse_constant=refuse)


# The document


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("target", [None, 2, 1_000_000])
@pytest.mark.parametrize("name", known_models())
def test_known_models_keep_the_schema(name: str, target: int | None) -> None:
    document = explain(known(name), target)
    VALIDATOR.validate(strict(json.dumps(document, allow_nan=False)))
    assert text(document).startswith("model type")


def test_the_schema_can_be_broken() -> None:
    document = explain(known("Llama-2-7B"))
    for spoil in (
        lambda d: d.pop("findings"),
        lambda d: d.update(more=1),
        lambda d: d["layers"][0].update(layout="neox"),
        lambda d: d["layers"][0]["pairs"][0].update(frequency=0),
        lambda d: d["layers"][0]["methods"][0].update(attention_factor=None),
        lambda d: d["settings"].update(vllm="--max-model-len 4096"),
    ):
        copy = json.loads(json.dumps(document))
        spoil(copy)
        assert not VALIDATOR.is_valid(copy)


@settings(max_examples=25)
@given(
    parameters=st.fixed_dictionaries(
        {"rope_type": st.sampled_from(["default", "linear", "dynamic", "yarn", "llama3"])},
        optional={
            "rope_theta": st.floats(1.5, 1e15),
            "factor": st.floats(1, 1e9),
            "low_freq_factor": st.floats(0.1, 1),
            "high_freq_factor": st.floats(1, 10),
            "attention_factor": st.floats(0, 1e9),
            "beta_fast": st.floats(1, 1e6),
            ORIGINAL: st.integers(1, 10**12),
        },
    ),
    length=st.integers(1, 10**12),
    target=st.none() | st.integers(2, 10**12),
    head_dim=st.integers(1, 64).map(lambda half: 2 * half),
)
def test_any_file_that_is_read_keeps_the_schema(parameters, length, target, head_dim) -> None:
    fields = {"head_dim": head_dim, "max_position_embeddings": length}
    try:
        config = RopeConfig.from_hf({**fields, "rope_parameters": parameters})
    except ValueError:
        return
    document = explain(config, target)
    VALIDATOR.validate(strict(json.dumps(document, allow_nan=False)))
    assert text(document)


def test_the_numbers_are_those_of_the_layer() -> None:
    layer = explain(RopeConfig.from_hf(QWEN), 131072)["layers"][0]
    inv_freq, factor = RopeConfig.from_hf(QWEN).rotary["all"].frequencies(131072)
    scaled = [pair["scaled_frequency"] for pair in layer["pairs"]]
    assert scaled == inv_freq.tolist()
    assert layer["temperature"]["attention_factor"] == factor == pytest.approx(1.138629436112)
    assert layer["temperature"]["score_factor"] == pytest.approx(1.2964769928)
    methods = {method["name"]: method for method in layer["methods"]}
    counts = {name: method["pairs_with_new_angles"] for name, method in methods.items()}
    # 24 of the 64 pairs of Qwen2.5 make no full turn within 32768 tokens.
    assert counts["none"] == sum(pair["turns_in_training"] < 1 for pair in layer["pairs"]) == 24
    assert counts["the file"] == counts["linear"] == counts["YaRN"] == 0
    assert methods["NTK-aware"]["slowest_slowed"] == pytest.approx(4)


def test_deepseek_has_its_temperature_on_the_softmax() -> None:
    temperature = explain(known("DeepSeek-V3"))["layers"][0]["temperature"]
    assert temperature["attention_factor"] == 1
    assert temperature["softmax_scale"] == pytest.approx(0.135233779, abs=1e-9)


def test_a_pair_at_rest_has_no_wavelength() -> None:
    full = explain(known("Gemma-4"))["layers"][1]
    last = full["pairs"][-1]
    assert (last["scaled_frequency"], last["scaled_wavelength"], last["slowed"]) == (0, None, None)


def test_settings_reach_the_target() -> None:
    document = explain(RopeConfig.from_hf(LLAMA), 32768)
    assert document["settings"]["of"] == "the file with YaRN to 32768 tokens"
    written = document["settings"]["transformers_5"]
    layer = RopeConfig.from_hf({**LLAMA, "rope_theta": None, **written}).rotary["all"]
    assert (layer.rope_type, layer.scaling.factor, layer.target_length) == ("yarn", 8, 32768)
    assert explain(RopeConfig.from_hf(LLAMA), 4096)["settings"]["of"] == "the file"
    # Layers with a window never see further than it.
    source = json.loads(json.dumps(known_models()["Gemma-3-12B"].config))
    source["text_config"]["rope_scaling"][ORIGINAL] = 32768
    gemma = explain(RopeConfig.from_hf(source), 1_000_000)["settings"]["transformers_5"]
    kinds = gemma["text_config"]["rope_parameters"]
    assert kinds["sliding_attention"]["rope_type"] == "default"
    assert kinds["full_attention"]["rope_type"] == "yarn"


def test_settings_that_cannot_be_written_say_why() -> None:
    settings = explain(known("LongChat-7b-16k"), 65536)["settings"]
    assert settings["of"] == "the file"
    assert any("original_max_position_embeddings must be given" in n for n in settings["notes"])
    dynamic = RopeConfig.from_hf({**LLAMA, "rope_scaling": {"type": "dynamic", "factor": 2.0}})
    settings = explain(dynamic)["settings"]
    assert settings["llama_cpp"] is None
    assert settings["notes"] == [
        "llama.cpp: rope_type must be one that llama.cpp knows, got 'dynamic'."
    ]


def test_what_transformers_refuses_is_said_beside_the_settings() -> None:
    document = explain(known("Phi-4"), 65536)
    assert document["settings"]["of"] == "the file with YaRN to 65536 tokens"
    assert any("refuses to load a phi3 file" in note for note in document["settings"]["notes"])
    assert explain(known("Phi-4"))["settings"]["notes"] == []
    # Mixtral's class has no head_dim, and YaRN fails without.
    mixtral = explain(known("Mixtral-8x7B"), 131072)["settings"]
    assert mixtral["transformers_5"]["head_dim"] == 128
    assert mixtral["notes"] == []


# Which field counts


def test_the_factor_that_transformers_4_ignored() -> None:
    new, old, vllm, llama = engine_readings(RopeConfig.from_hf(QWEN), "all")
    assert (new.trained_length, new.factor, new.longest) == (32768, 4, 32768)
    assert (old.trained_length, old.factor, old.longest) == (32768, 1, 32768)
    assert (vllm.factor, vllm.longest) == (4, 131072)
    assert (llama.factor, llama.longest) == (4, 32768)
    assert new.factor_from == "rope_scaling.factor"
    assert "whatever factor says" in old.factor_from


def test_vllm_multiplies_the_declared_length_by_a_linear_factor() -> None:
    new, _, vllm, _ = engine_readings(known("LongChat-7b-16k"), "all")
    assert (new.longest, vllm.longest) == (16384, 131072)
    # llama3 and longrope already declare the longer length.
    assert engine_readings(known("Llama-3.1-8B"), "all")[2].longest == 131072
    assert engine_readings(known("Phi-3-mini-128k"), "all")[2].longest == 131072


@pytest.mark.parametrize(
    ("top", "own", "expected"),
    [
        (None, None, (131072, "max_position_embeddings")),
        (None, 32768, (32768, f"rope_scaling.{ORIGINAL}")),
        (16384, 32768, (16384, ORIGINAL)),
        (16384, None, (16384, ORIGINAL)),
    ],
)
def test_which_trained_length_counts_in_transformers_5(top, own, expected) -> None:
    scaling = {"rope_type": "yarn", "factor": 4.0, **({ORIGINAL: own} if own else {})}
    fields = {**QWEN, "max_position_embeddings": 131072, "rope_scaling": scaling}
    config = RopeConfig.from_hf({**fields, **({ORIGINAL: top} if top else {})})
    reading = engine_readings(config, "all")[0]
    assert (reading.trained_length, reading.trained_from) == expected
    assert reading.trained_length == config.rotary["all"].scaling.original_length


# The command


def test_text_for_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(QWEN))
    result = run(str(file), "--target", "131072")
    assert result.exit_code == 0, result.output
    for words in (
        "trained length   32,768",
        "reaches          131,072",
        "half layout, base 1000000",
        "63    5,063,255.8  20,253,023.2  4",
        "1.0000            6,006              24, up to 4 × as far",
        "transformers 4.51  32,768 (original)  1 (max / original, whatever factor says)",
        "YaRN changes the frequencies of short texts too",
        "--rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 32768",
        "--max-model-len 131072",
    ):
        assert words in result.stdout, words


def test_json_from_standard_input() -> None:
    result = run("-", "--json", stdin=json.dumps(known_models()["Gemma-3-12B"].config))
    document = strict(result.stdout)
    VALIDATOR.validate(document)
    assert [layer["name"] for layer in document["layers"]] == [
        "sliding_attention",
        "full_attention",
    ]


def test_a_finding_that_is_an_error_sets_the_status() -> None:
    wrong = {**LLAMA, "rope_scaling": {"factor": 4.0}}
    result = run("-", stdin=json.dumps(wrong))
    assert result.exit_code == 1
    assert "Error (rope_scaling.rope_type, rope_scaling.factor)" in result.stdout


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("{\n  'a': 1}", "standard input is not JSON at line 2, column 3: names and strings"),
        ('{"a": NaN}', "standard input must hold finite numbers, got NaN"),
        ("[]", "standard input must hold an object"),
        ("", "is not JSON at line 1, column 1: there is nothing in it"),
        ('{"head_dim": 3}', "standard input: head_dim must be an even integer"),
        ('{"head_dim": 64, "rope_theta": "x"}', "rope_theta must be a finite number above 1"),
        (b'{"a": "\xff"}', "standard input is not UTF-8 text: byte 8 "),
        (b" " * (2**20 + 1), "standard input is larger than 1 MiB"),
        ('{"head_dim": 64, "model_type": "\\u001b[31m", "rope_theta": 1}', "rope_theta must"),
    ],
)
def test_bad_input_gets_one_sentence(given, words) -> None:
    result = run("-", stdin=given)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, words in [(tmp_path / "no.json", "No such file"), (tmp_path, "cannot be read")]:
        result = run(str(path))
        assert (result.exit_code, result.stdout) == (2, "")
        assert words in result.stderr
    result = run("-", "--target", "1", stdin=json.dumps(LLAMA))
    assert result.exit_code == 2
    assert "target_length must be an integer from 2" in result.stderr


def test_a_byte_order_mark_is_no_mistake() -> None:
    assert run("-", stdin=b"\xef\xbb\xbf" + json.dumps(LLAMA).encode()).exit_code == 0


def test_a_file_cannot_write_to_the_terminal() -> None:
    result = run("-", stdin=json.dumps({**LLAMA, "model_type": "\x1b[2Jllama"}))
    assert "\x1b" not in result.stdout
    assert "model type    ·[2Jllama" in result.stdout


def test_help_teaches() -> None:
    words = " ".join(run("--help").stdout.split())
    for part in ("standard input", "Exit status: 0, or 1", "angles it has never seen", "--target"):
        assert part in words


def test_as_a_program_and_without_typer(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "posenc", "explain", "-", "--json"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "ascii"}
    given = json.dumps(LLAMA)
    done = subprocess.run(command, input=given, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    VALIDATOR.validate(strict(done.stdout))
    (tmp_path / "typer.py").write_text("raise ImportError")
    environment["PYTHONPATH"] = str(tmp_path)
    done = subprocess.run(command, input=given, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("The command line of posenc needs typer")
    assert done.stderr.count("\n") == 1


def test_the_score_scale_is_what_attention_multiplies_by() -> None:
    # Queries and keys of one direction: both are turned and both carry the attention factor.
    from posenc import apply_rope

    layer = RopeConfig.from_hf(QWEN).rotary["all"]
    inv_freq, factor = layer.frequencies()
    vector = torch.ones(1, 128, dtype=torch.float64)
    turned = apply_rope(vector, torch.tensor([7]), inv_freq, "half", attention_factor=factor)
    score = float((turned @ turned.T).squeeze()) / 128**0.5
    scale = explain(RopeConfig.from_hf(QWEN))["layers"][0]["temperature"]["score_scale"]
    assert score == pytest.approx(scale * float((vector @ vector.T).squeeze()))

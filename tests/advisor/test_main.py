"""posenc explain: text, JSON, exit status, and sentences for bad input."""

import json
import os
import shlex
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from advisor import RopeConfig, known_models
from advisor.__main__ import app
from advisor.report import command
from advisor.report.document import explain, schema
from tests.advisor.files import fields_of, rows
from tests.advisor.inputs.made_gguf import written
from tests.kinds import one_of_each_kind

QWEN = known_models()["Qwen2.5-7B-Instruct with YaRN"].config
LLAMA = known_models()["Llama-2-7B"].config
VALIDATOR = jsonschema.Draft202012Validator(schema())


def run(*arguments: str, stdin: str | bytes | None = None) -> Any:
    return CliRunner().invoke(app, ["explain", *arguments], input=stdin)


def strict(document: str) -> dict:
    """As strict readers read it: no NaN, no Infinity."""

    def refuse(word: str) -> float:
        raise AssertionError(word)

    return json.loads(document, parse_constant=refuse)


@cache
def of_table(arguments: str, file: str) -> Any:
    return run(*shlex.split(arguments), stdin=json.dumps(fields_of(file)) if file else None)


@pytest.mark.parametrize("row", rows(__file__, "said.txt"), ids=lambda row: " | ".join(row))
def test_what_is_said(row: list[str]) -> None:
    arguments, file, status, where, words = row
    result = of_table(arguments, file)
    assert result.exit_code == int(status), result.output
    assert words in {"out": result.stdout, "err": result.stderr, "": ""}[where]
    if result.exit_code == 2:
        assert (result.stdout, result.stderr.count("\n")) == ("", 1)
    assert result.exit_code == 0 or "--print" not in arguments or result.stdout == ""


def test_that_a_model_is_unknown_is_said_once() -> None:
    result = of_table("- --target 8192", '{"model_type":"made_up","head_dim":64}')
    assert (result.exit_code, result.stdout.count("model type made_up is not one of")) == (3, 1)


def test_json_from_standard_input() -> None:
    given = json.dumps(known_models()["Gemma-3-12B"].config).encode("utf-8-sig")
    document = strict(run("-", "--json", stdin=given).stdout)
    VALIDATOR.validate(document)
    assert document["input"]["name"] == "-"
    kinds = [layer["name"] for layer in document["layers"]]
    assert kinds == ["sliding_attention", "full_attention"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        # Every other sentence: tests/advisor/inputs and reader.
        ("{\n  'a': 1}", "standard input is not JSON at line 2, column 3: names and strings"),
        ('{"head_dim": 3}', "standard input: head_dim must be an even integer"),
        (b"GGUF\x01\0\0\0", "standard input: The GGUF file must be of version 2 or 3, got 1"),
        ("Llama-3.1-9B", "nearest are Llama-3.1-8B"),
        (b" " * (2**23 + 1), "standard input is larger than 8 MiB"),
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


def test_several_mistakes_are_read_to_the_first() -> None:
    result = run("-", stdin=json.dumps({**LLAMA, "head_dim": 127, "rope_theta": 0.5}))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "must be" in result.stderr
    assert result.stderr.endswith(
        " Reading stopped there: the file may have more mistakes, and its fields were not compared."
        "\n"
    )
    assert "Reading stopped" not in run("-", stdin="[1, 2]").stderr


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, words in [(tmp_path / "no.json", "Give its path"), (tmp_path, "cannot be read")]:
        result = run(str(path))
        assert (result.exit_code, result.stdout) == (2, "")
        assert words in result.stderr
    result = run("-", "--target", "1", stdin=json.dumps(LLAMA))
    assert result.exit_code == 2
    assert result.stderr.startswith("--target must be an integer from 2")


def test_a_file_cannot_write_to_the_terminal() -> None:
    result = run("-", stdin=json.dumps({**LLAMA, "model_type": "\x1b[2Jllama"}))
    assert "\x1b" not in result.stdout
    assert "model type  ·[2Jllama" in result.stdout


def test_other_things_than_a_config(tmp_path: Path) -> None:
    by_name = run("mistralai/mistral-7b-v0.1", "--json")
    assert by_name.exit_code == 0, by_name.output
    document = strict(by_name.stdout)
    VALIDATOR.validate(document)
    name = "mistralai/mistral-7b-v0.1"
    assert document["input"] == {"kind": "name", "name": name, "notes": ["Read."], "line": []}
    counts = {"context_length": 8192, "embedding_length": 576, "attention.head_count": 9}
    written(tmp_path, "llama", counts, {"rope.freq_base": 100000.0}, tokens=9)
    result = run(str(tmp_path / "model.gguf"))
    assert result.exit_code == 0, result.output
    assert "64 of 64 channels, half layout, base 100000" in result.stdout
    assert "llama.cpp turns interleaved pairs" in result.stdout
    (tmp_path / "params.json").write_text('{"dim": 4096, "n_layers": 32, "n_heads": 32}')
    result = run(str(tmp_path / "params.json"))
    assert "base 1000000" in result.stdout
    assert "128,000 tokens are taken, as in vLLM" in result.stdout


def test_a_diff_changes_the_file_into_the_one_that_is_written(tmp_path: Path) -> None:
    file, written_file = tmp_path / "config.json", tmp_path / "longer.json"
    file.write_text(json.dumps({**LLAMA, "architectures": ["X"]}, indent=2) + "\n")
    asked = (str(file), "--target", "16384", "--method", "yarn")
    result = run(*asked, "--diff", "--write", str(written_file))
    assert result.exit_code == 0, result.output
    changed = json.loads(written_file.read_text())
    expected = {"type": "yarn", "rope_type": "yarn", "factor": 4.0}
    expected["original_max_position_embeddings"] = 4096
    assert changed == {
        **LLAMA,
        "architectures": ["X"],
        "rope_scaling": expected,
        "max_position_embeddings": 16384,
    }
    assert list(changed)[: len(LLAMA)] == list(LLAMA), "fields keep their order"
    patch = tmp_path / "a.diff"
    patch.write_text(result.stdout)
    done = subprocess.run(["git", "apply", "-p0", str(patch)], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert file.read_text() == written_file.read_text()
    again = run(*asked, "--write", str(written_file))
    assert again.exit_code == 2
    assert "longer.json is there already; --force replaces it." in again.stderr
    assert run(*asked, "--write", str(written_file), "--force").exit_code == 0
    assert "cannot be written" in run(*asked, "--write", str(tmp_path), "--force").stderr
    same = run("Llama-3.1-8B", "--diff")
    assert (same.exit_code, same.stdout) == (0, "")


def test_one_engine_in_every_form() -> None:
    result = run("Qwen3-8B", "--target", "131072", "--engine", "vllm")
    assert "vLLM, after vllm serve MODEL" in result.stdout
    assert "llama.cpp, after" not in result.stdout
    brief = run("Qwen3-8B", "--target", "131072").stdout
    assert "llama.cpp, after" in brief
    assert "Ollama" not in brief.partition("Settings of")[2]
    assert "lists their ids), --report md for all.\n\nWhy, and at which cost\n" in brief
    told = run("Qwen3-8B", "--target", "131072", "--engine", "vllm", "--report", "md").stdout
    assert told.startswith("# Qwen3-8B\n\n## At 131,072 tokens\n\n**YaRN, factor 4")
    assert "**vLLM, " in told
    assert "**SGLang, " not in told
    document = strict(run("Qwen3-8B", "--engine", "vllm", "--json").stdout)
    VALIDATOR.validate(document)
    assert [one["id"] for one in document["settings"]["engines"]] == ["vllm"]
    # An engine that is asked for and needs nothing says so, and whether it was run.
    told = run("Qwen3.5-27B", "--engine", "mlx").stdout.partition("Settings of the file")[2]
    assert "Nothing to paste: it takes the file as it is." in told
    assert "Run for qwen3_5_text: mlx-lm" in told


@pytest.mark.parametrize(
    ("name", "target", "method"),
    [("gpt-oss-20b", 262144, ""), ("Gemma-3-12B", 262144, ""), ("Llama-2-7B", 16384, "ntk")],
)
def test_no_note_takes_the_advice_back(name: str, target: int, method: str) -> None:
    """What is written differs from the released file, and no note asks for that one again."""
    config = RopeConfig.from_hf(known_models()[name].config)
    assert explain(config, target, method=method)["settings"]["notes"] == []


def test_a_model_that_is_not_known_has_a_status_of_its_own(tmp_path: Path) -> None:
    file = json.dumps({"model_type": "made_up", "head_dim": 64, "max_position_embeddings": 4096})
    result = run("-", "--target", "8192", "--write", str(tmp_path / "x"), "--diff", stdin=file)
    assert result.exit_code == 3
    assert "No advice: how the layers of this model (made_up) rotate is not known" in result.stdout
    assert "Nothing is written" in result.stderr
    assert not (tmp_path / "x").exists()


def test_as_a_program_it_writes_json_and_no_word_of_transformers() -> None:
    command = [sys.executable, "-m", "advisor", "explain", "-", "--target", "128k", "--json"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "ascii"}
    environment["TRANSFORMERS_VERBOSITY"] = "warning"
    given = json.dumps(known_models()["Gemma-4-26B-A4B"].config)
    done = subprocess.run(command, input=given, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    VALIDATOR.validate(strict(done.stdout))


def test_engines_are_listed() -> None:
    listed = CliRunner().invoke(app, ["engines"])
    assert listed.exit_code == 0, listed.output
    assert listed.stdout.startswith("vllm ")


def test_memory_is_counted_as_asked() -> None:
    asked = ("Qwen3-8B", "--target", "131072")
    plain = strict(run(*asked, "--json").stdout)["memory"]
    more = run(*asked, "--json", "--cache-type", "fp8", "--weight-type", "int8", "--batch", "8")
    memory = strict(more.stdout)["memory"]
    # Half the bytes a number, eight texts; a byte a weight instead of two.
    assert memory["cache_bytes"] == 4 * plain["cache_bytes"]
    assert (memory["batch"], memory["cache_kind"], memory["weight_kind"]) == (8, "fp8", "int8")
    assert 0.5 <= memory["weight_bytes"] / plain["weight_bytes"] < 0.52
    engines = {one["id"]: one["text"] for one in strict(more.stdout)["settings"]["engines"]}
    assert engines["vllm"].endswith("--max-num-seqs 8 --kv-cache-dtype fp8")


def test_an_unknown_model_is_read_as_another_at_ones_word(tmp_path: Path) -> None:
    file = json.dumps({**LLAMA, "model_type": "nobodys", "num_hidden_layers": 32})
    assert run("-", stdin=file).exit_code == 3
    asked = ("-", "--target", "131072", "--read-as", "llama")
    document = strict(run(*asked, "--json", stdin=file).stdout)
    told = "The file is read as llama because that was asked for"
    assert document["decision"]["sureness"] == "guess"
    assert told in " ".join(one["text"] for one in document["decision"]["reasons"])
    assert told in document["findings"][0]["message"]
    engines = [one for one in document["settings"]["engines"] if one["text"]]
    assert engines
    assert all(told in one["notes"][0] for one in engines)
    diff = run(*asked, "--diff", stdin=file).stdout
    assert "+++ config.json" in diff
    assert "posenc_read_as" not in diff
    wrong = run("-", "--read-as", "llam", stdin=file)
    assert wrong.exit_code == 2
    assert wrong.stderr == "--read-as must be a model type that is known, got 'llam'.\n"
    known = run("Llama-2-7B", "--read-as", "llama")
    assert known.exit_code == 2
    assert "--read-as is for files whose model type is not known" in known.stderr


@pytest.mark.parametrize("name", one_of_each_kind())
def test_arguments_alone_are_the_words_of_the_settings(name: str) -> None:
    """Every engine's words, as `$(…)` takes them apart: by spaces, with quotes left in."""
    config = RopeConfig.from_hf(known_models()[name].config)
    document = explain(config, 65536)
    for engine in ("vllm", "sglang", "llama_cpp", "koboldcpp"):
        result = run(name, "--target", "64k", "--print", engine)
        if not config.is_known:
            assert (result.exit_code, result.stdout) == (3, "")
            continue
        (one,) = (one for one in document["settings"]["engines"] if one["id"] == engine)
        refused = one["text"] is None or document["decision"]["verdict"] in ("cannot", "unknown")
        if refused or one["first"]:
            assert (result.exit_code, result.stdout) == (5, ""), (engine, result.output)
            why = one["refused"] or one["first"] or document["settings"]["notes"][0]
            assert why in result.stderr
        else:
            assert result.exit_code == 0, result.output
            assert result.stdout.split() == shlex.split(one["text"])
            assert all(note in result.stderr for note in one["notes"])


def test_arguments_in_a_command(tmp_path: Path) -> None:
    """The line of the help, with a stand-in for vLLM that prints what it was given."""
    printed = run("Phi-3-mini-128k", "--target", "128k", "--print", "vllm").stdout
    (tmp_path / "printed").write_text(printed)
    command = ["sh", "-c", "printf '%s\\0' serve $(cat printed)"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    words = done.stdout.split("\0")[:-1]
    document = explain(RopeConfig.from_hf(known_models()["Phi-3-mini-128k"].config), 131072)
    text = next(one["text"] for one in document["settings"]["engines"] if one["id"] == "vllm")
    assert words == ["serve", *shlex.split(text)]
    assert "--max-model-len 131072" in done.stdout.replace("\0", " ")


def test_nothing_is_written_for_a_length_without_a_setting(tmp_path: Path) -> None:
    """The file as it is looked like what to serve: an empty diff, a copy under another name."""
    path = tmp_path / "x.json"
    for options in (("--diff",), ("--write", str(path))):
        result = run("GPT-2", "--target", "2048", *options)
        assert (result.exit_code, result.stdout) == (5, "")
        assert "No: the learned table has 1,024 rows" in result.stderr
    assert not path.exists()
    assert run("GPT-2", "--target", "1024", "--diff").exit_code == 0


def test_several_files_are_a_line_each(tmp_path: Path) -> None:
    files = [tmp_path / "one.json", tmp_path / "not.json", tmp_path / "two.json"]
    files[0].write_text(json.dumps(LLAMA))
    files[1].write_text("[]")
    files[2].write_text(json.dumps({**LLAMA, "rope_scaling": {"factor": 4.0}}))
    paths = [str(file) for file in files]
    result = run(*paths, "--json")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{paths[1]} must hold an object")
    documents = [strict(line) for line in result.stdout.splitlines()]
    for document in documents:
        VALIDATOR.validate(document)
    assert [one["input"]["name"] for one in documents] == [paths[0], paths[2]]
    assert run(paths[0], paths[2], "--json").exit_code == 1
    assert run(paths[0], paths[0], "--json").exit_code == 0
    told = run(*paths).stdout
    assert [f"==> {path} <==" in told for path in paths] == [True, False, True]
    diff = run(paths[0], "Qwen3-8B", "--target", "64k", "--diff").stdout
    assert f"--- {paths[0]}\n" in diff
    assert "--- Qwen3-8B\n" in diff
    short = run("Qwen3-8B", "Llama-2-7B", "--method", "yarn", "--target", "8192")
    assert short.stderr == "Qwen3-8B: --target must be an integer of at least 32769, got 8192.\n"


def test_the_version_is_that_of_the_package() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.output) == (0, f"posenc {version('posenc')}\n")


NESTED = {
    "model_type": "lfm2",
    "hidden_size": 2048,
    "num_hidden_layers": 4,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "max_position_embeddings": 128000,
    "layer_types": ["conv", "full_attention"] * 2,
    "rope_parameters": {
        "full_attention": {"rope_type": "default", "rope_theta": 1e6},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    },
}


def test_no_file_breaks_a_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One with an object for layers that it does not have, and one that a fault of ours meets."""
    (tmp_path / "a.json").write_text(json.dumps(NESTED))
    (tmp_path / "b.json").write_text(json.dumps({**LLAMA, "model_type": "broken"}))
    (tmp_path / "c.json").write_text(json.dumps(LLAMA))
    whole = command.explain

    def fails(config: RopeConfig, *arguments: object) -> object:
        if config.model_type == "broken":
            raise KeyError("rope")
        return whole(config, *arguments)

    monkeypatch.setattr(command, "explain", fails)
    monkeypatch.chdir(tmp_path)
    result = run("a.json", "b.json", "c.json", "--json")
    assert [json.loads(line)["model_type"] for line in result.stdout.splitlines()] == [
        "lfm2",
        "llama",
    ]
    assert "b.json: Not read to the end, which is a fault of posenc" in result.stderr
    assert result.exit_code == 2

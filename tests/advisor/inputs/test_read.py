"""Whatever is given is read, or called what it is."""

import gzip
import io
import json
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import RopeConfig, known_models
from advisor.inputs.read import SAME_FILE, Given, read_bytes, read_text
from advisor.inputs.text import in_short
from advisor.known_models import all_models, model_named


def test_known_models_by_name_and_by_file() -> None:
    for name, model in known_models().items():
        assert read_text(name) == Given("name", model.config, (model.source,), name)
        assert read_text(json.dumps(model.config)) == Given("config", model.config)
        assert read_bytes(json.dumps(model.config).encode("utf-8-sig")).fields == model.config


def test_names_are_found_whatever_their_case_and_maker() -> None:
    assert read_text("  mistralai/mistral-7b-V0.3\n").fields == read_text("Mistral-7B-v0.3").fields
    for written, name in {
        "gpt-oss 20b": "gpt-oss-20b",
        "google/gemma-3-12b-it": "Gemma-3-12B",
        "meta-llama/Llama-3.1-8B-Instruct": "Llama-3.1-8B",
        "Qwen2.5 72B Instruct": "Qwen2.5-72B-Instruct",
        "Qwen/Qwen3-30B-A3B-Instruct-2507": "Qwen3-30B-A3B-2507",
        "qwen 2.5 7b instruct": "Qwen2.5-7B-Instruct",
        "DeepSeek R1": "DeepSeek-V3",
        "Llama 3.3 70B Instruct": "Llama-3.1-70B",
        "mistralai/Mistral-Small-3.2-24B-Instruct-2506": "Mistral-Small-3.1-24B",
    }.items():
        assert read_text(written).fields == model_named(name).config, written
    assert SAME_FILE.keys() & all_models().keys() == set()
    with pytest.raises(ValueError, match=r"Llama-3.1-9B is none of .* nearest are Llama-3.1-8B"):
        read_text("Llama-3.1-9B")
    with pytest.raises(ValueError, match=r"^zzz is none of the known models. Give its config.json"):
        read_text("zzz")


OTHER_FILES = {
    "tokenizer_config.json": {"tokenizer_class": "X", "model_max_length": 131072},
    "tokenizer.json": {"version": "1.0", "model": {}, "pre_tokenizer": None, "added_tokens": []},
    "list of tokens": {f"word{i}": i for i in range(200)},
    "a list of tokens": {"bos_token": "<s>", "eos_token": "</s>"},
    "generation_config.json": {"eos_token_id": 2, "transformers_version": "4.51.0"},
    "processor's": {"image_mean": [0.5], "do_resize": True},
    "model.safetensors.index.json": {"metadata": {}, "weight_map": {}},
    "model_index.json": {"_class_name": "FluxPipeline", "_diffusers_version": "0.30"},
    "a training": {"log_history": [], "epoch": 1},
    "quantisation": {"bits": 4, "group_size": 128},
    "(LoRA)": {"peft_type": "LORA", "r": 8},
    "Qwen/Qwen2.5-7B": {"peft_type": "LORA", "base_model_name_or_path": "Qwen/Qwen2.5-7B"},
}


@pytest.mark.parametrize(("words", "file"), OTHER_FILES.items(), ids=OTHER_FILES)
def test_other_files_are_called_what_they_are(words: str, file: dict) -> None:
    with pytest.raises(ValueError, match=r"^This is ") as caught:
        read_text(json.dumps(file))
    assert words in str(caught.value)
    assert "config.json" in str(caught.value)
    # A file that says which model it is, is a configuration whatever else it holds.
    assert read_text(json.dumps({**file, "model_type": "llama"})).kind == "config"


def zipped() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("a", "b")
    return held.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<!DOCTYPE html><html>", "a web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "a pointer of Git LFS"),
        (zipped(), "a zip archive"),
        (gzip.compress(b"{}", mtime=0), "packed with gzip"),
        (b"\x20\0\0\0\0\0\0\0" + b'{"a":{}}', "safetensors"),
        (b"FROM ./model.gguf\nPARAMETER num_ctx 4096", "a Modelfile of Ollama"),
        (b"ollama run qwen3:8b", "a command line, which is not read"),
        (b"vllm serve --max-model-len 131072", "names no model"),
        (b"vllm serve Qwen/Qwen3-8B --hf-overrides '{", "a quote that is not closed"),
        (b"---\nlicense: mit\n---\n# Model", "a model card"),
        (b"\xff\xfe{", "UTF-8 text, got byte 0xff at place 0"),
        (b" " * (2**23 + 1), "at most 8,388,608 bytes, got 8,388,609"),
        (b"", "there is nothing in it"),
        (b"5", "must hold an object in { }, got a number"),
        (b"null", "got null"),
        (b"NaN", "must hold an object in { }, got a number"),
        (b'{"a": 1,}', "no comma is allowed before }"),
    ],
)
def test_what_is_no_file_of_a_model_gets_one_sentence(data: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read_bytes(data)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_file_of_three_megabytes_is_read_with_its_lists() -> None:
    left = [f"model.layers.{i % 60}.mlp.experts.{i}.gate_proj" for i in range(60000)]
    own = {"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": left}
    file = {**known_models()["Qwen3-8B"].config, "quantization_config": own}
    text = json.dumps(file)
    assert len(text) > 2.5 * 2**20
    config = RopeConfig.from_hf(read_bytes(text.encode()).fields)
    assert config.reach == 40960
    short = in_short(text)
    assert len(short) < 2000
    assert RopeConfig.from_hf(json.loads(short)) == config


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        RopeConfig.from_hf(read_bytes(data).fields)
    except ValueError as error:
        assert 0 < len(str(error)) < 400  # noqa: PT017 - a lucky one is read

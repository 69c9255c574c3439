"""Engines that run llama.cpp, and what they cannot be told."""

import argparse
import shlex
from collections.abc import Iterator
from contextlib import suppress

import pytest

from posenc import RopeConfig, extend_config, known_models
from posenc.config.engines.all import answer
from posenc.config.engines.engine import Serving
from posenc.config.training import trained_length
from tests.kinds import known

# koboldcpp


@pytest.mark.parametrize("name", ["Yarn-Llama-2-7b-64k", "gpt-oss-20b", "Llama-3.1-8B"])
def test_a_scaling_of_the_file_is_left_on(name: str) -> None:
    # --ropeconfig 1 BASE sets the factor of the file's own YaRN to 1.
    config = known(name)
    assert config.settings("koboldcpp").text == f"--contextsize {config.reach}"


def test_a_factor_becomes_that_of_the_yarn_in_the_file() -> None:
    before = known("Yarn-Llama-2-7b-64k")
    longer = extend_config(before, "all", "yarn", 131072)
    assert longer.settings("koboldcpp", before).text.endswith(f"--ropeconfig {1 / 32} 10000")
    linear = extend_config(before, "all", "linear", 16384).settings("koboldcpp", before)
    assert linear.text == "--contextsize 16384"
    assert "changes the factor of the file's YaRN and nothing else of it" in linear.notes[0]
    plain = extend_config(before, "all", "ntk", 8192).settings("koboldcpp", before)
    assert "--ropeconfig 1 " in plain.text


def test_what_llama_cpp_has_no_flag_for_has_none_there() -> None:
    before = known("Llama-4-Maverick")
    far = extend_config(before, "rope", "ntk", 2 * 1048576)
    with pytest.raises(ValueError, match="--contextsize of up to 262144 tokens"):
        far.settings("koboldcpp", before)
    before = known("gpt-oss-20b")
    raised = extend_config(before, "all", "ntk", 262144).settings("koboldcpp", before)
    assert raised.text == "--contextsize 262144"
    assert "would scale the layers with a window linearly" in raised.notes[0]
    quantised = before.settings("koboldcpp", serving=Serving("q8_0"))
    assert quantised.text == "--contextsize 131072 --quantkv q8_0"


# Ollama and LM Studio


def test_ollama_cuts_a_length_down_to_that_of_the_file() -> None:
    (note,) = known("Qwen2.5-7B-Instruct with YaRN").settings("ollama").notes
    assert "cuts num_ctx down to the context_length of the GGUF file" in note
    assert "max_position_embeddings of 131072" in note
    assert known("Qwen3-8B").settings("ollama").notes == ()
    told = known("Qwen3-8B").settings("ollama", serving=Serving("q4_0", 2)).notes
    assert told == (
        "Start the server with OLLAMA_KV_CACHE_TYPE=q4_0.",
        "Start the server with OLLAMA_NUM_PARALLEL=2.",
    )


def test_lm_studio_has_no_base_for_layers_that_keep_theirs() -> None:
    before = known("Llama-4-Maverick")
    raised = extend_config(before, "rope", "ntk", 2 * 1048576).settings("lm_studio", before)
    assert "ropeFrequencyBase" not in raised.text
    assert "The flags do nothing for this model" not in raised.text
    assert raised.notes
    text = known("Qwen3-8B").settings("lm_studio", serving=Serving("q8_0", 2)).text
    assert '"llamaKCacheQuantizationType": "q8_0"' in text
    assert '"maxParallelPredictions": 2' in text


# Run: what llama.cpp's conversion makes of the changed config.json, turned by its model


@pytest.mark.parametrize(
    ("name", "method", "reason", "mark"),
    [
        ("Pythia-6.9B", "linear", "ignores linear scaling for gpt_neox", "ignored"),
        ("Gemma-2B", "yarn", "ignores yarn scaling for gemma", "ignored"),
        ("Aya-23-8B", "yarn", "ignores yarn scaling for cohere", "ignored"),
        ("Falcon-7B", "ntk", "ignores another base for falcon", "ignored"),
        ("MiMo-V2-Flash", "yarn", "does not load mimo_v2_flash files with yarn", "refused"),
        ("Ministral-3-3B", "linear", "does not load ministral3 files with linear", "refused"),
    ],
)
def test_no_conversion_is_advised_that_loses_the_setting(
    name: str, method: str, reason: str, mark: str
) -> None:
    before = known(name)
    kind = next(key for key in before.rotary if key != "sliding_attention")
    length = 4 * (trained_length(before, kind) or 0)
    longer = extend_config(before, kind, method, length)
    word, words = answer(longer, "ollama", before)
    assert word == mark
    assert isinstance(words, str)
    assert reason in words
    assert "llama.cpp 0c1e57098" in words  # whose flags do it
    assert longer.settings("llama_cpp", before).text


def test_what_llama_cpp_does_not_read_in_a_file_is_said_where_no_flag_is() -> None:
    """As it is, by more than rounding: Kimi's ramp, that of gpt-oss, the last pairs of Qwen3-VL."""
    for name, words in (
        ("Kimi-K2", "beta_fast and beta_slow"),
        ("gpt-oss-20b", "rounds the bounds of YaRN's ramp"),
        ("Qwen3-VL-4B", "leaves 2 of the slowest pairs"),
    ):
        for engine in ("ollama", "lm_studio", "koboldcpp"):
            assert any(words in note for note in known(name).settings(engine).notes)


def test_the_file_of_a_falcon_declares_2048_tokens() -> None:
    falcon = RopeConfig.from_hf(
        known_models()["Falcon-7B"].config | {"max_position_embeddings": 8192}
    )
    assert "--override-kv falcon.context_length=int:8192" in falcon.settings("llama_cpp").text


# textgen


@pytest.mark.parametrize("loader", ["webui_llama_cpp", "webui_exllama"])
def test_textgen_accepts_what_is_written(loader: str) -> None:
    """The arguments of 4.7.3 that are used here, with their types."""
    known_to_it = argparse.ArgumentParser(exit_on_error=False, allow_abbrev=False)
    known_to_it.add_argument("--loader", choices=("llama.cpp", "ExLlamav3"))
    known_to_it.add_argument("--ctx-size", type=int)
    known_to_it.add_argument("--parallel", type=int)
    known_to_it.add_argument("--cache-type")
    known_to_it.add_argument("--extra-flags")
    allowed = {"--override-kv", "--rope-freq-base", "--rope-scaling", "--rope-scale"}
    allowed |= {"--yarn-orig-ctx", "--yarn-beta-fast", "--yarn-beta-slow"}
    for before in map(known, known_models()):
        for config in (before, *stretched(before)):
            try:
                words = shlex.split(config.settings(loader, before, Serving("q8_0", 2)).text)
            except ValueError:
                continue
            given = known_to_it.parse_args(words)
            assert given.cache_type == ("q8" if loader == "webui_exllama" else "q8_0"), words
            assert set(shlex.split(given.extra_flags or "")[::2]) <= allowed


def stretched(before: RopeConfig) -> Iterator[RopeConfig]:
    """A model stretched four times by each method that its file allows."""
    key = next((key for key in before.rotary if key != "sliding_attention"), "")
    for method in ("linear", "ntk", "yarn") if key else ():
        with suppress(ValueError):  # a file without a trained length
            yield extend_config(before, key, method, 4 * (before.reach or 0))


# exllamav3


def test_a_cache_of_exllamav3_has_whole_pages() -> None:
    notes = known("Command-R7B").settings("exllamav3", serving=Serving("q8_0")).notes
    assert notes[-1].endswith("--cache_size 132096 --cache_quant 8.")
    before = known("Llama-2-7B")
    odd = extend_config(before, "all", "ntk", 10000).settings("exllamav3", before)
    assert odd.notes[-1].startswith("For 10000 tokens")
    assert odd.notes[-1].endswith("pages of 256: --cache_size 10240.")

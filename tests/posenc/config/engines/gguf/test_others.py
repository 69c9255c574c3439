"""Engines that run llama.cpp, and what they cannot be told."""

import argparse
import shlex

import pytest

from posenc import extend_config, known_models
from posenc.config.engines.engine import Serving
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


# textgen


@pytest.mark.parametrize("loader", ["webui_llama_cpp", "webui_exllama"])
@pytest.mark.parametrize("name", known_models())
def test_textgen_accepts_what_is_written(name: str, loader: str) -> None:
    """The arguments of 4.7.3 that are used here, with their types."""
    known_to_it = argparse.ArgumentParser(exit_on_error=False, allow_abbrev=False)
    known_to_it.add_argument("--loader", choices=("llama.cpp", "ExLlamav3"))
    known_to_it.add_argument("--ctx-size", type=int)
    known_to_it.add_argument("--parallel", type=int)
    known_to_it.add_argument("--cache-type")
    known_to_it.add_argument("--extra-flags")
    before = known(name)
    key = next((key for key in before.rotary if key != "sliding_attention"), "")
    configs = [before]
    for method in ("linear", "ntk", "yarn") if key else ():
        try:
            configs.append(extend_config(before, key, method, 4 * (before.reach or 0)))
        except ValueError:  # a file without a trained length
            continue
    for config in configs:
        try:
            words = shlex.split(config.settings(loader, before, Serving("q8_0", 2)).text)
        except ValueError:
            continue
        given = known_to_it.parse_args(words)
        assert given.cache_type == ("q8" if loader == "webui_exllama" else "q8_0")
        extra = shlex.split(given.extra_flags or "")
        allowed = {"--override-kv", "--rope-freq-base", "--rope-scaling", "--rope-scale"}
        allowed |= {"--yarn-orig-ctx", "--yarn-beta-fast", "--yarn-beta-slow"}
        assert set(extra[::2]) <= allowed


# exllamav3


def test_a_cache_of_exllamav3_has_whole_pages() -> None:
    notes = known("Command-R7B").settings("exllamav3", serving=Serving("q8_0")).notes
    assert notes[-1].endswith("--cache_size 132096 --cache_quant 8.")
    before = known("Llama-2-7B")
    odd = extend_config(before, "all", "ntk", 10000).settings("exllamav3", before)
    assert odd.notes[-1].startswith("For 10000 tokens")
    assert odd.notes[-1].endswith("pages of 256: --cache_size 10240.")

"""Fields that the classes of mlx-lm read, and settings that they do not."""

import json

import pytest

from posenc import RopeConfig, extend_config, known_models
from posenc.config.decision import decide
from posenc.config.engines.all import provenance
from posenc.config.engines.engine import Serving
from tests.kinds import known

LLAMA = known_models()["Llama-2-7B"].config
ORIGINAL = "original_max_position_embeddings"


def stretched(name: str, method: str) -> tuple[RopeConfig, RopeConfig]:
    before = known(name)
    key = next(key for key in before.rotary if key != "sliding_attention")
    return extend_config(before, key, method, 4 * (before.reach or 0)), before


IGNORED = (
    *("Qwen3-30B-A3B", "GLM-4.6", "ERNIE-4.5-0.3B", "LFM2-1.2B", "StableLM-3B-4E1T"),
    *("Gemma-2-9B", "Gemma-2B", "Mixtral-8x7B", "Aya-23-8B", "Command-R7B", "StarCoder2-7B"),
    *("MiniMax-M2.5", "GLM-4-9B-0414", "Phi-2", "Pythia-6.9B", "Helium-1-2B", "Gemma-3n-E4B"),
)


@pytest.mark.parametrize("name", IGNORED)
def test_no_scaling_is_offered_that_a_class_ignores(name: str) -> None:
    for method in ("linear", "yarn", "llama3"):
        changed, before = stretched(name, method)
        with pytest.raises(ValueError, match=r"mlx-lm 0\.32\.2 ignores .* silently"):
            changed.settings("mlx", before)
    raised, before = stretched(name, "ntk")
    assert json.loads(raised.settings("mlx", before).text)  # the base is read


def test_what_is_ignored_is_not_called_read() -> None:
    changed, before = stretched("Qwen3-30B-A3B", "yarn")
    told = provenance(changed, "mlx", before)
    assert told.startswith("Ignored for qwen3_moe: mlx-lm 0.32.2")
    assert provenance(before, "mlx", before).startswith("Run for qwen3_moe")


@pytest.mark.parametrize(
    ("name", "method", "words"),
    [
        ("Phi-4", "yarn", "does not load phi3 files with yarn scaling"),
        ("DeepSeek-V2", "linear", "computes YaRN for every deepseek_v2 file"),
        ("DeepSeek-V2", "ntk", "computes YaRN for every deepseek_v2 file"),
        ("Falcon-7B", "yarn", "has no class for falcon"),
        ("OLMo-3.1-32B", "ntk", "is the base of both kinds of layers"),
    ],
)
def test_what_would_not_load_is_said(name: str, method: str, words: str) -> None:
    changed, before = stretched(name, method)
    with pytest.raises(ValueError, match=words):
        changed.settings("mlx", before)


def test_nothing_is_pasted_where_the_file_says_it() -> None:
    for name in ("Llama-2-7B", "Llama-3.1-8B", "MiMo-V2-Flash"):
        assert known(name).settings("mlx").text == "", name
    # Without the trained length in the object it takes 4096.
    short = {"rope_type": "yarn", "factor": 4.0}
    edited = RopeConfig.from_hf({**LLAMA, "max_position_embeddings": 8192, "rope_scaling": short})
    assert json.loads(edited.settings("mlx").text)["rope_scaling"][ORIGINAL] == 8192


def test_dynamic_scaling_is_read() -> None:
    parameters = {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0}
    saved = {**LLAMA, "rope_theta": None, "rope_parameters": parameters}
    fields = json.loads(RopeConfig.from_hf(saved).settings("mlx").text)
    assert fields["rope_scaling"]["type"] == "dynamic"
    assert fields["rope_theta"] == 10000.0


@pytest.mark.parametrize(("factor", "mscale"), [(1.5, "3.60674"), (1.0, "0")])
def test_an_attention_factor_is_said_by_mscale(factor: float, mscale: str) -> None:
    # Run: YarnRoPE with that mscale and mscale_all_dim 0 has the factor.
    yarn = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 4096, "attention_factor": factor}
    (note,) = RopeConfig.from_hf({**LLAMA, "rope_scaling": yarn}).settings("mlx").notes
    assert f"write mscale of {mscale} and mscale_all_dim of 0" in note


@pytest.mark.parametrize(
    ("engine", "name", "has"),
    [
        ("mlx", "Mistral-7B-v0.1", False),
        ("mlx", "Gemma-2-9B", False),
        ("mlx", "StarCoder2-7B", False),
        ("mlx", "Gemma-3-1B", True),
        ("mlx", "Mistral-7B-v0.3", True),  # no window in its file
        ("exllamav3", "Mistral-7B-v0.1", False),
        ("exllamav3", "gpt-oss-20b", True),
        ("llama_cpp", "Mistral-7B-v0.1", False),
        ("llama_cpp", "StarCoder2-7B", False),
        ("llama_cpp", "Gemma-2-9B", True),
        ("ollama", "Mistral-7B-v0.1", False),
        ("koboldcpp", "Mistral-7B-v0.1", False),
        ("lm_studio", "Mistral-7B-v0.1", False),
        ("webui_llama_cpp", "Mistral-7B-v0.1", False),
        ("webui_exllama", "Mistral-7B-v0.1", False),
    ],
)
def test_windows_that_an_engine_does_not_have_are_said(engine, name, has) -> None:
    notes = known(name).settings(engine, serving=Serving(length=8192)).notes
    assert any("has no windows for" in note for note in notes) != has


def test_a_cache_of_fewer_bits_is_an_argument() -> None:
    told = known("Llama-2-7B").settings("mlx", serving=Serving("q4_0")).notes
    assert told == ("Start it with --kv-bits 4.",)


def test_llama_4s_text_model_alone_is_another_class() -> None:
    source = known_models()["Llama-4-Scout"].config
    whole, alone = RopeConfig.from_hf(source), RopeConfig.from_hf(source["text_config"])
    assert whole.settings("mlx").text == ""
    with pytest.raises(ValueError, match=r"ignores llama3 scaling .*llama4_text\.py"):
        alone.settings("mlx")


def test_phi3_without_its_scaling_gets_no_object_of_another_kind() -> None:
    """mlx_lm/models/phi3.py raises at an object without LongRoPE's lists."""
    phi3 = known_models()["Phi-3-mini-128k"].config
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
    file = {**phi3, "max_position_embeddings": 4096, "sliding_window": 2047, "rope_scaling": yarn}
    before = RopeConfig.from_hf(file)
    choice = decide(before, 16384).choice
    assert choice.config is not None
    within = Serving(length=4096)
    assert json.loads(choice.config.settings("mlx", before, within).text)["rope_scaling"] is None

"""Every line names the length that is asked for, and the file that is served declares it."""

import json

import pytest

from advisor import RopeConfig, known_models
from advisor.choosing.choose import choose
from advisor.engines.all import ENGINES
from advisor.engines.engine import Serving
from advisor.engines.gguf import model_file
from advisor.engines.text import IN_CONFIG
from tests.advisor.files import read
from tests.kinds import known

NAMED = {
    "vllm": "--max-model-len {}",
    "vllm_old": "--max-model-len {}",
    "sglang": "--context-length {}",
    "tensorrt_llm": "--max_seq_len {}`",
    "llama_cpp": "--ctx-size {}",
    "ollama": "num_ctx {}",
    "lm_studio": '"contextLength": {}',
    "koboldcpp": "--contextsize {}",
    "exllamav2": "--length {}",
    "exllamav3": "For {} tokens",
    "lmdeploy": "--session-len {}",
    "tabbyapi": "max_seq_len: {}",
    "tgi": "--max-total-tokens {}",
    "webui_exllama": "--ctx-size {}",
    "webui_llama_cpp": "--ctx-size {}",
}
"""How an engine names a length."""
ATTENTION = json.dumps(["attention"] * 40, separators=(",", ":"))


@pytest.mark.parametrize("target", [16384, 131072, 1_000_000])
def test_every_engine_names_the_target_or_refuses(target: int) -> None:
    for name in known_models():
        before = known(name)
        config = choose(before, target).config
        if config is None or config.reach is None:
            continue
        for engine, words in NAMED.items():
            try:
                written = config.settings(engine, before, Serving(length=target))
            except ValueError:
                continue
            assert words.format(target) in "\n".join((written.text, *written.notes)), (name, engine)


@pytest.mark.parametrize(
    ("name", "target", "field"),
    [
        ("BLOOM-176B", 100_000, "seq_length"),
        ("MPT-7B", 65536, "max_seq_len"),
        ("Granite-4.0-H-Small", 1_000_000, "max_position_embeddings"),
    ],
)
def test_endless_layers_are_declared_to_reach_the_target(
    name: str, target: int, field: str
) -> None:
    config = choose(known(name), target).config
    assert config is not None
    assert config.source == {**known_models()[name].config, field: target}


@pytest.mark.parametrize(
    ("file", "architecture"),
    [
        ("Nemotron-3-Nano-30B-A3B, no num_experts_per_tok", "nemotron_h"),
        ("Nemotron-3-Nano-30B-A3B", "nemotron_h_moe"),
        ("Granite-4.0-H-Small", "granitehybrid"),
        (f"Granite-4.0-H-Small, layer_types={ATTENTION}", "granitemoe"),
        (f"Granite-4.0-H-Small, no num_experts_per_tok, layer_types={ATTENTION}", "granite"),
        ("T5", "t5"),
        ('T5, architectures=["T5EncoderModel"]', "t5encoder"),
    ],
)
def test_a_gguf_file_is_named_after_what_its_layers_are(file: str, architecture: str) -> None:
    """llama.cpp, conversion/nemotron.py and conversion/granite.py."""
    assert model_file.architecture(read(file)) == architecture


IN_FILES = [name for name, one in ENGINES.items() if one.place == IN_CONFIG]


@pytest.mark.parametrize("engine", IN_FILES)
def test_what_the_file_says_already_is_not_to_be_pasted(engine: str) -> None:
    count = 0
    for name in known_models():
        config = known(name)
        try:
            written = config.settings(engine, config)
        except ValueError:
            continue
        assert written.to_paste in ("", written.text)
        if written.is_in_file:
            count += 1
            assert written.told[0] == "Nothing to paste: it takes the file as it is."
            # Laid over the file the fields change nothing.
            text = {**config.text.values, **config.text_in(json.loads(written.text))}
            again = RopeConfig.from_hf({"model_type": config.model_type, **text})
            assert again.layers == config.layers, name
    assert count > 10 or engine.startswith("mlx")  # of mlx the text is empty then


def test_transformers_is_told_what_it_would_not_find_in_the_file() -> None:
    qwen = known("Qwen3-8B")
    for engine in ("transformers_5", "transformers_4"):
        assert qwen.settings(engine, qwen, Serving(length=32768)).to_paste == ""
    # Up to 4.55 the ratio of these two lengths is YaRN's factor: 1.
    yarn = known("Qwen2.5-7B-Instruct with YaRN")
    assert yarn.settings("transformers_5").to_paste == ""
    assert '"factor": 4.0' in yarn.settings("transformers_4").to_paste
    # Releases 4 leave the newer field unread.
    newer = RopeConfig.from_hf(qwen.to_hf("new"))
    assert newer.settings("transformers_5").to_paste == ""
    assert '"rope_theta": 1000000' in newer.settings("transformers_4").to_paste


def test_every_engine_that_names_a_length_is_here() -> None:
    assert set(ENGINES) - set(NAMED) == {"transformers_5", "transformers_4", "mlx", "mlx_vlm"}

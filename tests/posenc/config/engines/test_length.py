"""Every line names the length that is asked for, and the file that is served declares it."""

import json
import shlex
from typing import Any

import pytest

from posenc import RopeConfig, known_models
from posenc.config.choosing.choose import choose
from posenc.config.engines.all import ENGINES, engine_readings
from posenc.config.engines.engine import IN_CONFIG, Serving, TooLong, Written
from posenc.config.engines.gguf import model_file
from posenc.config.known_models import model_named
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
LINES = {
    "vllm": "--max-model-len 16384",
    "sglang": "--context-length 16384",
    "llama_cpp": "--ctx-size 16384",
    "ollama": "PARAMETER num_ctx 16384",
    "koboldcpp": "--contextsize 16384",
    "exllamav2": "--length 16384",
    "webui_exllama": "--loader ExLlamav3 --ctx-size 16384",
    "webui_llama_cpp": "--loader llama.cpp --ctx-size 16384",
}
"""All that an engine is told of Llama-3.1-8B for 16,384 tokens."""


def asked(name: str, target: int, engine: str) -> Written:
    """Settings of an engine for the advised choice."""
    before = known(name)
    config = choose(before, target).config
    assert config is not None
    return config.settings(engine, before, Serving(length=target))


def told(written: Written) -> str:
    return "\n".join((written.text, *written.notes))


@pytest.mark.parametrize(
    ("name", "target", "engine", "line"),
    [
        ("Llama-4-Scout", 1_000_000, "vllm", "--max-model-len 1000000"),
        ("Llama-4-Scout", 1_000_000, "sglang", "--context-length 1000000"),
        *[("Llama-3.1-8B", 16384, engine, line) for engine, line in LINES.items()],
        ("Qwen3-8B", 32768, "llama_cpp", "--ctx-size 32768"),
        ("BLOOM-176B", 1024, "vllm", "--max-model-len 1024"),
        ("BERT-base", 256, "vllm", "--max-model-len 256"),
    ],
)
def test_an_unchanged_file_gets_the_length_that_is_asked_for(
    name: str, target: int, engine: str, line: str
) -> None:
    assert choose(known(name), target).config == known(name)
    assert asked(name, target, engine).text == line


def overridden(written: Written) -> dict[str, Any]:
    """The fields of the text part that a server lays over the file."""
    return json.loads(shlex.split(written.text)[1])["text_config"]


@pytest.mark.parametrize("engine", ["vllm", "sglang"])
def test_a_server_allows_what_is_asked_for_with_images_sections(engine: str) -> None:
    # The makers' factor 3 is below the ratio of the lengths: 3 · 262,144 is no million.
    fields = overridden(asked("Qwen3-VL-4B", 1_000_000, engine))
    assert fields["max_position_embeddings"] == 1_000_000
    # A file that lost the sections gets the class's own: servers look for them in it.
    lost = dict(known_models()["Qwen2.5-VL-7B"].config)
    lost["rope_scaling"] = {
        "type": "yarn",
        "factor": 4.0,
        "original_max_position_embeddings": 32768,
    }
    for target in (32768, 131072):
        before = RopeConfig.from_hf(lost)
        config = choose(before, target).config
        assert config is not None
        fields = overridden(config.settings(engine, before, Serving(length=target)))
        one = fields.get("rope_parameters") or fields["rope_scaling"]
        assert one["mrope_section"] == [16, 24, 24]


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
            assert words.format(target) in told(written), (name, engine)


@pytest.mark.parametrize(
    ("name", "target", "field", "without"),
    [
        ("BLOOM-176B", 100_000, "seq_length", ("sglang", "tensorrt_llm")),
        ("MPT-7B", 65536, "max_seq_len", ("vllm", "sglang", "tensorrt_llm")),
        ("Granite-4.0-H-Small", 1_000_000, "max_position_embeddings", ()),
        ("Jamba-v0.1", 1_000_000, "max_position_embeddings", ("sglang",)),
        ("Nemotron-3-Nano-30B-A3B", 300_000, "max_position_embeddings", ()),
    ],
)
def test_layers_that_no_length_ends_are_declared_to_reach_the_target(
    name: str, target: int, field: str, without: tuple[str, ...]
) -> None:
    config = choose(known(name), target).config
    assert config is not None
    assert config.source == {**known_models()[name].config, field: target}
    for engine in without:
        with pytest.raises(ValueError, match="has no class for"):
            asked(name, target, engine)
    flags = {"vllm": "--hf-overrides", "sglang": "--json-model-override-args"}
    for engine in flags.keys() - without:
        words = shlex.split(asked(name, target, engine).text)
        assert json.loads(words[words.index(flags[engine]) + 1])[field] == target
        assert words[-1] == str(target)
    line = asked(name, target, "llama_cpp")
    assert line.text.endswith(f"--ctx-size {target}")
    assert "--override-kv raises that" in "".join(line.notes)
    assert "context_length of the GGUF file" in "".join(asked(name, target, "ollama").notes)
    if "tensorrt_llm" not in without:
        assert json.loads(asked(name, target, "tensorrt_llm").text)[field] == target


def test_every_length_that_an_engine_reads_is_read_and_raised() -> None:
    """Command-R declares 8,192 and gives model_max_length, which all three take before that."""
    file = model_named("Command-R-v01").config
    assert file["max_position_embeddings"] == 8192
    before = RopeConfig.from_hf({**file, "model_max_length": 131072})
    assert longest(before) == {"vLLM": 131072, "SGLang": 131072, "llama.cpp": 131072}
    config = choose(before, 262144).config
    assert config is not None
    for engine, flag in (("vllm", "--hf-overrides"), ("sglang", "--json-model-override-args")):
        words = shlex.split(config.settings(engine, before, Serving(length=262144)).text)
        fields = json.loads(words[words.index(flag) + 1])
        assert fields["model_max_length"] == fields["max_position_embeddings"] == 262144
    shorter = RopeConfig.from_hf({**known("Llama-2-7B").source, "max_sequence_length": 2048})
    assert longest(shorter) == {"vLLM": 2048, "SGLang": 2048, "llama.cpp": 4096}


def longest(config: RopeConfig) -> dict[str, int | None]:
    """The longest text that three engines allow, tokens by engine; of vLLM in its last release."""
    read = {one.engine.split()[0]: one.longest for one in engine_readings(config, "all")[::-1]}
    return {name: read[name] for name in ("vLLM", "SGLang", "llama.cpp")}


def test_chunks_are_asked_of_engines_that_have_them() -> None:
    """Qwen2.5-1M: its chunks cover 262,144 tokens, and the file declares 1,010,000."""
    name = "Qwen2.5-7B-Instruct-1M"
    assert asked(name, 524288, "sglang").text == "--context-length 524288"
    assert "VLLM_ATTENTION_BACKEND=DUAL_CHUNK_FLASH_ATTN" in told(asked(name, 524288, "vllm_old"))
    for engine in ("vllm", "transformers_5", "llama_cpp", "ollama", "exllamav3"):
        with pytest.raises(ValueError, match="beyond 262,144 tokens positions are new"):
            asked(name, 524288, engine)
    assert asked(name, 262144, "vllm").text == "--max-model-len 262144"


@pytest.mark.parametrize(
    ("name", "without", "more", "architecture"),
    [
        ("Nemotron-3-Nano-30B-A3B", "num_experts_per_tok", {}, "nemotron_h"),
        ("Nemotron-3-Nano-30B-A3B", "", {}, "nemotron_h_moe"),
        ("Granite-4.0-H-Small", "", {}, "granitehybrid"),
        ("Granite-4.0-H-Small", "", {"layer_types": ["attention"] * 40}, "granitemoe"),
        (
            "Granite-4.0-H-Small",
            "num_experts_per_tok",
            {"layer_types": ["attention"] * 40},
            "granite",
        ),
        ("T5", "", {}, "t5"),
        ("T5", "", {"architectures": ["T5EncoderModel"]}, "t5encoder"),
    ],
)
def test_a_gguf_file_is_named_after_what_its_layers_are(
    name: str, without: str, more: dict[str, Any], architecture: str
) -> None:
    """llama.cpp, conversion/nemotron.py and conversion/granite.py."""
    file = {**known(name).source, **more}
    file.pop(without, None)
    assert model_file.architecture(RopeConfig.from_hf(file)) == architecture


@pytest.mark.parametrize("engine", ["transformers_5", "transformers_4"])
def test_transformers_needs_as_many_biases_of_mpt_as_the_text_has_tokens(engine: str) -> None:
    """models/mpt/modeling_mpt.py, `build_mpt_alibi_tensor`: one column for each of max_seq_len."""
    assert json.loads(asked("MPT-7B", 16384, engine).text) == {"max_seq_len": 16384}
    assert asked("MPT-7B", 1024, engine).text == ""
    assert asked("BLOOM-176B", 16384, engine).text == ""


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


@pytest.mark.parametrize("engine", ["vllm", "transformers_5", "transformers_4", "mlx"])
def test_no_engine_takes_the_file_as_it_is_beyond_the_end_of_its_table(engine: str) -> None:
    config = known("GPT-2")
    with pytest.raises(TooLong, match="2,048 tokens: the file reaches 1,024"):
        config.settings(engine, config, Serving(length=2048))
    assert asked("GPT-2", 1024, engine) is not None


@pytest.mark.parametrize("engine", NAMED)
def test_a_table_of_positions_is_not_served_beyond_its_end(engine: str) -> None:
    config = known("BERT-base")
    assert choose(config, 4096).config is None
    with pytest.raises(ValueError, match=r"\.$"):
        config.settings(engine, config, Serving(length=4096))
    with pytest.raises(TooLong, match="4,096 tokens: the file reaches 512"):
        config.settings("vllm", config, Serving(length=4096))


def test_a_shorter_text_than_the_file_of_a_scaling_needs_its_length_alone() -> None:
    before = known("Qwen2.5-7B-Instruct with YaRN")
    assert before.settings("vllm", before, Serving(length=20000)).text == "--max-model-len 20000"
    longer = before.settings("llama_cpp", before, Serving(length=65536))
    assert "qwen2.context_length=int:65536 --ctx-size 65536" in longer.text


def test_dynamic_scaling_serves_its_factor_and_no_more() -> None:
    scaling = {"type": "dynamic", "factor": 4.0}
    config = RopeConfig.from_hf({**known_models()["Llama-2-7B"].config, "rope_scaling": scaling})
    line = config.settings("sglang", config, Serving(length=16384)).text
    assert line.endswith("--context-length 16384")
    with pytest.raises(ValueError, match="16,385 tokens: the file reaches 16,384"):
        config.settings("sglang", config, Serving(length=16385))
    with pytest.raises(ValueError, match="exllamav2 has no dynamic scaling"):
        config.settings("exllamav2", config, Serving(length=16384))


def test_an_image_has_no_length() -> None:
    image = RopeConfig.from_hf({"model_type": "vit", "image_size": 224, "patch_size": 16})
    assert image.settings("vllm", image, Serving(length=4096)).text == ""


def test_every_engine_that_names_a_length_is_here() -> None:
    assert set(ENGINES) - set(NAMED) == {"transformers_5", "transformers_4", "mlx", "mlx_vlm"}

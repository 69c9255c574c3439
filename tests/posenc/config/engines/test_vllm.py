"""vLLM takes the whole object, and the length."""

import json

from posenc import RopeConfig, known_models


def known(name: str) -> RopeConfig:
    return RopeConfig.from_hf(known_models()[name].config)


def flags(arguments: list[str]) -> dict[str, str]:
    return dict(zip(arguments[::2], arguments[1::2], strict=True))


def test_vllm_takes_the_whole_object_and_the_length() -> None:
    arguments = flags(known("Qwen2.5-7B-Instruct with YaRN").to_vllm())
    assert arguments.keys() == {"--hf-overrides", "--max-model-len"}
    assert json.loads(arguments["--hf-overrides"]) == {
        "rope_parameters": {
            "rope_type": "yarn",
            "factor": 4.0,
            "original_max_position_embeddings": 32768,
            "rope_theta": 1e6,
        },
        "max_position_embeddings": 32768,
    }
    assert arguments["--max-model-len"] == "131072"


def test_vllm_finds_the_text_part() -> None:
    overrides = json.loads(flags(known("Gemma-3-12B").to_vllm())["--hf-overrides"])
    full = overrides["text_config"]["rope_parameters"]["full_attention"]
    assert full == {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6}


def test_vllm_without_rotation_has_the_length_alone() -> None:
    assert known("BLOOM-176B").to_vllm() == ["--max-model-len", "2048"]

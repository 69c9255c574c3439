"""Flags of llama.cpp, or none where the model file has it all."""

import pytest

from posenc import Linear, RopeConfig, known_models

LLAMA = known_models()["Llama-2-7B"].config


def known(name: str) -> RopeConfig:
    return RopeConfig.from_hf(known_models()[name].config)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("CodeLlama-7B", "--rope-freq-base 1000000 --ctx-size 16384"),
        (
            "LongChat-7b-16k",
            "--rope-freq-base 10000 --rope-scaling linear --rope-scale 8 --ctx-size 16384",
        ),
        (
            "Yarn-Llama-2-7b-64k",
            "--rope-freq-base 10000 --rope-scaling yarn --rope-scale 16 --yarn-orig-ctx 4096 "
            "--yarn-beta-fast 32 --yarn-beta-slow 1 --ctx-size 65536",
        ),
        ("Llama-3.1-8B", "--ctx-size 131072"),
        ("Phi-3-mini-128k", "--ctx-size 131072"),
        ("Gemma-3-12B", "--ctx-size 131072"),
        ("T5", "--ctx-size 512"),
    ],
)
def test_llama_cpp_flags(name: str, expected: str) -> None:
    assert known(name).to_llama_cpp() == expected.split()


def test_llama_cpp_has_no_dynamic_scaling() -> None:
    scaling = {"rope_type": "dynamic", "factor": 2.0}
    with pytest.raises(ValueError, match="rope_type must be one that llama"):
        RopeConfig.from_hf({**LLAMA, "rope_scaling": scaling}).to_llama_cpp()


def test_a_factor_that_is_no_integer_is_written_in_full() -> None:
    config = RopeConfig.from_hf({**LLAMA, "rope_scaling": {"rope_type": "linear", "factor": 2.5}})
    assert config.rotary["all"].scaling == Linear(2.5)
    assert config.to_llama_cpp()[2:6] == ["--rope-scaling", "linear", "--rope-scale", "2.5"]

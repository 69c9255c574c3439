"""Which field of a file counts for which engine."""

import pytest

from posenc import RopeConfig, known_models
from posenc.config.engines.all import engine_readings

ORIGINAL = "original_max_position_embeddings"
QWEN = known_models()["Qwen2.5-7B-Instruct with YaRN"].config


def known(name: str) -> RopeConfig:
    return RopeConfig.from_hf(known_models()[name].config)


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

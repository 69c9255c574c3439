"""Flags of llama.cpp, or none where the model file has it all."""

import pytest

from posenc import Linear, RopeConfig, extend_config, known_models

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
def test_flags(name: str, expected: str) -> None:
    written = known(name).settings("llama_cpp")
    assert (written.text, written.notes) == (expected, ())


def test_there_is_no_dynamic_scaling() -> None:
    scaling = {"rope_type": "dynamic", "factor": 2.0}
    with pytest.raises(ValueError, match="rope_type must be one that llama"):
        RopeConfig.from_hf({**LLAMA, "rope_scaling": scaling}).settings("llama_cpp")


def test_a_factor_that_is_no_integer_is_written_in_full() -> None:
    config = RopeConfig.from_hf({**LLAMA, "rope_scaling": {"rope_type": "linear", "factor": 2.5}})
    assert config.rotary["all"].scaling == Linear(2.5)
    assert "--rope-scaling linear --rope-scale 2.5 " in config.settings("llama_cpp").text


@pytest.mark.parametrize(
    ("name", "method", "words"),
    [
        ("Llama-3.1-8B", "yarn", "carries a factor for each pair (rope_freqs)"),
        ("Llama-3.1-8B", "ntk", "carries a factor for each pair (rope_freqs)"),
        ("Llama-2-7B", "llama3", "has no flag for the factors of Llama-3 and LongRoPE"),
    ],
)
def test_what_the_model_file_decides_needs_a_new_one(name: str, method: str, words: str) -> None:
    # Flags beside rope_freqs would scale twice: run, the slowest pair of Llama 3.1 comes out 256
    # times slower with YaRN 32 on top, not 32 times.
    before = known(name)
    written = extend_config(before, "all", method, 262144).settings("llama_cpp", before)
    assert written.text == "--ctx-size 262144"
    assert len(written.notes) == 1
    assert words in written.notes[0]
    assert "Convert the model again from the changed config.json" in written.notes[0]


def test_a_scaling_in_the_model_file_is_taken_away() -> None:
    before = known("Yarn-Llama-2-7b-64k")
    longer = extend_config(before, "all", "ntk", 8192)
    base = longer.rotary["all"].base
    expected = f"--rope-freq-base {base!r} --rope-scaling none --ctx-size 8192"
    assert longer.settings("llama_cpp", before).text == expected


def test_an_attention_factor_of_its_own_has_no_flag() -> None:
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
    scaling = {**yarn, "attention_factor": 1.5, "truncate": False}
    notes = RopeConfig.from_hf({**LLAMA, "rope_scaling": scaling}).settings("llama_cpp").notes
    # 1.5 / (0.1 ln 4 + 1)
    assert "itself, 1.13863; the file wants 1.5." in notes[0]
    assert "--override-kv ARCH.rope.scaling.attn_factor=float:1.31737 sets it" in notes[0]
    assert notes[1] == "llama.cpp rounds the bounds of YaRN's ramp; no flag says otherwise."
    same = {**yarn, "attention_factor": 1.138629436}
    assert RopeConfig.from_hf({**LLAMA, "rope_scaling": same}).settings("llama_cpp").notes == ()

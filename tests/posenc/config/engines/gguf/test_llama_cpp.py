"""Flags of llama.cpp, or none where the model file has it all."""

import pytest

from posenc import Linear, RopeConfig, extend_config, known_models
from posenc.config.choosing.choose import choose
from posenc.config.engines.engine import Serving, Written
from tests.kinds import known

LLAMA = known_models()["Llama-2-7B"].config


def test_there_is_no_dynamic_scaling() -> None:
    scaling = {"rope_type": "dynamic", "factor": 2.0}
    with pytest.raises(ValueError, match=r"^llama\.cpp has no dynamic scaling\.$"):
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
    assert "Convert the model again with llama.cpp's convert_hf_to_gguf.py" in written.notes[0]
    assert "max_position_embeddings of 262144" in written.notes[0]


def longer(
    name: str, method: str, length: int, key: str = "all", engine: str = "llama_cpp"
) -> Written:
    before = known(name)
    return extend_config(before, key, method, length).settings(engine, before)


CAP = "llama-server gives a slot no more than the file's"


@pytest.mark.parametrize("method", ["linear", "ntk", "yarn"])
def test_the_length_of_the_file_is_raised_where_the_server_would_cap_the_slot(method: str) -> None:
    # Run: SmolLM2 with linear 2 and --ctx-size 16384 served 8,192, and 16,384 with the override.
    # Run: the file of a Mistral 3 is no llama, and llama.context_length raised nothing.
    images = longer("Mistral-Small-3.1-24B", method, 262144)
    assert "--override-kv mistral3.context_length=int:262144" in images.text
    written = longer("Qwen3-8B", method, 131072)
    assert "--ctx-size 131072" in written.text
    assert "--override-kv qwen3.context_length=int:131072" in written.text
    (note,) = written.notes
    assert f"{CAP} qwen3.context_length" in note
    assert "n_ctx_slot in the log or n_ctx in /props is 131072 or more" in note


def test_a_file_with_yarn_and_a_short_length_is_capped_as_it_is() -> None:
    written = known("Qwen2.5-7B-Instruct with YaRN").settings("llama_cpp")
    assert "--rope-scale 4 --yarn-orig-ctx 32768" in written.text
    assert "--override-kv qwen2.context_length=int:131072 --ctx-size 131072" in written.text
    assert CAP in written.notes[0]


@pytest.mark.parametrize("engine", ["llama_cpp", "ollama", "koboldcpp", "lm_studio"])
def test_what_has_no_conversion_gets_no_line(engine: str) -> None:
    with pytest.raises(ValueError, match="has no class for whisper"):
        known("Whisper-tiny").settings(engine)


def test_an_architecture_that_is_not_known_is_not_guessed() -> None:
    before = RopeConfig.from_hf({**LLAMA, "model_type": "diffllama"})
    written = extend_config(before, "all", "linear", 16384).settings("llama_cpp", before)
    assert "--override-kv" not in written.text
    assert "ARCH.context_length" in written.notes[0]


@pytest.mark.parametrize("name", ["GPT-J-6B", "Helium-1-2B"])
def test_a_model_without_a_conversion_gets_no_line(name: str) -> None:
    with pytest.raises(ValueError, match=r"llama\.cpp 0c1e57098 has no class for"):
        known(name).settings("llama_cpp")


# What layers with a window do: run, the parameters of ggml's rope in each layer.


@pytest.mark.parametrize(
    ("name", "method", "key"),
    [
        ("gpt-oss-20b", "yarn", "all"),
        ("Gemma-2-9B", "yarn", "all"),
        ("Gemma-2-9B", "ntk", "all"),
        ("OLMo-3-7B before its extension", "yarn", "all"),
    ],
)
def test_layers_with_a_window_that_keep_their_values_are_named(name, method, key) -> None:
    written = longer(name, method, 262144, key)
    assert "--rope-freq-base" in written.text
    assert any("layers with a window keep the values of the model file" in n for n in written.notes)


@pytest.mark.parametrize("method", ["linear", "ntk"])
def test_flags_that_would_break_layers_with_a_window_are_not_written(method: str) -> None:
    # Run: with --rope-scaling none the window layers of gpt-oss divide every position by 32.
    written = longer("gpt-oss-20b", method, 262144)
    assert written.text == "--ctx-size 262144"
    assert "would scale the layers with a window linearly" in written.notes[0]


@pytest.mark.parametrize("method", ["linear", "ntk", "yarn"])
def test_flags_that_reach_no_layer_are_not_written(method: str) -> None:
    # Run: all layers of Llama 4 that rotate are chunked, and keep the values of the file.
    written = longer("Llama-4-Maverick", method, 4 * 1048576, "rope")
    assert written.text == f"--ctx-size {4 * 1048576}"
    assert "The flags do nothing for this model" in written.notes[0]


def test_a_base_that_changes_layers_with_a_window_too_is_not_written() -> None:
    # Run: a file that is converted anew has one base for all layers too.
    for engine in ("llama_cpp", "ollama"):
        with pytest.raises(ValueError, match="one base for all layers of olmo3"):
            longer("OLMo-3.1-32B", "ntk", 262144, "full_attention", engine)


@pytest.mark.parametrize("name", ["Qwen3-8B", "Gemma-2-9B", "gpt-oss-20b", "Phi-2"])
def test_no_conversion_is_advised_that_drops_the_scaling(name: str) -> None:
    # Run: only the classes of Llama write rope_freqs. SmolLM3's file has it and does not load.
    kind = next(key for key in known(name).rotary if key != "sliding_attention")
    with pytest.raises(ValueError, match=r"llama\.cpp 0c1e57098 ignores llama3 scaling"):
        longer(name, "llama3", 262144, kind)
    with pytest.raises(ValueError, match="does not load smollm3 files with llama3"):
        longer("SmolLM3-3B", "llama3", 262144, "rope")
    with pytest.raises(ValueError, match="drops linear scaling"):
        longer("Phi-3-mini-128k", "linear", 262144)


def test_pairs_that_llama_cpp_leaves_unturned_are_named() -> None:
    # Run: ggml gives pairs beyond three times a section of M-RoPE a fourth position, 0 in a text.
    note = known("Qwen3-VL-4B").settings("llama_cpp").notes[0]
    assert note.startswith("llama.cpp leaves 2 of the slowest pairs of this model unturned")
    assert "number 61, 62" in note
    assert known("Qwen3.5-27B").settings("llama_cpp").notes == ()


def test_slots_and_the_type_of_the_cache() -> None:
    # Run: -np 2 and --ctx-size 32768 gave two slots of 16,384.
    written = known("CodeLlama-7B").settings("llama_cpp", serving=Serving("q8_0", 4))
    expected = "--ctx-size 65536 -np 4 --cache-type-k q8_0 --cache-type-v q8_0"
    assert (written.text, written.notes) == (expected, ())
    (note,) = known("CodeLlama-7B").settings("llama_cpp", serving=Serving("fp8")).notes
    assert note == "llama.cpp has no fp8 cache: q8_0 is next."


def test_an_attention_factor_of_its_own_has_no_flag() -> None:
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
    scaling = {**yarn, "attention_factor": 1.5, "truncate": False}
    notes = RopeConfig.from_hf({**LLAMA, "rope_scaling": scaling}).settings("llama_cpp").notes
    # 1.5 / (0.1 ln 4 + 1)
    assert "itself, 1.13863; the file wants 1.5." in notes[0]
    assert "--override-kv ARCH.rope.scaling.attn_factor=float:1.31737 sets it" in notes[0]
    assert notes[1] == "llama.cpp rounds the bounds of YaRN's ramp; no flag says otherwise."
    same = {**yarn, "attention_factor": 1.138629436}
    (note,) = RopeConfig.from_hf({**LLAMA, "rope_scaling": same}).settings("llama_cpp").notes
    assert CAP in note


@pytest.mark.parametrize(("name", "arch"), [("MPT-7B", "mpt"), ("BLOOM-176B", "bloom")])
def test_a_longer_text_without_rotation_raises_the_length_of_the_file(name: str, arch: str) -> None:
    before = known(name)
    choice = choose(before, 16384)
    assert "the file declares 2,048 tokens, so that the engine must be told 16,384" in choice.clause
    assert choice.config is not None
    written = choice.config.settings("llama_cpp", before, Serving(length=16384)).text
    assert written == f"--override-kv {arch}.context_length=int:16384 --ctx-size 16384"
    assert "must be told" not in choose(before, 2048).clause

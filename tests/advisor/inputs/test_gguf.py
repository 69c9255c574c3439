"""The header of a GGUF file is read as its own package writes it, wherever the bytes end."""

import json
import struct
from pathlib import Path

import pytest
import torch
from gguf.constants import MODEL_ARCH_NAMES
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import CONFIG_MAPPING

from advisor import RopeConfig
from advisor.inputs.gguf import CODES, read_header, shortest
from advisor.inputs.gguf_fields import MODEL_TYPES, PERMUTED
from advisor.inputs.read import Given, read_bytes, read_text, text_of
from posenc import rope_inv_freq
from posenc.scaling import Llama3, YaRN
from tests.advisor.inputs.made_gguf import written

LLAMA = {
    "context_length": 131072,
    "embedding_length": 4096,
    "block_count": 32,
    "feed_forward_length": 14336,
    "attention.head_count": 32,
    "attention.head_count_kv": 8,
    "rope.dimension_count": 128,
}
BASE = {"rope.freq_base": 500000.0}


def divisors(factor: float = 8.0) -> list[float]:
    """Those of Llama 3.1, as the conversion writes them."""
    plain, _ = rope_inv_freq(128, 500000.0)
    scaled, _ = rope_inv_freq(128, 500000.0, Llama3(factor))
    return (plain / scaled).tolist()


def config_of(given: Given) -> RopeConfig:
    return RopeConfig.from_hf(given.fields)


def test_a_llama_has_the_fields_of_its_config(tmp_path: Path) -> None:
    data = written(tmp_path, "llama", LLAMA, BASE, {"rope_freqs.weight": divisors()}, tokens=500)
    given = read_bytes(data)
    assert given.kind == "gguf"
    assert given.fields == {
        "model_type": "llama",
        "max_position_embeddings": 131072,
        "hidden_size": 4096,
        "num_hidden_layers": 32,
        "intermediate_size": 14336,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "vocab_size": 500,
        "tie_word_embeddings": True,
        "head_dim": 128,
        "rope_theta": 500000.0,
        "rope_scaling": {
            "rope_type": "llama3",
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 8192,
        },
    }
    notes = " ".join(given.notes)
    assert "interleaved pairs" in notes
    assert "carries rope_freqs" in notes


def test_experts_and_the_matrix_of_the_output(tmp_path: Path) -> None:
    counts = {**LLAMA, "expert_count": 8, "expert_used_count": 2}
    output = {"output.weight": [0.0] * 32}
    fields = read_bytes(written(tmp_path, "llama", counts, BASE, output)).fields
    assert (fields["num_experts"], fields["num_experts_per_tok"]) == (8, 2)
    assert fields["tie_word_embeddings"] is False


def test_divisors_of_no_known_rule_are_taken_as_they_are(tmp_path: Path) -> None:
    own = [1.0 + i / 8 for i in range(64)]
    data = written(tmp_path, "llama", LLAMA, BASE, {"rope_freqs.weight": own})
    layer = config_of(read_bytes(data)).rotary["all"]
    expected = rope_inv_freq(128, 500000.0)[0] / torch.tensor(own, dtype=torch.float64)
    for length in (None, 131072):
        inv_freq, factor = layer.frequencies(length)
        torch.testing.assert_close(inv_freq, expected, rtol=1e-12, atol=0)
        assert factor == 1


def test_the_file_may_end_anywhere(tmp_path: Path) -> None:
    data = written(tmp_path, "llama", LLAMA, BASE, {"rope_freqs.weight": divisors()}, tokens=500)
    whole = read_header(data)
    assert "header_is_cut" not in whole
    values = struct.pack("<64f", *divisors())
    before_values = data[: data.index(values)]
    cut = read_bytes(before_values)
    assert "rope_scaling" not in cut.fields
    assert "ends before them" in cut.notes[-1]
    in_vocabulary = read_bytes(data[: data.index(b"word77")])
    assert in_vocabulary.fields["rope_theta"] == 500000
    assert "ends within its header" in in_vocabulary.notes[-1]
    for end in range(4, len(data), 97):
        header = read_header(data[:end])
        assert {name: whole[name] for name in header if name in whole and header[name]}.items() <= (
            header.items()
        )


def test_the_metadata_as_json_is_read_alike(tmp_path: Path) -> None:
    data = written(tmp_path, "llama", LLAMA, BASE, {"rope_freqs.weight": divisors(32)}, tokens=9)
    assert read_text(text_of(data)) == read_bytes(data)
    dumped = {
        "filename": "x",
        "endian": "LITTLE",
        "metadata": {name: {"value": value} for name, value in read_header(data).items()},
        "tensors": {"rope_freqs.weight": {"shape": [64]}},
    }
    assert "ends before them" in read_text(json.dumps(dumped)).notes[-1]


def test_architectures_and_types_are_those_of_programs() -> None:
    assert MODEL_TYPES.keys() <= set(MODEL_ARCH_NAMES.values())
    assert set(MODEL_TYPES.values()) <= {*CONFIG_MAPPING.keys()}
    assert set(MODEL_ARCH_NAMES.values()) >= PERMUTED


def test_an_architecture_that_is_not_known_is_said_to_be_unknown(tmp_path: Path) -> None:
    config = config_of(read_bytes(written(tmp_path, "made-up", LLAMA, BASE)))
    assert config.model_type == "made-up"
    assert not config.is_known


def test_yarn_with_its_bounds(tmp_path: Path) -> None:
    rope = {
        "rope.freq_base": 1e6,
        "rope.scaling.type": "yarn",
        "rope.scaling.factor": 4.0,
        "rope.scaling.original_context_length": 32768,
        "rope.scaling.yarn_beta_fast": 16.0,
        "rope.scaling.yarn_attn_factor": 1.25,
    }
    counts = {**LLAMA, "context_length": 32768, "attention.key_length": 128}
    del counts["rope.dimension_count"]
    layer = config_of(read_bytes(written(tmp_path, "qwen3", counts, rope))).rotary["all"]
    assert layer.scaling == YaRN(4.0, 32768, beta_fast=16.0, attention_factor=1.25)
    assert (layer.head_dim, layer.base, layer.target_length) == (128, 1e6, 131072)


def test_latent_attention_has_a_rotated_part_and_a_plain_one(tmp_path: Path) -> None:
    counts = {
        **LLAMA,
        "rope.dimension_count": 64,
        "attention.kv_lora_rank": 512,
        "attention.key_length": 576,
        "attention.key_length_mla": 192,
        "attention.value_length_mla": 128,
    }
    rope = {
        "rope.freq_base": 10000.0,
        "rope.scaling.type": "yarn",
        "rope.scaling.factor": 40.0,
        "rope.scaling.original_context_length": 4096,
        "rope.scaling.yarn_log_multiplier": 0.1,
    }
    given = read_bytes(written(tmp_path, "deepseek2", counts, rope))
    layer = config_of(given).rotary["all"]
    assert (layer.head_dim, layer.nope_dim, layer.layout) == (64, 128, "interleaved")
    assert given.fields["v_head_dim"] == 128
    assert layer.scaling == YaRN(40.0, 4096, mscale=1.0, mscale_all_dim=1.0)
    assert layer.frequencies()[1] == 1


def test_longrope_needs_its_lists(tmp_path: Path) -> None:
    rope = {
        "rope.freq_base": 10000.0,
        "rope.scaling.type": "longrope",
        "rope.scaling.original_context_length": 4096,
        "rope.scaling.attn_factor": 1.1902381,
    }
    lists = {
        "rope_factors_long.weight": [2.0 + i for i in range(48)],
        "rope_factors_short.weight": [1.0 + i / 64 for i in range(48)],
    }
    counts = {**LLAMA, "embedding_length": 3072, "rope.dimension_count": 96}
    data = written(tmp_path, "phi3", counts, rope, lists)
    scaling = config_of(read_bytes(data)).rotary["all"].scaling
    assert scaling.long_factor == tuple(lists["rope_factors_long.weight"])
    assert scaling.short_factor == tuple(lists["rope_factors_short.weight"])
    assert scaling.attention_factor == 1.1902381
    with pytest.raises(ValueError, match="lists of divisors must be in the part"):
        read_bytes(data[: -4 * 48 * 3])


def test_layers_that_differ(tmp_path: Path) -> None:
    counts = {**LLAMA, "attention.key_length": 256, "attention.sliding_window": 1024}
    del counts["rope.dimension_count"]
    rope = {
        "rope.freq_base": 1e6,
        "rope.freq_base_swa": 10000.0,
        "rope.scaling.type": "linear",
        "rope.scaling.factor": 8.0,
        "attention.head_count_kv": [4, 0, 8],
    }
    del counts["attention.head_count_kv"]
    given = read_bytes(written(tmp_path, "gemma3", counts, rope))
    layers = config_of(given).rotary
    assert given.fields["num_key_value_heads"] == 8
    assert (layers["sliding_attention"].base, layers["full_attention"].base) == (1e4, 1e6)
    assert layers["full_attention"].scaling.factor == 8
    assert layers["sliding_attention"].scaling is None


def test_a_part_of_each_head(tmp_path: Path) -> None:
    counts = {**LLAMA, "embedding_length": 2560, "rope.dimension_count": 32}
    layer = config_of(read_bytes(written(tmp_path, "phi2", counts, BASE))).rotary["all"]
    assert (layer.head_dim, layer.rotary_dim) == (80, 32)
    assert not any(
        "interleaved" in n for n in read_bytes((tmp_path / "model.gguf").read_bytes()).notes
    )


def test_models_without_rotation_get_no_base(tmp_path: Path) -> None:
    counts = {name: n for name, n in LLAMA.items() if not name.startswith("rope")}
    given = read_bytes(written(tmp_path, "bloom", counts))
    assert "rope_theta" not in given.fields
    assert config_of(given).layers["all"].encoding == "alibi"


def entry(name: bytes, kind: int, value: bytes) -> bytes:
    return struct.pack("<Q", len(name)) + name + struct.pack("<I", kind) + value


def header(*entries: bytes, version: int = 3, tensors: int = 0, count: int | None = None) -> bytes:
    counts = struct.pack("<IQQ", version, tensors, len(entries) if count is None else count)
    return b"GGUF" + counts + b"".join(entries)


LONG = struct.pack("<Q", 2**63)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (header(version=1), "of version 2 or 3, got 1"),
        (header(version=3 << 24), "little-endian"),
        (header(count=2**40), "at most 65,536 entries and tensors"),
        (header(tensors=2**17), "at most 65,536 entries and tensors"),
        (header(entry(b"a", 9, struct.pack("<IQ", 9, 1))), "no lists of lists, got kind 9 for 'a'"),
        (header(entry(b"a", 77, b"")), "got kind 77"),
        (header(entry(b"a", 4, b"abcd"), entry(b"a", 4, b"abcd")), "must give 'a' once"),
        (
            header(entry(b"a", 6, struct.pack("<f", float("nan")))),
            "a of the GGUF file must",
        ),
        (header(struct.pack("<QIQQ", 0, 99, 0, 0), tensors=1, count=0), "at most 4 dimensions"),
        (
            header(entry(b"general.alignment", 4, struct.pack("<I", 24))),
            "general.alignment of the GGUF file must be a power of two",
        ),
        (header(), "must name its general.architecture"),
        (header(entry(b"a", 8, LONG)), "must name its general.architecture"),
        (header(entry(b"a", 9, struct.pack("<I", 8) + LONG)), "must name its general.architecture"),
        (header(entry(b"a", 9, struct.pack("<I", 10) + LONG)), "must name its general.arch"),
        (
            header(entry(b"general.architecture", 8, b"\1" + b"\0" * 7 + b"x")),
            "x.context_length must",
        ),
        (
            header(entry(b"general.architecture", 4, struct.pack("<I", 24))),
            "general.architecture must be a string, got 24",
        ),
    ],
)
def test_what_contradicts_itself_gets_a_sentence(data: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        read_bytes(data)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 3), st.integers(0, 5))
def test_any_bytes_are_read_or_refused_with_a_sentence(
    rest: bytes, tensors: int, count: int
) -> None:
    data = b"GGUF" + struct.pack("<IQQ", 3, tensors, count) + rest
    try:
        json.dumps(read_header(data), allow_nan=False)
    except ValueError as error:
        assert 0 < len(str(error)) < 400  # noqa: PT017 - most are read


SCALARS = st.none() | st.booleans() | st.integers(-5, 2**64) | st.floats() | st.text(max_size=5)
VALUES = SCALARS | (st.lists(st.integers(-5, 10) | st.floats(-2, 5) | st.booleans(), max_size=4))
OTHER_KEYS = """
    rope.scaling.type rope.scaling.factor rope.scaling.original_context_length rope.freq_base_swa
    rope.scaling.yarn_log_multiplier rope.dimension_sections attention.key_length
    attention.sliding_window attention.sliding_window_pattern attention.kv_lora_rank
    attention.temperature_scale
"""
KEYS = st.sampled_from([*LLAMA, *BASE, *OTHER_KEYS.split()])
KINDS = st.sampled_from(["linear", "yarn", "longrope", "none", "llama3", "x"])


@settings(max_examples=300, deadline=None)
@given(
    architecture=st.sampled_from(["llama", "qwen2vl", "gemma3", "gemma4", "deepseek2", "phi3", ""]),
    changed=st.dictionaries(KEYS, VALUES | KINDS, max_size=6),
    divided=st.none() | st.lists(st.floats(-1, 40) | st.integers(0, 40), max_size=64),
)
def test_any_metadata_is_read_or_refused_with_a_sentence(architecture, changed, divided) -> None:
    metadata = {f"{architecture}.{name}": v for name, v in (LLAMA | BASE | changed).items()}
    metadata |= {"general.architecture": architecture, "rope_freqs.weight": divided}
    try:
        given = read_text(json.dumps(metadata))
        config_of(given)
    except ValueError as error:
        assert 0 < len(str(error)) < 400  # noqa: PT017 - many are read
    else:
        assert given.fields["rope_theta"] > 1


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_the_shortest_decimal_is_the_same_float32(value: float) -> None:
    assert struct.pack("<f", shortest(value)) == struct.pack("<f", value)


def test_at_most_sixteen_million_bytes_of_header_are_read() -> None:
    much = header(entry(b"a", 9, struct.pack("<IQ", 0, 2**24) + b"\0" * 2**24))
    assert read_header(much) == {"header_is_cut": True}
    assert len(CODES) == 13


def test_endless_lists_and_metadata_are_refused() -> None:
    """Sixteen million bytes of floats took 13 seconds, and made a text that no page can hold."""
    floats = struct.pack("<IQ", 6, 4096) + struct.pack("<4096f", *[0.1] * 4096)
    for name in (b"llama.x%d", b"tokenizer.x%d"):
        data = header(*(entry(name % n, 9, floats) for n in range(5)))
        with pytest.raises(ValueError, match="must hold at most 16,384 numbers"):
            read_header(data)
        read_header(header(*(entry(name % n, 9, floats) for n in range(4))))
    words = struct.pack("<Q", 200) + b"x" * 200
    llama = entry(b"general.architecture", 8, struct.pack("<Q", 5) + b"llama")
    data = header(llama, *(entry(b"llama.x%d" % n, 8, words) for n in range(6000)))
    with pytest.raises(ValueError, match="metadata of the GGUF file must have at most 1,048,576"):
        text_of(data)

"""A file in an address says the same as the file, and no address does harm."""

import base64
import json
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import CONFIG_MAPPING

from advisor import RopeConfig, known_models
from advisor.inputs.link import LONGEST_LINK, LONGEST_UNPACKED, pack, relevant, unpack
from advisor.inputs.read import read_text, text_of
from advisor.report.document import explain
from tests.advisor.inputs.made_gguf import written

FAMILIES = ("llama", "qwen3", "gemma3_text", "gpt_oss", "deepseek_v3", "phi3", "mistral", "bloom")


def packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def document(fields: dict, target: int | None = 200000) -> dict:
    return explain(RopeConfig.from_hf(fields), target)


def test_known_models_come_through() -> None:
    for name, model in known_models().items():
        link = pack(json.dumps(model.config, indent=2))
        assert json.loads(unpack(link)) == model.config
        assert len(link) <= 2000, name
        assert unpack(pack(f" {name}\n")) == name


@pytest.mark.parametrize("family", FAMILIES)
def test_what_transformers_writes_is_read_alike(family: str) -> None:
    file = json.loads(CONFIG_MAPPING[family]().to_json_string(use_diff=False))
    link = pack(json.dumps(file))
    assert len(link) < 1500
    kept = json.loads(unpack(link))
    assert 8 < len(kept) < len(file) - 8
    assert {"initializer_range", "eos_token_id", "attention_dropout"}.isdisjoint(kept)
    assert document(kept) == document(file)


def test_any_class_of_transformers_comes_through() -> None:
    def read(given: str) -> RopeConfig | str:
        try:
            return RopeConfig.from_hf(read_text(given).fields)
        except ValueError as error:
            return str(error)

    for kind in sorted(CONFIG_MAPPING)[::20]:
        file = CONFIG_MAPPING[kind]().to_json_string(use_diff=False)
        before, after = read(file), read(unpack(pack(file)))
        assert after == before, kind
        if isinstance(before, RopeConfig) and isinstance(after, RopeConfig):
            assert after.findings == before.findings, kind


def test_gguf_and_params_come_through(tmp_path: Path) -> None:
    counts = {"context_length": 8192, "embedding_length": 576, "attention.head_count": 9}
    data = written(tmp_path, "llama", counts, {"rope.freq_base": 1e5}, {"rope_freqs.weight": [1.0]})
    text = text_of(data)
    assert "made up" in text
    assert "made up" not in unpack(pack(text))
    assert read_text(unpack(pack(text))) == read_text(text)
    params = json.dumps({"dim": 64, "n_layers": 2, "n_heads": 4, "norm_eps": 1e-5})
    assert read_text(unpack(pack(params))) == read_text(params)


def test_nested_fields_are_left_out_too_and_unknown_ones_kept() -> None:
    file = {
        "text_config": {"use_cache": True, "rope_thetta": 1},
        "vision_config": {"hidden_act": 1},
    }
    assert relevant(file) == {"text_config": {"rope_thetta": 1}, "vision_config": {}}


@pytest.mark.parametrize("text", ["", " \n", "{", "[1]", '{"a":' * 99, "<html>"])
def test_what_is_no_file_is_not_packed(text: str) -> None:
    assert pack(text) == ""


def test_a_long_file_is_not_packed() -> None:
    # Numbers of no pattern: they cannot be packed much shorter.
    long = {"long_factor": [round(1 + (i * i * 0.618034) % 7, 6) for i in range(2000)]}
    with pytest.raises(ValueError, match="too long to be kept in the address: packed it has"):
        pack(json.dumps(long))
    with pytest.raises(ValueError, match=f"at most {LONGEST_LINK:,} are kept"):
        pack(json.dumps({"a": "b" * 10**6}))


BOMB = packed(zlib.compress(b" " * 2**20, 9))
HOSTILE = {
    "a bomb": (BOMB, "at most 65,536 bytes once it is unpacked"),
    "too long": ("A" * (LONGEST_LINK + 1), "at most 3,000 characters, got 3,001"),
    "no base64": ("{}", "is damaged"),
    "no letters": ("é", "is damaged"),
    "not packed": (packed(b"{}"), "is damaged"),
    "cut": (pack('{"head_dim": 128, "rope_theta": 500000.0}')[:-6], "is damaged"),
    "not text": (packed(zlib.compress(b"\xff\xfe")), "is damaged"),
}


@pytest.mark.parametrize(("link", "words"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_addresses_get_one_sentence(link: str, words: str) -> None:
    with pytest.raises(ValueError, match=r"address") as caught:
        unpack(link)
    assert words in str(caught.value)


def test_nothing_is_no_file() -> None:
    with pytest.raises(ValueError, match="is damaged"):
        unpack("")


def test_a_bomb_of_just_the_length_is_unpacked() -> None:
    assert unpack(packed(zlib.compress(b" " * LONGEST_UNPACKED))) == " " * LONGEST_UNPACKED


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80) | st.binary(max_size=80).map(packed))
def test_any_address_is_unpacked_or_refused(link: str) -> None:
    try:
        assert len(unpack(link)) <= LONGEST_UNPACKED
    except ValueError as error:
        assert 0 < len(str(error)) < 200  # noqa: PT017 - a lucky one is unpacked


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=8), max_size=6))
def test_what_is_packed_is_unpacked(config: dict) -> None:
    link = pack(json.dumps(config))
    assert not link or json.loads(unpack(link)) == relevant(config)

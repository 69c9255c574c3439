"""A params.json says the same as the config.json of the same model."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import RopeConfig
from advisor.choosing.choose import choose
from advisor.inputs.params import fields_of
from advisor.inputs.read import read_text
from advisor.known_models import alike, model_named
from advisor.memory.weights import count_weights
from posenc.scaling import Llama3, YaRN
from tests.kinds import known

MISTRAL = {
    "dim": 4096,
    "n_layers": 32,
    "head_dim": 128,
    "hidden_dim": 14336,
    "n_heads": 32,
    "n_kv_heads": 8,
    "norm_eps": 1e-05,
    "vocab_size": 32768,
}
MINISTRAL = MISTRAL | {
    "rope_theta": 1e6,
    "max_position_embeddings": 262144,
    "yarn": {
        "original_max_position_embeddings": 16384,
        "factor": 16,
        "apply_scale": False,
        "beta": 32,
        "alpha": 1,
    },
    "llama_4_scaling": {"original_max_position_embeddings": 16384, "beta": 0.1},
}
META = {"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-5}
META |= {"vocab_size": -1}


def read(params: dict) -> RopeConfig:
    given = read_text(json.dumps(params))
    assert given.kind == "params"
    assert "params.json" in given.notes[0]
    return RopeConfig.from_hf(given.fields)


def test_mistral_7b_is_that_of_its_config() -> None:
    theirs = known("Mistral-7B-v0.1")
    ours = read(MISTRAL | {"sliding_window": 4096, "max_position_embeddings": 32768})
    assert ours.layers == theirs.layers
    assert ours.model_type == theirs.model_type


def test_the_base_that_is_not_named_depends_on_the_window() -> None:
    assert read(MISTRAL).rotary["all"].base == 1e6
    assert read(MISTRAL | {"sliding_window": 4096}).rotary["all"].base == 10000
    assert read(MISTRAL | {"rope_theta": 1e9}).rotary["all"].base == 1e9


def test_yarn_and_the_temperature() -> None:
    fields = read_text(json.dumps(MINISTRAL)).fields
    assert fields["model_type"] == "ministral3"
    assert fields["rope_scaling"]["llama_4_scaling_beta"] == 0.1
    layer = RopeConfig.from_hf({**fields, "model_type": "mistral"}).rotary["all"]
    assert layer.scaling == YaRN(16.0, 16384, beta_fast=32, beta_slow=1, attention_factor=1.0)
    assert layer.frequencies()[1] == 1


def test_windows_repeat_over_the_layers() -> None:
    fields = read_text(json.dumps(MISTRAL | {"sliding_window": [None, 4096, 4096]})).fields
    kinds = ["full_attention", "sliding_attention", "sliding_attention"]
    assert fields["layer_types"] == (kinds * 11)[:32]
    assert fields["sliding_window"] == 4096


def test_experts() -> None:
    fields = read_text(json.dumps(MISTRAL | {"moe": {"num_experts": 8, "num_experts_per_tok": 2}}))
    named = {name: fields.fields[name] for name in ("model_type", "num_experts")}
    assert named == {"model_type": "mixtral", "num_experts": 8}


def test_metas_files() -> None:
    plain = read(META).rotary["all"]
    assert (plain.base, plain.scaling, plain.max_length) == (10000, None, 4096)
    assert "vocab_size" not in read_text(json.dumps(META)).fields
    scaled = META | {"rope_theta": 500000.0, "use_scaled_rope": True, "n_kv_heads": 8}
    assert read(scaled).rotary["all"].scaling == Llama3(8.0)
    lengths = [read(one).reach for one in (scaled, scaled | {"use_scaled_rope": False}, MISTRAL)]
    assert lengths == [131072, 8192, 128000]
    assert "Llama 3.2 has 32" in read_text(json.dumps(scaled)).notes[-1]
    assert read(scaled | {"rope_scale_factor": 32}).rotary["all"].scaling == Llama3(32.0)


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("Llama-2-7B", {}),
        ("Llama-3-8B", {"multiple_of": 1024, "n_kv_heads": 8, "rope_theta": 500000.0}),
        (
            "Llama-3-70B",
            {"dim": 8192, "n_layers": 80, "n_heads": 64, "multiple_of": 4096}
            | {"n_kv_heads": 8, "rope_theta": 500000.0},
        ),
    ],
)
def test_metas_files_are_their_known_models(name: str, changed: dict) -> None:
    # The feed-forward layers are made as wide as Meta's code makes them: no field says it.
    is_third = name != "Llama-2-7B"
    file = META | changed | ({"ffn_dim_multiplier": 1.3, "vocab_size": 128256} if is_third else {})
    config = read(file)
    assert [one.name for one in alike(config)] == [name]
    if is_third:
        assert count_weights(config) == count_weights(RopeConfig.from_hf(model_named(name).config))


@pytest.mark.parametrize("params", [META, MISTRAL])
def test_a_length_that_is_taken_is_not_called_the_files(params: dict) -> None:
    assert "which names no length" in choose(read(params), 2048).clause
    longer = read(MISTRAL | {"rope_theta": 1e6})
    told = [one.message for one in longer.findings]
    told += [one.text for one in choose(longer, 65536).reasons]
    assert "128,000 tokens are taken for this params.json" in str(told)
    assert "which names no length, 128,000 are taken, which is no sign of training" in str(told)
    assert "The file declares" not in str(told)
    named = read(params | {"max_position_embeddings": 4096})
    assert choose(named, 2048).clause.endswith("within the 4,096 of the file")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"dim": "wide"}, "dim must be an integer"),
        ({"rope_theta": 0}, "rope_theta must be"),
        ({"yarn": []}, "yarn must be an object, got a list"),
        ({"yarn": {"factor": "4"}}, "yarn.factor must be"),
        ({"sliding_window": ["x"]}, r"sliding_window\[0\] must be"),
        ({"n_layers": 1e30}, "n_layers must be"),
        ({"llama_4_scaling": 1}, "llama_4_scaling must be an object"),
    ],
)
def test_a_wrong_field_is_named(changed: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_text(json.dumps(MISTRAL | changed))


NAMES = st.sampled_from([*MINISTRAL, "sliding_window", "multiple_of", "use_scaled_rope", "moe"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**20) | st.floats(-2, 1e20) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["factor", "beta", "alpha", "apply_scale"]), inner)
    ),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(NAMES, VALUES, max_size=6))
def test_any_values_are_read_or_refused_with_a_sentence(changed: dict) -> None:
    try:
        read_text(json.dumps(MINISTRAL | changed))
    except ValueError as error:
        assert 0 < len(str(error)) < 300  # noqa: PT017 - some are read


def test_a_file_without_a_window_has_none() -> None:
    # Mistral 7B v0.3; the class of transformers would take a window of 4,096.
    file = {"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "rope_theta": 1e6}
    config = RopeConfig.from_hf(fields_of(file)[0])
    assert choose(config, 32768).verdict == "reaches"

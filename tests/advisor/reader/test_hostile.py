"""Whatever a config.json holds, it is read or refused with a sentence that names the field."""

import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import RopeConfig, known_models
from advisor.families.classes import is_bounded, reading
from advisor.known_models import KnownModel, all_models
from tests.advisor.files import SMALL

LISTS = {"short_factor": [1.0] * 64, "long_factor": [None] * 64}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rope_theta": 10**400}, "rope_theta must be"),
        ({"rope_theta": [1.0] * 1000}, "rope_theta must be a single value, got a list"),
        ({"rope_scaling": {"type": "x" * 10**6}}, "rope_scaling.type must be one of"),
        ({"rope_scaling": {"type": "longrope", **LISTS}}, "long_factor must hold numbers"),
    ],
)
def test_what_is_too_long_is_cut_in_the_sentence(fields: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        RopeConfig.from_hf({**SMALL, **fields})
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("config", [None, [], "{}", {"a": object()}, {"hidden_size": 64}])
def test_what_is_no_config_is_refused(config: object) -> None:
    with pytest.raises(ValueError, match="must be"):
        RopeConfig.from_hf(config)


def test_a_missing_length_is_asked_for() -> None:
    fields = {"head_dim": 64, "rope_scaling": {"type": "dynamic", "factor": 2}}
    with pytest.raises(ValueError, match="max_position_embeddings must be given"):
        RopeConfig.from_hf(fields)


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(0, 256),
    st.floats(),
    st.floats(1, 100),
    st.text(max_size=5),
)
WORDS = st.sampled_from(["default", "linear", "dynamic", "yarn", "longrope", "llama3", "su"])
PARAMETERS = st.dictionaries(
    st.sampled_from(
        [
            *("rope_theta", "factor", "original_max_position_embeddings", "attention_factor"),
            *("low_freq_factor", "high_freq_factor", "beta_fast", "beta_slow", "mscale"),
            *("mscale_all_dim", "truncate", "partial_rotary_factor", "mrope_section"),
            *("short_factor", "long_factor"),
        ]
    ),
    SCALARS | st.lists(st.floats(0.1, 100), min_size=32, max_size=32),
)
TYPED = st.tuples(PARAMETERS, WORDS | SCALARS).map(lambda pair: {**pair[0], "rope_type": pair[1]})
CONFIGS = st.dictionaries(
    st.sampled_from(
        [
            *("head_dim", "hidden_size", "num_attention_heads", "max_position_embeddings"),
            *("rope_theta", "partial_rotary_factor", "rotary_dim", "num_hidden_layers"),
            *("original_max_position_embeddings", "rope_condense_ratio", "rope_ratio", "alibi"),
            *("qk_rope_head_dim", "qk_nope_head_dim", "no_rope_layer_interval", "layer_types"),
            *("no_rope_layers", "rope_local_base_freq", "sliding_window_pattern", "floor_scale"),
        ]
    ),
    SCALARS | st.lists(st.integers(0, 1), max_size=3),
)
MODEL_TYPES = st.sampled_from(["llama", "llama4", "gemma3", "gemma4", "deepseek_v3", "gptj", "t5"])


def assert_finite(config: RopeConfig) -> None:
    for layer in config.rotary.values():
        for length in (None, 1, 10**9):
            inv_freq, factor = layer.frequencies(length)
            assert inv_freq.shape == (layer.rotary_dim // 2,)
            assert torch.isfinite(inv_freq).all()
            assert math.isfinite(factor)


@settings(max_examples=50, deadline=None)
@given(config=CONFIGS, scaling=TYPED, nested=TYPED, model_type=MODEL_TYPES | SCALARS)
def test_any_file_is_read_or_refused(
    config: dict, scaling: dict, nested: dict, model_type: Any
) -> None:
    config = {"head_dim": 64, **config, "model_type": model_type, "rope_scaling": scaling}
    config["rope_parameters"] = {"full_attention": nested}
    for fields in (config, {**config, "rope_scaling": None}):
        try:
            read_config = RopeConfig.from_hf(fields)
        except ValueError as refused:
            message = str(refused)
        else:
            assert_finite(read_config)
            assert all(len(finding.message) < 500 for finding in read_config.findings)
            if read_config.is_known:
                assert RopeConfig.from_hf(read_config.to_hf()) == read_config
            message = "must be"
        assert len(message) < 400
        assert "must" in message


EXTREME = st.fixed_dictionaries(
    {
        "rope_type": st.sampled_from(
            ["default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional"]
        ),
        "rope_theta": st.floats(1, 1e15, exclude_min=True),
        "factor": st.floats(1, 1e9),
        "low_freq_factor": st.floats(1e-9, 1.0),
        "high_freq_factor": st.floats(1.0, 1e9),
        "beta_fast": st.floats(1.0, 1e9),
        "beta_slow": st.floats(1e-9, 1.0),
        "mscale": st.floats(0, 1e9),
        "mscale_all_dim": st.floats(0, 1e9),
        "short_factor": st.lists(st.floats(1e-6, 1e12), min_size=32, max_size=32),
        "long_factor": st.lists(st.floats(1e-6, 1e12), min_size=32, max_size=32),
        "original_max_position_embeddings": st.integers(2, 10**12),
    }
)


@settings(max_examples=50, deadline=None)
@given(parameters=EXTREME, max_length=st.integers(1, 10**12))
def test_extreme_but_allowed_numbers_are_read(parameters: dict, max_length: int) -> None:
    if parameters["rope_type"] == "yarn":
        del parameters["short_factor"]  # YaRN with two lists is LongRoPE
    fields = {"head_dim": 64, "max_position_embeddings": max_length, "rope_parameters": parameters}
    config = RopeConfig.from_hf(fields)
    assert config.rotary["all"].rope_type == parameters["rope_type"]
    assert_finite(config)


JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@settings(max_examples=50, deadline=None)
@given(config=JSON)
def test_any_json_is_refused_with_a_sentence(config: Any) -> None:
    with pytest.raises(ValueError, match="must be"):
        RopeConfig.from_hf(config)


def places(fields: dict, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The path of every value of a file."""
    found = [(*path, key) for key in fields]
    for key, value in fields.items():
        found += places(value, (*path, key)) if isinstance(value, dict) else []
    return found


def with_value(fields: dict, path: tuple[str, ...], value: Any) -> dict:
    inner = with_value(fields[path[0]], path[1:], value) if len(path) > 1 else value
    return {**fields, path[0]: inner}


@settings(max_examples=50, deadline=None)
@given(
    model=st.sampled_from(list(known_models().values())),
    data=st.data(),
    value=SCALARS | st.lists(SCALARS, max_size=2) | TYPED,
)
def test_a_known_file_with_one_strange_value_is_read_or_refused(
    model: KnownModel, data: Any, value: Any
) -> None:
    fields = with_value(model.config, data.draw(st.sampled_from(places(model.config))), value)
    try:
        config = RopeConfig.from_hf(fields)
    except ValueError as refused:
        assert len(str(refused)) < 400  # noqa: PT017 - it may also be read
        return
    assert_finite(config)
    assert all(len(finding.message) < 500 for finding in config.findings)
    if not config.is_known:
        return
    try:
        written, told = config.to_hf(), config.settings("vllm")
    except ValueError as refused:
        assert len(str(refused)) < 400  # noqa: PT017 - it may also be written
        return
    again = RopeConfig.from_hf(written)
    assert again == config
    # An engine lays them over the model's own file, so they depend on that too.
    assert again.settings("vllm", config) == told


@pytest.mark.parametrize(
    "file",
    [
        {"model_type": "qwen3", "num_hidden_layers": 10**9},
        {"model_type": "moshi", "depth_decoder_config": {"num_hidden_layers": 10**9}},
        {"model_type": "nemotron_h", "hybrid_override_pattern": "M" * 10**6},
        {"model_type": "lfm2", "full_attn_idxs": [0] * 10**6},
        {"model_type": "qwen3", "use_sliding_window": True, "max_window_layers": 10**12},
    ],
    ids=lambda file: file["model_type"],
)
def test_no_class_is_given_a_number_or_a_list_that_is_a_trap(file: dict) -> None:
    assert not is_bounded(file)
    assert reading(file["model_type"], file).layer_types is None


def test_every_known_file_is_given_to_its_class() -> None:
    assert [name for name, model in all_models().items() if not is_bounded(model.config)] == []

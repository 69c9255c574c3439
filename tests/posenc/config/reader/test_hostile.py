"""Whatever a config.json holds, it is read or refused with a sentence that names the field."""

import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc import RopeConfig, known_models
from posenc.config.known_models import KnownModel

LLAMA = {"head_dim": 128, "num_hidden_layers": 4, "max_position_embeddings": 4096}
LLAMA |= {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32}
LISTS = {"short_factor": [1.0] * 64, "long_factor": [4.0] * 64}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rope_theta": "10000"}, 'the text "10000": drop the quotes'),
        ({"rope_theta": math.nan}, "rope_theta must be a finite number"),
        ({"rope_theta": -1.0}, "rope_theta must be"),
        ({"rope_theta": 10**400}, "rope_theta must be"),
        ({"rope_theta": [1.0] * 1000}, "rope_theta must be a single value, got a list"),
        ({"head_dim": 7}, "head_dim must be an even integer"),
        ({"head_dim": 10**9}, "head_dim must be an integer from 2 to 65536"),
        ({"head_dim": None, "num_attention_heads": 0}, "num_attention_heads must be an integer"),
        ({"head_dim": None, "hidden_size": True}, "hidden_size must be an integer"),
        ({"partial_rotary_factor": 2}, "partial_rotary_factor must be"),
        ({"partial_rotary_factor": 0.01}, "partial_rotary_factor · head_dim must be an even"),
        ({"max_position_embeddings": -5}, "max_position_embeddings must be"),
        ({"rope_scaling": "yarn"}, 'rope_scaling must be an object, got "yarn"'),
        ({"rope_scaling": {"type": "magic"}}, "rope_scaling.type must be one of 'default'"),
        ({"rope_scaling": {"type": "x" * 10**6}}, "rope_scaling.type must be one of"),
        ({"rope_scaling": {"rope_type": 3}}, "rope_scaling.rope_type must be a string, got 3"),
        ({"rope_scaling": {"type": "linear"}}, "rope_scaling.factor must be given"),
        ({"rope_scaling": {"type": "linear", "factor": 0.125}}, "rope_scaling.factor must be"),
        ({"rope_scaling": {"type": "llama3", "factor": 8}}, "low_freq_factor must be given"),
        (
            {"rope_scaling": {"type": "longrope", "short_factor": [1, 2], "long_factor": [1, 2]}},
            "rope_scaling.short_factor must hold 64 numbers",
        ),
        (
            {"rope_scaling": {"type": "longrope", **LISTS, "long_factor": [None] * 64}},
            "rope_scaling.long_factor must hold numbers",
        ),
        (
            {"rope_parameters": {"full_attention": {"rope_type": "linear", "factor": "4"}}},
            'full_attention.factor must be a number, got the text "4": drop the quotes',
        ),
        ({"rope_theta": "large"}, "rope_theta must be a finite number"),
        (
            {"rope_scaling": {"type": "yarn", "factor": 2, "beta_fast": 1, "beta_slow": 3}},
            "rope_scaling.beta_fast must be at least rope_scaling.beta_slow, got 1 and 3: they are "
            "probably swapped.",
        ),
        (
            {"rope_scaling": {"type": "longrope", "short_factor": [-1], "long_factor": [1]}},
            r"rope_scaling.short_factor\[0\] must be a finite number",
        ),
        ({"head_dim": 2, "rope_scaling": {"type": "dynamic", "factor": 2}}, "^head_dim must be"),
        ({"qk_rope_head_dim": 7}, "qk_rope_head_dim must be an even integer"),
        ({"rope_scaling": {"type": "mrope", "mrope_section": [1.5]}}, "must hold integers"),
        ({"text_config": []}, "text_config must be an object, got a list"),
        ({"no_rope_layers": [1, 2]}, r"no_rope_layers\[1\] must be 0 or 1"),
        ({"layer_types": ["a", None]}, r"layer_types\[1\] must be"),
        ({"model_type": 5}, "model_type must be a string"),
        ({"num_hidden_layers": 10**9}, "num_hidden_layers must be an integer from 1 to 10000"),
    ],
)
def test_a_wrong_field_is_named(fields: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        RopeConfig.from_hf({**LLAMA, **fields})
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

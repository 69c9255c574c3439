"""A config.json is read as transformers reads it."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import pytest

from advisor import RopeConfig, known_models
from advisor.comparing.layer import RopeLayer
from advisor.known_models import all_models
from posenc.scaling import DynamicNTK, Linear, LongRoPE, Proportional, Scaling, YaRN
from tests.advisor.files import read as of_table
from tests.advisor.files import rows

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "max_position_embeddings": 4096,
    "rope_theta": 10000.0,
}
LISTS = {"short_factor": [1.0 + i / 64 for i in range(64)], "long_factor": [4.0] * 64}


def read(**fields: Any) -> RopeConfig:
    return RopeConfig.from_hf({**LLAMA, **fields})


def only(config: RopeConfig) -> RopeLayer:
    layer = config.layers["all"]
    assert isinstance(layer, RopeLayer)
    return layer


def at(found: Any, path: str) -> str:
    """The value at a path of names; what is called has no arguments, and a tuple has its values."""
    for name in path.split():
        if isinstance(found, Mapping):
            found = found[name]
        elif isinstance(found, tuple):
            found = found[int(name)]
        else:
            found = getattr(found, name)
        found = found() if callable(found) else found
    return " ".join(map(str, found)) if isinstance(found, tuple) else str(found)


@pytest.mark.parametrize(("file", "values"), rows(__file__, "read.txt"))
def test_what_is_read(file: str, values: str) -> None:
    for one in values.split("; "):
        path, _, value = one.partition(" =")
        if path == "refused":
            with pytest.raises(ValueError, match=re.escape(value.strip())) as caught:
                of_table(file)
            assert len(str(caught.value)) < 300
        else:
            assert at(of_table(file), path) == value.strip(), path


def test_a_status_is_one_of_four_and_assumed_is_not_read() -> None:
    words = {model.status for model in known_models().values()}
    assert words == {"read", "read in part", "class default", "assumed"}
    for model in all_models().values():
        is_assumed = "assumed" in model.source.lower()
        assert not (is_assumed and model.status == "read"), model.name
    assert all(model.source.endswith(".") for model in known_models().values())


@pytest.mark.parametrize("word", ["longrope", "su", "yarn"])
def test_phi3_takes_the_trained_length_from_the_top(word: str) -> None:
    fields = json.loads(json.dumps(known_models()["Phi-3-mini-128k"].config))
    fields["rope_scaling"]["type"] = word
    layer = only(RopeConfig.from_hf(fields))
    assert isinstance(layer.scaling, LongRoPE)
    assert (layer.original_length, layer.max_length, layer.scaling.factor) == (4096, 131072, 32)
    assert layer.frequencies(4096)[0][0] == 1 / 1.1
    assert layer.frequencies(4097)[0][0] == 1 / 1.0700000524520874
    assert layer.frequencies()[1] == pytest.approx(math.sqrt(1 + math.log(32) / math.log(4096)))


# Both generations


@pytest.mark.parametrize(
    ("scaling", "expected"),
    [
        ({"type": "linear", "factor": 2}, Linear(2.0)),
        ({"type": "dynamic", "factor": 2}, DynamicNTK(2.0, 4096)),
        ({"rope_type": "yarn", "factor": 2.0}, YaRN(2.0, 4096)),
        (
            {"type": "yarn", "factor": 2.0, "beta_fast": 0, "beta_slow": None},
            YaRN(2.0, 4096),
        ),
        (
            {"type": "yarn", "factor": None, "original_max_position_embeddings": 1024},
            YaRN(4.0, 1024),
        ),
        ({"rope_type": "proportional", "partial_rotary_factor": 0.5}, Proportional(0.5)),
        (
            {"type": "longrope", **LISTS, "original_max_position_embeddings": 2048},
            LongRoPE(tuple(LISTS["short_factor"]), tuple(LISTS["long_factor"]), 2048, 2.0),
        ),
        ({"type": "default"}, None),
        ({}, None),
        (None, None),
    ],
)
def test_old_and_new_fields_mean_the_same(scaling: Any, expected: Scaling | None) -> None:
    old = read(rope_scaling=scaling)
    new_fields = {key: value for key, value in LLAMA.items() if key != "rope_theta"}
    parameters = {**(scaling or {}), "rope_theta": 10000.0}
    new = RopeConfig.from_hf({**new_fields, "rope_parameters": parameters})
    assert only(old).scaling == expected
    assert old == new


def test_nested_parameters_give_a_layer_a_type_unless_equal() -> None:
    sliding, full = {"rope_theta": 1e4}, {"rope_theta": 1e6, "rope_type": "linear", "factor": 2}
    config = read(rope_parameters={"sliding_attention": sliding, "full_attention": full})
    assert {key: layer.base for key, layer in config.rotary.items()} == {
        "sliding_attention": 1e4,
        "full_attention": 1e6,
    }
    with pytest.raises(ValueError, match="layer_types must say which of sliding_attention, full"):
        config.layer_at(0)
    same = read(rope_parameters={"sliding_attention": full, "full_attention": full})
    assert only(same).scaling == Linear(2.0)

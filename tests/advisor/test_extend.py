"""A configuration that is extended says what was asked, and comes back from its own file."""

import math
from dataclasses import replace
from typing import Any

import pytest

from advisor import extend_config
from advisor.extend import covering_factor
from posenc.scaling import Linear, Llama3, Scaling, YaRN
from tests.kinds import known


@pytest.mark.parametrize(
    ("name", "kind", "method", "target", "scaling"),
    [
        ("Llama-2-7B", "all", "yarn", 32768, YaRN(8.0, 4096)),
        ("Llama-2-7B", "all", "linear", 6144, Linear(1.5)),
        ("Llama-2-7B", "all", "llama3", 32768, Llama3(8.0, 1.0, 4.0, 4096)),
        # From what its makers count from; within what the file declares, beyond the training.
        ("Qwen3-8B", "all", "yarn", 131072, YaRN(4.0, 32768)),
        ("Qwen3-8B", "all", "yarn", 40960, YaRN(1.25, 32768)),
        # A scaling that is there is replaced, or keeps its parameters.
        ("Llama-3.1-8B", "all", "yarn", 131072, YaRN(16.0, 8192)),
        ("DeepSeek-V3", "all", "ntk", 16384, None),
        ("DeepSeek-V3", "all", "yarn", 16384, YaRN(4.0, 4096, mscale=1.0, mscale_all_dim=1.0)),
        ("Llama-4-Scout", "rope", "yarn", 32768, YaRN(4.0, 8192)),
        ("Gemma-3-12B", "sliding_attention", "linear", 262144, Linear(2.0)),
    ],
)
def test_a_layer_is_extended_and_others_stay(
    name: str, kind: str, method: str, target: int, scaling: Scaling | None
) -> None:
    before = known(name)
    longer = extend_config(before, kind, method, target)
    assert longer.rotary[kind].scaling == scaling
    assert longer.rotary[kind].max_length == target
    for other in before.rotary.keys() - {kind}:
        assert longer.rotary[other].scaling == before.rotary[other].scaling
    for other in before.layers.keys() - before.rotary.keys():
        assert longer.layers[other].parameters == before.layers[other].parameters


@pytest.mark.parametrize(
    ("name", "trained"),
    [
        ("Llama-2-7B", 4096),
        ("Llama-3.1-8B", 8192),
        ("Gemma-3-12B", None),
        ("LongChat-7b-16k", None),
    ],
)
def test_a_trained_length_is_in_the_file_or_not_known(name: str, trained: int | None) -> None:
    config = known(name)
    kind = list(config.layers)[-1]
    assert config.rotary[kind].trained_length == trained
    if trained is None:
        with pytest.raises(ValueError, match="original_max_position_embeddings must be given"):
            extend_config(config, kind, "yarn", 10**6)


def test_a_factor_covers_the_target_to_the_last_token() -> None:
    assert int(202752 * (256000 / 202752)) == 255999  # what engines make of the nearest number
    assert int(202752 * covering_factor(256000, 202752)) == 256000
    assert covering_factor(32768, 4096) == 8
    for trained in (4096, 8192, 40960, 131072, 163840, 202752):
        for target in range(trained + 1, 8 * trained, 9973):
            factor = covering_factor(target, trained)
            assert target <= trained * factor < target + 1e-9


def test_ntk_divides_the_slowest_frequency_by_the_factor() -> None:
    before = known("Llama-2-7B").rotary["all"]
    longer = extend_config(known("Llama-2-7B"), "all", "ntk", 32768).rotary["all"]
    assert longer.scaling is None
    assert longer.base == pytest.approx(10000 * 8 ** (128 / 126), rel=1e-12)
    assert longer.max_length == 32768
    slower = before.frequencies()[0] / longer.frequencies()[0]
    assert slower[0] == 1
    assert slower[-1] == pytest.approx(8, rel=1e-12)


def test_llama3_keeps_its_bounds() -> None:
    config = known("Llama-3.1-8B")
    own = config.rotary["all"].scaling
    assert isinstance(own, Llama3)
    changed = replace(config.rotary["all"], scaling=replace(own, low_freq_factor=2.0))
    longer = extend_config(replace(config, layers={"all": changed}), "all", "llama3", 262144)
    assert longer.rotary["all"].scaling == Llama3(32.0, 2.0, 4.0, 8192)


def test_the_softmax_multiplier_follows_the_factor() -> None:
    longer = extend_config(known("DeepSeek-V3"), "all", "yarn", 16384).layers["all"]
    assert longer.softmax_multiplier == pytest.approx((0.1 * math.log(4) + 1) ** 2, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("all", "yarn", 4096), "target_length must be an integer of at least 4097, got 4096"),
        (("all", "dynamic", 8192), "method must be one of 'linear', 'ntk', 'yarn', 'llama3', got"),
        (("nope", "yarn", 8192), "layer_type must be one of 'all', got 'nope'"),
    ],
)
def test_what_cannot_be_extended_is_refused(arguments, words) -> None:
    with pytest.raises(ValueError, match=words):
        extend_config(known("Llama-2-7B"), *arguments)


def test_layers_without_rotation_have_nothing_to_scale() -> None:
    with pytest.raises(ValueError, match="must be one that rotates; 'all' does not rotate"):
        extend_config(known("BLOOM-176B"), "all", "yarn", 8192)


@pytest.mark.parametrize("generation", ["old", "new"])
@pytest.mark.parametrize("name", ["Llama-2-7B", "Gemma-3-12B", "Phi-3-mini-128k", "DeepSeek-V3"])
def test_the_fragment_is_what_the_whole_file_has(name, generation) -> None:
    config = known(name)
    fragment, whole = config.to_hf_fragment(generation), config.to_hf(generation)
    if "text_config" in whole:
        fragment, whole = fragment["text_config"], whole["text_config"]
    assert fragment.items() <= whole.items()
    assert ("rope_parameters" in fragment) == (generation == "new")
    assert ("rope_theta" in fragment) == (generation == "old")


def test_a_model_without_rotation_has_no_fragment() -> None:
    assert known("BLOOM-176B").to_hf_fragment() == {}


@pytest.mark.parametrize(
    ("argument", "values"),
    [
        ("layer_type", [3, "nonsense", None]),
        ("method", [3, "nonsense"]),
        ("target_length", [2.5, True, "4", None]),
    ],
)
def test_what_is_no_such_thing_is_named(argument: str, values: list[Any]) -> None:
    arguments: dict[str, Any] = {"layer_type": "all", "method": "yarn", "target_length": 65536}
    for value in values:
        with pytest.raises(ValueError, match=rf"\b{argument}\b.*must be"):
            extend_config(known("Llama-2-7B"), **{**arguments, argument: value})

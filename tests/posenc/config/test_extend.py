"""A configuration that is extended says what was asked, and comes back from its own file."""

import math
from dataclasses import replace

import pytest

from posenc import Linear, Llama3, YaRN, extend_config
from posenc.config.extend import covering_factor
from tests.kinds import known


def test_factor_is_target_over_trained_length() -> None:
    longer = extend_config(known("Llama-2-7B"), "all", "yarn", 32768).layers["all"]
    assert longer.scaling == YaRN(8.0, 4096)
    assert (longer.original_length, longer.max_length) == (4096, 32768)
    longer = extend_config(known("Llama-2-7B"), "all", "linear", 6144).layers["all"]
    assert longer.scaling == Linear(1.5)
    assert (longer.original_length, longer.max_length) == (4096, 6144)


def test_trained_length_is_known_where_nothing_is_scaled_or_two_lengths_are_given() -> None:
    assert known("Llama-2-7B").rotary["all"].trained_length == 4096
    assert known("Llama-3.1-8B").rotary["all"].trained_length == 8192
    longer = extend_config(known("Llama-2-7B"), "all", "linear", 8192)
    assert longer.rotary["all"].trained_length == 4096


def test_qwen3_counts_from_what_its_makers_count_from() -> None:
    longer = extend_config(known("Qwen3-8B"), "all", "yarn", 131072)
    assert longer.rotary["all"].scaling == YaRN(4.0, 32768)
    assert not {finding.code for finding in longer.findings} & {"qwen3_length"}
    # Within what the file declares, but beyond the trained length.
    assert extend_config(known("Qwen3-8B"), "all", "yarn", 40960).rotary["all"].scaling == YaRN(
        1.25, 32768
    )
    with pytest.raises(ValueError, match="at least 32769"):
        extend_config(known("Qwen3-8B"), "all", "yarn", 32768)


def test_a_factor_covers_the_target_to_the_last_token() -> None:
    assert int(202752 * (256000 / 202752)) == 255999  # what engines make of the nearest number
    assert int(202752 * covering_factor(256000, 202752)) == 256000
    assert covering_factor(32768, 4096) == 8
    for trained in (4096, 8192, 40960, 131072, 163840, 202752):
        for target in range(trained + 1, 8 * trained, 9973):
            factor = covering_factor(target, trained)
            assert target <= trained * factor < target + 1e-9


def test_a_scaling_that_is_there_is_replaced() -> None:
    longer = extend_config(known("Llama-3.1-8B"), "all", "yarn", 131072)
    assert longer.layers["all"].scaling == YaRN(16.0, 8192)
    # The makers released another one, which is said.
    wrong = [one.code for one in longer.findings if one.severity != "info"]
    assert wrong == ["scaling_edited"]


def test_ntk_is_a_larger_base_that_divides_the_slowest_frequency_by_the_factor() -> None:
    before = known("Llama-2-7B").rotary["all"]
    longer = extend_config(known("Llama-2-7B"), "all", "ntk", 32768).rotary["all"]
    assert longer.scaling is None
    assert longer.base == pytest.approx(10000 * 8 ** (128 / 126), rel=1e-12)
    assert longer.max_length == 32768
    slower = before.frequencies()[0] / longer.frequencies()[0]
    assert slower[0] == 1
    assert slower[-1] == pytest.approx(8, rel=1e-12)
    # A scaling that was there is gone.
    assert extend_config(known("DeepSeek-V3"), "all", "ntk", 16384).rotary["all"].scaling is None


def test_llama3_keeps_its_bounds() -> None:
    longer = extend_config(known("Llama-2-7B"), "all", "llama3", 32768).rotary["all"]
    assert longer.scaling == Llama3(8.0, 1.0, 4.0, 4096)
    config = known("Llama-3.1-8B")
    own = config.rotary["all"].scaling
    assert isinstance(own, Llama3)
    changed = replace(config.rotary["all"], scaling=replace(own, low_freq_factor=2.0))
    longer = extend_config(replace(config, layers={"all": changed}), "all", "llama3", 262144)
    assert longer.rotary["all"].scaling == Llama3(32.0, 2.0, 4.0, 8192)


def test_yarn_keeps_its_parameters_and_the_softmax_multiplier_follows() -> None:
    longer = extend_config(known("DeepSeek-V3"), "all", "yarn", 16384).layers["all"]
    assert longer.scaling == YaRN(4.0, 4096, mscale=1.0, mscale_all_dim=1.0)
    assert longer.softmax_multiplier == pytest.approx((0.1 * math.log(4) + 1) ** 2, rel=1e-12)


def test_layers_of_other_types_stay() -> None:
    config = known("Llama-4-Scout")
    longer = extend_config(config, "rope", "yarn", 32768)
    assert longer.layers["rope"].scaling == YaRN(4.0, 8192)
    assert longer.layers["nope"].parameters == config.layers["nope"].parameters
    config = known("Gemma-3-12B")
    longer = extend_config(config, "sliding_attention", "linear", 262144)
    assert longer.layers["sliding_attention"].scaling == Linear(2.0)
    assert longer.layers["full_attention"].scaling == config.layers["full_attention"].scaling


@pytest.mark.parametrize("name", ["Gemma-3-12B", "LongChat-7b-16k"])
def test_a_trained_length_is_never_guessed(name) -> None:
    config = known(name)
    layer_type = list(config.layers)[-1]
    assert config.rotary[layer_type].trained_length is None
    with pytest.raises(ValueError, match="original_max_position_embeddings must be given"):
        extend_config(config, layer_type, "yarn", 10**6)


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

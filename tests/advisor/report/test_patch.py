"""The changed file is the file with other positions, and a diff leads from one to the other."""

import json

import pytest
from transformers import CONFIG_MAPPING

from advisor import RopeConfig
from advisor.choosing.choose import choose
from advisor.choosing.take import METHODS_TO_TAKE, take
from advisor.engines.all import settings
from advisor.report.patch import Changed, difference, lines_of, of_choice, patched
from tests.advisor.files import read
from tests.kinds import known, one_of_each_kind

NEW = {
    "architectures": ["Qwen3ForCausalLM"],
    "model_type": "qwen3",
    "head_dim": 128,
    "num_attention_heads": 32,
    "rope_parameters": {"rope_theta": 1e6, "rope_type": "default"},
    "max_position_embeddings": 40960,
    "torch_dtype": "bfloat16",
}


def change(config: RopeConfig, target: int, method: str = "") -> Changed:
    """The configuration made to reach a length, by a method or as is advised."""
    choice = take(config, method, target) if method else choose(config, target)
    return of_choice(config, choice, target)


def test_fields_keep_their_order_and_their_form() -> None:
    config = RopeConfig.from_hf(NEW)
    after = patched(config, change(config, 131072).config)
    assert list(after) == list(NEW)
    assert list(after["rope_parameters"])[:2] == ["rope_theta", "rope_type"]
    assert after["rope_parameters"]["factor"] == 4
    assert after["torch_dtype"] == "bfloat16"
    lines = difference(NEW, after).splitlines()
    assert [line for line in lines if line.startswith("-") and line[1] != "-"] == [
        '-    "rope_type": "default"',
        '-  "max_position_embeddings": 40960,',
    ]


@pytest.mark.parametrize("method", METHODS_TO_TAKE)
@pytest.mark.parametrize("name", ["Llama-2-7B", "Gemma-3-12B", "Qwen3-8B", "DeepSeek-V3"])
def test_what_is_read_from_the_changed_file_is_the_change(name: str, method: str) -> None:
    config = known(name)
    length = 100_000 if name == "Llama-2-7B" else 1_000_000
    try:
        changed = change(config, length, method).config
    except ValueError:
        assert name == "Gemma-3-12B"  # its file does not say how long the training was
        return
    again = RopeConfig.from_hf(patched(config, changed))
    assert again.rotary.keys() == changed.rotary.keys()
    for key, layer in changed.rotary.items():
        assert again.rotary[key].scaling == layer.scaling
        assert again.rotary[key].base == layer.base
        assert again.rotary[key].max_length == layer.max_length
    assert (patched(config, changed) == config.source) == (method == "declared")


@pytest.mark.parametrize(("name", "kind"), [("InternLM2", "type"), ("MiniCPM4", "rope_type")])
def test_code_beside_the_weights_gets_its_two_fields(name: str, kind: str) -> None:
    config = read(name)
    after = patched(config, change(config, 65536, "linear").config)
    assert after["rope_scaling"] == {kind: "linear", "factor": 2.0}


@pytest.mark.parametrize("name", one_of_each_kind())
def test_a_file_that_stays_has_no_diff(name: str) -> None:
    config = known(name)
    after = patched(config, config)
    assert after == config.source
    assert difference(config.source, after) == ""


def test_a_file_without_a_scaling_is_not_said_to_have_one() -> None:
    command_r = {"model_type": "cohere", "hidden_size": 8192, "intermediate_size": 22528}
    command_r |= {"num_attention_heads": 64, "num_key_value_heads": 64, "num_hidden_layers": 40}
    command_r |= {"max_position_embeddings": 8192, "rope_theta": 8e6, "vocab_size": 256000}
    changed = change(RopeConfig.from_hf(command_r | {"model_max_length": 131072}), 131072)
    assert changed.config.reach == 131072
    assert changed.of == "the file for 131,072 tokens"


@pytest.mark.parametrize(("name", "declared", "value"), [
    ("Qwen3-8B", 32768, 32768),  # read as it is meant: no setting changes
    ("Qwen3-8B", 131072, 32768),
    ("Llama-3.1-8B", 131072, 8192),
])  # fmt: skip
def test_a_misspelt_field_is_written_by_its_right_name(
    name: str, declared: int, value: int
) -> None:
    wrong, right = "original_max_position_embedings", "original_max_position_embeddings"
    scaling = dict(known(name).source["rope_scaling"] or {"rope_type": "yarn", "factor": 4.0})
    scaling = {wrong: value} | {key: one for key, one in scaling.items() if key != right}
    file = {**known(name).source, "max_position_embeddings": declared, "rope_scaling": scaling}
    config = RopeConfig.from_hf(file)
    changed = change(config, 65536).config
    written = patched(config, changed)["rope_scaling"]
    assert written[right] == value
    assert wrong not in written
    for engine in ("vllm", "sglang"):
        assert wrong not in settings(changed, engine, config).text


def test_a_misspelt_field_stays_where_its_right_name_acts() -> None:
    scaling = {"rope_type": "yarn", "factor": 4.0, "beta_fats": 16}
    scaling["original_max_position_embeddings"] = 32768
    config = RopeConfig.from_hf({**known("Qwen3-8B").source, "rope_scaling": scaling})
    assert patched(config, config) == config.source


def test_other_fields_of_a_whole_file_stay() -> None:
    file = json.loads(CONFIG_MAPPING["llama"]().to_json_string(use_diff=False))
    config = RopeConfig.from_hf(file)
    after = patched(config, change(config, 8192).config)
    same = {name for name in file if after[name] == file[name]}
    assert file.keys() - same == {"rope_parameters", "max_position_embeddings"}
    assert json.loads(lines_of(after)) == after


def test_methods_that_cannot_be_had_are_refused() -> None:
    bloom = known("BLOOM-176B")
    # Nothing rotates there: the file declares the length, and no more is changed.
    assert change(bloom, 8192).config.source == {**bloom.source, "seq_length": 8192}
    assert change(bloom, 1024).config is bloom
    with pytest.raises(ValueError, match="YaRN cannot be taken for this file"):
        change(bloom, 8192, "yarn")
    with pytest.raises(ValueError, match="method must be one of 'declared'"):
        change(RopeConfig.from_hf(NEW), 131072, "rerope")
    with pytest.raises(ValueError, match="target_length must be an integer of at least"):
        change(RopeConfig.from_hf(NEW), 1024, "yarn")

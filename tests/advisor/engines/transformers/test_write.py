"""A configuration is written so that it reads as it was, and as transformers wants it."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import RopeConfig, known_models
from advisor.comparing.layer import RopeLayer
from advisor.engines.transformers.fields import rotary_share
from advisor.facts import gap
from posenc.scaling import YaRN
from tests.kinds import known

ORIGINAL = "original_max_position_embeddings"
LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "max_position_embeddings": 32768,
    "rope_theta": 1e6,
    "vocab_size": 32000,
}
YARN = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 32768}


def test_the_two_generations_of_one_file() -> None:
    config = RopeConfig.from_hf({**LLAMA, "rope_scaling": {**YARN, "type": "yarn"}})
    assert config.to_hf("new") == {
        **{key: value for key, value in LLAMA.items() if key != "rope_theta"},
        "rope_parameters": {**YARN, "rope_theta": 1e6},
    }
    # 4.51 would take the ratio of the two lengths, 1, for the factor.
    scaling = {"type": "yarn", "rope_type": "yarn", "factor": 4.0}
    assert config.to_hf("old") == {**LLAMA, "rope_scaling": scaling}


def test_the_older_fields_declare_what_yarn_reaches() -> None:
    # 4.51 reads 40960 / 32768 as the factor, whatever `factor` says.
    config = RopeConfig.from_hf({**LLAMA, "max_position_embeddings": 40960, "rope_scaling": YARN})
    written = config.to_hf("old")
    assert written["max_position_embeddings"] == 131072
    assert written["rope_scaling"][ORIGINAL] == 32768
    assert config.to_hf("new")["max_position_embeddings"] == 40960


def test_fields_that_are_not_known_stay_in_their_object() -> None:
    beta = {"llama_4_scaling_beta": 0.1, "finetuned": True}
    config = RopeConfig.from_hf({**LLAMA, "rope_scaling": {**YARN, **beta}})
    for generation, name in (("new", "rope_parameters"), ("old", "rope_scaling")):
        assert beta.items() <= config.to_hf(generation)[name].items()  # type: ignore[arg-type]


def test_nothing_is_written_for_a_model_that_is_not_known() -> None:
    config = RopeConfig.from_hf(LLAMA)
    layer = replace(config.rotary["all"], layout="unknown")  # type: ignore[arg-type]
    unknown = replace(config, layers={"all": layer})
    for generation in ("new", "old"):
        for write in (unknown.to_hf, unknown.to_hf_fragment):
            with pytest.raises(ValueError, match="nothing is written for llama: how its layers"):
                write(generation)  # type: ignore[arg-type]


def test_own_names_of_a_family_are_kept() -> None:
    old = known("GPT-NeoX-20B").to_hf("old")
    assert (old["rotary_emb_base"], old["rotary_pct"], old["rope_scaling"]) == (1e4, 0.25, None)
    assert "rope_theta" not in old
    gemma = known("Gemma-3-12B").to_hf("old")["text_config"]
    assert (gemma["rope_theta"], gemma["rope_local_base_freq"]) == (1e6, 1e4)
    assert gemma["rope_scaling"]["factor"] == 8.0


def test_phi3_keeps_the_trained_length_at_the_top() -> None:
    new = known("Phi-3-mini-128k").to_hf("new")
    assert new[ORIGINAL] == new["rope_parameters"][ORIGINAL] == 4096


def test_the_file_given_is_not_changed() -> None:
    fields = json.loads(json.dumps(known_models()["Gemma-3-12B"].config))
    config = RopeConfig.from_hf(fields)
    config.to_hf("new")["text_config"]["hidden_size"] = 0
    assert fields == known_models()["Gemma-3-12B"].config
    assert config.source == fields


def test_a_changed_layer_is_written() -> None:
    config = RopeConfig.from_hf(LLAMA)
    layer = config.rotary["all"]
    longer = replace(layer, scaling=YaRN(4.0, 32768), base=5e5)
    written = replace(config, layers={"all": longer}).to_hf("new")
    assert written["rope_parameters"] == {**YARN, "rope_theta": 5e5}
    assert RopeConfig.from_hf(written).layers == {"all": longer}


def test_a_model_without_rotation_is_written_as_it_is() -> None:
    assert known("T5").to_hf("old") == known_models()["T5"].config


def test_an_unknown_generation_is_refused() -> None:
    with pytest.raises(ValueError, match="generation must be one of 'old', 'new', got 'v6'"):
        known("T5").to_hf("v6")  # type: ignore[arg-type]


def test_a_scaled_window_has_no_older_fields() -> None:
    text = known_models()["Gemma-3-12B"].config["text_config"]
    scaled = {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4}
    parameters = {"sliding_attention": scaled, "full_attention": {"rope_theta": 1e6}}
    config = RopeConfig.from_hf({**text, "rope_scaling": None, "rope_parameters": parameters})
    with pytest.raises(ValueError, match="rope_scaling of transformers 4 cannot"):
        config.to_hf("old")
    assert RopeConfig.from_hf(config.to_hf("new")) == config


@settings(max_examples=50, deadline=None)
@given(head_dim=st.integers(1, 256).map(lambda half: 2 * half), data=st.data())
def test_the_share_gives_back_the_rotated_channels(head_dim: int, data: Any) -> None:
    rotary_dim = 2 * data.draw(st.integers(1, head_dim // 2))
    layer = RopeLayer(head_dim, rotary_dim, 1e4, "half", None, None, None)
    assert int(head_dim * rotary_share(layer)) == rotary_dim


NUMBERS = st.fixed_dictionaries(
    {
        "rope_type": st.sampled_from(
            ["default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional"]
        ),
        "rope_theta": st.floats(2, 1e8),
        "factor": st.floats(1, 1e3),
        "low_freq_factor": st.floats(0.1, 1.0),
        "high_freq_factor": st.floats(1.0, 10.0),
        "short_factor": st.lists(st.floats(0.5, 100), min_size=32, max_size=32),
        "long_factor": st.lists(st.floats(0.5, 100), min_size=32, max_size=32),
    },
    optional={
        "beta_fast": st.floats(1.0, 100),
        "beta_slow": st.floats(0.1, 1.0),
        "mscale": st.floats(0, 2),
        "mscale_all_dim": st.floats(0, 2),
        "truncate": st.booleans(),
        "attention_factor": st.floats(0, 4) | st.none(),
        ORIGINAL: st.integers(2, 10**6),
    },
)


@settings(max_examples=50, deadline=None)
@given(
    parameters=NUMBERS,
    model_type=st.sampled_from(["llama", "phi3", "gpt_neox", "deepseek_v3", "gptj"]),
    length=st.none() | st.integers(2, 10**6),
)
def test_any_file_that_is_read_is_written_back(
    parameters: dict, model_type: str, length: int | None
) -> None:
    fields = {"model_type": model_type, "head_dim": 64, "rope_parameters": parameters}
    if length is not None:
        fields |= {ORIGINAL: length}
    if model_type == "gptj":
        fields |= {"rotary_dim": 64}
    if model_type == "gpt_neox":
        fields |= {"rotary_pct": 1.0}
    config = RopeConfig.from_hf(fields)
    assert RopeConfig.from_hf(config.to_hf("new")) == config
    again = RopeConfig.from_hf(config.to_hf("old"))
    declared = {
        key: replace(one, max_length=again.layers[key].max_length)
        for key, one in config.layers.items()
    }
    # YaRN's older fields declare what it reaches; everything else is as it was.
    assert again == (replace(config, layers=declared) if "yarn" in str(parameters) else config)
    if gap("vllm", config, config) is None:
        assert isinstance(config.settings("vllm").text, str)
    else:  # it would compute something else, or nothing
        with pytest.raises(ValueError, match=r"^vLLM 0\.33\.0 "):
            config.settings("vllm")

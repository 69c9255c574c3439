"""The document keeps its schema, and its numbers are those of the layer and of attention."""

import json
import math

import jsonschema
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import RopeConfig, known_models
from advisor.comparing.outcome import outcome
from advisor.comparing.task import Task
from advisor.decision import decide
from advisor.report.document import decision_of, explain, schema
from advisor.report.terminal import text
from posenc import apply_rope
from posenc.scaling.methods import METHODS
from tests.advisor.files import read
from tests.advisor.test_main import strict
from tests.kinds import known, one_of_each_kind

ORIGINAL = "original_max_position_embeddings"
QWEN = known_models()["Qwen2.5-7B-Instruct with YaRN"].config
LLAMA = known_models()["Llama-2-7B"].config
VALIDATOR = jsonschema.Draft202012Validator(schema())


def engine(document: dict, name: str) -> dict:
    (one,) = (engine for engine in document["settings"]["engines"] if engine["id"] == name)
    return one


def assert_nothing_is_written(document: dict, why: str) -> None:
    """No engine gets a line, not even the file's own, and the reason is said once."""
    told = f"No setting is written. {why}"
    assert {one["text"] for one in document["settings"]["engines"]} == {None}
    assert all(one["refused"].startswith(told) for one in document["settings"]["engines"])
    settings = text(document).split("\nSettings\n")[1].split("\n\n")[0]
    assert settings.strip().startswith(told)
    assert settings.count("\n") == 0


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("target", [None, 2, 1_000_000])
def test_a_model_of_every_kind_keeps_the_schema(target: int | None) -> None:
    for name in one_of_each_kind():
        document = explain(known(name), target)
        VALIDATOR.validate(strict(json.dumps(document, allow_nan=False)))
        assert text(document).startswith(("At ", "Decision", "  model type")), name


def test_the_schema_can_be_broken() -> None:
    document = explain(known("Llama-2-7B"))
    for spoil in (
        lambda d: d.pop("findings"),
        lambda d: d.update(more=1),
        lambda d: d["layers"][0].update(layout="neox"),
        lambda d: d["layers"][0]["pairs"][0].update(frequency=0),
        lambda d: d["layers"][0]["methods"][0].update(attention_factor=None),
        lambda d: d["settings"].update(vllm="--max-model-len 4096"),
    ):
        copy = json.loads(json.dumps(document))
        spoil(copy)
        assert not VALIDATOR.is_valid(copy)


@settings(max_examples=25)
@given(
    parameters=st.fixed_dictionaries(
        {"rope_type": st.sampled_from(["default", "linear", "dynamic", "yarn", "llama3"])},
        optional={
            "rope_theta": st.floats(1.5, 1e15),
            "factor": st.floats(1, 1e9),
            "low_freq_factor": st.floats(0.1, 1),
            "high_freq_factor": st.floats(1, 10),
            "attention_factor": st.floats(0, 1e9),
            "beta_fast": st.floats(1, 1e6),
            ORIGINAL: st.integers(1, 10**12),
        },
    ),
    length=st.integers(1, 10**12),
    target=st.none() | st.integers(2, 10**12),
    head_dim=st.integers(1, 64).map(lambda half: 2 * half),
)
def test_any_file_that_is_read_keeps_the_schema(parameters, length, target, head_dim) -> None:
    fields = {"head_dim": head_dim, "max_position_embeddings": length}
    try:
        config = RopeConfig.from_hf({**fields, "rope_parameters": parameters})
    except ValueError:
        return
    document = explain(config, target)
    VALIDATOR.validate(strict(json.dumps(document, allow_nan=False)))
    assert text(document)


def test_the_numbers_are_those_of_the_layer() -> None:
    layer = explain(RopeConfig.from_hf(QWEN), 131072)["layers"][0]
    inv_freq, factor = RopeConfig.from_hf(QWEN).rotary["all"].frequencies(131072)
    scaled = [pair["scaled_frequency"] for pair in layer["pairs"]]
    assert scaled == inv_freq.tolist()
    assert layer["temperature"]["attention_factor"] == factor == pytest.approx(1.138629436112)
    assert layer["temperature"]["score_factor"] == pytest.approx(1.2964769928)
    methods = {method["name"]: method for method in layer["methods"]}
    counts = {name: method["pairs_with_new_angles"] for name, method in methods.items()}
    # 24 of the 64 pairs of Qwen2.5 make no full turn within 32768 tokens.
    assert counts["none"] == sum(pair["turns_in_training"] < 1 for pair in layer["pairs"]) == 24
    assert counts["the file"] == counts["linear"] == counts["YaRN"] == 0
    assert methods["NTK-aware"]["slowest_slowed"] == pytest.approx(4)


def test_a_pair_at_rest_has_no_wavelength() -> None:
    full = explain(known("Gemma-4"))["layers"][1]
    last = full["pairs"][-1]
    assert (last["scaled_frequency"], last["scaled_wavelength"], last["slowed"]) == (0, None, None)


def test_settings_reach_the_target() -> None:
    document = explain(RopeConfig.from_hf(LLAMA), 32768)
    assert document["settings"]["of"] == "the file with YaRN scaling to 32,768 tokens"
    written = json.loads(engine(document, "transformers_5")["text"])
    layer = RopeConfig.from_hf({**LLAMA, "rope_theta": None, **written}).rotary["all"]
    assert (layer.rope_type, layer.scaling.factor, layer.target_length) == ("yarn", 8, 32768)
    assert explain(RopeConfig.from_hf(LLAMA), 4096)["settings"]["of"] == "the file"
    # Layers with a window never see further than it.
    source = json.loads(json.dumps(known_models()["Gemma-3-12B"].config))
    source["text_config"]["rope_scaling"][ORIGINAL] = 32768
    document = explain(RopeConfig.from_hf(source), 1_000_000)
    gemma = json.loads(engine(document, "transformers_5")["text"])
    kinds = gemma["text_config"]["rope_parameters"]
    assert kinds["sliding_attention"]["rope_type"] == "default"
    # The file's own scaling, further: factor 8 on 131,072 of the first million.
    assert kinds["full_attention"]["rope_type"] == "linear"
    assert kinds["full_attention"]["factor"] == pytest.approx(8 * 1_000_000 / 131072)


def test_settings_that_cannot_be_written_say_why() -> None:
    document = explain(known("Phi-3-mini-128k"), 262144)
    assert_nothing_is_written(document, "No method is known beyond 131,072 tokens")
    with pytest.raises(ValueError, match="original_max_position_embeddings must be given"):
        explain(known("LongChat-7b-16k"), 65536, method="yarn")
    llama_cpp = engine(explain(read("Llama-2-7B, dynamic 2"), 8192), "llama_cpp")
    assert (llama_cpp["text"], bool(llama_cpp["refused"])) == (None, True)


def test_the_decision_and_what_it_costs() -> None:
    document = explain(known("Qwen3-30B-A3B"), 131072)
    decision = decide(known("Qwen3-30B-A3B"), 131072)
    assert document["decision"]["sentence"] == decision.sentence
    assert (document["decision"]["method"], document["decision"]["factor"]) == ("yarn", 4)
    assert document["memory"]["cache_bytes"] == 12 * 2**30
    assert document["decision"]["sentence"] in text(document)
    nothing = explain(RopeConfig.from_hf({"head_dim": 64}))
    assert (nothing["decision"], nothing["memory"]) == (None, None)


def test_what_reads_two_ways_is_written_for_no_engine() -> None:
    file = {**LLAMA, "num_hidden_layers": 33, "rope_scaling": {"type": "yarn", "factor": 4.0}}
    document = explain(RopeConfig.from_hf(file), 16384)
    assert document["decision"]["sureness"] == "none"
    assert_nothing_is_written(document, "No advice: the file asks for YaRN scaling")
    VALIDATOR.validate(strict(json.dumps(document, allow_nan=False)))


def test_the_makers_word_is_a_field_of_its_own() -> None:
    sure = explain(known("Qwen3-8B"), 131072)["decision"]
    assert (sure["sureness"], "document YaRN with factor 4" in sure["known"]) == ("sure", True)
    likely = explain(known("Qwen3-8B"), 40960)["decision"]
    assert (likely["sureness"], likely["known"]) == ("likely", None)
    nothing = explain(known("BLOOM-176B"), 1_000_000)["decision"]
    assert (nothing["sureness"], nothing["known"]) == ("guess", None)


def test_no_headline_is_surer_than_the_engines_below_it() -> None:
    """Mistral-7B-v0.1 has windows in vLLM, and neither in SGLang nor in llama.cpp."""
    config = known("Mistral-7B-v0.1")
    document = explain(config, 65536)
    assert document["decision"]["sureness"] == "guess"
    head = text(document).split("\n\n")[0]
    assert "Sure" not in head
    assert "No setting, for reasons below: SGLang, llama.cpp, " in head
    # As sure for an engine alone: what lies beyond the training is no engine's matter.
    alone = decision_of(config, 65536, engine="vllm")
    assert alone is not None
    assert alone.choice.sureness == "guess"
    assert explain(config, 4096)["decision"]["sureness"] in ("sure", "setting")
    assert "No setting, for" not in text(explain(known("Llama-2-7B"), 4096)).split("\n\n")[0]


def test_every_method_is_judged_by_both_trainings() -> None:
    rows = {
        row["id"]: row for row in explain(known("Llama-3.1-8B"), 262144)["layers"][0]["methods"]
    }
    assert rows.keys() == {*METHODS, "lost_base"} - {"longrope_short", "longrope_long"}
    task = Task.of(known("Llama-3.1-8B").rotary["all"], 262144)
    own = Task.of(task.layer, 262144, as_in_file=True)
    for name in rows.keys() - {"lost_base"}:
        for asked, key in ((task, ""), (own, "_after_own")):
            if METHODS[name].remaps and key:
                continue  # told for the training without scaling
            counted = int(outcome(METHODS[name], asked).coverage.is_new.sum())
            assert rows[name][f"pairs_with_new_angles{key}"] == counted, (name, key)
    assert rows["declared"]["pairs_with_new_angles_after_own"] == 25
    assert rows["self_extend"]["half_a_turn_off_at"] is None
    plain = explain(known("Llama-2-7B"), 8192)["layers"][0]["methods"]
    assert {row["pairs_with_new_angles_after_own"] for row in plain} == {None}


def test_llama_3_1_is_slowed_in_three_bands() -> None:
    (layer,) = explain(known("Llama-3.1-8B"), 131072)["layers"]
    slowed = [pair["slowed"] for pair in layer["pairs"]]
    assert slowed[:29] == pytest.approx([1] * 29)
    assert slowed[35:] == pytest.approx([8] * 29)
    # By hand: pair 32, wavelength 2π·500000^(1/2) = 4443, 8192/4443 = 1.844 turns.
    keep = (8192 / (2 * math.pi * 500000**0.5) - 1) / 3
    assert slowed[32] == pytest.approx(1 / (keep + (1 - keep) / 8))
    drift = 500000**-0.5 * (1 - 1 / slowed[32])
    (plain,) = (row for row in layer["methods"] if row["name"] == "none")
    assert plain["half_a_turn_off_at"] == math.ceil(math.pi / drift) == 3533


def test_what_transformers_refuses_is_said_beside_the_settings() -> None:
    document = explain(known("Phi-4"), 65536)
    assert document["settings"]["of"] == "the file with YaRN scaling to 65,536 tokens"
    assert any("refuses to load a phi3 file" in note for note in document["settings"]["notes"])
    assert explain(known("Phi-4"))["settings"]["notes"] == []
    # Mixtral's class has no head_dim, and YaRN fails without.
    mixtral = explain(known("Mixtral-8x7B"), 131072)
    assert json.loads(engine(mixtral, "transformers_5")["text"])["head_dim"] == 128
    assert mixtral["settings"]["notes"] == []


def test_the_score_scale_is_what_attention_multiplies_by() -> None:
    # Queries and keys of one direction: both are turned and both carry the attention factor.
    layer = RopeConfig.from_hf(QWEN).rotary["all"]
    inv_freq, factor = layer.frequencies()
    vector = torch.ones(1, 128, dtype=torch.float64)
    turned = apply_rope(vector, torch.tensor([7]), inv_freq, "half", attention_factor=factor)
    score = float((turned @ turned.T).squeeze()) / 128**0.5
    scale = explain(RopeConfig.from_hf(QWEN))["layers"][0]["temperature"]["score_scale"]
    assert score == pytest.approx(scale * float((vector @ vector.T).squeeze()))

"""Every finding has a broken file that shows it, and a mended one that does not."""

from typing import Any

import pytest

from posenc import Finding, RopeConfig, known_models
from posenc.config.findings.all import FINDINGS, SEVERITIES
from posenc.config.findings.windows import named
from posenc.scaling.ntk import ntk_base
from posenc.words import Sentence

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "max_position_embeddings": 131072,
    "rope_theta": 1e6,
}
ORIGINAL, LONGEST = "original_max_position_embeddings", "max_position_embeddings"
YARN = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 32768}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
LLAMA3[ORIGINAL] = 8192
LISTS = {"short_factor": [1.0] * 64, "long_factor": [4.0] * 64, ORIGINAL: 32768}
MSCALES = {**LISTS, "rope_type": "longrope", "short_mscale": 1.2, "long_mscale": 1.2}
LINEAR = {"rope_type": "linear", "factor": 4.0}
DYNAMIC = {"rope_type": "dynamic", "factor": 2.0}


def without(fields: dict, *names: str) -> dict:
    return {key: value for key, value in fields.items() if key not in names}


def scaled(scaling: dict, **fields: Any) -> dict:
    return {**LLAMA, "rope_scaling": scaling, **fields}


def nested(truncate_beside: bool) -> dict:
    by_type = {"full_attention": {**YARN, "rope_theta": 1e6, "truncate": False}}
    by_type["sliding_attention"] = {"rope_theta": 1e6}
    return {**by_type, "truncate": False} if truncate_beside else by_type


def known(name: str, **fields: Any) -> dict:
    return {**known_models()[name].config, **fields}


def gemma3(scaling: dict, layers: int = 47) -> dict:
    """Of no released shape, unless its 48 layers are asked for."""
    text = known_models()["Gemma-3-12B"].config["text_config"]
    text = {**text, "num_hidden_layers": layers, "rope_scaling": scaling}
    return {"model_type": "gemma3", "text_config": text}


def gemma4(scaling: dict) -> dict:
    lists = {key: value * 4 for key, value in scaling.items() if isinstance(value, list)}
    local = {"rope_type": "default", "rope_theta": 1e4}
    full = {**scaling, **lists, ORIGINAL: 131072, "rope_theta": 1e6}
    return known("Gemma-4", rope_parameters={"sliding_attention": local, "full_attention": full})


BERT = {"model_type": "bert", "max_position_embeddings": 512}
SAM = {"model_type": "sam_vision_model", "image_size": 1024, "patch_size": 16}
NTK_BASE = ntk_base(128, 10000.0, 4.0)
SMOLLM3 = known("SmolLM3-3B")
MROPE = {"type": "mrope", "rope_type": "default"}

MISTRAL = known("Mistral-7B-v0.1")
MIXED = known("gpt-oss-20b")
TEXT_BESIDE = {"model_type": "gemma3", "text_config": gemma3({})["text_config"]}
TWICE = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 32768, "attn_factor": 0.8}

# What is wrong, or may be: code, broken file, mended file.
BROKEN: list[tuple[str, dict, dict]] = [
    ("positions_unknown", {"model_type": "lightglue"}, BERT),
    (
        "rotary_dim_unread",
        {**LLAMA, "model_type": "minimax", "rotary_dim": 64},
        {**LLAMA, "model_type": "minimax"},
    ),
    ("relative_keys_ignored", {**BERT, "position_embedding_type": "relative_key"}, BERT),
    ("trained_length_missing", scaled(without(YARN, ORIGINAL)), scaled(YARN)),
    ("trained_length_missing", scaled(without(LLAMA3, ORIGINAL)), scaled(LLAMA3)),
    # The factor is in both lengths; the ramp lies around a shorter length.
    (
        "trained_length_against_makers",
        known("Qwen3-8B", rope_scaling={**YARN, ORIGINAL: 131072}, **{LONGEST: 524288}),
        known("Qwen3-8B", rope_scaling=YARN, **{LONGEST: 131072}),
    ),
    (
        "trained_length_against_makers",
        known("Qwen2.5-7B-Instruct", rope_scaling={**YARN, ORIGINAL: 8192}),
        known("Qwen2.5-7B-Instruct", rope_scaling=YARN),
    ),
    (
        "trained_length_missing",
        known("Qwen3-8B", rope_scaling=without(YARN, ORIGINAL), **{LONGEST: 131072}),
        known("Qwen3-8B", rope_scaling=YARN, **{LONGEST: 131072}),
    ),
    ("original_above_declared", scaled(YARN, **{LONGEST: 4096}), scaled(YARN)),
    ("factor_against_lengths", scaled({**YARN, "factor": 2.0}), scaled(YARN)),
    ("factor_against_lengths", scaled({**YARN, "factor": 8.0}), scaled(YARN)),
    (
        "dynamic_ignores_trained_length",
        scaled({**DYNAMIC, ORIGINAL: 4096}),
        scaled({**DYNAMIC, ORIGINAL: 4096}, **{LONGEST: 4096}),
    ),
    ("double_application", scaled(LINEAR, rope_condense_ratio=8), scaled(LINEAR)),
    (
        "linear_on_raised_base",
        scaled(LINEAR, rope_theta=NTK_BASE),
        scaled(LINEAR, rope_theta=10000.0),
    ),
    (
        "qwen3_length",
        known("Qwen3-8B", rope_scaling={**YARN, ORIGINAL: 40960}, **{LONGEST: 163840}),
        known("Qwen3-8B", rope_scaling=YARN, **{LONGEST: 131072}),
    ),
    (
        "two_trained_lengths",
        scaled({**YARN, ORIGINAL: 4096}, **{ORIGINAL: 32768}),
        scaled(YARN, **{ORIGINAL: 32768}),
    ),
    ("base_missing", without(LLAMA, "rope_theta"), LLAMA),
    (
        "two_bases",
        {**LLAMA, "rope_parameters": {"rope_theta": 5e5}},
        {**LLAMA, "rope_parameters": {"rope_theta": 1e6}},
    ),
    ("both_generations", scaled(YARN, rope_parameters=LLAMA3), scaled(YARN)),
    ("scaling_without_type", scaled({"factor": 4.0}), scaled(LINEAR)),
    (
        "type_alone_lost",
        gemma3({"type": "linear", "factor": 8.0}),
        gemma3({"rope_type": "linear", "factor": 8.0}),
    ),
    (
        "base_not_taken",
        {"model_type": "muse_spark_text", "rope_theta": 1e6},
        {"model_type": "muse_spark_text", "rope_parameters": {"rope_theta": 1e6}},
    ),
    (
        "base_not_taken",
        {"model_type": "dbrx", "attn_config": {"rope_theta": 5e5}},
        {"model_type": "dbrx", "attn_config": {"rope_theta": 5e5}, "rope_theta": 5e5},
    ),
    (
        "kinds_not_named",
        {**without(LLAMA, "rope_theta"), "model_type": "gemma3_text", "rope_parameters": LINEAR},
        {
            **without(LLAMA, "rope_theta"),
            "model_type": "gemma3_text",
            "rope_parameters": {"full_attention": {**LINEAR, "rope_theta": 1e6}},
        },
    ),
    (
        "scaling_not_taken",
        {"model_type": "cohere2_moe", "rope_theta": 1e4, "rope_scaling": LINEAR},
        {"model_type": "cohere2_moe", "rope_theta": 1e4},
    ),
    ("fixed_table", known("GPT-J-6B", rope_scaling=LINEAR), known("GPT-J-6B")),
    (
        "mistral4_turns_too_many",
        {"model_type": "mistral4", "rope_scaling": {**YARN, "factor": 32.0, "rope_theta": 1e6}},
        {"model_type": "mistral4", "rope_parameters": {**YARN, "factor": 32.0, "rope_theta": 1e6}},
    ),
    ("two_types", scaled({**YARN, "type": "linear"}), scaled({**YARN, "type": "yarn"})),
    ("old_longrope_name", scaled({**LISTS, "type": "yarn"}), scaled({**LISTS, "type": "longrope"})),
    ("old_longrope_name", scaled({**LISTS, "type": "su"}), scaled({**LISTS, "type": "longrope"})),
    (
        "nested_truncate_ignored",
        {**LLAMA, "rope_parameters": nested(truncate_beside=False)},
        {**LLAMA, "rope_parameters": nested(truncate_beside=True)},
    ),
    (
        "null_head_dim",
        scaled(YARN, head_dim=None, model_type="qwen2"),
        scaled(YARN, head_dim=None),
    ),
    ("nested_truncate_ignored", gemma3({**YARN, "truncate": False}), gemma3(YARN)),
    (
        "null_head_dim",
        scaled(YARN, model_type="mixtral"),
        scaled(YARN, model_type="mixtral", head_dim=128),
    ),
    ("unknown_family", {**LLAMA, "model_type": "someone_new"}, LLAMA),
    (
        "phi3_knows_longrope_alone",
        scaled(YARN, model_type="phi3", **{ORIGINAL: 32768}),
        scaled({**LISTS, "rope_type": "longrope"}, model_type="phi3", **{ORIGINAL: 32768}),
    ),
    (
        "gemma4_refuses_longrope",
        gemma4({**LISTS, "rope_type": "longrope"}),
        gemma4({"rope_type": "yarn", "factor": 4.0, ORIGINAL: 32768}),
    ),
    ("zero_beta_is_unset", scaled({**YARN, "beta_slow": 0}), scaled({**YARN, "beta_slow": 0.5})),
    (
        "partial_rotary_ignored",
        {**LLAMA, "partial_rotary_factor": 0.5},
        {**LLAMA, "partial_rotary_factor": 0.5, "model_type": "stablelm"},
    ),
    ("mscale_needs_both", scaled({**YARN, "mscale_all_dim": 1.0}), scaled(YARN)),
    (
        "no_temperature",
        scaled({**YARN, "mscale": 1.0, "mscale_all_dim": 1.0}),
        known("DeepSeek-V3"),
    ),
    (
        "attention_factor_in_engines",
        scaled({**YARN, "attention_factor": 1.0}),
        scaled({**YARN, "attention_factor": 1.1386294}),
    ),
    (
        "scaling_missing",
        known("Llama-3.1-70B", rope_scaling=None),
        known("Llama-3.1-70B"),
    ),
    ("scaling_missing", gemma3({}, 48), gemma3({"rope_type": "linear", "factor": 8.0}, 48)),
    ("scaling_missing", known("OLMo-3.1-32B", rope_scaling=None), known("OLMo-3.1-32B")),
    ("scaling_missing", known("Llama-3.1-8B", rope_scaling=None), known("Llama-3-8B")),
    ("scaling_missing", known("Phi-3-mini-128k", rope_scaling=None), known("Phi-3.5-mini")),
    (
        "read_as_asked",
        {**LLAMA, "model_type": "nobodys", "posenc_read_as": "llama"},
        LLAMA,
    ),
    (
        "scaling_edited",
        gemma3({"rope_type": "linear", "factor": 2.0}, 48),
        gemma3({"rope_type": "linear", "factor": 8.0}, 48),
    ),
    (
        "scaling_edited",
        known("Llama-3.1-8B", rope_scaling={**LLAMA3, "factor": 32.0}),
        known("Llama-3.1-8B", rope_scaling=LLAMA3),
    ),
    (
        "mrope_section_missing",
        known("Qwen2-VL-7B", rope_scaling=None),
        known("Qwen2-VL-7B"),
    ),
    (
        "longrope_declared_edited",
        known("Phi-3.5-mini", **{LONGEST: 32768}),
        known("Phi-3.5-mini"),
    ),
    # Nobody's shape, with the numbers of Llama 3.1, of Llama 3.2, and of none.
    ("llama3_length_raised", scaled(LLAMA3, **{LONGEST: 262144}), scaled(LLAMA3)),
    (
        "llama3_length_raised",
        scaled({**LLAMA3, "factor": 32.0}, **{LONGEST: 262144}),
        scaled({**LLAMA3, "factor": 32.0}),
    ),
    (
        "llama3_length_raised",
        scaled({**LLAMA3, "factor": 4.0}, **{LONGEST: 131072}),
        scaled({**LLAMA3, "factor": 4.0}, **{LONGEST: 65536}),
    ),
    (
        "base_against_known",
        known("Qwen2.5-7B-Instruct", rope_theta=1e4),
        known("Qwen2.5-7B-Instruct", rope_theta=1e4, num_hidden_layers=29),
    ),
    ("base_against_known", known("Llama-3.1-8B", rope_theta=1e4), known("Llama-3.1-8B")),
    # Two models of one shape have different bases, each with its own length.
    (
        "base_against_known",
        known("Llama-2-7B", rope_theta=1e6),
        known("CodeLlama-7B"),
    ),
    # Its older file, whose length was never trained; the newer one.
    (
        "declared_above_trained",
        known("Mistral-Nemo", **{LONGEST: 1024000}),
        known("Mistral-Nemo", **{LONGEST: 131072}),
    ),
    # Llama-2-7B with twice its length, and dynamic scaling by 2 beside it.
    (
        "dynamic_length_multiplied",
        known("Llama-2-7B", rope_scaling=DYNAMIC, **{LONGEST: 8192}),
        known("Llama-2-7B", rope_scaling=DYNAMIC, **{LONGEST: 4096}),
    ),
    (
        "misspelt_field",
        scaled({**without(YARN, ORIGINAL), "original_max_position_embedding": 32768}),
        scaled(YARN),
    ),
    ("misspelt_field", {**without(LLAMA, "rope_theta"), "rope_tehta": 1e6}, LLAMA),
    ("misspelt_field", {**LLAMA, "rope_scalling": YARN}, scaled(YARN)),
    ("misspelt_field", scaled({**YARN, "betafast": 16}), scaled({**YARN, "beta_fast": 16})),
    # vLLM: (0.1 ln 4 + 1) · 0.8 = 0.910904; transformers: 1.138629.
    ("attn_factor", scaled(TWICE), scaled({**TWICE, "attention_factor": 0.9109035})),
    ("attn_factor", scaled(TWICE), scaled({**YARN, "attn_factor": 1})),
    (
        "outer_scaling_ignored",
        {**TEXT_BESIDE, "rope_scaling": {"rope_type": "linear", "factor": 8.0}},
        gemma3({"rope_type": "linear", "factor": 8.0}),
    ),
    (
        "window_needs_no_scaling",
        {**MISTRAL, LONGEST: 131072, "rope_scaling": YARN},
        {**MISTRAL, LONGEST: 131072, "rope_scaling": YARN, "sliding_window": None},
    ),
    (
        "nope_flags_reversed",
        {**SMOLLM3, "no_rope_layers": [0, 0, 0, 1] * 9},
        SMOLLM3,
    ),
    ("nope_flags_count", {**SMOLLM3, "no_rope_layers": [1, 1, 1, 0] * 8}, SMOLLM3),
    (
        "mrope_sections",
        scaled({**MROPE, "type": "default", "mrope_section": [16, 24, 20]}),
        scaled({**MROPE, "type": "default", "mrope_section": [16, 24, 24]}),
    ),
]

# What is right and easily misread: code, file that shows it, file that does not.
WORTH_KNOWING: list[tuple[str, dict, dict]] = [
    ("declared_below_reach", scaled(YARN, **{LONGEST: 32768}), scaled(YARN)),
    ("dynamic_factor_is_no_ratio", scaled(DYNAMIC), scaled({**DYNAMIC, "factor": 1.0})),
    ("qwen3_length", known("Qwen3-8B"), known("Qwen3-8B", **{LONGEST: 32768})),
    (
        "base_only_in_new_fields",
        {**without(LLAMA, "rope_theta"), "rope_parameters": {"rope_theta": 1e6}},
        {**LLAMA, "rope_parameters": {"rope_theta": 1e6}},
    ),
    (
        "base_only_in_new_fields",
        {"text_config": {**without(LLAMA, "rope_theta"), "rope_parameters": {"rope_theta": 1e6}}},
        {"text_config": LLAMA},
    ),
    ("old_type_key", scaled({"type": "linear", "factor": 4.0}), scaled(LINEAR)),
    (
        "family_from_architectures",
        {**LLAMA, "model_type": "someone_new", "architectures": ["Qwen3ForCausalLM"]},
        LLAMA,
    ),
    ("class_defaults", without(LLAMA, "hidden_size"), LLAMA),
    ("yarn_acts_on_short_texts", scaled(YARN), scaled(LINEAR)),
    # Its makers extended it with the YaRN of its file, and no smaller factor is right.
    ("yarn_acts_on_short_texts", known("Qwen2.5-7B-Instruct with YaRN"), known("gpt-oss-20b")),
    ("longrope_switch", scaled({**LISTS, "rope_type": "longrope"}), scaled(YARN)),
    ("llama3_equal_bounds", scaled({**LLAMA3, "high_freq_factor": 1.0}), scaled(LLAMA3)),
    ("queries_grow", scaled({**YARN, "llama_4_scaling_beta": 0.1}), scaled(YARN)),
    (
        "queries_grow_by_log",
        {"model_type": "inkling2_text"},
        {"model_type": "inkling2_text", "log_scaling_alpha": 0.0},
    ),
    (
        "queries_grow_by_log",
        {"model_type": "inkling_text", "log_scaling_n_floor": 8192},
        {"model_type": "inkling_text"},
    ),
    (
        "fixed_alpha",
        {**LLAMA, "model_type": "hunyuan_v1_dense", "rope_scaling": {**DYNAMIC, "alpha": 1000.0}},
        {**LLAMA, "model_type": "hunyuan_v1_dense", "rope_scaling": DYNAMIC},
    ),
    (
        "long_list_unused",
        scaled(MSCALES, model_type="phimoe"),
        scaled({**LISTS, "rope_type": "longrope"}),
    ),
    (
        "bias_ends",
        {"model_type": "inkling_text"},
        {"model_type": "inkling_text", "local_layer_ids": []},
    ),
    (
        "queries_grow",
        {"model_type": "ministral3", "rope_parameters": {**YARN, "llama_4_scaling_beta": 0.1}}
        | {"rope_theta": 1e6, LONGEST: 131072},
        {"model_type": "ministral3", "rope_parameters": {**YARN, "rope_theta": 1e6}},
    ),
    (
        "rotary_dim_unread",
        {**LLAMA, "model_type": "minimax_text_01", "rotary_dim": 64},
        {**LLAMA, "model_type": "minimax_m2", "rotary_dim": 64},
    ),
    ("softmax_multiplier", known("DeepSeek-V3"), scaled(YARN)),
    ("interleaved_layout", known("GPT-J-6B"), LLAMA),
    ("partial_rotary_exponent", known("Phi-2"), LLAMA),
    ("linear_length_multiplied", scaled(LINEAR), scaled({**LINEAR, ORIGINAL: 131072})),
    (
        "linear_length_multiplied",
        scaled(LINEAR),
        gemma3({"rope_type": "linear", "factor": 8.0}),  # vLLM leaves its length as it is
    ),
    ("window_needs_no_scaling", MISTRAL, {**MISTRAL, "sliding_window": 32768}),
    (
        "window_needs_no_scaling",
        {**scaled({}), "model_type": "qwen2", "sliding_window": 4096, "max_window_layers": 0}
        | {"use_sliding_window": True},
        {**scaled({}), "model_type": "qwen2", "sliding_window": 4096, "max_window_layers": 0},
    ),
    ("window_layers_scaled", MIXED, {**MIXED, "sliding_window": 131072}),
    ("dual_chunk_elsewhere", known("Qwen2.5-7B-Instruct-1M"), known("Qwen2.5-7B-Instruct")),
    ("part_read", {"model_type": "sam", "vision_config": SAM}, SAM),
]


def findings(config: dict) -> tuple[Finding, ...]:
    return RopeConfig.from_hf(config).findings


def codes(config: dict, *severities: str) -> list[str]:
    return [f.code for f in findings(config) if f.severity in (severities or SEVERITIES)]


@pytest.mark.parametrize(("code", "broken", "mended"), BROKEN)
def test_a_broken_file_shows_exactly_its_finding(code: str, broken: dict, mended: dict) -> None:
    assert codes(broken, "error", "warning") == [code]
    assert codes(mended, "error", "warning") == []
    finding = next(finding for finding in findings(broken) if finding.code == code)
    assert finding.remedy.endswith(".")
    names_fields_and_speaks_in_sentences(broken)


def names_fields_and_speaks_in_sentences(config: dict) -> None:
    for finding in findings(config):
        assert finding.severity in SEVERITIES
        assert finding.fields
        assert all(" " not in field and field for field in finding.fields)
        assert isinstance(finding.message, Sentence)
        assert isinstance(finding.remedy, Sentence) or not finding.remedy
        assert finding.message.endswith(".")
        assert len(finding.message) < 400
        assert "nan" not in finding.message


@pytest.mark.parametrize(("code", "shows", "does_not"), WORTH_KNOWING)
def test_what_is_worth_knowing_is_said(code: str, shows: dict, does_not: dict) -> None:
    assert codes(shows, "error", "warning") == []
    assert code in codes(shows, "info")
    assert code not in codes(does_not)
    names_fields_and_speaks_in_sentences(shows)


def test_every_finding_is_tested() -> None:
    tested = {code for code, _, _ in BROKEN + WORTH_KNOWING}
    assert tested == {judge.code for judge in FINDINGS}
    assert len(FINDINGS) == len({judge.code for judge in FINDINGS})


def test_known_models_have_neither_error_nor_warning() -> None:
    found = {name: codes(known(name), "error", "warning") for name in known_models()}
    assert {name: one for name, one in found.items() if one} == {
        # Trained with 262144 tokens at most, as its makers say, it declares 40 times as many.
        "Llama-4-Scout": ["declared_above_trained"],
        # Declares 128,000, and its model card says 32,768.
        "Qwen2.5-VL-7B": ["declared_above_trained"],
    }


GEMMA3 = without(known_models()["Gemma-3-12B"].config["text_config"], "rope_theta")
MINICPM = {"model_type": "minicpm", "hidden_size": 2304, "num_attention_heads": 36}
# Released files that name no base, and the bases of their code.
WITHOUT_BASE: dict[str, tuple[dict, list[float]]] = {
    "falcon": ({"model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 71}, [1e4]),
    "nomic_bert": ({"model_type": "nomic_bert", "n_embd": 768, "rotary_emb_base": 1000}, [1000]),
    "minicpm": (MINICPM, [1e4]),
    "gemma3": ({"model_type": "gemma3", "text_config": GEMMA3}, [1e4, 1e6]),
    "gemma3, neither base": (
        {"model_type": "gemma3", "text_config": without(GEMMA3, "rope_local_base_freq")},
        [1e4, 1e6],
    ),
}


@pytest.mark.parametrize("name", WITHOUT_BASE)
def test_a_released_file_is_not_asked_for_a_base_that_its_code_never_had(name: str) -> None:
    file, bases = WITHOUT_BASE[name]
    assert codes(file, "error", "warning") == []
    assert [layer.base for layer in RopeConfig.from_hf(file).rotary.values()] == bases


def test_errors_come_first() -> None:
    broken = scaled({**YARN, "factor": 2.0, "type": "linear"})
    assert codes(broken) == ["factor_against_lengths", "two_types", "yarn_acts_on_short_texts"]


def test_a_reach_from_a_guessed_length_is_not_advised() -> None:
    guessed = scaled(without(YARN, ORIGINAL))
    assert codes(guessed) == ["trained_length_missing", "yarn_acts_on_short_texts"]


def test_messages_hold_the_numbers() -> None:
    first = findings(scaled({**YARN, "factor": 2.0}))[0]
    assert first.fields == ("rope_scaling.factor", f"rope_scaling.{ORIGINAL}", LONGEST)
    assert "factor 2 stretches 32768 trained tokens to 65536" in first.message
    assert "declares 131072, 4 times the trained length" in first.message
    assert first.remedy == f"Set factor to 4, or {LONGEST} to 65536."


def message(config: dict, code: str) -> Finding:
    return next(finding for finding in findings(config) if finding.code == code)


def test_a_window_names_its_layers_and_its_farthest_distance() -> None:
    says = message(MISTRAL, "window_needs_no_scaling").message
    assert "all 32. Each sees 4096 tokens at most" in says
    assert "no distance between a query and a key exceeds 4095" in says
    says = message(MIXED, "window_layers_scaled").message
    assert "Layers 0, 2, 4 … 22 (12 of 24) see 128 tokens" in says
    assert "exceeds 127 there, and yarn scaling" in says


def test_chunks_are_windows_and_their_scaling_is_no_addition() -> None:
    scout = known("Llama-4-Scout")
    finding = message(scout, "window_needs_no_scaling")
    assert finding.severity == "info"
    assert finding.fields == ("attention_chunk_size",)
    assert "0, 1, 2, 4, 5, 6 … 46 (36). Each sees 8192 tokens" in finding.message


def test_a_window_that_begins_at_a_layer() -> None:
    fields = {**LLAMA, "model_type": "qwen2", "use_sliding_window": True, "sliding_window": 4096}
    scaling = {"rope_scaling": YARN, "max_window_layers": 28}
    says = message({**fields, **scaling}, "window_layers_scaled").message
    assert "Layers 28-31 (4 of 32)" in says
    # Without max_window_layers it begins where the class says; Qwen3-MoE's has it in all layers.
    says = message({**fields, "rope_scaling": YARN}, "window_layers_scaled").message
    assert "Layers 28-31 (4 of 32)" in says
    all_layers = {**fields, "model_type": "qwen3_moe", "max_window_layers": 28}
    assert "all 32" in message(all_layers, "window_needs_no_scaling").message


@pytest.mark.parametrize(
    ("layers", "words"),
    [
        ([0, 1, 2, 3], "0-3"),
        ([3], "3"),
        ([0, 1, 2, 4, 5, 6, 8], "0, 1, 2, 4, 5, 6 … 8"),
        ([1, 3, 5, 7, 9, 11, 13], "1, 3, 5 … 13"),
    ],
)
def test_layers_are_named_shortly(layers: list[int], words: str) -> None:
    assert named(layers) == words


def test_a_misspelt_name_is_told_with_the_right_one_and_the_value() -> None:
    broken = scaled({**without(YARN, ORIGINAL), "original_max_position_embedding": 32768})
    finding = message(broken, "misspelt_field")
    assert finding.fields == ("rope_scaling.original_max_position_embedding",)
    assert f"{ORIGINAL} looks like what is meant" in finding.message
    assert finding.remedy == f"Write rope_scaling.{ORIGINAL}: 32768."


def test_what_vllm_and_transformers_make_of_their_factors() -> None:
    says = message(scaled(TWICE), "attn_factor").message
    assert "multiply their own 1.13863 by it, so cos and sin get 0.910904" in says
    assert "here compute with 1.13863" in says
    finding = message(scaled({**YARN, "attention_factor": 1.0}), "attention_factor_in_engines")
    assert "write attn_factor: 0.878249" in finding.remedy  # 1 / 1.138629
    written = scaled({**YARN, "attention_factor": 1.0, "attn_factor": 0.878249})
    assert codes(written, "error", "warning") == []


def test_a_multiplied_length_is_told_with_both_lengths() -> None:
    broken = known("Llama-2-7B", rope_scaling=DYNAMIC, **{LONGEST: 8192})
    finding = message(broken, "dynamic_length_multiplied")
    assert "8192, 2 times the 4096 of Llama-2-7B" in finding.message
    assert finding.remedy == f"Write {LONGEST}: 4096."
    says = message(known("LongChat-7b-16k"), "linear_length_multiplied").message
    assert "vLLM and SGLang multiply the declared length" in says
    assert "2048 tokens were trained" in says


def test_a_declared_length_is_told_with_the_trained_one_and_its_source() -> None:
    finding = message(known("Mistral-Nemo", **{LONGEST: 1024000}), "declared_above_trained")
    assert "declares 1024000 tokens, 7.8 times the 131072 of Mistral-Nemo" in finding.message
    assert "Trained with texts of up to 131,072 tokens" in finding.message
    assert "Mistral-Nemo-Instruct-2407" in finding.message
    assert finding.remedy.startswith("Keep texts within 131072 tokens or scale")
    # Where every layer that rotates sees a window, the advice is that no scaling helps.
    windows = message(known("Llama-4-Scout"), "declared_above_trained")
    assert "or scale" not in windows.remedy
    assert windows.remedy.endswith("No scaling helps: every layer that rotates sees a window only.")
    # A window makes the declared length harmless; scaling is another finding's business.
    assert "declared_above_trained" not in codes(MISTRAL)
    assert "declared_above_trained" not in codes(known("Qwen3-8B", rope_scaling=YARN))


def test_what_qwen3_leaves_room_for() -> None:
    says = message(known("Qwen3-8B"), "qwen3_length").message
    assert "room for 32768 tokens of output and a prompt of 8192" in says


def test_dual_chunk_attention_is_told_with_the_release_that_lost_it() -> None:
    finding = message(known("Qwen2.5-7B-Instruct-1M"), "dual_chunk_elsewhere")
    assert "vLLM has not applied them since 0.11.0 (2025-10)" in finding.message
    assert "262144 tokens" in finding.remedy


def test_both_mscales_are_left_alone_where_nobody_knows_what_is_applied() -> None:
    both = {**YARN, "mscale": 1.0, "mscale_all_dim": 1.0}
    assert "no_temperature" not in codes(scaled(both, model_type="someone_new"))


def test_rotary_fields_of_a_model_that_does_not_rotate_are_not_judged() -> None:
    bert = known("BERT-base", rope_parameters=True, rope_scaling=LINEAR)
    assert codes(bert, "error", "warning") == []


def test_findings_are_worked_out_once(monkeypatch) -> None:
    config = RopeConfig.from_hf(scaled(YARN))
    first = config.findings
    monkeypatch.setattr("posenc.config.rope.find", None)
    assert config.findings is first

"""Facts about engines by family: marks, settings that do nothing, and settings that work then."""

from dataclasses import replace
from itertools import product

import pytest

from posenc import RopeConfig, extend_config, known_models
from posenc.config.engines.all import ENGINES
from posenc.config.extend import EXTENSIONS, trained_length
from posenc.config.facts import (
    ALIBI,
    ALL,
    ANY,
    BASE,
    GAPS,
    NONE,
    SCALING,
    TRIED,
    WINDOWS,
    fields,
    mark,
)
from tests.kinds import known

KINDS = {*("linear", "dynamic", "yarn", "llama3", "longrope", "proportional")}
KINDS |= {SCALING, BASE, NONE, ANY, WINDOWS, ALIBI}


def longer(name: str, method: str) -> tuple[RopeConfig, RopeConfig]:
    """A known model stretched, and as it was."""
    before = known(name)
    kind = next(key for key in before.rotary if key != "sliding_attention")
    length = 4 * (trained_length(before, kind) or 0)
    return extend_config(before, kind, method, length), before


def test_every_row_is_about_an_engine_of_the_list() -> None:
    assert TRIED.keys() == ENGINES.keys()
    for name, one in TRIED.items():
        assert not set(one.ran) & set(one.read), name
        assert one.version, name
        assert one.date[:2] == "20", name
    for gap in GAPS:
        assert gap.engine in ENGINES
        assert gap.does in ("ignores", "misreads", "refuses")
        assert set(gap.settings) <= KINDS, gap
        assert gap.families, gap
        assert gap.where, gap
        # What is known not to work was looked at.
        looked = {*TRIED[gap.engine].ran, *TRIED[gap.engine].read}
        assert {*gap.families} <= looked or {ALL, ANY} & {*looked, *gap.settings}, gap


def test_a_mark_is_for_an_engine_and_a_family() -> None:
    llama = known("Llama-2-7B")
    assert mark("transformers_5", llama, llama) == "ran"
    assert mark("ollama", llama, llama) == "read"
    assert mark("vllm_old", llama, llama) == "not tried"
    assert mark("sglang", *longer("Gemma-2-9B", "yarn")) == "ignored"
    assert mark("vllm", *longer("gpt-oss-20b", "linear")) == "refused"
    assert mark("vllm", *longer("DeepSeek-V3", "linear")) == "refused"
    assert llama.settings("transformers_5").tried.startswith("Run for llama: transformers 5.23")
    assert llama.settings("ollama").tried.startswith("Read, not run, for llama: Ollama fb30760")
    assert llama.settings("vllm_old").tried.startswith("Not tried for llama; read: vLLM 0.11.2")


def test_no_line_is_offered_that_does_nothing() -> None:
    for name, method in product(known_models(), EXTENSIONS):
        before = known(name)
        kind = next((key for key in before.rotary if key != "sliding_attention"), "")
        if not kind or trained_length(before, kind) is None:
            continue
        changed, _ = longer(name, method)
        asked = {BASE} if method == "ntk" else {SCALING, method}
        for one in GAPS:
            is_of_it = before.model_type in one.families and not (one.alone and before.path)
            if is_of_it and asked & {*one.settings}:
                with pytest.raises(ValueError, match=r"ignores|does not load|something else"):
                    changed.settings(one.engine, before)


FALCON_RW = {
    "model_type": "falcon",
    "hidden_size": 2048,
    "num_attention_heads": 32,
    "num_hidden_layers": 24,
    "alibi": True,
    "multi_query": False,
    "vocab_size": 50304,
}
"""falcon-rw-1b: the first Falcons have ALiBi."""


def test_a_run_of_a_rotation_says_nothing_about_biases() -> None:
    biased = RopeConfig.from_hf(FALCON_RW)
    rotated = RopeConfig.from_hf({**FALCON_RW, "alibi": False})
    assert mark("vllm", rotated, rotated) == "ran"
    assert mark("vllm", biased, biased) == "read"


def test_facts_about_fields_are_dated() -> None:
    for one in fields("attention_factor").values():
        assert one.since
        assert one.date[:2] == "20"
        assert one.where
        assert one.engine in ENGINES


def test_a_window_that_engines_ignore_is_said_for_each() -> None:
    (finding,) = (
        one for one in known("Mistral-7B-v0.1").findings if one.code == "window_needs_no_scaling"
    )
    assert "mlx-lm 0.32" in finding.remedy
    assert "exllamav3" in finding.remedy
    held = RopeConfig.from_hf(
        {**known_models()["Mistral-7B-v0.1"].config, "model_type": "starcoder2"}
    )
    (finding,) = (one for one in held.findings if one.code == "window_needs_no_scaling")
    assert "exllamav3" not in finding.remedy


def test_findings_and_notes_name_the_same_release() -> None:
    llama = known_models()["Llama-2-7B"].config
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
    own = RopeConfig.from_hf({**llama, "rope_scaling": {**yarn, "attention_factor": 1.5}})
    (finding,) = (one for one in own.findings if one.code == "attention_factor_in_engines")
    release = fields("attention_factor")["vllm"].since
    assert f"vLLM before {release}" in finding.message
    assert any(f"Releases before {release}" in note for note in own.settings("vllm").notes)
    for engine in fields("attention_factor", "ignores"):
        assert TRIED[engine].name in finding.message
    for engine in ("sglang", "tensorrt_llm"):
        assert any("does not read attention_factor" in one for one in own.settings(engine).notes)
    theirs = RopeConfig.from_hf({**llama, "rope_scaling": {**yarn, "attn_factor": 1.5}})
    (finding,) = (one for one in theirs.findings if one.code == "attn_factor")
    assert f"a field of SGLang, and of vLLM before {release}" in finding.message


def test_proportional_scaling_is_refused_where_its_factor_is_not_read() -> None:
    before = known("Gemma-4")
    full = before.rotary["full_attention"]
    scaling = replace(full.scaling, factor=2.0)  # type: ignore[type-var]
    changed = replace(
        before, layers={**before.layers, "full_attention": replace(full, scaling=scaling)}
    )
    for engine in ("vllm", "sglang"):
        with pytest.raises(ValueError, match="ignores proportional scaling for gemma4_text"):
            changed.settings(engine, before)
        assert before.settings(engine).text

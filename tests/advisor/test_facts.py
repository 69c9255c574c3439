"""Facts about engines by family: marks, settings that do nothing, and settings that work then."""

from functools import cache
from itertools import product

import pytest

from advisor import Finding, RopeConfig, extend_config, known_models
from advisor.engines.all import ENGINES
from advisor.extend import EXTENSIONS, trained_length
from advisor.facts import (
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
from tests.advisor.files import read
from tests.kinds import known

KINDS = {*("linear", "dynamic", "yarn", "llama3", "longrope", "proportional")}
KINDS |= {SCALING, BASE, NONE, ANY, WINDOWS, ALIBI}


@cache
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


def test_no_line_is_offered_that_does_nothing() -> None:
    for name, method in product(known_models(), EXTENSIONS):
        before = known(name)
        kind = next((key for key in before.rotary if key != "sliding_attention"), "")
        if not kind or trained_length(before, kind) is None:
            continue
        asked = {BASE} if method == "ntk" else {SCALING, method}
        for one in GAPS:
            is_of_it = before.model_type in one.families and not (one.alone and before.path)
            if is_of_it and asked & {*one.settings}:
                changed, _ = longer(name, method)
                with pytest.raises(ValueError, match=r"ignores|does not load|something else"):
                    changed.settings(one.engine, before)


def test_a_run_of_a_rotation_says_nothing_about_biases() -> None:
    biased, rotated = read("Falcon-RW-1B"), read("Falcon-RW-1B, alibi=false")
    assert mark("vllm", rotated, rotated) == "ran"
    assert mark("vllm", biased, biased) == "read"


def test_facts_about_fields_are_dated() -> None:
    for one in fields("attention_factor").values():
        assert one.since
        assert one.date[:2] == "20"
        assert one.where
        assert one.engine in ENGINES


def found(text: str, code: str) -> Finding:
    (finding,) = (one for one in read(text).findings if one.code == code)
    return finding


def test_an_engine_that_holds_to_the_window_is_not_named() -> None:
    held = found('Mistral-7B-v0.1, model_type="starcoder2"', "window_needs_no_scaling")
    assert "exllamav3" not in held.remedy


def test_findings_and_notes_name_the_same_release() -> None:
    own = "Llama-2-7B, yarn 4 on 4096, attention_factor 1.5"
    message = found(own, "attention_factor_in_engines").message
    release = fields("attention_factor")["vllm"].since
    assert f"vLLM before {release}" in message
    assert any(f"Releases before {release}" in note for note in read(own).settings("vllm").notes)
    for engine in fields("attention_factor", "ignores"):
        assert TRIED[engine].name in message
    theirs = found("Llama-2-7B, yarn 4 on 4096, attn_factor 1.5", "attn_factor")
    assert f"a field of SGLang, and of vLLM before {release}" in theirs.message

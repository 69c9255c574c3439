"""What is known about engines by family: marks, settings that do nothing, and what works then."""

import pytest

from posenc import RopeConfig, extend_config, known_models
from posenc.config.engines.all import ENGINES
from posenc.config.engines.facts import ALL, ANY, BASE, SCALING, WINDOWS, fields, gaps, mark, tried
from posenc.scaling.methods import METHODS

KINDS = {
    "linear",
    "dynamic",
    "yarn",
    "llama3",
    "longrope",
    "proportional",
    SCALING,
    BASE,
    ANY,
    WINDOWS,
}


def known(name: str) -> RopeConfig:
    return RopeConfig.from_hf(known_models()[name].config)


def longer(name: str, method: str) -> tuple[RopeConfig, RopeConfig]:
    """A known model stretched, and as it was."""
    before = known(name)
    length = 4 * (before.reach or 0)
    kind = next(key for key in before.rotary if key != "sliding_attention")
    return extend_config(before, kind, method, length), before


def test_every_row_is_about_an_engine_of_the_list() -> None:
    assert tried().keys() == ENGINES.keys()
    for name, one in tried().items():
        assert not set(one.ran) & set(one.read), name
        assert one.version, name
        assert one.date[:2] == "20", name
    for gap in gaps():
        assert gap.engine in ENGINES
        assert gap.does in ("ignores", "refuses")
        assert set(gap.settings) <= KINDS, gap
        assert gap.families, gap
        assert gap.where, gap
        # What is known not to work was looked at.
        looked = {*tried()[gap.engine].ran, *tried()[gap.engine].read}
        assert {*gap.families} <= looked or {ALL, ANY} & {*looked, *gap.settings}, gap


def test_a_mark_is_for_an_engine_and_a_family() -> None:
    llama = known("Llama-2-7B")
    assert mark("transformers_5", llama, llama) == "ran"
    assert mark("ollama", llama, llama) == "read"
    assert mark("vllm_old", llama, llama) == "not tried"
    assert mark("sglang", *longer("Gemma-2-9B", "yarn")) == "ignored"
    assert llama.settings("transformers_5").tried.startswith("Run for llama: transformers 5.23")
    assert llama.settings("ollama").tried.startswith("Read, not run, for llama: ollama fb30760")
    assert llama.settings("vllm_old").tried.startswith("Not tried for llama; read: vLLM 0.11.2")


def test_no_line_is_offered_that_does_nothing() -> None:
    for one in gaps():
        for name, model in known_models().items():
            config = RopeConfig.from_hf(model.config)
            if config.model_type not in one.families or not config.rotary:
                continue
            method = "ntk" if one.settings == (BASE,) else "yarn"
            if METHODS[method] and {SCALING, BASE, method} & {*one.settings}:
                changed, before = longer(name, method)
                with pytest.raises(ValueError, match=r"ignores|does not load"):
                    changed.settings(one.engine, before)


def test_a_refusal_says_what_works() -> None:
    changed, before = longer("Gemma-2-9B", "yarn")
    with pytest.raises(ValueError, match=r"SGLang 0.5.23 ignores yarn scaling for gemma2") as said:
        changed.settings("sglang", before)
    assert "A larger base is read there (NTK-aware)." in str(said.value)
    assert "transformers 5.23" in str(said.value)
    raised, before = longer("Gemma-2-9B", "ntk")
    assert raised.settings("sglang", before).text  # the base is read
    assert before.settings("sglang").text  # and nothing is ignored where nothing is scaled


def test_facts_about_fields_are_dated() -> None:
    for one in fields("attention_factor"):
        assert one.since
        assert one.date[:2] == "20"
        assert one.where
        assert one.engine in ENGINES

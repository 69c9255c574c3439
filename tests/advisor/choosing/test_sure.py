"""Sure is what the makers say at that length, whatever a file declares."""

import json
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import RopeConfig, known_models
from advisor.choosing.choose import choose
from advisor.known_models import same_shape
from tests.kinds import known

ROWS = json.loads(files("advisor").joinpath("evidence.json").read_text(encoding="utf-8"))
DECLARED = "max_position_embeddings"
YARN = {"rope_type": "yarn", "factor": 4.0}


def longest_word(config: RopeConfig) -> int:
    """The longest that makers say of a model of this shape, from the file of evidence alone."""
    names = {one.name for one in same_shape(config)}
    told = (row for row in ROWS if row["kind"] != "ruler" and row["status"] != "assumed")
    return max((row["tokens"] for row in told if names & set(row["models"])), default=0)


def edited(name: str, **fields: Any) -> RopeConfig:
    """A known model's file with other fields of its text model."""
    source = known_models()[name].config
    if "text_config" in source:
        return RopeConfig.from_hf({**source, "text_config": {**source["text_config"], **fields}})
    return RopeConfig.from_hf({**source, **fields})


@pytest.mark.parametrize("times", [1, 2, 4, 32])
def test_sure_is_the_makers_word_at_that_length(times: int) -> None:
    for name in known_models():
        config = known(name)
        target = times * (config.reach or 4096)
        choice = choose(config, target)
        said = (name, choice.clause)
        assert (choice.sureness == "sure") <= (target <= longest_word(config)), said
        if choice.sureness == "sure":
            assert choice.known is not None, said
            assert (choice.known.tokens or 0) >= target, said
            assert choice.known.is_makers, said
            assert choice.known.says in [one.text for one in choice.reasons], said
        if choice.known is None and choice.config is not None:
            # One of the two is always said: how far the makers go, or that nobody says.
            assert {"said", "unknown"} & {one.code for one in choice.reasons}, said


def test_the_makers_word_is_not_lost() -> None:
    for row in ROWS:
        if row["kind"] in ("trained", "documented") and row["status"] != "assumed":
            for name in {*row["models"]} & {*known_models()}:
                choice = choose(known(name), row["tokens"])
                assert choice.sureness == "sure", (name, row["tokens"], choice.clause)


DECLARING = [
    name for name, model in known_models().items() if model.text.given(DECLARED) and len(name) > 0
]


@given(
    name=st.sampled_from(DECLARING),
    declared=st.integers(1024, 10**8),
    share=st.floats(0.01, 1.5),
    scaling=st.sampled_from([None, {}, {"original_max_position_embeddings": 4096}]),
)
@settings(max_examples=150, deadline=None)
def test_a_declared_length_makes_nothing_sure(
    name: str, declared: int, share: float, scaling: dict[str, Any] | None
) -> None:
    # The declared length, and perhaps a scaling that somebody wrote beside it.
    added = {} if scaling is None else {"rope_scaling": {**YARN, **scaling}}
    try:
        config = edited(name, **{DECLARED: declared}, **added)
    except ValueError:
        return  # LongRoPE of a length below that of its training, for one
    target = max(2, int(share * declared))
    choice = choose(config, target)
    if choice.sureness == "sure":
        assert target <= longest_word(config), choice.clause
        assert choice.known is not None
        assert (choice.known.tokens or 0) >= target


KINDS = ("yarn", "linear", "dynamic", "llama3")
LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}


@given(
    kind=st.sampled_from(KINDS),
    factor=st.floats(1, 1e9),
    declared=st.integers(1, 10**9),
    original=st.none() | st.integers(1, 10**9),
    target=st.integers(1, 10**9),
    layers=st.sampled_from([32, 33]),
)
@settings(max_examples=200, deadline=None)
def test_any_two_lengths_and_any_factor_get_a_choice(
    kind: str, factor: float, declared: int, original: int | None, target: int, layers: int
) -> None:
    scaling = {"rope_type": kind, "factor": factor, **(LLAMA3 if kind == "llama3" else {})}
    if original is not None:
        scaling["original_max_position_embeddings"] = original
    file = {"num_hidden_layers": layers, DECLARED: declared, "rope_scaling": scaling}
    try:
        config = edited("Llama-2-7B", **file)
        choice = choose(config, target)
    except ValueError:
        return  # a sentence: frequencies that are not finite, a factor beyond 1e9
    assert (choice.sureness == "sure") <= (target <= longest_word(config))
    assert choice.clause


@pytest.mark.parametrize("target", [32768, 65536, 131072])
def test_a_window_that_no_release_has_is_not_sure(target: int) -> None:
    windows = {"use_sliding_window": True, "sliding_window": 4096, "max_window_layers": 14}
    assert (
        choose(edited("Qwen2.5-7B-Instruct", use_sliding_window=False), target).sureness == "sure"
    )
    assert choose(edited("Qwen2.5-7B-Instruct", **windows), target).sureness != "sure"

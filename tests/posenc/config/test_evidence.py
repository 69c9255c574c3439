"""Published evidence: what is stated, where, and for which files."""

import json
from importlib.resources import files

import pytest

from posenc import RopeConfig, known_models
from posenc.config.evidence import LENGTHS, THRESHOLD, evidence_for
from posenc.config.known_models import model_named
from posenc.words import Sentence

OTHERS = json.loads(files("posenc.config").joinpath("other_models.json").read_text("utf-8"))
NAMES = (*known_models(), *(row["name"] for row in OTHERS))

# The main table of RULER's README, and table 23 of Qwen3's report: the longest length at which the
# score is 85.6 % or more, by eye.
REACHED = {
    "Llama-3.1-8B": 32768,
    "Llama-3.1-70B": 65536,
    "Qwen2.5-7B-Instruct": 32768,
    "Qwen3-8B": 32768,
    "Qwen3-32B": 131072,
    "Mixtral-8x22B": 32768,
    "Mistral-Nemo": 16384,
    "Phi-3-mini-128k": 32768,
}


def config(name: str, **fields: object) -> RopeConfig:
    return RopeConfig.from_hf({**model_named(name).config, **fields})


def test_every_statement_is_about_known_models_and_has_source_and_date() -> None:
    text = files("posenc.config").joinpath("evidence.json").read_text(encoding="utf-8")
    rows = json.loads(text)
    found = {one for name in NAMES for one in evidence_for(name)}
    assert len(found) == len(rows) >= 30
    for one in found:
        assert set(one.models) <= set(NAMES)
        assert one.status in ("read", "quoted", "assumed")
        assert one.kind in ("trained", "documented", "yarn", "ruler")
        assert (one.kind == "yarn") == (one.original is not None)
        assert (one.method == "yarn") <= (one.factor is not None)
        assert len(one.source) > 5
        year, month, day = map(int, one.date.split("-"))
        assert (2017 <= year <= 2026, 1 <= month <= 12, 1 <= day <= 31) == (True, True, True)
        assert isinstance(one.says, Sentence)
        assert one.date in one.says
        assert (one.kind == "ruler") == (one.tokens is None)
        assert (one.kind == "ruler") == (len(one.scores) == len(LENGTHS))


@pytest.mark.parametrize("name", REACHED)
def test_what_ruler_says(name: str) -> None:
    ruler = next(one for one in evidence_for(name) if one.kind == "ruler")
    assert ruler.reached == REACHED[name]
    assert f"at least {THRESHOLD} % right, its bar for a usable length, up to" in ruler.says
    assert f"up to {REACHED[name]:,} tokens" in ruler.says
    if ruler.reached != LENGTHS[-1]:
        assert f"{ruler.scores[-1]} % at 131,072" in ruler.says


def test_the_statements_on_qwen3() -> None:
    trained, yarn, ruler = evidence_for("Qwen3-8B")
    assert (trained.kind, trained.tokens) == ("trained", 32768)
    assert (yarn.kind, yarn.tokens, yarn.factor) == ("yarn", 131072, 4.0)
    assert ruler.says.startswith("On RULER's 13 long-text tasks, with YaRN and factor 4: ")
    assert "Qwen3 Technical Report, table 23" in ruler.says


def test_what_was_not_checked_is_said() -> None:
    assert "assumed, not read there" in evidence_for("LongChat-7b-16k")[0].says
    assert "as others quote it" in evidence_for("SmolLM3-3B")[0].says
    assert evidence_for("Qwen3-8B")[0].says.endswith("Context Length; 2026-01-09).")


def test_with_what_a_score_was_measured() -> None:
    # Qwen2.5's report, table 16: the line of the model, and the one below it, "w/o DCA + YARN".
    with_both, without = (row for row in evidence_for("Qwen2.5-7B-Instruct") if row.scores)
    assert "with YaRN and Dual Chunk Attention (which vLLM" in with_both.says
    assert "tasks, without any scaling: " in without.says
    assert with_both.scores[:4] == without.scores[:4]
    assert (with_both.scores[4:], without.scores[4:]) == ((82.3, 55.1), (74.5, 31.4))
    for row in (with_both, without):
        assert "Qwen2.5 Technical Report, table 16, arXiv:2412.15115" in row.says


def test_what_makers_document_is_not_what_they_trained_with() -> None:
    trained, documented = evidence_for("Kimi-K2")
    assert trained.says.startswith("Trained with texts of up to 32,768 tokens")
    assert documented.says.startswith("Its makers give 131,072 tokens as its context length")
    trained, yarn = evidence_for("SmolLM3-3B")
    assert (trained.tokens, yarn.original, yarn.factor, yarn.tokens) == (65536, 65536, 2.0, 131072)
    assert "YaRN with factor 2 on 65,536, to 131,072 tokens" in yarn.says


def test_a_file_is_matched_by_shape_and_base() -> None:
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    for fields in ({}, {"rope_scaling": yarn}, {"max_position_embeddings": 131072}):
        assert evidence_for(config("Qwen3-8B", **fields)) == evidence_for("Qwen3-8B")
    assert evidence_for(config("Qwen3-8B", rope_theta=2e6)) == ()


def test_no_more_is_claimed_as_trained_than_a_file_declares_unless_it_was_raised() -> None:
    for name in NAMES:
        for row in evidence_for(name):
            if row.kind == "trained":
                assert (row.tokens or 0) <= 1.1 * (config(name).reach or 0), name


def test_no_scaling_is_longer_than_its_factor_allows() -> None:
    for name in NAMES:
        for row in evidence_for(name):
            # Positions of images and videos grow more slowly than tokens.
            if row.kind == "yarn" and not row.caution.startswith("They take a factor below"):
                assert (row.tokens or 0) <= (row.original or 0) * (row.factor or 0)

"""Published evidence: what is stated, where, and for which files."""

import json
from importlib.resources import files

import pytest

from advisor import RopeConfig, known_models
from advisor.evidence import LENGTHS, THRESHOLD, evidence_for
from advisor.known_models import model_named
from posenc.words import Sentence

OTHERS = json.loads(files("advisor").joinpath("other_models.json").read_text("utf-8"))
NAMES = (*known_models(), *(row["name"] for row in OTHERS))

# The main table of RULER's README, and table 23 of Qwen3's report: the longest length at which the
# score is above 85.6%, by eye.
REACHED = {
    "Llama-3.1-8B": 32768,
    "Llama-3.1-70B": 65536,
    "Qwen2.5-7B-Instruct": 32768,
    "Qwen3-8B": 32768,
    "Qwen3-32B": 65536,
    "Mixtral-8x22B": 32768,
    "Mistral-Nemo": 16384,
    "Phi-3-mini-128k": 32768,
}


def config(name: str, **fields: object) -> RopeConfig:
    return RopeConfig.from_hf({**model_named(name).config, **fields})


def test_every_statement_has_known_models_source_and_date() -> None:
    text = files("advisor").joinpath("evidence.json").read_text(encoding="utf-8")
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
    assert f"more than {THRESHOLD}% right, its bar for a usable length, up to" in ruler.says
    assert f"up to {REACHED[name]:,} tokens" in ruler.says
    if ruler.reached != LENGTHS[-1]:
        assert f"{ruler.scores[-1]}% at 131,072" in ruler.says


# Qwen2.5's report, table 16: the line of the model, and the one below it, "w/o DCA + YARN".
@pytest.mark.parametrize(
    ("name", "number", "kind", "words"),
    [
        ("Qwen3-8B", 0, "trained", "texts of up to 32,768 tokens"),
        ("Qwen3-8B", 0, "trained", "Context Length; 2026-01-09)."),
        ("Qwen3-8B", 1, "yarn", "YaRN with factor 4 on 32,768, to 131,072 tokens"),
        ("Qwen3-8B", 2, "ruler", "On RULER's 13 long-text tasks, with YaRN and factor 4: "),
        ("Qwen3-8B", 2, "ruler", "Qwen3 Technical Report, table 23"),
        ("LongChat-7b-16k", 0, "trained", "assumed, not read there"),
        ("SmolLM3-3B", 0, "trained", "as others quote it"),
        ("SmolLM3-3B", 1, "yarn", "YaRN with factor 2 on 65,536, to 131,072 tokens"),
        ("Kimi-K2", 0, "trained", "Trained with texts of up to 32,768 tokens"),
        ("Kimi-K2", 1, "documented", "Its makers give 131,072 tokens as its context length"),
        ("Qwen2.5-7B-Instruct", -2, "ruler", "with YaRN and Dual Chunk Attention (which vLLM"),
        ("Qwen2.5-7B-Instruct", -2, "ruler", "55.1% at 131,072"),
        ("Qwen2.5-7B-Instruct", -1, "ruler", "tasks, without any scaling: "),
        ("Qwen2.5-7B-Instruct", -1, "ruler", "31.4% at 131,072"),
        ("Qwen2.5-7B-Instruct", -1, "ruler", "Technical Report, table 16, arXiv:2412.15115"),
    ],
)
def test_what_is_said(name: str, number: int, kind: str, words: str) -> None:
    said = evidence_for(name)[number]
    assert said.kind == kind
    assert words in said.says


def test_a_file_is_matched_by_shape_and_base() -> None:
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    for fields in ({}, {"rope_scaling": yarn}, {"max_position_embeddings": 131072}):
        assert evidence_for(config("Qwen3-8B", **fields)) == evidence_for("Qwen3-8B")
    assert evidence_for(config("Qwen3-8B", rope_theta=2e6)) == ()


def test_no_more_is_trained_than_declared_unless_raised() -> None:
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

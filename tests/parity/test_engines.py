"""Settings written today are those that were run in the engines' own code, by hand."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from posenc import RopeConfig, known_models
from posenc.config.engines.all import ENGINES
from posenc.config.facts import tried
from tests.parity.old_transformers import cases

RECORD = json.loads((Path(__file__).resolve().parents[2] / "data" / "engines.json").read_text())
# transformers itself runs in the tests, and in `old_transformers`.
HERE = {"transformers_5", "transformers_4"}


def families(engine: str) -> set[str | None]:
    """Families of the known models of which the engine computed what is written."""
    if engine in HERE:
        every = (RopeConfig.from_hf(model.config) for model in known_models().values())
        return {config.model_type for config in every if config.rotary}
    names = known_models()
    return {
        RopeConfig.from_hf(names[row["model"]].config).model_type
        for row in RECORD[engine]["rows"]
        if row["outcome"] == "same"
    }


@pytest.mark.parametrize("engine", tried())
def test_no_family_is_said_to_be_run_without_a_record(engine: str) -> None:
    ran = set(tried()[engine].ran)
    assert ran <= (families(engine) if engine in RECORD.keys() | HERE else set())


def test_records_say_what_was_run() -> None:
    for name, run in RECORD.items():
        version = run["version"].split()[0]
        assert version in ENGINES[name].sources
        assert len(run["ran"]) == 10
        assert run["how"]


@pytest.mark.parametrize("engine", RECORD)
def test_no_engine_computes_something_else_without_a_note(engine: str) -> None:
    run = RECORD[engine]
    counts = Counter(row["outcome"] for row in run["rows"])
    assert dict(counts) == run["counts"]
    assert counts["differs"] == 0
    assert counts["same"] >= 210
    for row in run["rows"]:
        if row["outcome"] == "same":
            assert max(row.get("difference", 0), row.get("angle", 0)) < run["bound"], row
            assert row.get("factor", 0) < run["bound"], row


@pytest.mark.parametrize("engine", RECORD)
def test_what_was_run_is_what_is_written(engine: str) -> None:
    """Where this fails the form has changed since it was run: run it again, or take its family from
    facts.json."""
    now, names = cases(left_out=()), known_models()
    for row in RECORD[engine]["rows"]:
        before = RopeConfig.from_hf(names[row["model"]].config)
        config = now[row["model"], row["method"]]
        if row["outcome"] == "refused":
            with pytest.raises(ValueError, match=r"\.$"):
                config.settings(engine, before)
            continue
        written = config.settings(engine, before)
        assert hashlib.sha256(written.text.encode()).hexdigest()[:16] == row["text"], row
        if row["outcome"] == "noted":
            assert written.notes, row


def test_llama_cpp_scales_twice_and_ignores_the_attention_factor() -> None:
    run = RECORD["llama_cpp"]
    # rope_freqs slow the slowest pair 8 times, the flags 32 times more.
    assert run["rope_freqs"]["slowest_pair_slowed"] == pytest.approx(8 * 32, rel=1e-3)
    yarn = 1.138629436  # 0.1 ln 4 + 1
    assert run["yarn_attn_factor"]["factor"] == pytest.approx(yarn, rel=1e-6)
    assert run["override_kv"]["factor"] == pytest.approx(1.5 * yarn, rel=1e-6)

"""What was run in the engines' own code, by hand, is what is written for them today."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from posenc import RopeConfig, known_models
from posenc.config.engines.all import ENGINES
from tests.parity.old_transformers import cases

RECORD = json.loads((Path(__file__).resolve().parents[2] / "data" / "engines.json").read_text())
# transformers itself runs in the tests, and in `old_transformers`.
HERE = {"transformers_5", "transformers_4"}


def test_engines_that_were_run_say_so() -> None:
    assert {name for name, engine in ENGINES.items() if engine.ran} == RECORD.keys() | HERE
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
    """Where this fails the form has changed since it was run: run it again, or say `ran=False`."""
    now, names = cases(left_out=()), known_models()
    for row in RECORD[engine]["rows"]:
        before = RopeConfig.from_hf(names[row["model"]].config)
        config = now[row["model"], row["method"]]
        if row["outcome"] == "refused":
            with pytest.raises(ValueError, match=r"transformers 4 cannot|no dynamic"):
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

"""Settings written today are those that `make engines` ran in the engines' own code."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from transformers import CONFIG_MAPPING

from advisor.engines.all import ENGINES
from advisor.facts import TRIED, mark
from advisor.families import without_class
from advisor.families.all import FAMILIES
from reference.engines.cases import (
    AS_IT_IS,
    BOUND,
    Case,
    check_windows,
    configs,
    digest,
    gathered,
    judged,
    lengths,
    released,
    usual_notes,
    written,
)
from tests.kinds import KINDS, KNOWN

DATA = Path(__file__).resolve().parents[2] / "data"
RECORD = json.loads((DATA / "engines.json").read_text())
OLD = json.loads((DATA / "old_transformers.json").read_text())
ROWS = {name: run["rows"] for name, run in RECORD.items()}
# Qwen2-VL, Qwen2.5-VL and Apertus, which need memory, were run there.
ROWS["transformers_4"] = ROWS["transformers_4"] + OLD[TRIED["transformers_4"].version]["rows"]


def families(engine: str) -> set[str | None]:
    """Families of the known models of which the engine computed what is written."""
    # Noted may be a window alone.
    return {
        released(row["model"]).model_type
        for row in ROWS[engine]
        if row["outcome"] in ("same", "noted") and row["difference"] <= BOUND
    }


@pytest.mark.parametrize("engine", TRIED)
def test_no_family_is_said_to_be_run_without_a_record(engine: str) -> None:
    ran = set(TRIED[engine].ran)
    assert ran <= (families(engine) if engine in ROWS else set())


def test_what_did_not_load_is_not_marked_as_run() -> None:
    now = configs(4)
    for row in OLD[TRIED["transformers_4"].version]["rows"]:
        if row["outcome"] == "not loaded" and (row["model"], row["method"]) in now:
            config, before = now[row["model"], row["method"]], released(row["model"])
            assert mark("transformers_4", config, before) != "ran", row


def test_records_say_what_was_run() -> None:
    for name, run in RECORD.items():
        version = run["version"].split()[0]
        assert version in ENGINES[name].sources
        assert len(run["ran"]) == 10
        assert run["how"]


@pytest.mark.parametrize("engine", RECORD)
def test_no_engine_computes_something_else_without_a_note(engine: str) -> None:
    run = RECORD[engine]
    counts: Counter[str] = Counter()
    for row in RECORD[engine]["rows"]:
        counts[row["outcome"]] += len(lengths(row))
    assert dict(counts) == run["counts"]
    assert counts["differs"] == 0
    assert counts["same"] >= 210
    for row in RECORD[engine]["rows"]:
        if row["outcome"] == "same":
            assert max(row.get("difference", 0), row.get("angle", 0)) < run["bound"], row
            assert row.get("factor", 0) < run["bound"], row


@pytest.mark.parametrize("engine", RECORD)
@pytest.mark.parametrize("models", KNOWN, ids=KINDS)
def test_what_was_run_is_what_is_written(models: list[str], engine: str) -> None:
    """Where this fails the form has changed since it was run: `make engines`, or take its family
    from facts.json."""
    rows = [row for row in RECORD[engine]["rows"] if row["model"] in models]
    assert len(rows) > len(models)
    for row in rows:
        told = [written(engine, row["model"], row["method"], times) for times in lengths(row)]
        if row["outcome"] == "refused":
            assert not any(told), row
            continue
        assert digest(engine, row) == row["text"], row
        if row["outcome"] == "noted":
            assert all(one and one.notes for one in told), row


def test_an_answer_is_judged_by_every_layer_that_turns() -> None:
    model, method = "Qwen3-8B", "yarn"
    config = configs(4)[model, method]
    case = Case(model, method, 4, config, written("vllm", model, method, 4))
    ours, factor = config.rotary["all"].frequencies()
    part = {"frequencies": ours.tolist(), "factor": factor}
    parts = [{"path": f"model.layers.{i}.rope", **part} for i in range(len(config.keys))]
    usual = usual_notes([case])
    found = {"class": "qwen3", "parts": parts}
    assert judged(case, found, usual)["outcome"] == "same"
    # One layer that is not scaled, none for one layer, another amplitude.
    plain = configs(1)[model, "as it is"].rotary["all"].frequencies()[0].tolist()
    for wrong in (
        [*parts[:-1], parts[-1] | {"frequencies": plain}],
        parts[:-1],
        [one | {"factor": 1.0} for one in parts],
    ):
        assert judged(case, found | {"parts": wrong}, usual)["outcome"] == "differs"
    short = judged(case, found | {"length": 40960}, usual)
    assert (short["outcome"], short["why"]) == ("differs", "it takes 40960 tokens")
    near = judged(case, found | {"windows": {"model.layers.3.attn": 4096}}, usual)
    told = "model.layers.3.attn sees 4,096 tokens, and in the file 131,072."
    assert (near["outcome"], near["why"]) == ("differs", told)
    # Windows of a family whose memory is not known are compared with nothing.
    check_windows(configs(1)["ModernBERT-base", AS_IT_IS], {"layers.1.attn": 65})
    noted = replace(case, written=replace(case.written, notes=("It has no amplitude.",)))
    unscaled = found | {"parts": [one | {"factor": 1.0} for one in parts]}
    assert judged(noted, unscaled, usual)["outcome"] == "noted"
    assert judged(case, {"why": "no class"}, usual)["outcome"] == "not compared"
    refused = judged(replace(case, written=None), {}, usual)
    rows = gathered("vllm", [judged(case, found, usual), refused, refused | {"times": [8]}])
    assert [(row["outcome"], row["times"]) for row in rows] == [("same", [4]), ("refused", [4, 8])]


def test_llama_cpp_scales_twice_and_ignores_the_attention_factor() -> None:
    run = RECORD["llama_cpp"]
    # rope_freqs slow the slowest pair 8 times, the flags 32 times more.
    assert run["rope_freqs"]["slowest_pair_slowed"] == pytest.approx(8 * 32, rel=1e-3)
    yarn = 1.138629436  # 0.1 ln 4 + 1
    assert run["yarn_attn_factor"]["factor"] == pytest.approx(yarn, rel=1e-6)
    assert run["override_kv"]["factor"] == pytest.approx(1.5 * yarn, rel=1e-6)


def test_families_that_transformers_has_no_class_for() -> None:
    parts = {"semantic", "coarse_acoustics", "fine_acoustics"}  # of Bark
    assert without_class.FAMILIES.keys() == FAMILIES.keys() - CONFIG_MAPPING.keys() - parts

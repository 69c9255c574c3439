"""posenc check: each kind of fault is recognised, on a small server that has it."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from advisor import RopeConfig
from advisor.__main__ import app
from advisor.endpoint.check import Check
from advisor.endpoint.client import Client, NoAnswerError
from advisor.endpoint.lengths import change, given_lengths, serves
from advisor.endpoint.plan import repeated
from advisor.endpoint.prompts import SHORT
from advisor.endpoint.result import Result
from advisor.endpoint.scaling import Expected
from tests.advisor.endpoint.standing import (
    FILE,
    SCALED,
    TARGET,
    TRAINED,
    YARN,
    Engine,
    standing,
    tops,
)

LINEAR = SCALED | {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}


def wanted(config: dict[str, Any] = SCALED) -> Expected:
    """The stand-in's answers for its file, and for other readings of it."""
    readings = {
        "file": config,
        "none": FILE,
        "half the factor": SCALED | {"rope_scaling": YARN | {"factor": 2.0}},
    }
    return Expected(
        "stand-in",
        {name: tuple(tops(one, text.split()) for text in SHORT) for name, one in readings.items()},
    )


def seen(engine: Engine, **more: Any) -> dict[str, Result]:
    """Results by part."""
    with standing(engine) as url:
        given: dict[str, Any] = {"config": RopeConfig.from_hf(SCALED), "expected": wanted()} | more
        check = Check(Client(url, seconds=60), **given)
        check.prepare()
        return {one.part: one for one in check.run()}


def verdicts(results: dict[str, Result]) -> dict[str, str]:
    return {name: f"{one.verdict} {one.code}" for name, one in results.items()}


@pytest.mark.parametrize("where", ["vllm", "llama.cpp"])
def test_scaled_rightly(where: str) -> None:
    results = seen(Engine(SCALED, where=where))
    assert verdicts(results) == {
        "length": "right reached",
        "scaling": "right as_file",
        "cache": "right same",
        "shared": "right same",
        "batch": "right same",
        "needles": "right found_beyond",
        "cut": "right refuses",
    }
    assert results["cut"].evidence["limit"] == TARGET
    assert results["scaling"].evidence["nats"]["file"] == 0
    tried = results["needles"].evidence["prompts"][1:]
    assert [one["found"] for one in tried] == [True] * 16
    assert [one["place"] for one in tried] == ["beginning", "1/3", "2/3", "end"] * 4
    for one, share in zip(tried[::4], (0.25, 0.5, 0.75, 1.0), strict=True):
        assert share * TARGET - 120 < one["counted"] <= share * TARGET


def test_not_scaled() -> None:
    """The engine ignores the scaling, and reads the target with the trained frequencies."""
    results = seen(Engine(FILE, reads=TRAINED))
    assert verdicts(results) | {"cut": ""} == {
        "length": "right reached",
        "scaling": "wrong not_scaled",
        "cache": "right same",
        "shared": "right same",
        "batch": "right same",
        "needles": "wrong lost_beyond",
        "cut": "",
    }


def test_not_scaled_is_seen_beside_another_server() -> None:
    """Without the model: a server that was started without scaling stands beside it."""
    with standing(Engine(FILE)) as plain:
        for engine, verdict in (
            (Engine(SCALED), "right differs"),
            (Engine(FILE), "wrong not_scaled"),
        ):
            results = seen(engine, expected=None, other=Client(plain, seconds=60))
            assert verdicts(results)["scaling"] == verdict
    assert verdicts(seen(Engine(SCALED), expected=None))["scaling"] == "unseen nothing_to_compare"


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        (LINEAR, "no reading that was computed fits"),
        (SCALED | {"rope_scaling": YARN | {"factor": 2.0}}, "read with half the factor"),
        (SCALED | {"rope_theta": 500.0}, "no reading that was computed fits"),
    ],
)
def test_scaled_wrongly(runs: dict[str, Any], words: str) -> None:
    result = seen(Engine(runs))["scaling"]
    assert (result.verdict, result.code) == ("wrong", "otherwise")
    assert words in result.sentence


@pytest.mark.parametrize("where", ["vllm", "llama.cpp"])
def test_capped(where: str) -> None:
    results = seen(Engine(SCALED, admits=TRAINED, where=where))
    assert verdicts(results)["length"] == "wrong capped"
    assert ("declares 1,024" in results["length"].sentence) is (where == "llama.cpp")
    flag = {"vllm": "--max-model-len 4096 (vLLM)", "llama.cpp": "--ctx-size 4096 (llama-server;"}
    assert f"To change: {flag[where]}" in results["length"].sentence
    # What is known to be refused is not sent.
    assert verdicts(results)["needles"] == "right found"
    assert TRAINED - 120 < results["needles"].evidence["prompts"][-1]["tokens"] <= TRAINED
    assert "cut" not in results


def test_a_length_that_is_written_as_text() -> None:
    pages = {"/v1/models": {"data": [{"id": "stand-in", "max_model_len": str(TRAINED)}]}}
    results = seen(Engine(SCALED, admits=TRAINED, pages=pages))
    assert verdicts(results)["length"] == "wrong capped"


def test_a_prompt_that_is_refused_within_the_admitted_length() -> None:
    results = seen(Engine(SCALED, admits=TRAINED, where="none"))
    assert verdicts(results)["needles"] == "wrong refused"
    assert results["needles"].evidence["prompts"][-1]["tokens"] > TRAINED


def test_cut_without_a_word() -> None:
    """As engines do that shift or truncate: the prompt is answered, and was not read."""
    results = seen(Engine(SCALED, admits=TRAINED, refuses=False, where="none"))
    assert verdicts(results)["length"] == "unseen not_told"
    assert verdicts(results)["needles"] == "wrong cut_silently"


def test_what_was_found_is_said_where_an_answer_stays_out() -> None:
    results = seen(Engine(SCALED, falls=2500))
    assert verdicts(results)["needles"] == "wrong no_answer"
    assert "gives no answer: " in results["needles"].sentence
    assert "Found so far: 1,0" in results["needles"].sentence
    assert "cut" not in results
    with socket.create_server(("127.0.0.1", 0)) as silent:
        slow = Client(f"http://127.0.0.1:{silent.getsockname()[1]}", seconds=0.2)
        with pytest.raises(NoAnswerError, match=r"none within 0\.2 seconds, which --timeout sets"):
            slow.get("/v1/models")


# What each server answers, as far as it was run, read or stands in its manual.
PAGES: list[tuple[str, dict[str, Any], int]] = [
    ("SGLang", {"/server_info": {"context_length": 4096, "max_total_num_tokens": 90000}}, 4096),
    ("SGLang before", {"/get_server_info": {"context_length": 4096}}, 4096),
    ("TGI", {"/info": {"max_input_tokens": 4095, "max_total_tokens": 4096}}, 4096),
    (
        "LM Studio",
        {
            "/api/v0/models": {
                "data": [
                    {"id": "stand-in", "loaded_context_length": 4096, "max_context_length": 32768},
                    {"id": "other", "loaded_context_length": 2048},
                ]
            }
        },
        4096,
    ),
    (
        "Ollama",
        {
            "/api/version": {"version": "0.12"},
            "/api/ps": {"models": [{"name": "stand-in", "context_length": 4096}]},
            "/api/show": {
                "model_info": {"llama.context_length": 32768},
                "parameters": "stop  x\nnum_ctx    8192",
            },
        },
        4096,
    ),
    ("TabbyAPI", {"/v1/model": {"id": "stand-in", "parameters": {"max_seq_len": 4096}}}, 4096),
    ("KoboldCpp", {"/api/extra/true_max_context_length": {"value": 4096}}, 4096),
]


CHANGED = {
    "SGLang": "--context-length 8192",
    "SGLang before": "--context-length 8192",
    "TGI": "--max-total-tokens 8192",
    "LM Studio": "contextLength 8192",
    "Ollama": "num_ctx 8192",
    "TabbyAPI": "max_seq_len 8192",
    "KoboldCpp": "--contextsize 8192",
}


@pytest.mark.parametrize(
    ("pages", "length", "words"),
    [(*row[1:], CHANGED[row[0]]) for row in PAGES],
    ids=lambda _: "",
)
def test_every_servers_own_word_for_its_length(
    pages: dict[str, Any], length: int, words: str
) -> None:
    with standing(Engine(SCALED, where="none", pages=pages)) as url:
        found = given_lengths(Client(url, seconds=60), "stand-in")
    assert serves(found) == length
    assert words in change(found, 8192)
    declared = [one.tokens for one in found if one.meaning == "declares"]
    assert declared in ([], [32768])


def test_a_server_without_a_limit_reads_on() -> None:
    results = seen(Engine(SCALED, admits=None))
    assert verdicts(results)["cut"] == "odd no_limit"


def test_a_file_that_is_scaled_on_the_command_line_alone() -> None:
    """The screen's command names the unchanged config.json; --hf-overrides are not in it."""
    given = RopeConfig.from_hf(FILE)
    results = seen(Engine(SCALED), config=given, target=TARGET)
    assert {one.verdict for one in results.values()} == {"right"}
    results = seen(Engine(FILE, reads=TRAINED), config=given, target=TARGET)
    assert verdicts(results)["scaling"] == "wrong not_scaled"
    result = seen(
        Engine(FILE), config=RopeConfig.from_hf(FILE | {"model_type": "none"}), target=TARGET
    )
    assert verdicts(result)["length"] == "wrong file_short"


def test_more_than_was_meant_is_not_laid_on_the_file() -> None:
    """What is advised reaches the target; the file alone does not."""
    given = RopeConfig.from_hf(FILE)
    result = seen(Engine(SCALED, admits=2 * TARGET), config=given, target=TARGET)["length"]
    assert (result.verdict, result.code) == ("odd", "beyond_file")
    assert "more than the 4,096 that it is meant to reach" in result.sentence


def test_a_broken_prefix_cache() -> None:
    results = seen(Engine(SCALED, stale=True))
    assert verdicts(results)["cache"] == "wrong differs"
    assert verdicts(results)["scaling"] == "right as_file"
    assert results["cache"].evidence["cached_tokens"] > 0


def test_a_beginning_that_is_broken_where_prompts_share_it() -> None:
    results = seen(Engine(SCALED, blurred=True))
    assert verdicts(results)["shared"] == "wrong differs"
    assert verdicts(results)["cache"] == "right same"
    assert verdicts(results)["batch"] == "right same"
    evidence = results["shared"].evidence
    assert 0.3 < evidence["cached_tokens"] / repeated(TARGET) < 0.7
    assert evidence["usual"] == 0
    hit = f"{evidence['cached_tokens']:,} tokens came from the cache"
    assert f"another prompt with the same first half, {hit}" in results["shared"].sentence
    assert "without a cache that differ in it give the same" in results["shared"].sentence


def test_a_broken_batch() -> None:
    results = seen(Engine(SCALED, padded=True))
    assert verdicts(results)["batch"] == "wrong differs"
    assert results["batch"].evidence["how"] == "list"
    assert verdicts(results)["cache"] == "right same"


def test_what_cannot_be_seen_is_said() -> None:
    results = seen(Engine(SCALED, top=False, caches=False, counts=False, chats=True))
    found = verdicts(results)
    assert found["scaling"] == "unseen no_log_probs"
    assert found["cache"] == found["shared"] == "unseen no_hit"
    for part in ("cache", "shared"):
        assert "does not say what came from a cache" in results[part].sentence
    assert results["batch"].evidence["how"] == "at once"


def test_scaling_that_short_prompts_do_not_show() -> None:
    dynamic = FILE | {"rope_scaling": {"rope_type": "dynamic", "factor": 4.0}}
    results = seen(
        Engine(dynamic), config=RopeConfig.from_hf(dynamic), target=TARGET, expected=wanted(dynamic)
    )
    assert verdicts(results)["scaling"] == "unseen not_static"


def run(*arguments: str, stdin: str | None = None) -> Any:
    return CliRunner().invoke(app, ["check", *arguments], input=stdin)


def test_the_command(tmp_path: Path) -> None:
    expected = tmp_path / "expected.json"
    expected.write_text(json.dumps(wanted().document()))
    given = json.dumps(SCALED)
    with standing(Engine(SCALED)) as url:
        result = run(f"{url}/v1/", "-", "--expected", str(expected), "--strict", stdin=given)
        assert result.exit_code == 0, result.output
        assert result.stderr.startswith("Sends at most 43 prompts of ")
        assert "right     scaling  Scaled as the file says" in result.stdout
    with standing(Engine(FILE, reads=TRAINED)) as url:
        result = run(url, "-", "--expected", str(expected), "--json", stdin=given)
        document = json.loads(result.stdout)
        assert (result.exit_code, document["verdict"]) == (1, "wrong")
        assert document["asked"]["prompt_tokens"] > 2 * TARGET


def test_costs_are_said_before_and_bounded() -> None:
    engine = Engine(SCALED)
    with standing(engine) as url:
        result = run(url, "-", "--plan", stdin=json.dumps(SCALED))
        assert result.exit_code == 0, result.output
        assert "needles   22 prompts" in result.stdout
        assert engine.prompts == []
        result = run(url, "-", "--budget", "4k", stdin=json.dumps(SCALED))
        assert result.exit_code == 2
        assert "prompt tokens, and --budget is 4,096" in result.stderr
        assert engine.prompts == []
        check = Check(Client(url, seconds=60), config=RopeConfig.from_hf(SCALED))
        costs = check.prepare()
        check.run()
        # Two requests or four find out how it is asked; what is sent stays under what was said.
        assert len(engine.prompts) <= sum(cost.requests for cost in costs) + 4
        assert check.client.sent <= sum(cost.prompt_tokens for cost in costs) + 32


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ftp://x",), "URL must be an address such as http://localhost:8000"),
        (("http://a:b@localhost",), "POSENC_API_KEY"),
        (("http://localhost:1", "--target", "4096"), "http://localhost:1 gives no answer"),
        (("localhost:99999",), "URL must be an address"),
        (("localhost:1", "--target", "x"), "--target must be a number of tokens"),
        (("localhost:1", "--budget", "x"), "--budget must be a number of tokens"),
        (("localhost:1", "no.json"), "no.json cannot be read"),
        (("localhost:1", "--expected", "no.json"), "no.json cannot be read"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr


def test_an_expectation_of_something_else_is_refused(tmp_path: Path) -> None:
    for wrong in ("", "[]", "{}", json.dumps(wanted().document() | {"prompts": []})):
        file = tmp_path / "expected.json"
        file.write_text(wrong)
        result = run("localhost:1", "--expected", str(file))
        assert result.exit_code == 2
        assert "--expected must be a file that python -m models expected" in result.stderr

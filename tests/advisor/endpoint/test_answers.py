"""Answers that are none: empty, broken off, errors with status 200, thoughts alone."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from advisor import RopeConfig
from advisor.endpoint.check import Check
from advisor.endpoint.client import Client
from advisor.endpoint.result import Result
from tests.advisor.endpoint.standing import SCALED, TARGET, Engine, Raw, standing
from tests.advisor.endpoint.test_check import run, seen, verdicts

LONG = 2500
"""Words: two of the four lengths are longer."""
THOUGHT = "Okay, the user asks for a door code, which stands somewhere in these notes."


def over(other: Any) -> Callable[[int], Any]:
    """Something else in place of the answers to long prompts."""
    return lambda words: other if words > LONG else None


def needles(engine: Engine) -> Result:
    """What was seen in long prompts."""
    return seen(engine, expected=None)["needles"]


BROKEN = b'{"choices": [{"index": 0, "te'
CHUNK = b"%x\r\n%s\r\n" % (len(BROKEN), BROKEN)
WRONG: dict[str, tuple[Any, str, str]] = {
    "shorter than it says": (
        Raw(BROKEN, headers={"Content-Length": "5000"}),
        "no_answer",
        "the answer broke off, 4,971 bytes before its end",
    ),
    "a chunk is missing": (
        Raw(CHUNK, headers={"Transfer-Encoding": "chunked"}),
        "no_answer",
        "the answer broke off after",
    ),
    "no end": (Raw(BROKEN, headers={}), "no_answer", "without choices"),
    "nothing": (Raw(b""), "no_answer", "answers with nothing"),
    "a page": (Raw(b"<!DOCTYPE html><p>Sign in"), "no_answer", "answers with a web page"),
    "a stream": (Raw(b"data: {}\n\ndata: [DONE]"), "no_answer", "answers with a stream"),
    "no choices": ({"choices": []}, "no_answer", "without choices"),
    "an error with status 200": (
        {"error": {"message": "prompt is too long: 3000 > 2048", "code": 400}},
        "refused",
        "is refused: prompt is too long: 3000 > 2048",
    ),
    "an error of an older kind": (
        {"object": "error", "message": "too long", "choices": None},
        "refused",
        "is refused: too long",
    ),
    "an error of the server": (
        Raw(json.dumps({"error": {"message": "out of memory"}}).encode(), 500),
        "refused",
        "is refused: out of memory",
    ),
    "empty": ({"choice": {"text": " \n"}}, "empty", "Prompts get empty answers"),
    "no text": ({"choice": {"text": None}}, "empty", "Prompts get empty answers"),
    "words alone": ({"choice": {"text": " the the"}}, "all_lost", "is cut, or it is not read"),
}


@pytest.mark.parametrize(("instead", "code", "words"), WRONG.values(), ids=WRONG)
def test_no_answer_is_never_right(instead: Any, code: str, words: str) -> None:
    result = needles(Engine(SCALED, instead=over(instead)))
    assert (result.verdict, result.code) == ("wrong", code)
    assert words in result.sentence
    assert "1,0" in result.sentence  # What was found before is said.


def test_the_exit_status_of_a_server_that_dies() -> None:
    with standing(Engine(SCALED, instead=over(WRONG["shorter than it says"][0]))) as url:
        assert run(url, "-", stdin=json.dumps(SCALED)).exit_code == 1


def test_an_answer_that_comes_too_late_may_still_be_right() -> None:
    """Byte after byte: each comes in time, and the whole does not."""
    drops = Raw(b'{"choices": []}' + b" " * 10**4, pause=0.01)
    with standing(Engine(SCALED, instead=over(drops))) as url:
        check = Check(Client(url, seconds=1.5), config=RopeConfig.from_hf(SCALED))
        check.prepare()
        result = {one.part: one for one in check.run()}["needles"]
    assert (result.verdict, result.code) == ("unseen", "late")
    assert "none within 1.5 seconds, which --timeout sets" in result.sentence


@pytest.mark.parametrize("top", [True, False])
def test_empty_answers_are_not_the_same_text(top: bool) -> None:
    engine = Engine(SCALED, top=top, instead=lambda words: {"choice": {"text": ""}})
    results = verdicts(seen(engine, expected=None))
    for part in ("cache", "shared", "batch", "needles"):
        assert results[part] == "unseen empty"


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "reasoning_content": f"{THOUGHT} 12345"},
        {"content": "", "reasoning": THOUGHT},
        {"content": f"<think>\n{THOUGHT}"},
    ],
)
def test_a_model_that_thinks_and_does_not_answer(message: dict[str, str | None]) -> None:
    engine = Engine(SCALED, chats=True, top=False, instead=lambda words: {"choice": choice})
    choice = {"message": {"role": "assistant"} | message}
    results = seen(engine, expected=None)
    for part in ("cache", "shared", "batch", "needles"):
        assert f"{results[part].verdict} {results[part].code}" == "unseen thinks"
        assert "thinks first" in results[part].sentence
    assert "(found so far: none)" in results["needles"].sentence
    results = seen(
        Engine(SCALED, chats=True, instead=lambda n: {"choice": choice} if n > LONG else None),
        expected=None,
    )
    assert verdicts(results)["needles"] == "unseen thinks"


def test_what_follows_a_thought_is_the_answer() -> None:
    """A number that only the thought names is not found."""

    class Thinks(Engine):
        def reply(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
            status, given = super().reply(path, body)
            for choice in given.get("choices", ()):
                message = choice["message"]
                said = message["content"]
                message["content"] = f"<think>{said}</think>{said if self.is_right else 'None.'}"
            return status, given

        is_right = True

    result = needles(Thinks(SCALED, chats=True))
    assert result.verdict == "right"
    # The answer has room within the length that the server admits to.
    assert TARGET - 700 < result.evidence["prompts"][-1]["tokens"] <= TARGET - 512
    Thinks.is_right = False
    assert needles(Thinks(SCALED, chats=True)).code == "no_control"


@pytest.mark.parametrize("form", ["a page", "a stream"])
def test_a_server_that_never_answers_is_named(form: str) -> None:
    instead, _, words = WRONG[form]
    with standing(Engine(SCALED, instead=lambda _: instead)) as url:
        result = run(url, "-", stdin=json.dumps(SCALED))
    assert result.exit_code == 2
    assert words in result.stderr


def test_another_server_that_is_gone_is_no_fault_of_this_one() -> None:
    gone = Client("http://127.0.0.1:9", seconds=5)
    results = seen(Engine(SCALED), expected=None, other=gone)
    assert verdicts(results)["scaling"] == "unseen no_log_probs"


def test_a_prompt_that_is_too_long_and_breaks_the_server() -> None:
    fails = Raw(json.dumps({"error": {"message": "out of memory"}}).encode(), 500)
    engine = Engine(SCALED, admits=None, instead=lambda words: fails if words > 4096 else None)
    result = seen(engine, expected=None)["cut"]
    assert (result.verdict, result.code) == ("odd", "fails")
    engine.instead = lambda words: WRONG["nothing"][0] if words > 4096 else None
    assert verdicts(seen(engine, expected=None))["cut"] == "wrong no_answer"

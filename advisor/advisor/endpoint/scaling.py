"""Whether scaling is there at all: log-probabilities of short prompts, and whose they are."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from advisor.data import Config
from advisor.endpoint.ask import Asking, Refused, Top
from advisor.endpoint.prompts import SHORT
from advisor.endpoint.result import Outcome, Result
from posenc.words import say

FORMAT = 1
FILE = "file"
NONE = "none"
"""Ids of the readings that every expectation has: as the file says, and without its scaling."""
SEEN = 0.03
"""Nats. Less is not told apart from rounding: float32 against bfloat16 or 4 bits."""

NOT_STATIC = Outcome(
    "not_static",
    "unseen",
    "Short prompts cannot tell: with and without the scaling, {model} gives log-probabilities "
    "only {between:.3f} nats apart.",
)
UNLIKE_ALL = Outcome(
    "otherwise",
    "wrong",
    "The model is run differently from what the file says: log-probabilities of short prompts "
    "lie {file:.3f} nats from {model} as in the file and {none:.3f} from it without scaling, "
    "which are {between:.3f} apart; no reading that was computed fits.",
)
AS_FILE = Outcome(
    "as_file",
    "right",
    "Scaled as the file says: log-probabilities of short prompts lie {file:.3f} nats from "
    "{model} with this scaling, and {none:.3f} from it without.",
)
NOT_SCALED = Outcome(
    "not_scaled",
    "wrong",
    "Not scaled: log-probabilities of short prompts lie {none:.3f} nats from {model} without "
    "scaling, and {file:.3f} from it as the file says.",
)
ANOTHER = Outcome(
    "otherwise",
    "wrong",
    "Scaled differently: log-probabilities of short prompts lie {value:.3f} nats from {model} "
    "read with {reading}, and {file:.3f} from it as the file says.",
)
NOTHING_TO_COMPARE = Outcome(
    "nothing_to_compare",
    "unseen",
    "Nothing to compare: the two servers name no log-probability.",
)
DIFFERS = Outcome(
    "differs",
    "right",
    "The two servers differ: log-probabilities of short prompts lie {apart:.3f} nats from "
    "those of {url}. That something is scaled is seen, not that it is the right thing.",
)
NOT_DIFFERENT = Outcome(
    "not_scaled",
    "wrong",
    "No scaling, or the same at both: log-probabilities of short prompts lie only {apart:.3f} "
    "nats from those of {url}, and the file's scaling changes them.",
)
SAME = Outcome(
    "same",
    "unseen",
    "Short prompts give the same at both servers ({apart:.3f} nats): no static scaling at one of "
    "them alone is seen.",
)


def distance(seen: Sequence[Top], other: Sequence[Top]) -> float | None:
    """Root mean square difference of log-probabilities, in nats.

    Args:
        seen: For each place, log-probabilities by token: these tokens are compared.
        other: The same places; a token that is missing counts with the least that is there.

    Returns:
        The distance; None where there is nothing to compare.
    """
    squares = [
        (value - there.get(token, min(there.values()))) ** 2
        for here, there in zip(seen, other, strict=False)
        if there
        for token, value in here.items()
    ]
    return math.sqrt(sum(squares) / len(squares)) if squares else None


@dataclass(frozen=True)
class Expected:
    """A model's log-probabilities for `SHORT`, read in several ways.

    Args:
        model: Its name.
        readings: By id, for each prompt the log-probabilities of its most likely next tokens;
            "file" and "none" are there.
    """

    model: str
    readings: Mapping[str, tuple[Top, ...]]

    def document(self) -> dict[str, Any]:
        """As JSON, which `read` takes."""
        return {
            "format": FORMAT,
            "model": self.model,
            "prompts": list(SHORT),
            "readings": {name: list(tops) for name, tops in self.readings.items()},
        }

    @classmethod
    def read(cls, text: str) -> "Expected":
        """Read what `document` gave.

        Raises:
            ValueError: If it is something else, or of other prompts.
        """
        try:
            given = json.loads(text)
            readings = {
                str(name): tuple({str(k): float(v) for k, v in top.items()} for top in tops)
                for name, tops in given["readings"].items()
            }
            same = given["format"] == FORMAT and given["prompts"] == list(SHORT)
            name = str(given["model"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            readings = {}
            same = False
            name = ""
        if not same or not {FILE, NONE} <= set(readings):
            raise ValueError(
                "--expected must be a file that python -m models expected of this release wrote."
            )
        return cls(name, readings)


def is_static(config: Config) -> bool:
    """Whether scaling changes even a short prompt: its frequencies or its amplitude.

    Dynamic NTK and LongRoPE within the trained length do not; YaRN, linear and Llama-3 do.
    """
    for layer in config.rotary.values():
        own, factor = layer.frequencies(len(SHORT[-1].split()))
        plain, one = replace(layer, scaling=None).frequencies()
        if factor != one or not torch.equal(own, plain):
            return True
    return False


def short_answers(asking: Asking) -> tuple[list[Top], str]:
    """Log-probabilities of the next token of every short prompt, and why there are none.

    Raises:
        NoAnswerError: If nothing comes back.
        SpentError: If the budget does not cover a prompt.
    """
    tops: list[Top] = []
    for prompt in SHORT:
        answer = asking.one(prompt, 1, 2 * len(prompt.split()))
        if isinstance(answer, Refused):
            return [], say("it refuses a short prompt: {why}", why=answer.message)
        if not answer.tops or not answer.tops[0]:
            return [], say("it gives no log-probabilities")
        tops.append(answer.tops[0])
    return tops, ""


def compared(seen: Sequence[Top], expected: Expected) -> Result:
    """Which reading of the model a server's log-probabilities belong to.

    They belong to the nearest one, if that is nearer than half of what lies between the file as it
    is and the file without its scaling.
    """
    found = {name: distance(seen, tops) for name, tops in expected.readings.items()}
    apart = {name: value for name, value in found.items() if value is not None}
    between = distance(_of(seen, expected.readings[FILE]), _of(seen, expected.readings[NONE]))
    evidence: dict[str, Any] = {
        "nats": {name: round(value, 4) for name, value in apart.items()},
        "file_and_none": None if between is None else round(between, 4),
    }
    outcome, reading = _reading(apart, between)
    return outcome.result(
        "scaling",
        evidence,
        model=expected.model,
        file=apart.get(FILE, math.nan),
        none=apart.get(NONE, math.nan),
        between=between or 0.0,
        reading=reading,
        value=apart.get(reading),
    )


def _reading(apart: Mapping[str, float], between: float | None) -> tuple[Outcome, str]:
    """The outcome of the distances, and the reading that is nearest."""
    if between is None or between < SEEN:
        return NOT_STATIC, FILE
    nearest = min(apart, key=lambda name: apart[name])
    if nearest not in (FILE, NONE) and apart[nearest] > 0.7 * apart[FILE]:
        nearest = FILE
    if apart[nearest] > between / 2:
        return UNLIKE_ALL, nearest
    return {FILE: AS_FILE, NONE: NOT_SCALED}.get(nearest, ANOTHER), nearest


def _of(seen: Sequence[Top], tops: Sequence[Top]) -> list[Top]:
    """The same tokens that the server named, with another reading's numbers."""
    return [
        {token: there.get(token, min(there.values())) for token in here} if there else {}
        for here, there in zip(seen, tops, strict=False)
    ]


def between_servers(
    seen: Sequence[Top], other: Sequence[Top], url: str, static: bool | None
) -> Result:
    """Whether two servers of one model, one of them without scaling, differ at all.

    Args:
        seen: Of the server that is checked.
        other: Of the one without scaling.
        url: Address of the latter.
        static: Whether the file's scaling changes short prompts; None without a file.
    """
    apart = distance(seen, other)
    evidence = {"nats": None if apart is None else round(apart, 4), "other": url}
    if apart is None:
        outcome = NOTHING_TO_COMPARE
    elif apart >= SEEN:
        outcome = DIFFERS
    else:
        outcome = NOT_DIFFERENT if static else SAME
    return outcome.result("scaling", evidence, url=url, apart=apart)

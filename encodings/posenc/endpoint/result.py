"""Results of checking a server."""

from dataclasses import dataclass, field
from typing import Any, Literal

from posenc.words import Sentence

Verdict = Literal["right", "wrong", "odd", "unseen"]


@dataclass(frozen=True)
class Result:
    """One thing that was looked at.

    Attributes:
        part: "length", "needles", "cut", "scaling", "cache", "shared" or "batch".
        code: What was seen, a short ASCII word, such as "capped".
        verdict: "right"; "wrong": a fault; "odd": worth a look, or what rounding does as well;
            "unseen": it could not be told.
        sentence: What was seen.
        evidence: The numbers, plain data for JSON.
    """

    part: str
    code: str
    verdict: Verdict
    sentence: Sentence
    evidence: dict[str, Any] = field(default_factory=dict)

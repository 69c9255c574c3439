"""Results of looking at a server, and the ways in which a look can end."""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

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


class Outcome(NamedTuple):
    """A way in which a look can end: code and verdict of the result, and its text with places."""

    code: str
    verdict: Verdict
    text: str

    def result(self, part: str, evidence: dict[str, Any], **values: Any) -> Result:
        """The result, with these values in the places of the text."""
        return Result(part, self.code, self.verdict, Sentence(self.text, values), evidence)

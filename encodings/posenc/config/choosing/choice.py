"""A choice as plain data: what to set, how sure that is, and why."""

from dataclasses import dataclass
from typing import Literal

from posenc.config.choosing.lengths import TrainedLengths
from posenc.config.rope import RopeConfig
from posenc.words import Sentence

Verdict = Literal[
    "unknown", "elsewhere", "windows", "reaches", "remove", "extend", "cannot", "taken"
]
Sureness = Literal["sure", "likely", "guess", "none"]


@dataclass(frozen=True)
class Reason:
    """One thing that speaks for or against a choice.

    Attributes:
        code: Its name: "family", "no_length", "declared", "own", "own_unknown", "not_with_own",
            "makers", "published", "angles", "new_angles", "far", "stretched_on", "windows",
            "window_too", "chunks", "dynamic", "lists", "errors" or "advised".
        text: A sentence.
    """

    code: str
    text: Sentence


@dataclass(frozen=True)
class Choice:
    """What to do with the rotary layers, without its cost.

    Attributes:
        verdict: "unknown": no advice; "elsewhere": the layers do not rotate; "windows": nothing to
            gain; "reaches": nothing to set; "remove": leave the file's scaling out; "extend": set
            `method` and `factor`; "cannot": no method that is known; "taken": what was asked for
            in the place of the advice.
        clause: What to do with the numbers, without a full stop.
        sureness: "sure", "likely", "guess", or "none" where no advice is given.
        reasons: Why, and why no surer.
        method: Id of `METHODS`, "declared" for the file's own; "" where there is none.
        factor: Of the method.
        config: What to export: the file, or the file changed; None where nothing may be.
        layer_types: Keys of `config.rotary` that the choice is about.
        lengths: The trained lengths of the first of them.
    """

    verdict: Verdict
    clause: Sentence
    sureness: Sureness
    reasons: tuple[Reason, ...] = ()
    method: str = ""
    factor: float | None = None
    config: RopeConfig | None = None
    layer_types: tuple[str, ...] = ()
    lengths: TrainedLengths | None = None

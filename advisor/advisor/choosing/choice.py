"""A choice as plain data: what to set, how sure that is, and why."""

from dataclasses import dataclass
from typing import Any, Literal

from advisor.choosing.lengths import TrainedLengths
from advisor.evidence import Evidence
from advisor.rope import RopeConfig
from posenc.words import Sentence, say

Verdict = Literal[
    "unknown", "elsewhere", "windows", "reaches", "remove", "extend", "cannot", "taken"
]
Sureness = Literal["sure", "setting", "likely", "guess", "none", "limit"]
SURENESS: dict[Sureness, Sentence] = {
    "sure": say(
        "The makers' word covers setting and length; the quality of the answers is not certain."
    ),
    "setting": say(
        "It is certain that no scaling has to be added; how far the model reads is not."
    ),
    "likely": say(
        "Likely: the usual way; for this very file and length no maker's word is known here."
    ),
    "guess": say("A guess: measure before you rely on it."),
    "none": say("No setting is advised."),
    "limit": say("Sure that the model cannot read that far: no setting changes it."),
}
"""How sure a choice is, and of what."""
BY_WORD = say("By your word the setting is right; the quality of the answers is not certain.")
WARNED = say("Likely: the usual way; the makers' word on it comes with a warning.")
OF_ANOTHER = say(
    "Likely: the usual way; the makers' word is about a model from which this file may differ."
)
UNOBSERVED = say("Likely: what the model's class reads of its file was not observed.")
SOME_ENGINES = say("Likely: not every engine here reads that far.")


def sure_words(sureness: Sureness, has_word: bool, codes: set[str]) -> Sentence:
    """How sure a choice is, and what is missing where it is only likely.

    Args:
        sureness: Of the choice.
        has_word: Whether the makers say that the model reads the target like this.
        codes: Of its reasons.
    """
    if sureness == "sure" and "by_word" in codes:
        return BY_WORD
    if sureness != "likely":
        return SURENESS[sureness]
    if "some_engines" in codes:
        return SOME_ENGINES
    if "class_not_observed" in codes:
        return UNOBSERVED
    if not has_word:
        return SURENESS["likely"]
    return OF_ANOTHER if {"contradicted", "wrapped"} & codes else WARNED


NAMES = {
    "yarn": "YaRN",
    "llama3": "Llama-3",
    "longrope": "LongRoPE",
    "linear": say("linear"),
    "dynamic": say("dynamic"),
    "proportional": say("proportional"),
}
"""Names of the types of scaling, as a reader sees them."""


@dataclass(frozen=True)
class Reason:
    """One thing that speaks for or against a choice.

    Attributes:
        code: Its name: "family", "no_length", "either", "alike", "wrapped", "known", "said",
            "unknown", "published", "declared", "counted", "restored", "replaced", "contradicted",
            "own", "by_word", "own_edited", "own_unknown", "not_with_own", "makers", "angles",
            "new_angles", "far", "undocumented", "stretched_on", "windows", "no_windows",
            "beyond_known",
            "window_too", "chunks", "dynamic", "lists", "room", "not_shown", "not_said", "refused",
            "draft_model", "longer_release",
            "some_engines", "shorter_table", "errors", "no_more_errors", "advised", or the code of
            a finding.
        text: A sentence.
    """

    code: str
    text: str


def reason(code: str, template: str, /, **values: Any) -> Reason:
    """A reason whose text has these values in its places, as for `say`."""
    return Reason(code, Sentence(template, values))


@dataclass(frozen=True)
class Choice:
    """A choice for the rotary layers, without its cost.

    Attributes:
        verdict: "unknown": no advice; "elsewhere": the layers do not rotate; "windows": nothing to
            gain; "reaches": nothing to set; "remove": leave the file's scaling out; "extend": set
            `method` and `factor`; "cannot": no method that is known; "taken": what was asked for
            in the place of the advice.
        clause: What to do with the numbers, without a full stop.
        sureness: "sure": its makers trained with this setting at this length, or document it, see
            `known`, or who asks says that it was trained with its file; "setting": no setting would
            change anything; "likely"; "guess"; "none" where no advice is given; "limit" where the
            model ends before that length.
        reasons: Why, and why no surer.
        method: Id of `METHODS`, "declared" for the file's own; "" where there is none.
        factor: Of the method.
        config: What to export: the file, or the file changed; None where nothing may be.
        layer_types: Keys of `config.rotary` that the choice is about.
        lengths: The trained lengths of the first of them.
        known: The makers' word that the model reads the target like this; None without one.
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
    known: Evidence | None = None

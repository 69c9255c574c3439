"""The controls of the small models on *Extrapolation, measured*."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from lab.results.literature import CLAIMS
from lab.results.tables import load
from pages.measured.contenders import Contender, contenders
from posenc.words import say
from ui.controls import choice, choices, entry

RESCALED = ["rope-base128"]
RESCALED += [f"rope-base128.{method}" for method in ("linear", "ntk", "dynamic_ntk", "yarn")]
BASE_10000 = [name.replace("rope-base128", "rope") for name in RESCALED]
ENCODINGS = ["rope", "alibi", "t5", "fire", "cope"]
TIMES = {"2L": 2, "4L": 4, "8L": 8, "16L": 16}
BITS = {
    "against": say("against the window"),
    "absolute": say("absolute"),
    "all": say("all bytes"),
}
MIXES = {"trained": "as trained", "diluted": "diluted", "rare": "rare reset"}
"""Names of the texts in the lab, by their ids here."""
MIX_LABELS = {
    "trained": say("as trained"),
    "diluted": say("diluted"),
    "rare": say("rare resets"),
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Which small models are drawn."""

    curves: list[str] = entry(
        choices,
        say("Curves"),
        lambda _before: {name: one.name for name, one in contenders().items()},
        RESCALED,
        help=say(
            "An encoding as trained, or RoPE read by a method for long contexts. RoPE has "
            "the base 10000 where no other is named."
        ),
        above=True,
    )

    @property
    def chosen(self) -> Sequence[Contender]:
        known = contenders()
        return [known[name] for name in self.curves]


@dataclass(frozen=True, kw_only=True)
class DistanceSettings(Settings):
    first: ClassVar = ("length",)

    length: str = entry(
        choice,
        say("Context length n"),
        list(TIMES),
        "4L",
        wide=True,
        help=say("In training lengths L = 128 tokens."),
    )


@dataclass(frozen=True, kw_only=True)
class TextSettings(Settings):
    first: ClassVar = ("text",)

    text: str = entry(
        choice,
        say("Bits per byte"),
        BITS,
        help=say(
            "Of the last 64 bytes, less what a sliding window needs for the same bytes, or "
            "absolute; or of all bytes, read in windows side by side."
        ),
    )


@dataclass(frozen=True, kw_only=True)
class CountingSettings:
    mix: str = entry(
        choice,
        say("Texts"),
        MIX_LABELS,
        help=say("As in training; with more tokens between those counted; with rare resets."),
    )


@dataclass(frozen=True, kw_only=True)
class LiteratureSettings:
    claim: str = entry(
        choice,
        say("Claim"),
        {name: claim.says for name, claim in CLAIMS.items()},
        help=say(
            "Its source, what it is judged by, the numbers, and what would change the verdict. All "
            "claims stand below, and with all of their numbers in the table under Numbers."
        ),
        above=True,
    )


def trained_length(task: str) -> int:
    """L of the shipped models of a task.

    Raises:
        ValueError: If none was measured.
    """
    models = load().models(task)
    if not models:
        raise ValueError(say("There are no measured runs of the task {task} yet.", task=task))
    return next(iter(models.values())).train_length

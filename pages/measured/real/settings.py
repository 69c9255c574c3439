"""The controls of the real model on *Extrapolation, measured*."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from models.results.tables import (
    PLAIN,
    SLIDE,
    Way,
    factors,
    lengths,
    load,
    usual_length,
    ways,
)
from pages.measured.real.words import KINDS
from posenc.scaling.methods import METHODS
from posenc.words import say
from ui import controls
from ui.controls import entry
from ui.jobs.looks import title
from ui.words import number

ORDER = tuple(dict.fromkeys(("none", "slide", *METHODS)))
"""Order of curves: as trained and the window, then as everywhere."""
START = ["none", "slide", "linear", "ntk", "yarn"]
USABLE = ["slide", "ntk", "dynamic_ntk", "ntk_by_parts", "yarn", "llama3"]
"""Linear without training costs ten times as much, and would flatten the others."""
COSTS = {
    "bits": say("bits per token"),
    "less": say("less as trained"),
    "window": say("less the sliding window"),
}
LESS = {"bits": None, "less": PLAIN, "window": SLIDE}


def usual(_before: Any) -> int:
    """Tokens of the passes that most ways were measured in."""
    return usual_length(load().losses)


def long_lengths(_before: Any) -> dict[str, str]:
    """Lengths of texts that are longer than those of training."""
    found = [n for n in lengths(load().losses) if n > load().about.trained]
    return {str(n): number(n) for n in found}


def factor_options(s: Any) -> dict[str, str]:
    """Factors that texts of this length were read with."""
    there = factors(load().losses, int(s.tokens)) or [1.0]
    return {f"{one:g}": f"×{one:g}" for one in there}


def methods_of(_before: Any = None) -> Mapping[str, str]:
    """Every method that was measured by id, with its title."""
    measured = load()
    there = {str(row["method"]) for row in (*measured.losses, *measured.passkeys)}
    return {method: title(method) for method in ORDER if method in there}


def kind(length: Callable[[Any], int]) -> Any:
    """Which kind of text is read, of those of this length."""

    def options(s: Any) -> Mapping[str, str]:
        rows = [row for row in load().losses if int(row["length"]) >= length(s)]
        kinds = dict.fromkeys(str(row["kind"]) for row in rows)
        return {"all": say("all")} | {name: KINDS[name] for name in kinds}

    return entry(controls.choice, say("Texts"), options, help=say("Which kind of text is read."))


@dataclass(frozen=True, kw_only=True)
class KeysSettings:
    """Which ways to read are drawn."""

    first: ClassVar = ("methods",)

    methods: list[str] = entry(
        controls.choices,
        say("Ways to read"),
        methods_of,
        lambda _before: [name for name in START if name in methods_of()],
        help=say(
            "As trained, by a sliding window of the trained length, or by a method for long "
            "contexts. Means are over the texts that all chosen curves have."
        ),
    )


@dataclass(frozen=True, kw_only=True)
class ShortSettings:
    """Which short texts are read."""

    first: ClassVar = ("kind",)

    kind: str = kind(usual)


@dataclass(frozen=True, kw_only=True)
class LossSettings(KeysSettings):
    tokens: str = entry(
        controls.choice,
        say("Tokens per pass"),
        long_lengths,
        lambda before: str(usual(before)),
        help=say("How long the texts are. Fewer ways and texts were measured at some."),
    )
    cost: str = entry(
        controls.choice,
        say("Shown as"),
        COSTS,
        help=say(
            "Bits per token, or the difference to as trained or to the sliding window on the "
            "same text."
        ),
    )
    factor: str = entry(
        controls.choice,
        say("Factor"),
        factor_options,
        lambda s: list(factor_options(s))[-1],
        help=say(
            "By how much methods that have a factor stretch the positions. Dynamic NTK takes "
            "it as its α, and stretches a text of n tokens by α · n / L − (α − 1): for α = 4 "
            "by 5 at twice the trained length, by 13 at four times."
        ),
    )
    kind: str = kind(lambda s: int(s.tokens))

    @property
    def length(self) -> int:
        return int(self.tokens)

    @property
    def less(self) -> Way | None:
        """The way that is subtracted; None draws the bits themselves."""
        return LESS[self.cost]

    @property
    def there(self) -> Sequence[Way]:
        """How these texts were read with this factor."""
        return ways(load().losses, self.length, float(self.factor))

    @property
    def chosen(self) -> list[Way]:
        there = {one.method: one for one in self.there}
        return [there[method] for method in ORDER if method in there and method in self.methods]

"""What was published about how far known models read: training, YaRN, long-context benchmarks."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from posenc.config.data import Config
from posenc.config.known_models import alike
from posenc.words import Sentence, say

Kind = Literal["trained", "yarn", "ruler"]
LENGTHS = (4096, 8192, 16384, 32768, 65536, 131072)
"""Lengths of RULER, tokens."""
THRESHOLD = 85.6
"""Percent: Llama-2-7B at 4096 tokens. RULER calls a length effective where a model has more."""
NOTHING = say("Nothing published that we know.")


@dataclass(frozen=True)
class Evidence:
    """One published statement about a model.

    Args:
        kind: "trained": the longest texts of its training; "yarn": its makers document YaRN;
            "ruler": measured on RULER.
        models: Names of known models that it is about.
        source: Where it stands.
        date: Of the source, year-month-day.
        status: "read" there, or "from memory".
        tokens: The length; None for RULER, see `reached`.
        factor: Of YaRN, None where none was set.
        scores: Percent at each of `LENGTHS`, for RULER.
    """

    kind: Kind
    models: tuple[str, ...]
    source: str
    date: str
    status: str
    tokens: int | None = None
    factor: float | None = None
    scores: tuple[float, ...] = ()

    @property
    def says(self) -> Sentence:
        """What is stated, in one sentence with its source and date."""
        where = say("{source}; {date}", source=Sentence(self.source, {}), date=self.date)
        if self.status != "read":
            where = say("{where}; from memory", where=where)
        if self.kind == "trained":
            return say(
                "Trained with texts of up to {tokens:,} tokens ({where}).",
                tokens=self.tokens,
                where=where,
            )
        if self.kind == "yarn":
            return say(
                "Its makers document YaRN with factor {factor:g} to {tokens:,} tokens ({where}).",
                factor=self.factor,
                tokens=self.tokens,
                where=where,
            )
        return self._ruler(where)

    @property
    def reached(self) -> int | None:
        """RULER: the longest length up to which no score lies below `THRESHOLD`; None for none."""
        below = next((i for i, one in enumerate(self.scores) if one < THRESHOLD), len(self.scores))
        return LENGTHS[below - 1] if below else None

    def _ruler(self, where: Sentence) -> Sentence:
        measured = say("RULER")
        if self.factor is not None:
            measured = say("RULER, with YaRN and factor {factor:g}", factor=self.factor)
        given = {"measured": measured, "threshold": THRESHOLD, "reached": self.reached}
        if self.reached == LENGTHS[-1]:
            return say(
                "{measured}: at least {threshold} % up to {reached:,} tokens, the longest measured "
                "({where}).",
                where=where,
                **given,
            )
        return say(
            "{measured}: at least {threshold} % up to {reached:,} tokens, {score} % at {last:,} "
            "({where}).",
            score=self.scores[-1],
            last=LENGTHS[-1],
            where=where,
            **given,
        )


def evidence_for(model: str | Config) -> tuple[Evidence, ...]:
    """What was published about a model.

    Args:
        model: A known model's name, or the configuration of any model: then that of the known
            model of the same family, shape and base, from which it may have been fine-tuned.

    Returns:
        The statements; () where nothing is known: say `NOTHING`.
    """
    names = {model} if isinstance(model, str) else {known.name for known in alike(model)}
    return tuple(one for one in _all() if names & set(one.models))


def trained_tokens(config: Config) -> Evidence | None:
    """The statement about the training of the known model that a file's model may be."""
    return next((one for one in evidence_for(config) if one.kind == "trained"), None)


@cache
def _all() -> tuple[Evidence, ...]:
    text = files("posenc.config").joinpath("evidence.json").read_text(encoding="utf-8")
    return tuple(_read(row) for row in json.loads(text))


def _read(row: dict[str, Any]) -> Evidence:
    lists = {name: tuple(row.get(name, ())) for name in ("models", "scores")}
    return Evidence(**(row | lists))

"""Published evidence of how far known models read: makers' lengths, YaRN, benchmarks."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from advisor.data import Config
from advisor.facts import since
from advisor.known_models import alike
from advisor.tables import table
from posenc.words import Sentence, say

Kind = Literal["trained", "documented", "yarn", "ruler"]
LENGTHS = (4096, 8192, 16384, 32768, 65536, 131072)
"""Lengths of RULER, tokens."""
THRESHOLD = 85.6
"""Percent: Llama-2-7B-Chat at 4096 tokens. A length is effective where a model has more."""


@dataclass(frozen=True)
class Evidence:
    """One published statement about a model.

    Args:
        kind: "trained": the longest texts of its training; "documented": its makers say that it
            reads that far, and not with which texts they trained; "yarn": its makers document
            YaRN; "ruler": measured on RULER.
        models: Names of known models that it is about.
        source: Where it stands.
        date: Of the source, year-month-day.
        status: "read" there, "quoted" by others, or "assumed".
        tokens: The length; None for RULER, see `reached`.
        factor: Of YaRN, None where none was set.
        original: L₀ of YaRN where its makers document it.
        method: With which RULER was measured: "" for the file as it is, "none",
            "yarn" or "dual_chunk_yarn".
        scores: Percent at each of `LENGTHS`, for RULER.
        caution: What the makers advise against with this setting, a sentence; "" for nothing.
    """

    kind: Kind
    models: tuple[str, ...]
    source: str
    date: str
    status: str
    tokens: int | None = None
    factor: float | None = None
    original: int | None = None
    method: str = ""
    scores: tuple[float, ...] = ()
    caution: str = ""

    @property
    def is_makers(self) -> bool:
        """Whether its makers say that the model reads `tokens`; a score says something else."""
        return self.kind != "ruler"

    @property
    def is_read(self) -> bool:
        """Whether the words were read, at their place or in a quotation."""
        return self.status != "assumed"

    @property
    def says(self) -> Sentence:
        """The statement in one sentence, with its source and date."""
        where = say("{source}; {date}", source=Sentence(self.source, {}), date=self.date)
        if self.status == "quoted":
            where = say("{where}; as others quote it", where=where)
        elif self.status == "assumed":
            where = say("{where}; assumed, not read there", where=where)
        if self.kind == "trained":
            return say(
                "Trained with texts of up to {tokens:,} tokens ({where}).",
                tokens=self.tokens,
                where=where,
            )
        if self.kind == "documented":
            return say(
                "Its makers give {tokens:,} tokens as its context length ({where}).",
                tokens=self.tokens,
                where=where,
            )
        if self.kind == "yarn":
            told = say(
                "Its makers document YaRN with factor {factor:g} on {original:,}, to {tokens:,} "
                "tokens ({where}).",
                factor=self.factor,
                original=self.original,
                tokens=self.tokens,
                where=where,
            )
            caution = Sentence(self.caution, {})
            return say("{told} {caution}", told=told, caution=caution) if self.caution else told
        return self._ruler(where)

    @property
    def reached(self) -> int | None:
        """RULER: the longest length up to which every score is above `THRESHOLD`; None for none."""
        below = next((i for i, one in enumerate(self.scores) if one <= THRESHOLD), len(self.scores))
        return LENGTHS[below - 1] if below else None

    def _ruler(self, where: Sentence) -> Sentence:
        measured = say("On RULER's 13 long-text tasks")
        if self.method == "yarn":
            measured = say(
                "On RULER's 13 long-text tasks, with YaRN and factor {factor:g}",
                factor=self.factor,
            )
        elif self.method == "dual_chunk_yarn":
            measured = say(
                "On RULER's 13 long-text tasks, with YaRN and Dual Chunk Attention (which vLLM "
                "dropped in {gone}) beyond the trained length",
                gone=since("dual_chunk_attention_config", "vllm"),
            )
        elif self.method == "none":
            measured = say("On RULER's 13 long-text tasks, without any scaling")
        given = {"measured": measured, "threshold": THRESHOLD, "reached": self.reached}
        if self.reached == LENGTHS[-1]:
            return say(
                "{measured}: more than {threshold}% right, its bar for a usable length, up to "
                "{reached:,} tokens, the longest measured ({where}).",
                where=where,
                **given,
            )
        return say(
            "{measured}: more than {threshold}% right, its bar for a usable length, up to "
            "{reached:,} tokens, {score}% at {last:,} ({where}).",
            score=self.scores[-1],
            last=LENGTHS[-1],
            where=where,
            **given,
        )


def evidence_for(model: str | Config) -> tuple[Evidence, ...]:
    """Published evidence about a model.

    Args:
        model: A known model's name, or the configuration of any model: then that of the known
            model of the same family, shape and base, from which it may have been fine-tuned.

    Returns:
        The statements; () where nothing is known.
    """
    names = {model} if isinstance(model, str) else {known.name for known in alike(model)}
    return tuple(one for one in _all() if names & set(one.models))


@cache
def _all() -> tuple[Evidence, ...]:
    return tuple(
        Evidence(**row | {key: tuple(row.get(key, ())) for key in ("models", "scores")})
        for row in table("evidence.json")
    )

"""How a claim is put to the test on one model."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from lab.results.comparisons import (
    FEWEST_SEEDS,
    NOT_RESOLVED,
    VERDICTS,
    Comparison,
    NotMeasuredError,
    Verdict,
    changes,
    decide,
)
from lab.results.one_model import ModelResults
from lab.results.real import RealModel
from lab.results.tables import Results
from posenc.words import Sentence, say

LEARNED = 95.0  # per cent recalled at L, from which a model counts as having learned the task
Criterion = Callable[[ModelResults], list[Comparison]]


class OnReal(NamedTuple):
    """How a claim is put to the test on the real model."""

    criterion: Sentence
    compare: Callable[[RealModel], list[Comparison]]


class Claim(NamedTuple):
    """One sentence of the literature, or of our own, and how it is put to the test."""

    id: str
    says: Sentence
    source: Sentence
    """Where it is said, with the section; of our own, what it starts from."""
    about: tuple[str, ...]
    """The small models that it is judged on, each for itself."""
    criterion: Sentence
    """Condition that they must meet, in words."""
    compare: Criterion
    needs_recall: bool = False
    """Says nothing of a model that did not learn the recall task at L."""
    is_ours: bool = False
    """A hypothesis of ours: no source claims it, or not of models like these."""
    real: OnReal | None = None
    """None where the real model cannot be asked."""


class Judgement(NamedTuple):
    """Judgement of a claim for one model, by its runs."""

    claim: Claim
    model: str
    verdict: Verdict
    seeds: int
    numbers: tuple[Sentence, ...]
    """Numbers that decide, in words."""
    one_seed: Verdict
    """Verdict by a single seed, where there are not more."""
    change: Sentence
    """Change that would change the verdict; "" where nothing was compared."""

    @property
    def words(self) -> Sentence:
        """The verdict, and what the one seed shows if that is all there is."""
        verdict = VERDICTS[self.verdict]
        if self.seeds == 1 and self.one_seed != self.verdict:
            one = VERDICTS[self.one_seed]
            return say("{verdict}: one seed only; in it {one}", verdict=verdict, one=one)
        return verdict


def judge(results: Results, claim: Claim, model: str) -> Judgement:
    """One claim for one model."""
    measured = ModelResults(results, model)
    try:
        if claim.needs_recall:
            at_length = measured.near("none", 1)
            if (at_length.values < LEARNED).any():
                name = say("did not learn the task: recall at L")
                words = Comparison(name, at_length, "above").words
                return _open(claim, model, words, len(at_length.values))
        return _judgement(claim, model, claim.compare(measured), FEWEST_SEEDS)
    except NotMeasuredError as error:
        return _open(claim, model, say("not measured: {what}", what=error))


def judge_real(real: RealModel, claim: Claim) -> Judgement | None:
    """One claim for the real model; None where it cannot be asked."""
    if claim.real is None:
        return None
    model = real.measured.model
    try:
        return _judgement(claim, model, claim.real.compare(real), fewest=1)
    except NotMeasuredError as error:
        return _open(claim, model, say("not measured: {what}", what=error))


def _judgement(
    claim: Claim, model: str, comparisons: Sequence[Comparison], fewest: int
) -> Judgement:
    return Judgement(
        claim,
        model,
        verdict=decide(comparisons, fewest),
        seeds=min(len(one.measured.values) for one in comparisons),
        numbers=tuple(one.words for one in comparisons),
        one_seed=decide(comparisons, fewest=1),
        change=changes(comparisons),
    )


def _open(claim: Claim, model: str, why: Sentence, seeds: int = 0) -> Judgement:
    """Nothing that could be compared."""
    return Judgement(claim, model, NOT_RESOLVED, seeds, (why,), NOT_RESOLVED, say(""))

"""How a claim is put to the test on one model."""

from collections.abc import Callable
from typing import NamedTuple

from lab.results.comparisons import NOT_RESOLVED, Comparison, NotMeasuredError, Verdict, decide
from lab.results.one_model import Measures
from lab.results.tables import Results

LEARNED = 95.0  # per cent recalled at L, from which a model counts as having learned the task
Criterion = Callable[[Measures], list[Comparison]]


class Claim(NamedTuple):
    """One sentence of the literature, and how it is put to the test."""

    says: str
    source: str
    about: tuple[str, ...]
    """The models that it is judged on, each for itself."""
    compare: Criterion
    needs_recall: bool
    """Says nothing of a model that did not learn the recall task at L."""

    @property
    def criterion(self) -> str:
        """What must hold, in words."""
        return " ".join((self.compare.__doc__ or "").split())


class Finding(NamedTuple):
    """What the runs show of a claim, for one model."""

    claim: Claim
    model: str
    verdict: Verdict
    seeds: int
    numbers: tuple[str, ...]
    """What decides, in words with numbers."""
    one_seed: Verdict
    """What a single seed shows, where there are not more."""

    @property
    def words(self) -> str:
        """The verdict, and what the one seed shows if that is all there is."""
        if self.seeds == 1 and self.one_seed != self.verdict:
            return f"{self.verdict}: one seed only; in it {self.one_seed}"
        return self.verdict


def judge(results: Results, claim: Claim, model: str) -> Finding:
    """One claim for one model."""
    measures = Measures(results, model)
    try:
        if claim.needs_recall:
            at_length = measures.near("none", 1)
            if (at_length.values < LEARNED).any():
                unlearned = Comparison("did not learn the task: recall at L", at_length, "above")
                seeds = len(at_length.seeds)
                return Finding(claim, model, NOT_RESOLVED, seeds, (unlearned.words,), NOT_RESOLVED)
        comparisons = claim.compare(measures)
    except NotMeasuredError as error:
        return Finding(claim, model, NOT_RESOLVED, 0, (f"not measured: {error}",), NOT_RESOLVED)
    seeds = min(len(one.measured.seeds) for one in comparisons)
    words = tuple(one.words for one in comparisons)
    return Finding(claim, model, decide(comparisons), seeds, words, decide(comparisons, fewest=1))

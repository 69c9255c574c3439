"""How a claim is put to the test on one model."""

from collections.abc import Callable
from typing import NamedTuple

from lab.measures import Measures
from lab.results import Results
from lab.verdicts import NOT_RESOLVED, Comparison, NotMeasuredError, Verdict, decide

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


def judge(results: Results, claim: Claim, model: str) -> Finding:
    """One claim for one model."""
    measures = Measures(results, model)
    try:
        if claim.needs_recall:
            at_length = measures.near("none", 1)
            if (at_length.values < LEARNED).any():
                unlearned = Comparison("did not learn the task: recall at L", at_length, "above")
                return Finding(claim, model, NOT_RESOLVED, len(at_length.seeds), (unlearned.words,))
        comparisons = claim.compare(measures)
    except NotMeasuredError as error:
        return Finding(claim, model, NOT_RESOLVED, 0, (f"not measured: {error}",))
    seeds = min(len(one.measured.seeds) for one in comparisons)
    words = tuple(one.words for one in comparisons)
    return Finding(claim, model, decide(comparisons), seeds, words)

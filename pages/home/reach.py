"""What was measured of an encoding past its training length, in a sentence."""

from lab.results.comparisons import NotMeasuredError
from lab.results.judging import LEARNED
from lab.results.one_model import ModelResults
from lab.results.tables import Results


def reach_words(results: Results, encoding: str) -> str | None:
    """Whether an encoding, as trained, reads four times its length; None if not measured.

    Of the seeds that learned the task, because the others tell nothing about reach.
    """
    measures = ModelResults(results, encoding)
    try:
        reads = measures.near("none", 1), measures.near("none", 4), measures.far("none", 4)
    except NotMeasuredError:
        return None
    learned = reads[0].values >= LEARNED
    if not learned.any():
        inside = reads[0].values.mean()
        return f"unknown, it did not learn the recall task ({inside:.0f} % within L)"
    near, far = (read.values[learned].mean() for read in reads[1:])
    words = f"at 4 L it recalls {near:.0f} % of near and {far:.0f} % of far keys"
    if learned.all():
        return words
    return f"{words}, in the {learned.sum()} of {len(learned)} seeds that learned the task"

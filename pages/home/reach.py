"""An encoding's measured recall past its training length, in a sentence."""

from functools import lru_cache

from lab.results.comparisons import NotMeasuredError
from lab.results.judging import LEARNED
from lab.results.one_model import ModelResults
from lab.results.tables import Results
from posenc.words import Sentence, say

LACKS_ROWS = say(
    "an error, because its table has no row there; in the measured curve those rows are random "
    "numbers"
)


@lru_cache(maxsize=64)
def reach_words(results: Results, encoding: str) -> Sentence | None:
    """Whether an encoding, as trained, reads four times its length; None if not measured.

    Of the seeds that learned the task, because the others tell nothing about reach. Far keys that
    are found may all stand where the text begins, among as many tokens as training had. A learned
    table has no row there: what its measurement finds, it finds with random numbers.
    """
    if encoding == "learned":
        return LACKS_ROWS
    measures = ModelResults(results, encoding)
    try:
        reads = (
            measures.near("none", 1),
            measures.near("none", 4),
            measures.between("none", 4, 3, 4),
            measures.between("none", 4, 1, 3),
        )
    except NotMeasuredError:
        return None
    learned = reads[0].values >= LEARNED
    if not learned.any():
        inside = reads[0].values.mean()
        return say(
            "unknown, because the small model did not learn to say what stood beside a key (it is "
            "right for {inside:.0f}% in texts as long as in training)",
            inside=inside,
        )
    near, first, between = (read.values[learned].mean() for read in reads[1:])
    found = say(
        "asked what stood beside a key, in texts four times as long, a small model is right for "
        "{near:.0f}% of the keys that are no further back than in training, {first:.0f}% of "
        "those in the first quarter of the text and {between:.0f}% of the others",
        near=near,
        first=first,
        between=between,
    )
    if not learned.all():
        return say(
            "{found}, in the {learned} of {seeds} seeds that learned the task",
            found=found,
            learned=int(learned.sum()),
            seeds=len(learned),
        )
    return found

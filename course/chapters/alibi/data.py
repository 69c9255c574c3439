"""How often models with ALiBi found a key."""

from course.chapters.data import known, learned
from lab.results.curves import Curve, recall_by_distance, recall_by_length
from lab.results.tables import Results, load


def data() -> dict[str, object]:
    """Shares of found keys by length and by distance."""
    results = load()
    near = known(recall_by_length(results, "recall-alibi", "none", "near"))
    far = known(recall_by_length(results, "recall-alibi", "none", "far"))
    return {
        "trained": results.models("recall")["recall-alibi"].train_length,
        "recall": _by_distance(results, near),
        "runs": int(learned(near).sum()),
        "far": {int(x): round(float(y), 1) for x, y in zip(far.x, far.mean, strict=True)},
    }


def _by_distance(results: Results, near: Curve) -> dict[int, list[list[float]]]:
    """By length: how far back, per cent found, of the worst and of the best run that learned it."""
    runs = learned(near)
    found = {}
    for length in map(int, near.x):
        curve = known(recall_by_distance(results, "recall-alibi", "none", length))
        values = curve.values[runs]
        rows = zip(curve.x, values.mean(0), values.min(0), values.max(0), strict=True)
        found[length] = [[int(back), *(round(float(y), 1) for y in ys)] for back, *ys in rows]
    return found

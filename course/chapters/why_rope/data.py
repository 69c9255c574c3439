"""How often small models with three encodings find a key within the trained length."""

from typing import Any

from course.chapters.data import known, learned
from lab.results.curves import recall_by_length
from lab.results.tables import load

MODELS = ("alibi", "t5", "rope")


def data() -> dict[str, Any]:
    """Near keys found by those models that learned to, per cent, in texts of the trained length."""
    results = load()
    curves = {
        name: known(recall_by_length(results, f"recall-{name}", "none", "near")) for name in MODELS
    }
    return {
        "near": {
            name: round(float(curve.values[learned(curve), 0].mean()), 1)
            for name, curve in curves.items()
        },
    }

"""T5's bias in the lab: what it learned, and what its models read past their training."""

from safetensors import safe_open

from course.chapters.data import known
from lab.results.curves import recall_by_length
from lab.results.tables import Results, load
from lab.training.checkpoints import DATA


def data() -> dict[str, object]:
    """A learned table, and the names that were found."""
    results = load()
    with safe_open(DATA / "recall-t5-s0.safetensors", "numpy") as file:
        table = file.get_tensor("encoding.table")
    return {
        "trained": results.models("recall")["recall-t5"].train_length,
        "numbers": [round(float(value), 3) for value in table[:, 0]],
        "near": _found(results, "none"),
        "near_window": _found(results, "slide"),
    }


def _found(results: Results, method: str) -> dict[str, list[float]]:
    """Per cent of near names that are found, by length: mean and range of three models."""
    curve = known(recall_by_length(results, "recall-t5", method, "near"))
    ends = {"mean": curve.mean, "low": curve.values.min(0), "high": curve.values.max(0)}
    found = {name: [round(float(y), 2) for y in end] for name, end in ends.items()}
    return {"lengths": curve.x.astype(int).tolist(), **found}

"""Data of the last chapter: what was measured of every encoding, and layers of released models."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.known_models import known_models
from advisor.memory.cache import layer_kinds, window_of
from advisor.memory.sizes import Sizes
from advisor.rope import RopeConfig
from course.chapters.data import known
from lab.results.curves import Curve, recall_by_length
from lab.results.judging import LEARNED
from lab.results.tables import Results, load
from lab.tasks.recall import CHANCE
from lab.training.finetuning import UPDATES
from models.results import tables
from models.results.keys import keys

ORDER = (
    "nope",
    "learned",
    "sinusoidal",
    "t5",
    "alibi",
    "kerple",
    "fire",
    "rope",
    "rope-base128",
    "cope",
)
"""Families together, the first of each before its relatives."""
TUNED = ("rope",)
"""Models that were trained further, on longer texts."""
LONGEST = 2048  # the longest text that all of them read
FURTHER = 4  # times the trained length, of the training afterwards
SHOWN = {
    "BLOOM-176B": "BLOOM",
    "Llama-2-7B": "Llama 2",
    "Llama-3.1-8B": "Llama 3.1",
    "Qwen3-8B": "Qwen3",
    "gpt-oss-20b": "gpt-oss",
    "Gemma-3-12B": "Gemma 3",
    "SmolLM3-3B": "SmolLM3",
    "Command-A-111B": "Command A",
}
"""Released models whose layers are drawn, and their short names."""


def data() -> dict[str, Any]:
    """All encodings, the lab's models of each, the real model under scalings, and layers."""
    results = load()
    spec = results.models("recall")["recall-rope"]
    return {
        "trained": spec.train_length,
        "longest": LONGEST,
        "chance": round(100 * CHANCE, 1),
        "encodings": {name.replace("-", "_"): _encoding(results, name) for name in ORDER},
        "further": {
            name.replace("-", "_"): _ends(
                known(recall_by_length(results, f"recall-{name}", "none", "far", FURTHER))
            )
            for name in TUNED
        },
        "updates": UPDATES,
        "real": _real(),
        "models": [
            _layers(title, RopeConfig.from_hf(known_models()[name].config))
            for name, title in SHOWN.items()
        ],
    }


def _encoding(results: Results, name: str) -> dict[str, Any]:
    """Its curves of those models that learned the task, and each model at the trained length."""
    near = known(recall_by_length(results, f"recall-{name}", "none", "near"))
    far = known(recall_by_length(results, f"recall-{name}", "none", "far"))
    learned = near.values[:, 0] >= LEARNED
    counted = learned if learned.any() else ~learned
    return {
        "models": len(near.values),
        "learned": int(learned.sum()),
        "each": [round(float(one), 2) for one in near.values[:, 0]],
        "near": _ends(near, counted),
        "far": _ends(far, counted),
    }


def _ends(curve: Curve, counted: NDArray[np.bool_] | None = None) -> dict[str, list[float]]:
    """Mean, lowest and highest of the models, or of those that are counted, at each length."""
    values = curve.values if counted is None else curve.values[counted]
    values = values[:, curve.x <= LONGEST]
    ends = {"mean": values.mean(0), "low": values.min(0), "high": values.max(0)}
    return {name: [round(float(y), 2) for y in ys] for name, ys in ends.items()}


def _real() -> dict[str, Any]:
    measured = tables.load()
    ways = {"none": tables.PLAIN}
    ways |= {name: tables.Way(name, float(FURTHER)) for name in ("linear", "ntk", "yarn")}
    found = {name: keys(measured, [way])[way] for name, way in ways.items()}
    return {
        "model": measured.about.title,
        "trained": measured.about.trained,
        "factor": FURTHER,
        "lengths": found["none"].lengths,
        "found": {name: one.right.sum(0).tolist() for name, one in found.items()},
        "asked": {name: one.asked.sum(0).tolist() for name, one in found.items()},
    }


def _layers(title: str, config: Config) -> dict[str, Any]:
    """Layers of a model, from the first to the last.

    Returns:
        Its short name, and of each layer the tokens of its window, 0 for the whole text, and the
        base by which it turns, 0 where it knows no positions; -1 stands for a penalty.
    """
    sizes = Sizes.of(config)
    kinds = layer_kinds(config, sizes)
    turns = config.rope_layers
    layers = []
    for i, kind in enumerate(kinds):
        layer = config.layer_at(i)
        if isinstance(layer, RopeLayer):
            base = round(layer.base) if turns[i] else 0
        else:
            base = -1 if layer.encoding == "alibi" else 0
        layers.append([window_of(sizes, kind) or 0, base])
    return {"name": title, "layers": layers}
